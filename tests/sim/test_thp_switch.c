// SPDX-License-Identifier: GPL-2.0-or-later
/* Switches that the test plays: what is written, when, and what not. */
#include <fz/thp_switch.h>

#include <errno.h>
#include <stdio.h>

#include "fake_files.h"
#include "fz_test.h"

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define GLOBAL "/sys/kernel/mm/transparent_hugepage/enabled"
#define SIZE   "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled"

/* Two files; a NULL word = there is no such file. */
struct fake_switches {
	const char *global;
	const char *size;
	int read_code;  /* of the size's file */
	int write_code; /* of both */
	int lock_code;
	const char *others; /* written to the size's by who had the lock */
	bool locked;
	unsigned int nr_locks;
	unsigned int nr_writes;
	unsigned int nr_unlocked; /* writes without the lock */
	char written[16];
};

static const char **file_of(struct fake_switches *world, const char *path)
{
	if (strcmp(path, GLOBAL) == 0)
		return &world->global;
	ck_assert_str_eq(path, SIZE);
	return &world->size;
}

/* As the kernel does: all words, the chosen one in brackets. */
static ssize_t fake_read(void *state, const char *root, const char *path,
			 uint64_t offset, void *buf, size_t cap)
{
	static const char *const words[] = { "always", "inherit", "madvise",
					     "never" };
	struct fake_switches *world = state;
	const char *word = *file_of(world, path);
	size_t used = 0;

	(void)root;
	ck_assert_uint_eq(offset, 0);
	if (!word)
		return -ENOENT;
	if (world->read_code && strcmp(path, SIZE) == 0)
		return world->read_code;
	for (int i = 0; i < NR(words); i++)
		used += (size_t)snprintf((char *)buf + used, cap - used,
					 strcmp(words[i], word) == 0 ? "[%s] "
								     : "%s ",
					 words[i]);
	return (ssize_t)used;
}

static int fake_write(void *state, const char *root, const char *path,
		      const char *text)
{
	struct fake_switches *world = state;

	(void)root;
	world->nr_unlocked += !world->locked;
	if (world->write_code)
		return world->write_code;
	world->nr_writes++;
	snprintf(world->written, sizeof(world->written), "%s", text);
	*file_of(world, path) = world->written;
	return 0;
}

static int fake_lock(void *state, const char *root, const char *path,
		     uint64_t wait_ns)
{
	struct fake_switches *world = state;

	(void)root;
	ck_assert_uint_gt(wait_ns, 0);
	ck_assert(!world->locked);
	if (!*file_of(world, path))
		return -ENOENT;
	world->nr_locks++;
	if (world->others)
		world->size = world->others;
	if (world->lock_code)
		return world->lock_code;
	world->locked = true;
	return 0;
}

static void fake_unlock(void *state, int lock)
{
	struct fake_switches *world = state;

	ck_assert_int_eq(lock, 0);
	ck_assert(world->locked);
	world->locked = false;
}

static struct fz_hooks switch_hooks(struct fake_switches *world)
{
	struct fz_hooks hooks = fz_hooks_default;

	hooks.state = world;
	hooks.read_file = fake_read;
	hooks.write_file = fake_write;
	hooks.lock_file = fake_lock;
	hooks.unlock_file = fake_unlock;
	return hooks;
}

static const struct {
	const char *global;
	const char *size;
	enum fz_page_kind kind;
	const char *path; /* that is written, NULL = none */
} opens[] = {
	{ "madvise", "never", FZ_PAGES_MTHP, SIZE },
	{ "always", "never", FZ_PAGES_MTHP, SIZE },
	{ "never", "inherit", FZ_PAGES_MTHP, SIZE },
	{ "never", "never", FZ_PAGES_MTHP, SIZE },
	{ "never", "madvise", FZ_PAGES_MTHP, NULL },
	{ "never", "always", FZ_PAGES_MTHP, NULL },
	{ "madvise", "inherit", FZ_PAGES_MTHP, NULL },
	{ "always", "inherit", FZ_PAGES_MTHP, NULL },
	{ "never", NULL, FZ_PAGES_MTHP, NULL }, /* the buffer says why */
	{ NULL, NULL, FZ_PAGES_MTHP, NULL },
	{ NULL, "inherit", FZ_PAGES_MTHP, NULL },
	{ "never", "inherit", FZ_PAGES_THP, SIZE },
	{ "never", NULL, FZ_PAGES_THP, GLOBAL }, /* before 6.8 */
	{ "madvise", NULL, FZ_PAGES_THP, NULL },
	{ NULL, NULL, FZ_PAGES_THP, NULL },
};

static struct fz_thp_switch *open_switch(const struct fz_hooks *hooks,
					 enum fz_page_kind kind)
{
	const struct fz_page_size page = { kind, 65536 };
	struct fz_thp_switch *thp_switch = NULL;
	struct fz_err err = { "" };

	ck_assert_msg(fz_thp_switch_open(&thp_switch, hooks, page, &err) == 0,
		      "%s", err.msg);
	ck_assert_ptr_nonnull(thp_switch);
	return thp_switch;
}

static void check_same(const char *now, const char *before)
{
	ck_assert_int_eq(!now, !before);
	if (now)
		ck_assert_str_eq(now, before);
}

START_TEST(the_narrowest_is_opened_and_closed)
{
	struct fake_switches world = {
		.global = opens[_i].global,
		.size = opens[_i].size,
	};
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = open_switch(&hooks, opens[_i].kind);

	ck_assert_pstr_eq(fz_thp_switch_path(thp_switch), opens[_i].path);
	ck_assert_uint_eq(world.nr_writes, opens[_i].path != NULL);
	ck_assert(!world.locked);
	if (opens[_i].path) {
		const bool size = strcmp(opens[_i].path, SIZE) == 0;

		ck_assert_str_eq(size ? world.size : world.global, "madvise");
		ck_assert_str_eq(fz_thp_switch_before(thp_switch),
				 size ? opens[_i].size : opens[_i].global);
	}
	ck_assert_int_eq(fz_thp_switch_close(thp_switch, NULL), 0);
	check_same(world.global, opens[_i].global);
	check_same(world.size, opens[_i].size);
	ck_assert_uint_eq(world.nr_writes, opens[_i].path ? 2 : 0);
	ck_assert_uint_eq(world.nr_unlocked, 0);
	ck_assert(!world.locked);
}
END_TEST

/* A choice that was made meanwhile stays. */
static const char *const choices[] = { "always", "inherit", "never" };

START_TEST(the_choice_of_others_stays)
{
	struct fake_switches world = { .global = "madvise", .size = "never" };
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = open_switch(&hooks, FZ_PAGES_MTHP);

	world.size = choices[_i];
	ck_assert_int_eq(fz_thp_switch_close(thp_switch, NULL), 0);
	ck_assert_str_eq(world.size, choices[_i]);
	ck_assert_uint_eq(world.nr_writes, 1);
}
END_TEST

START_TEST(what_came_while_it_waited_counts)
{
	struct fake_switches world = {
		.global = "madvise",
		.size = "never",
		.others = "always",
	};
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = open_switch(&hooks, FZ_PAGES_MTHP);

	ck_assert_ptr_null(fz_thp_switch_path(thp_switch));
	ck_assert_int_eq(fz_thp_switch_close(thp_switch, NULL), 0);
	ck_assert_uint_eq(world.nr_writes, 0);
	ck_assert_str_eq(world.size, "always");
}
END_TEST

/* In either order of closing. */
START_TEST(of_two_who_opened_closes)
{
	struct fake_switches world = { .global = "madvise", .size = "never" };
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *two[2];

	two[0] = open_switch(&hooks, FZ_PAGES_MTHP);
	two[1] = open_switch(&hooks, FZ_PAGES_MTHP);
	ck_assert_ptr_null(fz_thp_switch_path(two[1]));
	ck_assert_int_eq(fz_thp_switch_close(two[_i], NULL), 0);
	ck_assert_str_eq(world.size, _i ? "madvise" : "never");
	ck_assert_int_eq(fz_thp_switch_close(two[!_i], NULL), 0);
	ck_assert_str_eq(world.size, "never");
}
END_TEST

static const int lock_codes[] = { -EAGAIN, -ENOENT, -EACCES, -ENOLCK };

START_TEST(it_goes_on_without_the_lock)
{
	struct fake_switches world = {
		.global = "madvise",
		.size = "never",
		.lock_code = lock_codes[_i],
	};
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = open_switch(&hooks, FZ_PAGES_MTHP);

	ck_assert_str_eq(world.size, "madvise");
	ck_assert_int_eq(fz_thp_switch_close(thp_switch, NULL), 0);
	ck_assert_str_eq(world.size, "never");
}
END_TEST

static const struct {
	int write_code;
	int code;
	const char *msg;
} refusals[] = {
	{ -EACCES, -EACCES,
	  "cannot write '" SIZE
	  "': Permission denied; as root: echo madvise > " SIZE },
	{ -EROFS, -EACCES,
	  "cannot write '" SIZE "': Read-only file system; as root: echo "
	  "madvise > " SIZE },
	{ -EINVAL, -EINVAL,
	  "cannot write '" SIZE
	  "': Invalid argument; as root: echo madvise > " SIZE },
};

START_TEST(a_refused_write_says_why)
{
	const struct fz_page_size page = { FZ_PAGES_MTHP, 65536 };
	struct fake_switches world = {
		.global = "madvise",
		.size = "never",
		.write_code = refusals[_i].write_code,
	};
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = NULL;
	struct fz_err err = { "" };

	ck_assert_int_eq(fz_thp_switch_open(&thp_switch, &hooks, page, &err),
			 refusals[_i].code);
	ck_assert_ptr_null(thp_switch);
	ck_assert_str_eq(err.msg, refusals[_i].msg);
	ck_assert(!world.locked);
}
END_TEST

START_TEST(close_reports_a_refusal)
{
	struct fake_switches world = { .global = "never", .size = "inherit" };
	const struct fz_hooks hooks = switch_hooks(&world);
	struct fz_thp_switch *thp_switch = open_switch(&hooks, FZ_PAGES_MTHP);
	struct fz_err err = { "" };

	if (_i)
		world.read_code = -EIO;
	else
		world.write_code = -EACCES;
	ck_assert_int_eq(fz_thp_switch_close(thp_switch, &err),
			 _i ? -EIO : -EACCES);
	ck_assert_str_eq(err.msg,
			 _i ? "cannot read '" SIZE "': Input/output error"
			    : "cannot write '" SIZE "': Permission denied; as "
			      "root: echo inherit > " SIZE);
	ck_assert(!world.locked);
	ck_assert_int_eq(fz_thp_switch_close(NULL, NULL), 0);
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("thp_switch");
	TCase *tcase = tcase_create("thp_switch");

	tcase_add_loop_test(tcase, the_narrowest_is_opened_and_closed, 0,
			    NR(opens));
	tcase_add_loop_test(tcase, the_choice_of_others_stays, 0, NR(choices));
	tcase_add_test(tcase, what_came_while_it_waited_counts);
	tcase_add_loop_test(tcase, of_two_who_opened_closes, 0, 2);
	tcase_add_loop_test(tcase, it_goes_on_without_the_lock, 0,
			    NR(lock_codes));
	tcase_add_loop_test(tcase, a_refused_write_says_why, 0, NR(refusals));
	tcase_add_loop_test(tcase, close_reports_a_refusal, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
