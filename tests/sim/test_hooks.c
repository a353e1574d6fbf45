// SPDX-License-Identifier: GPL-2.0-or-later
/* The real hooks: files below a root, memory, clocks; and the readers. */
#include <fz/hooks.h>

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_files.h"
#include "fz_test.h"

static char root[] = "/tmp/fz-hooks-XXXXXX";

static void root_make(void)
{
	char path[64];

	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/file", root);
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs("0123456789\n", file);
	fclose(file);
	snprintf(path, sizeof(path), "%s/dir", root);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void root_remove(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/file", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/dir", root);
	rmdir(path);
	rmdir(root);
}

START_TEST(every_hook_is_there)
{
	const void *const *const members =
		(const void *const *)(const void *)&fz_hooks_default;
	size_t nr_null = 0;

	/* All members are pointers; only the state is NULL. */
	for (size_t i = 0; i < sizeof(fz_hooks_default) / sizeof(void *); i++)
		nr_null += members[i] == NULL;
	ck_assert_uint_eq(nr_null, 1);
	ck_assert_ptr_null(fz_hooks_default.state);
	ck_assert_str_eq(fz_hooks_default.root, "");
}
END_TEST

static const struct {
	const char *path;
	uint64_t offset;
	size_t cap;
	ssize_t bytes;
	const char *text;
} reads[] = {
	{ "/file", 0, 64, 11, "0123456789\n" },
	{ "/file", 0, 12, 11, "0123456789\n" },
	{ "/file", 0, 11, 10, "0123456789" },
	{ "/file", 4, 4, 3, "456" },
	{ "/file", 9, 64, 2, "9\n" },
	{ "/file", 11, 64, 0, "" },
	{ "/file", 1000, 64, 0, "" },
	{ "/file", 0, 1, 0, "" },
	{ "/file", 0, 0, -EINVAL, NULL },
	{ "/none", 0, 64, -ENOENT, NULL },
	{ "/file/below", 0, 64, -ENOTDIR, NULL },
	{ "/dir", 0, 64, -EISDIR, NULL },
};

START_TEST(read_file_reads_below_the_root)
{
	const struct fz_hooks hooks = saved_tree_hooks(root);
	char buf[64];
	const ssize_t bytes =
		hooks.read_file(hooks.state, hooks.root, reads[_i].path,
				reads[_i].offset, buf, reads[_i].cap);

	ck_assert_int_eq(bytes, reads[_i].bytes);
	if (bytes >= 0)
		ck_assert_str_eq(buf, reads[_i].text);
}
END_TEST

START_TEST(read_file_refuses_an_endless_path)
{
	char path[2 * PATH_MAX];
	char buf[8];

	memset(path, 'a', sizeof(path) - 1);
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(
		fz_hooks_default.read_file(NULL, "", path, 0, buf, sizeof(buf)),
		-ENAMETOOLONG);
}
END_TEST

/* The kernel hands such files out in pieces of about a page. */
START_TEST(read_file_joins_the_pieces_of_proc)
{
	static char whole[1 << 20], parts[2 << 20];
	FILE *file = fopen("/proc/kallsyms", "r");
	size_t bytes, done = 0;

	if (!file)
		return; /* a kernel without it */
	bytes = fread(whole, 1, sizeof(whole) - 1, file);
	fclose(file);
	ck_assert_int_eq(fz_hooks_default.read_file(NULL, "", "/proc/kallsyms",
						    0, parts, bytes + 1),
			 (ssize_t)bytes);
	ck_assert_int_eq(memcmp(whole, parts, bytes), 0);
	memset(parts, 0, sizeof(parts));
	while (done < bytes) {
		const ssize_t got = fz_hooks_default.read_file(
			NULL, "", "/proc/kallsyms", done, parts + done, 300001);

		ck_assert_int_gt(got, 0);
		done += (size_t)got;
	}
	ck_assert_int_eq(memcmp(whole, parts, bytes), 0);
}
END_TEST

START_TEST(write_file_overwrites_and_never_creates)
{
	const struct fz_hooks hooks = saved_tree_hooks(root);
	char buf[64];

	ck_assert_int_eq(hooks.write_file(NULL, root, "/file", "42"), 0);
	ck_assert_int_eq(fz_read_text(&hooks, "/file", buf, sizeof(buf)), 2);
	ck_assert_str_eq(buf, "42");
	ck_assert_int_eq(hooks.write_file(NULL, root, "/none", "42"), -ENOENT);
	ck_assert_int_eq(hooks.read_file(NULL, root, "/none", 0, buf, 8),
			 -ENOENT);
	ck_assert_int_eq(hooks.write_file(NULL, root, "/dir", "42"), -EISDIR);
}
END_TEST

/* The lock is of the open file, so a second look may come from here too. */
START_TEST(lock_file_keeps_others_out)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const uint64_t begin_ns = hooks->now_ns(NULL);
	const int lock = hooks->lock_file(NULL, root, "/file", 0);
	const int next = dup(0);

	close(next);
	ck_assert_int_ge(lock, 0);
	ck_assert_int_eq(hooks->lock_file(NULL, root, "/file", 0), -EAGAIN);
	ck_assert_int_eq(hooks->lock_file(NULL, root, "/file", 20000000),
			 -EAGAIN);
	ck_assert_uint_ge(hooks->now_ns(NULL) - begin_ns, 20000000);
	ck_assert_int_eq(dup(0), next); /* no descriptor was left open */
	hooks->unlock_file(NULL, lock);
	ck_assert_int_eq(hooks->lock_file(NULL, root, "/file", 0), lock);
	hooks->unlock_file(NULL, lock);
	ck_assert_int_eq(hooks->lock_file(NULL, root, "/none", 0), -ENOENT);
}
END_TEST

/* A program that holds it for a while, and one that dies with it. */
START_TEST(lock_file_waits_for_its_turn)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	char held;
	int pipes[2], lock;

	ck_assert_int_eq(pipe(pipes), 0);
	if (fork() == 0) {
		lock = hooks->lock_file(NULL, root, "/file", 0);
		if (lock < 0 || write(pipes[1], "x", 1) != 1)
			_exit(1);
		usleep(50000);
		_exit(0); /* with the lock */
	}
	ck_assert_int_eq(read(pipes[0], &held, 1), 1);
	ck_assert_int_eq(hooks->lock_file(NULL, root, "/file", 0), -EAGAIN);
	lock = hooks->lock_file(NULL, root, "/file", 60000000000u);
	ck_assert_int_ge(lock, 0);
	wait(NULL);
	hooks->unlock_file(NULL, lock);
}
END_TEST

struct names {
	size_t nr;
	bool file, dir, dots;
};

static void name_take(void *arg, const char *name)
{
	struct names *names = arg;

	names->nr++;
	names->file |= strcmp(name, "file") == 0;
	names->dir |= strcmp(name, "dir") == 0;
	names->dots |= name[0] == '.';
}

START_TEST(list_dir_lists_entries_but_dots)
{
	struct names names = { 0 };

	ck_assert_int_eq(
		fz_hooks_default.list_dir(NULL, root, "/", name_take, &names),
		0);
	ck_assert_uint_eq(names.nr, 2);
	ck_assert(names.file && names.dir && !names.dots);
	ck_assert_int_eq(fz_hooks_default.list_dir(NULL, root, "/none",
						   name_take, &names),
			 -ENOENT);
	ck_assert_int_eq(fz_hooks_default.list_dir(NULL, root, "/file",
						   name_take, &names),
			 -ENOTDIR);
	ck_assert_uint_eq(names.nr, 2);
}
END_TEST

static const struct {
	const char *text;
	size_t cap;
	ssize_t bytes;
	const char *read;
} texts[] = {
	{ "madvise\n", 32, 7, "madvise" },
	{ "madvise", 32, 7, "madvise" },
	{ "a\n\n", 32, 2, "a\n" },
	{ "\n", 32, 0, "" },
	{ "", 32, 0, "" },
	{ "abcdef", 4, 3, "abc" },
};

START_TEST(read_text_drops_one_newline)
{
	const struct fake_file files[] = { { "/f", texts[_i].text }, { 0 } };
	const struct fz_hooks hooks = fake_files_hooks(files);
	char buf[32];

	ck_assert_int_eq(fz_read_text(&hooks, "/f", buf, texts[_i].cap),
			 texts[_i].bytes);
	ck_assert_str_eq(buf, texts[_i].read);
	ck_assert_int_eq(fz_read_text(&hooks, "/g", buf, sizeof(buf)), -ENOENT);
}
END_TEST

static const struct {
	const char *text;
	int code;
	uint64_t value;
} numbers[] = {
	{ "0\n", 0, 0 },
	{ "2097152\n", 0, 2097152 },
	{ "18446744073709551615\n", 0, UINT64_MAX },
	{ "18446744073709551616\n", -EBADMSG, 7 },
	{ "99999999999999999999999999999999999999\n", -EBADMSG, 7 },
	{ "-1\n", -EBADMSG, 7 },
	{ "+1\n", -EBADMSG, 7 },
	{ " 1\n", -EBADMSG, 7 },
	{ "1 \n", -EBADMSG, 7 },
	{ "1\n2\n", -EBADMSG, 7 },
	{ "0x10\n", -EBADMSG, 7 },
	{ "max\n", -EBADMSG, 7 },
	{ "\n", -EBADMSG, 7 },
	{ "", -EBADMSG, 7 },
};

START_TEST(read_u64_takes_one_decimal_number)
{
	const struct fake_file files[] = { { "/f", numbers[_i].text }, { 0 } };
	const struct fz_hooks hooks = fake_files_hooks(files);
	uint64_t value = 7;

	ck_assert_int_eq(fz_read_u64(&hooks, "/f", &value), numbers[_i].code);
	ck_assert_uint_eq(value, numbers[_i].value);
	ck_assert_int_eq(fz_read_u64(&hooks, "/g", &value), -ENOENT);
}
END_TEST

START_TEST(memory_is_mapped_advised_and_unmapped)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	char *memory =
		hooks->map(NULL, NULL, 1 << 20, PROT_READ | PROT_WRITE, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	memory[0] = 1;
	ck_assert_int_eq(hooks->advise(NULL, memory, 1 << 20, MADV_DONTNEED),
			 0);
	ck_assert_int_eq(memory[0], 0);
	ck_assert_int_eq(hooks->advise(NULL, memory + 1, 4096, MADV_DONTNEED),
			 -EINVAL);
	ck_assert_int_eq(hooks->unmap(NULL, memory, 1 << 20), 0);
	ck_assert_int_eq(hooks->unmap(NULL, memory + 1, 4096), -EINVAL);
}
END_TEST

START_TEST(map_reports_errno)
{
	ck_assert_ptr_eq(
		fz_hooks_default.map(NULL, NULL, (size_t)1 << 60, PROT_READ, 0),
		MAP_FAILED);
	ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

START_TEST(clocks_do_not_step_back)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	uint64_t ns = hooks->now_ns(NULL), ticks = hooks->ticks(NULL);
	size_t nr_back = 0;

	hooks->pin(NULL, hooks->cpu(NULL));
	for (int i = 0; i < 10000; i++) {
		const uint64_t now_ns = hooks->now_ns(NULL);
		const uint64_t now = hooks->ticks(NULL);

		nr_back += now_ns < ns || now < ticks;
		ns = now_ns;
		ticks = now;
	}
	ck_assert_uint_eq(nr_back, 0);
}
END_TEST

/* Kernels are built for 100 to 1000 ticks a second; 24 and 1200 have been. */
START_TEST(ticks_come_now_and_then)
{
	const uint64_t tick_ns = fz_hooks_default.tick_ns(NULL);

	ck_assert(tick_ns == 0 || (tick_ns >= 500000 && tick_ns <= 50000000));
}
END_TEST

START_TEST(pin_binds_the_thread)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const unsigned int cpu = hooks->cpu(NULL);
	cpu_set_t set;

	ck_assert_int_eq(hooks->pin(NULL, cpu), 0);
	ck_assert_uint_eq(hooks->cpu(NULL), cpu);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	ck_assert_int_eq(CPU_COUNT(&set), 1);
	ck_assert(CPU_ISSET(cpu, &set));
	ck_assert_int_eq(hooks->pin(NULL, 60000), -EINVAL);
	ck_assert_int_eq(hooks->pin(NULL, UINT32_MAX), -EINVAL);
}
END_TEST

/* The policy of a page as the kernel has it. */
static bool is_bound_to_node_0(void *page)
{
	uint64_t mask[16] = { 0 };
	int mode = -1;

	return syscall(SYS_get_mempolicy, &mode, mask, 1025, page,
		       MPOL_F_ADDR) == 0 &&
	       mode == MPOL_BIND && mask[0] == 1;
}

/* Where it is refused, as in a container, that is told. */
START_TEST(memory_is_bound_to_a_node_and_found_there)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	char *page = hooks->map(NULL, NULL, 4096, PROT_READ | PROT_WRITE, 0);
	const int code = hooks->bind_memory(NULL, page, 4096, 0);
	const void *pages[] = { page };
	int node = -1;

	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert(code == 0 || code == -EPERM || code == -ENOSYS);
	ck_assert(code || is_bound_to_node_0(page));
	page[0] = 1;
	if (!code && !hooks->page_nodes(NULL, pages, 1, &node))
		ck_assert_int_eq(node, 0);
	ck_assert_int_eq(hooks->bind_memory(NULL, page, 4096, 1024), -EINVAL);
	ck_assert_int_lt(hooks->bind_memory(NULL, page, 4096, 1023), 0);
	ck_assert_int_lt(hooks->bind_memory(NULL, page + 1, 4095, 0), 0);
	hooks->unmap(NULL, page, 4096);
}
END_TEST

/* Each test is a process of its own, so nothing has to be put back. */
START_TEST(set_fifo_works_or_says_why)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const int code = hooks->set_fifo(NULL, 1);

	ck_assert(code == 0 || code == -EPERM);
	ck_assert_int_eq(sched_getscheduler(0),
			 code ? SCHED_OTHER : SCHED_FIFO);
	ck_assert_int_eq(hooks->set_fifo(NULL, 100), -EINVAL);
}
END_TEST

START_TEST(timer_slack_is_set)
{
	ck_assert_int_eq(fz_hooks_default.set_timer_slack(NULL, 1), 0);
	ck_assert_int_eq(prctl(PR_GET_TIMERSLACK), 1);
	ck_assert_int_eq(fz_hooks_default.set_timer_slack(NULL, UINT64_MAX),
			 -EINVAL);
}
END_TEST

static void on_alarm(int signal)
{
	(void)signal;
}

START_TEST(sleep_goes_on_after_a_signal)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	const uint64_t until_ns = hooks->now_ns(NULL) + 20000000;

	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &every, NULL), 0);
	ck_assert_int_eq(hooks->sleep_until_ns(NULL, until_ns), 0);
	ck_assert_uint_ge(hooks->now_ns(NULL), until_ns);
	ck_assert_int_eq(hooks->sleep_until_ns(NULL, 0), 0); /* long past */
}
END_TEST

/* A clock needs no hardware, and in user mode no rights. */
START_TEST(perf_counts)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const struct fz_perf_config clock = { .type = 1,
					      .config = 1,
					      .exclude_kernel = true };
	const struct fz_perf_config nonsense = { .type = 0xfffffff0u };
	/* A member of what counts already would begin much later. */
	const struct fz_perf_config faults = { .type = 1,
					       .config = 2,
					       .exclude_kernel = true };
	const int leader = hooks->perf_open(NULL, &faults, -1);
	uint64_t words[5] = { 0 };
	int member;

	ck_assert_int_lt(hooks->perf_open(NULL, &nonsense, -1), 0);
	ck_assert_int_lt(hooks->perf_read(NULL, 12345, words, 5), 0);
	ck_assert_int_lt(hooks->perf_enable(NULL, 12345), 0);
	if (leader < 0)
		return; /* a container may forbid it */
	ck_assert_int_eq(hooks->perf_open(NULL, &clock, 12345), -EBADF);
	member = hooks->perf_open(NULL, &clock, leader);
	ck_assert_int_ge(member, 0);
	ck_assert_int_eq(hooks->perf_enable(NULL, leader), 0);
	ck_assert_int_eq(hooks->perf_read(NULL, leader, words, 5), 40);
	ck_assert_uint_eq(words[0], 2);
	ck_assert_uint_gt(words[4], 0);
	ck_assert_int_eq(hooks->perf_read(NULL, leader, words, 4), -ENOSPC);
	hooks->perf_close(NULL, member);
	hooks->perf_close(NULL, leader);
	ck_assert_int_eq(hooks->perf_read(NULL, leader, words, 5), -EBADF);
}
END_TEST

START_TEST(usage_counts_the_faults_of_the_thread)
{
	const struct fz_hooks *hooks = &fz_hooks_default;
	const size_t bytes = 64 * 4096;
	char *memory = hooks->map(NULL, NULL, bytes, PROT_READ | PROT_WRITE, 0);
	struct fz_usage before, after;

	ck_assert_ptr_ne(memory, MAP_FAILED);
	hooks->advise(NULL, memory, bytes, MADV_NOHUGEPAGE);
	ck_assert_int_eq(hooks->usage(NULL, &before), 0);
	for (size_t at = 0; at < bytes; at += 4096)
		memory[at] = 1;
	ck_assert_int_eq(hooks->usage(NULL, &after), 0);
	ck_assert_uint_gt(after.minor_faults, before.minor_faults);
	ck_assert_uint_ge(after.involuntary_switches,
			  before.involuntary_switches);
	hooks->unmap(NULL, memory, bytes);
}
END_TEST

START_TEST(hypervisor_id_is_terminated)
{
	char id[FZ_HYPERVISOR_ID_BYTES];

	memset(id, 'x', sizeof(id));
	fz_hooks_default.hypervisor_id(NULL, id);
	ck_assert_uint_lt(strnlen(id, sizeof(id)), sizeof(id));
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("hooks");
	TCase *disk = tcase_create("disk");
	TCase *rest = tcase_create("rest");

	tcase_add_checked_fixture(disk, root_make, root_remove);
	tcase_add_loop_test(disk, read_file_reads_below_the_root, 0, NR(reads));
	tcase_add_test(disk, write_file_overwrites_and_never_creates);
	tcase_add_test(disk, lock_file_keeps_others_out);
	tcase_add_test(disk, lock_file_waits_for_its_turn);
	tcase_add_test(disk, list_dir_lists_entries_but_dots);
	suite_add_tcase(suite, disk);
	tcase_add_test(rest, every_hook_is_there);
	tcase_add_test(rest, read_file_refuses_an_endless_path);
	tcase_add_test(rest, read_file_joins_the_pieces_of_proc);
	tcase_add_loop_test(rest, read_text_drops_one_newline, 0, NR(texts));
	tcase_add_loop_test(rest, read_u64_takes_one_decimal_number, 0,
			    NR(numbers));
	tcase_add_test(rest, memory_is_mapped_advised_and_unmapped);
	tcase_add_test(rest, map_reports_errno);
	tcase_add_test(rest, clocks_do_not_step_back);
	tcase_add_test(rest, ticks_come_now_and_then);
	tcase_add_test(rest, pin_binds_the_thread);
	tcase_add_test(rest, memory_is_bound_to_a_node_and_found_there);
	tcase_add_test(rest, set_fifo_works_or_says_why);
	tcase_add_test(rest, timer_slack_is_set);
	tcase_add_test(rest, sleep_goes_on_after_a_signal);
	tcase_add_test(rest, perf_counts);
	tcase_add_test(rest, usage_counts_the_faults_of_the_thread);
	tcase_add_test(rest, hypervisor_id_is_terminated);
	suite_add_tcase(suite, rest);
	return suite;
}
