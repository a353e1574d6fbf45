// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of `foliosim bench` that take lists. */
#include "bench_lists.h"

#include <string.h>

#include <fz/folio.h>
#include <fz/round.h>

#include "names.h"

static const char *engine_name_at(size_t i)
{
	return fz_engines[i] ? fz_engines[i]->name : NULL;
}

/* Beside those that measure: "all" does not mean it. */
static const char *engine_word_at(size_t i)
{
	size_t nr = 0;

	while (fz_engines[nr])
		nr++;
	return i == nr  ? fz_engine_model.name
	       : i < nr ? fz_engines[i]->name
			: NULL;
}

static const char *const fault_words[] = { "N", "first", "middle", "last",
					   "random" };

static const char *fault_word_at(size_t i)
{
	return i < sizeof(fault_words) / sizeof(fault_words[0]) ? fault_words[i]
								: NULL;
}

/* Parse the i-th word of a list into the options; complains. */
typedef bool word_parser(struct fz_bench_options *o, size_t i,
			 const char *word);

static bool parse_list(struct fz_bench_options *o, const char *option,
		       const char *value, word_parser *parse, size_t *nr)
{
	struct fz_list list;
	bool ok = true;

	if (!fz_list_parse(&list, option, value))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++)
		ok = parse(o, i, list.words[i]);
	*nr = list.nr;
	fz_list_fini(&list);
	return ok;
}

/* As parse_list(); "all" is every name there is. */
static bool parse_names(struct fz_bench_options *o, const char *option,
			const char *value, word_parser *parse,
			const char *(*name_at)(size_t i), size_t *nr)
{
	if (strcmp(value, "all") != 0)
		return parse_list(o, option, value, parse, nr);
	for (*nr = 0; name_at(*nr); (*nr)++)
		if (!parse(o, *nr, name_at(*nr)))
			return false;
	return true;
}

static bool parse_engine(struct fz_bench_options *o, size_t i, const char *word)
{
	size_t index;

	if (!fz_option_index("engine", word, engine_word_at, &index))
		return false;
	o->engines[i] =
		fz_engines[index] ? fz_engines[index] : &fz_engine_model;
	return true;
}

static bool parse_clear(struct fz_bench_options *o, size_t i, const char *word)
{
	size_t index;

	if (!fz_option_index("clear primitive", word, fz_clear_name_at, &index))
		return false;
	o->clears[i] = fz_clears[index];
	return true;
}

static bool parse_stream(struct fz_bench_options *o, size_t i, const char *word)
{
	size_t index;

	if (!fz_option_index("clear primitive", word, fz_clear_name_at, &index))
		return false;
	if (!fz_clears[index]->streaming) {
		fz_complain("--stream-clear: '%s' does not stream", word);
		return false;
	}
	o->streams[i] = fz_clears[index];
	return true;
}

static bool parse_preempt(struct fz_bench_options *o, size_t i,
			  const char *word)
{
	size_t index;

	if (!fz_option_index("preemption model", word, fz_preempt_name_at,
			     &index))
		return false;
	o->preempts[i] = (enum fz_preempt)index;
	return true;
}

/* "64K,65536" is one size, and a mistake. */
static bool is_new(const char *option, const char *word, const uint64_t *values,
		   size_t i)
{
	for (size_t j = 0; j < i; j++) {
		if (values[j] == values[i]) {
			fz_complain("%s: '%s' is given twice", option, word);
			return false;
		}
	}
	return true;
}

/* A plain size is of a hugetlb pool here; the machine may have no such. */
static bool parse_page_size(struct fz_bench_options *o, size_t i,
			    const char *word)
{
	static const char mthp[] = "mthp-";
	const size_t skip = strlen(mthp);
	const bool is_mthp = strncmp(word, mthp, skip) == 0;
	struct fz_page_size *page = &o->pages[i];

	*page = (struct fz_page_size){ .kind = FZ_PAGES_THP };
	if (strcmp(word, "thp") == 0)
		return true;
	if (!fz_option_bytes("--page-size", is_mthp ? word + skip : word,
			     &page->bytes))
		return false;
	page->kind = is_mthp                        ? FZ_PAGES_MTHP
		     : page->bytes == FZ_PAGE_BYTES ? FZ_PAGES_BASE
						    : FZ_PAGES_HUGETLB;
	for (size_t j = 0; j < i; j++) {
		if (o->pages[j].kind == page->kind &&
		    o->pages[j].bytes == page->bytes) {
			fz_complain("--page-size: '%s' is given twice", word);
			return false;
		}
	}
	return true;
}

static bool parse_fault(struct fz_bench_options *o, size_t i, const char *word)
{
	struct fz_fault_wish *wish = &o->faults[i];
	size_t index;

	if (word[0] >= '0' && word[0] <= '9') {
		wish->word = FZ_FAULT_WORD_NUMBER;
		return fz_option_number("--fault-page", word, 0, UINT64_MAX,
					&wish->number);
	}
	if (!fz_option_index("faulting page", word, fault_word_at, &index))
		return false;
	if (index == FZ_FAULT_WORD_NUMBER) {
		fz_complain("--fault-page: N stands for a number");
		return false;
	}
	wish->word = (enum fz_fault_word)index;
	return true;
}

static bool parse_batch(struct fz_bench_options *o, size_t i, const char *word)
{
	return fz_option_pages("--batch", word, &o->batches[i]) &&
	       is_new("--batch", word, o->batches, i);
}

static bool parse_radius(struct fz_bench_options *o, size_t i, const char *word)
{
	return fz_option_number("--radius", word, 0, UINT32_MAX,
				&o->radii[i]) &&
	       is_new("--radius", word, o->radii, i);
}

static bool parse_threads(struct fz_bench_options *o, size_t i,
			  const char *word)
{
	return fz_option_number("--threads", word, 1, FZ_MAX_THREADS,
				&o->threads[i]) &&
	       is_new("--threads", word, o->threads, i);
}

static const char *probe_name_at(size_t i)
{
	return i < FZ_NR_PROBES ? fz_probe_name((enum fz_probe_kind)i) : NULL;
}

static bool parse_probe(struct fz_bench_options *o, size_t i, const char *word)
{
	size_t index;

	(void)i;
	if (!fz_option_index("probe", word, probe_name_at, &index))
		return false;
	return o->probes[index] = o->has_probe = true;
}

bool fz_bench_set_engines(struct fz_bench_options *o, const char *value)
{
	return parse_names(o, "--engine", value, parse_engine, engine_name_at,
			   &o->nr_engines);
}

bool fz_bench_set_clears(struct fz_bench_options *o, const char *value)
{
	return parse_names(o, "--clear", value, parse_clear, fz_clear_name_at,
			   &o->nr_clears);
}

/* "all" means those that stream. */
bool fz_bench_set_streams(struct fz_bench_options *o, const char *value)
{
	if (strcmp(value, "all") != 0)
		return parse_list(o, "--stream-clear", value, parse_stream,
				  &o->nr_streams);
	o->nr_streams = 0;
	for (size_t i = 0; fz_clears[i]; i++)
		if (fz_clears[i]->streaming)
			o->streams[o->nr_streams++] = fz_clears[i];
	return true;
}

bool fz_bench_set_pages(struct fz_bench_options *o, const char *value)
{
	return parse_list(o, "--page-size", value, parse_page_size,
			  &o->nr_pages);
}

bool fz_bench_set_faults(struct fz_bench_options *o, const char *value)
{
	return parse_list(o, "--fault-page", value, parse_fault, &o->nr_faults);
}

bool fz_bench_set_preempts(struct fz_bench_options *o, const char *value)
{
	return parse_names(o, "--preempt", value, parse_preempt,
			   fz_preempt_name_at, &o->nr_preempts);
}

bool fz_bench_set_batches(struct fz_bench_options *o, const char *value)
{
	return parse_list(o, "--batch", value, parse_batch, &o->nr_batches);
}

bool fz_bench_set_radii(struct fz_bench_options *o, const char *value)
{
	return parse_list(o, "--radius", value, parse_radius, &o->nr_radii);
}

bool fz_bench_set_threads(struct fz_bench_options *o, const char *value)
{
	return parse_list(o, "--threads", value, parse_threads, &o->nr_threads);
}

bool fz_bench_set_probes(struct fz_bench_options *o, const char *value)
{
	size_t nr;

	return parse_names(o, "--probe", value, parse_probe, probe_name_at,
			   &nr);
}
