// SPDX-License-Identifier: GPL-2.0-or-later
/* Parameters that make no trace, one thing wrong at a time. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <fz/generated.h>

#include "fz_test.h"

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* The member that is set; all others have their defaults. */
static const struct {
	const char *name;
	size_t offset;
	char type; /* q = uint64_t, l = uint32_t, d = double */
	double value;
	int code;
	const char *says;
} cases[] = {
#define Q(m) offsetof(struct fz_generator_params, m), 'q'
#define L(m) offsetof(struct fz_generator_params, m), 'l'
#define D(m) offsetof(struct fz_generator_params, m), 'd'
	{ "sequential", Q(page_bytes), 0, -EINVAL, "a page of 0B" },
	{ "sequential", Q(page_bytes), 1, -EINVAL, "a page of 1B" },
	{ "sequential", Q(page_bytes), 2048, -EINVAL, "a page of 2K" },
	{ "sequential", Q(page_bytes), 12288, -EINVAL, "a page of 12K" },
	{ "sequential", Q(page_bytes), 8192, 0, NULL },
	{ "sequential", Q(page_bytes), 0x1p30, 0, NULL },
	{ "sequential", Q(page_bytes), 0x1p31, -EINVAL, "region of 1G" },
	{ "sequential", Q(page_bytes), 0x1p63, -EINVAL, "region of 1G" },
	{ "sequential", Q(region_bytes), 0, -ERANGE, "a region of 0B" },
	{ "sequential", Q(region_bytes), 1, -EINVAL, "region of 1B" },
	{ "sequential", Q(region_bytes), 0x1p46, 0, NULL },
	{ "sequential", Q(region_bytes), 0x1p46 + 4096, -ERANGE, "and 64T" },
	{ "sequential", Q(base_addr), 0, 0, NULL },
	{ "sequential", Q(base_addr), 1, -EINVAL, "at 0x1 does" },
	{ "sequential", Q(base_addr), 0x1p63, -ERANGE, "the kernel" },
	{ "sequential", Q(base_addr), 0x1p63 - 0x1p30, 0, NULL },
	{ "sequential", Q(base_addr), 0x1p63 - 0x1p29, -ERANGE, "kernel" },
	{ "anon-w-seq-hugetlb", Q(base_addr), 4096, -EINVAL, "a page of 2M" },
	{ "sequential", L(nr_processes), 0, -ERANGE, "0 threads" },
	{ "sequential", L(nr_processes), 16384, 0, NULL },
	{ "sequential", L(nr_processes), 16385, -ERANGE, "16385 threads" },
	{ "sequential", L(nr_processes), 4294967295, -ERANGE, "4294967295" },
	{ "sequential", L(nr_threads), 0, -ERANGE, "0 threads" },
	{ "sequential", L(nr_threads), 16385, -ERANGE, "16385 threads" },
	{ "anon-w-seq-hugetlb", L(nr_threads), 512, 0, NULL },
	{ "anon-w-seq-hugetlb", L(nr_threads), 513, -EINVAL, "512 pages" },
	{ "uniform", Q(region_bytes), 0x1p40, 0, NULL },
	{ "uniform", Q(region_bytes), 0x1p40 + 4096, -ERANGE, "268435456" },
	{ "zipf", L(nr_processes), 1024, 0, NULL },
	{ "zipf", L(nr_processes), 1025, -ERANGE, "at most 268435456" },
	{ "pointer-chase", Q(region_bytes), 0x1p46, 0, NULL },
	{ "sequential", Q(nr_faults), 262144, 0, NULL },
	{ "sequential", Q(nr_faults), 262145, -ERANGE, "262145 faults" },
	{ "sequential", Q(nr_accesses), 0x1p56, 0, NULL },
	{ "sequential", Q(nr_accesses), 0x1p57, -ERANGE, "accesses" },
	{ "stride", Q(stride_bytes), 0, 0, NULL },
	{ "stride", Q(stride_bytes), 4097, -EINVAL, "stride of 4097B" },
	{ "stride", Q(stride_bytes), 0x1p50, 0, NULL },
	{ "sequential", Q(stride_bytes), 1, 0, NULL },
	{ "zipf", D(zipf_exponent), 0, 0, NULL },
	{ "zipf", D(zipf_exponent), 100, 0, NULL },
	{ "zipf", D(zipf_exponent), -0.5, -ERANGE, "exponent of -0.5" },
	{ "zipf", D(zipf_exponent), 101, -ERANGE, "exponent of 101" },
	{ "zipf", D(zipf_exponent), NAN, -ERANGE, "exponent of nan" },
	{ "zipf", D(zipf_exponent), INFINITY, -ERANGE, "exponent of inf" },
	{ "uniform", D(zipf_exponent), NAN, 0, NULL },
	{ "hot-cold", D(hot_share), 0, -ERANGE, "hot share of 0" },
	{ "hot-cold", D(hot_share), 1, -ERANGE, "hot share of 1" },
	{ "hot-cold", D(hot_share), NAN, -ERANGE, "hot share of nan" },
	{ "hot-cold", D(hot_share), 0.999, 0, NULL },
	{ "hot-cold", D(hot_weight), 0, 0, NULL },
	{ "hot-cold", D(hot_weight), 1, 0, NULL },
	{ "hot-cold", D(hot_weight), 1.5, -ERANGE, "hot weight of 1.5" },
	{ "hot-cold", D(hot_weight), NAN, -ERANGE, "hot weight of nan" },
#undef Q
#undef L
#undef D
};

static void set_member(struct fz_generator_params *params, int i)
{
	char *member = (char *)params + cases[i].offset;

	if (cases[i].type == 'q')
		*(uint64_t *)(void *)member = (uint64_t)cases[i].value;
	else if (cases[i].type == 'l')
		*(uint32_t *)(void *)member = (uint32_t)cases[i].value;
	else
		*(double *)(void *)member = cases[i].value;
}

static void check_open(const struct fz_generator *generator,
		       const struct fz_generator_params *params, int code,
		       const char *says)
{
	struct fz_generated *generated = NULL;
	struct fz_err err = { "" };

	ck_assert_msg(fz_generated_open(&generated, generator, params, &err) ==
			      code,
		      "not %d: %s", code, err.msg);
	fz_generated_close(generated);
	if (!code)
		return;
	ck_assert_ptr_null(generated);
	ck_assert_msg(strstr(err.msg, says), "%s", err.msg);
	ck_assert_int_eq(fz_generated_open(&generated, generator, params, NULL),
			 code);
}

START_TEST(one_thing_wrong)
{
	const struct fz_generator *g = fz_generator_find(cases[_i].name);
	struct fz_generator_params params = fz_generator_defaults(g);

	set_member(&params, _i);
	check_open(g, &params, cases[_i].code, cases[_i].says);
}
END_TEST

START_TEST(rate)
{
	static const struct {
		uint64_t rate_per_s;
		int code;
	} rates[] = {
		{ 0, -ERANGE },          { 1, 0 },
		{ 1000000000, 0 },       { 1000000001, -ERANGE },
		{ UINT64_MAX, -ERANGE },
	};
	const struct fz_generator *g = fz_generators[0];
	struct fz_generator_params params = fz_generator_defaults(g);

	params.rate_per_s = rates[_i].rate_per_s;
	check_open(g, &params, 0, NULL);
	params.arrival = FZ_ARRIVAL_FIXED;
	check_open(g, &params, rates[_i].code, "/s is not between");
	params.arrival = FZ_ARRIVAL_POISSON;
	check_open(g, &params, rates[_i].code, "/s is not between");
}
END_TEST

START_TEST(events)
{
	const struct fz_generator *g = fz_generators[0];
	struct fz_generator_params params = fz_generator_defaults(g);
	const enum fz_event event = (enum fz_event)_i;
	const bool good =
		event == FZ_EVENT_USER_FAULT || event == FZ_EVENT_PAGE_FAULTS;

	params.event = event;
	check_open(g, &params, good ? 0 : -EINVAL, "cannot be generated");
}
END_TEST

Suite *fz_test_suite(void)
{
	Suite *suite = suite_create("generator_check");
	TCase *tc = tcase_create("generator_check");

	tcase_add_loop_test(tc, one_thing_wrong, 0, NR(cases));
	tcase_add_loop_test(tc, rate, 0, 5);
	tcase_add_loop_test(tc, events, 0, FZ_NR_EVENTS);
	suite_add_tcase(suite, tc);
	return suite;
}
