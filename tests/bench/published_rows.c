// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures that others published, and what a machine profile says of them. */
#include "published_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/policies.h>
#include <fz/profile_price.h>
#include <fz/units.h>

#define NR(a)      (sizeof(a) / sizeof((a)[0]))
#define NR_COLUMNS (sizeof(struct published_row) / PUBLISHED_WORD_BYTES)

/* perf bench's GB is 2^30 bytes; the other one is as it was printed. */
#define GIB_PER_S 0x1p30
#define MB_PER_S  1e6

static const struct {
	const char *cpu; /* how it begins */
	const char *boost;
	const char *profile;
} cpus[] = {
	{ "AMD Milan", "", "milan" },
	{ "AMD Genoa", "1", "genoa-boost" },
	{ "AMD Genoa", "", "genoa" },
	{ "Intel Icelakex", "", "icelakex" },
	{ "ARM Neoverse-N1", "", "neoverse-n1" },
	{ "AMD Zen5", "", "zen5" },
	/* Not named: its neighbours in that thread are. */
	{ "", "", "milan" },
};

static const char not_named[] = "CPU not named";
static const char mapped_4k[] = "4K mapping, not hugetlb";
static const char other_work[] = "other workload";

/* By id or, where that is NULL, all of a workload. */
static const struct {
	const char *id;
	const char *workload;
	const char *reason;
} exceptions[] = {
	{ "memset-p4k-k4k", NULL, not_named },
	{ "memset-p4k-k1g", NULL, not_named },
	{ "memset-p2m-default", NULL, not_named },
	{ "memset-p2m-unrolled", NULL, not_named },
	{ "memset-p2m-stosq", NULL, not_named },
	{ "milan-memset-4k", NULL, mapped_4k },
	{ "milan-memset-2m", NULL, mapped_4k },
	{ "milan-memset-1g", NULL, mapped_4k },
	{ NULL, "perf-mmap-populate", not_named },
	{ NULL, "memset-chunk", other_work },
};

/* Cut a line at commas into the row's words. */
static bool parse_row(struct published_row *row, char *line)
{
	char *words = row->id;
	size_t nr = 0;
	char *word;

	line[strcspn(line, "\r\n")] = '\0';
	while ((word = strsep(&line, ",")) && nr < NR_COLUMNS) {
		if (strlen(word) >= PUBLISHED_WORD_BYTES)
			return false;
		strcpy(words + nr++ * PUBLISHED_WORD_BYTES, word);
	}
	return !word && nr == NR_COLUMNS && row->id[0];
}

static bool read_rows(struct published *published, FILE *in, const char *path)
{
	char line[1024];

	published->nr = 0;
	if (!fgets(line, sizeof(line), in))
		line[0] = '\0';
	while (fgets(line, sizeof(line), in)) {
		if (published->nr < PUBLISHED_MAX_ROWS &&
		    parse_row(&published->rows[published->nr], line)) {
			published->nr++;
			continue;
		}
		fprintf(stderr, "cannot read '%s': line %zu\n", path,
			published->nr + 2);
		return false;
	}
	return true;
}

bool published_read(struct published *published, const char *path)
{
	FILE *in = fopen(path, "re");
	bool ok;

	if (!in) {
		fprintf(stderr, "cannot read '%s': %s\n", path,
			strerror(errno));
		return false;
	}
	ok = read_rows(published, in, path);
	fclose(in);
	return ok;
}

const struct published_row *published_find(const struct published *published,
					   const char *id)
{
	for (size_t i = 0; i < published->nr; i++)
		if (strcmp(published->rows[i].id, id) == 0)
			return &published->rows[i];
	return NULL;
}

double published_bps(const struct published_row *row)
{
	const double value = strtod(row->value, NULL);

	if (strcmp(row->metric, "bandwidth") != 0)
		return NAN;
	return value * (strcmp(row->unit, "GBps") == 0 ? GIB_PER_S : MB_PER_S);
}

const char *published_profile(const struct published_row *row)
{
	for (size_t i = 0; i < NR(cpus); i++)
		if (strncmp(row->cpu, cpus[i].cpu, strlen(cpus[i].cpu)) == 0 &&
		    (!cpus[i].boost[0] ||
		     strcmp(row->boost, cpus[i].boost) == 0) &&
		    (cpus[i].cpu[0] || !row->cpu[0]))
			return cpus[i].profile;
	return NULL;
}

const char *published_exception(const struct published_row *row)
{
	for (size_t i = 0; i < NR(exceptions); i++)
		if (exceptions[i].id ? strcmp(row->id, exceptions[i].id) == 0
				     : strcmp(row->workload,
					      exceptions[i].workload) == 0)
			return exceptions[i].reason;
	return NULL;
}

static uint64_t bytes_of(const char *word)
{
	uint64_t bytes;

	return word[0] && fz_parse_bytes(word, &bytes, NULL) == 0 ? bytes : 0;
}

/* ns a byte of a fault at the first page, which perf bench touches first. */
static double fault_ns_per_byte(const struct published_row *row,
				const struct fz_prices *prices,
				uint64_t page_bytes, enum fz_preempt model)
{
	const struct fz_policy *policy = fz_policy_find(row->strategy);
	const struct fz_zero_request request = {
		.nr_pages = page_bytes >> FZ_PAGE_SHIFT,
		.preempt = model,
		.batch_pages = bytes_of(row->chunk) >> FZ_PAGE_SHIFT,
	};
	struct fz_plan plan;
	double ns;

	/* Named after its primitive: the page in one call of it. */
	if (!policy)
		policy = fz_policy_find("batched-pages");
	if (!page_bytes || fz_policy_plan(policy, &request, &plan, NULL))
		return NAN;
	ns = fz_profile_price(prices, &plan, model, NULL, 1);
	fz_plan_fini(&plan);
	return ns / (double)page_bytes;
}

/* The i-th word of a list with '|' between; false behind the last. */
static bool nth_word(const char *list, unsigned int n,
		     char word[PUBLISHED_WORD_BYTES])
{
	while (n-- && list)
		list = strchr(list, '|') ? strchr(list, '|') + 1 : NULL;
	if (!list)
		return false;
	snprintf(word, PUBLISHED_WORD_BYTES, "%.*s", (int)strcspn(list, "|"),
		 list);
	return true;
}

static double mean_of_models(const struct published_row *row,
			     const struct fz_prices *prices,
			     uint64_t page_bytes)
{
	const char *models = strcmp(row->preempt, "*") == 0
				     ? "none|voluntary|full|lazy"
				     : row->preempt;
	char word[PUBLISHED_WORD_BYTES];
	unsigned int nr = 0;
	double ns = 0;

	for (; nth_word(models, nr, word); nr++) {
		enum fz_preempt model;

		if (!fz_preempt_find(word, &model))
			return NAN;
		ns += fault_ns_per_byte(row, prices, page_bytes, model);
	}
	return ns / nr;
}

static double mean_of_page_sizes(const struct published_row *row,
				 const struct fz_prices *prices)
{
	char word[PUBLISHED_WORD_BYTES];
	unsigned int nr = 0;
	double ns = 0;

	for (; nth_word(row->page_size, nr, word); nr++)
		ns += mean_of_models(row, prices, bytes_of(word));
	return ns / nr;
}

static double memset_ns_per_byte(const struct published_row *row,
				 const struct fz_profile_clear *clear)
{
	const uint64_t bytes = bytes_of(row->chunk);

	return clear && bytes
		       ? fz_profile_call_ns(clear, bytes, FZ_RELATION_UP) /
				 (double)bytes
		       : NAN;
}

double published_predict(const struct published_row *row,
			 const struct fz_profile *profile)
{
	struct fz_prices prices = fz_prices_of(profile);
	const struct fz_profile_clear *named =
		fz_profile_clear_find(profile, row->strategy);

	if (named)
		prices.cached = named;
	if (strncmp(row->workload, "perf-mmap-", strlen("perf-mmap-")) == 0)
		return 1e9 / mean_of_page_sizes(row, &prices);
	if (strcmp(row->workload, "perf-memset") == 0 ||
	    strcmp(row->workload, "memset-chunk") == 0)
		return 1e9 / memset_ns_per_byte(row, prices.cached);
	return NAN;
}
