// SPDX-License-Identifier: GPL-2.0-or-later
/* What is no shared object of this machine is told apart before it is loaded.
 */
#include "fz_test.h"

#include "object_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fz/policy_object.h>
#include <fz/random.h>

#include "sanitized.h"

#define GOOD FZ_OBJECT_DIR "/stepwise.so"

#define MAX_BYTES (4u << 20)

#ifdef __x86_64__
#define HERE  "x86-64"
#define OTHER EM_AARCH64
#define THERE "arm64"
#else
#define HERE  "arm64"
#define OTHER EM_X86_64
#define THERE "x86-64"
#endif

static char folder[] = "/tmp/fz-object-XXXXXX";
static char copy[64];
static unsigned char good[MAX_BYTES];
static size_t good_bytes;

static void begin(void)
{
	FILE *file = fopen(GOOD, "rb");

	ck_assert_ptr_nonnull(file);
	good_bytes = fread(good, 1, sizeof(good), file);
	fclose(file);
	ck_assert_uint_gt(good_bytes, sizeof(Elf64_Ehdr));
	ck_assert_uint_lt(good_bytes, sizeof(good));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(copy, sizeof(copy), "%s/copy.so", folder);
}

static void end(void)
{
	unlink(copy);
	rmdir(folder);
}

static void write_copy(const unsigned char *bytes, size_t nr)
{
	FILE *file = fopen(copy, "wb");

	if (!file || fwrite(bytes, 1, nr, file) != nr)
		abort();
	fclose(file);
}

/* `msg` is a format of the path. */
static void refuses(const char *path, int code, const char *msg)
{
	struct fz_err err = { .msg = "" };
	char expected[FZ_ERR_MSG_BYTES];

	snprintf(expected, sizeof(expected), msg, path);
	ck_assert_int_eq(fz_object_file_check(path, &err), code);
	ck_assert_str_eq(err.msg, expected);
}

/* The good one with one byte of its header changed. */
static void refuses_changed(size_t at, unsigned char byte, const char *msg)
{
	const unsigned char old = good[at];

	good[at] = byte;
	write_copy(good, good_bytes);
	good[at] = old;
	refuses(copy, -EINVAL, msg);
}

START_TEST(good_one_passes)
{
	struct fz_err err = { .msg = "" };

	ck_assert_int_eq(fz_object_file_check(GOOD, &err), 0);
	ck_assert_str_eq(err.msg, "");
}
END_TEST

START_TEST(no_object_is_told)
{
	refuses("/no/such.so", -ENOENT,
		"cannot open '%s': No such file or directory");
	refuses(folder, -EINVAL, "'%s' is no policy: it is a directory");
	refuses("/dev/null", -EINVAL,
		"'%s' is no policy: it is not a regular file");
	refuses(FZ_TEST_DIR "/CMakeLists.txt", -EINVAL,
		"'%s' is no policy: it is not an ELF file");
	ck_assert_int_eq(mkfifo(copy, 0600), 0);
	refuses(copy, -EINVAL, "'%s' is no policy: it is not a regular file");
	unlink(copy);
	write_copy(good, 0);
	refuses(copy, -EINVAL, "'%s' is no policy: it is not an ELF file");
	write_copy(good, sizeof(Elf64_Ehdr) - 1);
	refuses(copy, -EINVAL, "'%s' is no policy: it is cut off");
	write_copy(good, good_bytes / 4);
	refuses(copy, -EINVAL, "'%s' is no policy: it is cut off");
}
END_TEST

START_TEST(other_machine_is_named)
{
	const size_t machine = offsetof(Elf64_Ehdr, e_machine);
	const bool big = good[EI_DATA] == ELFDATA2MSB;

	refuses_changed(machine + big, OTHER,
			"'%s' was built for " THERE ", this is " HERE
			": build it on this machine");
	refuses_changed(machine + big, 0xfe,
			"'%s' was built for another machine, this is " HERE
			": build it on this machine");
	refuses_changed(EI_CLASS, ELFCLASS32,
			"'%s' is no policy: it is an object of 32 bits");
	refuses_changed(offsetof(Elf64_Ehdr, e_type) + big, ET_REL,
			"'%s' is no policy: it is not a shared object: link it "
			"by 'cc -shared -fPIC'");
}
END_TEST

/* Opened whole, the loader included: whatever happens is one sentence. */
static bool opens_or_tells(void)
{
	static const struct fz_policy_limits limits = {
		.cpu_ms = 300,
		.wall_ms = 3000,
		.memory_bytes = 256u << 20,
		.max_runs = 1000,
		.max_calls = 1000,
	};
	struct fz_policy_object *object = NULL;
	struct fz_err err = { .msg = "" };
	const int code =
		fz_policy_object_open(&object, copy, true, &limits, NULL, &err);

	fz_policy_object_close(object);
	return (code == 0 ? object && !err.msg[0]
			  : !object && strstr(err.msg, copy)) &&
	       waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

START_TEST(cut_anywhere)
{
	const size_t stride = FZ_SANITIZED || FZ_EMULATED ? 2999 : 499;
	unsigned int bad = 0;

	for (size_t nr = 0; nr < good_bytes; nr += stride) {
		write_copy(good, nr);
		bad += !opens_or_tells();
	}
	ck_assert_uint_eq(bad, 0);
}
END_TEST

/* Mostly in the headers and the first page, where the tables are. */
START_TEST(changed_anywhere)
{
	const unsigned int tries = FZ_SANITIZED || FZ_EMULATED ? 20 : 300;
	struct fz_random random = fz_random_begin(71, 0);
	unsigned int bad = 0;

	for (unsigned int i = 0; i < tries; i++) {
		static unsigned char bytes[MAX_BYTES];

		memcpy(bytes, good, good_bytes);
		for (uint64_t j = fz_random_below(&random, 8); j < 8; j++)
			bytes[fz_random_below(&random,
					      j & 1 ? good_bytes : 2048)] =
				(unsigned char)fz_random_below(&random, 256);
		write_copy(bytes, good_bytes);
		bad += !opens_or_tells();
	}
	ck_assert_uint_eq(bad, 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("sim.object_file");
	TCase *tcase = tcase_create("object_file");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, good_one_passes);
	tcase_add_test(tcase, no_object_is_told);
	tcase_add_test(tcase, other_machine_is_named);
	tcase_add_test(tcase, cut_anywhere);
	tcase_add_test(tcase, changed_anywhere);
	suite_add_tcase(suite, tcase);
	return suite;
}
