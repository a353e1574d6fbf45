// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a file a shared object of this machine? */
#include "object_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* This program's own header, which the linker knows the place of. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{ EM_386, "i386" },
	{ EM_X86_64, "x86-64" },
	{ EM_ARM, "arm" },
	{ EM_AARCH64, "arm64" },
	{ EM_RISCV, "riscv" },
	{ EM_S390, "s390x" },
	{ EM_PPC64, "ppc64" },
	{ EM_MIPS, "mips" },
	{ EM_LOONGARCH, "loongarch" },
};

static const char *machine_name(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another machine";
}

static int refuse(struct fz_err *err, const char *path, const char *why)
{
	return fz_err_set(err, -EINVAL, "'%s' is no policy: %s", path, why);
}

static int check_machine(const char *path, const Elf64_Ehdr *head,
			 struct fz_err *err)
{
	uint16_t machine = head->e_machine;

	if (head->e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA])
		machine = __builtin_bswap16(machine);
	if (machine != __ehdr_start.e_machine)
		return fz_err_set(err, -EINVAL,
				  "'%s' was built for %s, this is %s: build it "
				  "on this machine",
				  path, machine_name(machine),
				  machine_name(__ehdr_start.e_machine));
	if (head->e_ident[EI_CLASS] != ELFCLASS64)
		return refuse(err, path, "it is an object of 32 bits");
	if (head->e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA])
		return refuse(err, path, "it has the other byte order");
	return 0;
}

/* Are the bytes of all segments there? */
static bool is_whole(int fd, const Elf64_Ehdr *head, uint64_t file_bytes)
{
	for (uint64_t i = 0; i < head->e_phnum; i++) {
		const uint64_t at = head->e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr part;

		if (at > INT64_MAX ||
		    pread(fd, &part, sizeof(part), (off_t)at) != sizeof(part))
			return false;
		if (part.p_offset > file_bytes ||
		    part.p_filesz > file_bytes - part.p_offset)
			return false;
	}
	return true;
}

static int check(const char *path, int fd, const struct stat *status,
		 struct fz_err *err)
{
	Elf64_Ehdr head = { .e_type = ET_NONE };
	const ssize_t bytes = pread(fd, &head, sizeof(head), 0);
	int code;

	if (bytes < 0)
		return fz_err_set(err, -errno, "cannot read '%s': %s", path,
				  strerror(errno));
	if (bytes < SELFMAG || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return refuse(err, path, "it is not an ELF file");
	if ((size_t)bytes < sizeof(head))
		return refuse(err, path, "it is cut off");
	code = check_machine(path, &head, err);
	if (code)
		return code;
	if (head.e_type != ET_DYN || head.e_phentsize != sizeof(Elf64_Phdr))
		return refuse(err, path,
			      "it is not a shared object: link it by "
			      "'cc -shared -fPIC'");
	if (!is_whole(fd, &head, (uint64_t)status->st_size))
		return refuse(err, path, "it is cut off");
	return 0;
}

int fz_object_file_check(const char *path, struct fz_err *err)
{
	/* Nobody may have the other end of a pipe. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	int code;

	if (fd < 0)
		return fz_err_set(err, -errno, "cannot open '%s': %s", path,
				  strerror(errno));
	if (fstat(fd, &status))
		code = fz_err_set(err, -errno, "cannot look at '%s': %s", path,
				  strerror(errno));
	else if (S_ISDIR(status.st_mode))
		code = refuse(err, path, "it is a directory");
	else if (!S_ISREG(status.st_mode))
		code = refuse(err, path, "it is not a regular file");
	else
		code = check(path, fd, &status, err);
	close(fd);
	return code;
}
