// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the options of `foliosim plan`. */
#include "plan_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fz/folio.h>
#include <fz/units.h>

#include "command.h"
#include "names.h"
#include "options.h"

static const char help_text[] =
	"usage: foliosim plan --policy P --folio-size S\n"
	"                     (--fault-page N | --addr HEX) [OPTION]...\n"
	"       foliosim plan --diff P,Q --folio-size S [OPTION]...\n"
	"\n"
	"Print how a policy zeroes one folio: what it clears, in which order, and\n"
	"where it may reschedule. With --diff, compare two policies.\n"
	"\n"
	"  --policy P          a policy, see 'foliosim list policies', or the path\n"
	"                      of a shared object: ./mine.so\n"
	"  --no-verify         also print a plan that does not clear every page\n"
	"                      once; what is wrong with it is said on stderr\n"
	"  --folio-size S      a multiple of 4K; with --addr a power of two\n"
	"  --fault-page N      faulting page of the folio, from 0; or first,\n"
	"                      middle, last\n"
	"  --addr HEX          faulting address, which gives the page; an\n"
	"                      allocator's policy (init-*) needs neither\n"
	"  --preempt M         none, voluntary, full, lazy, rt-full or rt-lazy\n"
	"                      (default none)\n"
	"  --batch S           bytes between two resched points (default: the\n"
	"                      policy's; 4K with --highmem)\n"
	"  --radius N          pages kept on each side of the faulting page\n"
	"                      (default 2)\n"
	"  --context C         where it runs: user-fault, alloc-sleepable,\n"
	"                      alloc-pte-lock or alloc-irq (default user-fault)\n"
	"  --init-on-alloc K   6.12 or 7.3: the kernel that zeroes THP in its\n"
	"                      allocator too, or only there\n"
	"  --page-kind KIND    whose folio it is: hugetlb or thp (default thp)\n"
	"  --highmem           clear page by page, as 32-bit kernels do\n"
	"  --per-page-clear    one clear call a page, the same resched points\n"
	"  --cache [GEOMETRY]  what it does to caches, which are modelled: here\n"
	"                      (default), genoa, milan, or levels as in\n"
	"                      32K/8@4,1M/8:inclusive@14,32M/16:victim@50; then\n"
	"                      any of line=64, memory=300, prefetch=16/2/1,\n"
	"                      elide=32M/10.5M, loads=2.157: see docs/cache.md\n"
	"  --diff P,Q          print the first step in which the plans of two\n"
	"                      policies differ, resched calls included whether\n"
	"                      they act or not, and at how many faulting pages\n"
	"                      they do: at all of a folio up to 2M, at 32 of a\n"
	"                      larger one, or at those of --fault-page N,...;\n"
	"                      under all models, or those of --preempt M,...\n"
	"  --format FORMAT     text, csv, json (default text)\n"
	"  --help              this text\n"
	"\n"
	"CSV columns: seq, op, first_page, nr_pages, hint; one row a call. An op\n"
	"is clear, resched (a point that acts under this model), or cond_resched\n"
	"or might_sleep (the same calls where they do not act). With\n"
	"--init-on-alloc a column 'by' says whose call it is: allocator, policy.\n"
	"CSV columns with --diff: fault_page, preempt, seq, and op, first_page,\n"
	"nr_pages, hint of each policy; a row for each two plans that differ.\n"
	"\n"
	"Sizes take K, M, G, T (1024-based). Exit status: 0 done, 1 failed, or a\n"
	"call would sleep where the context forbids it (said on stderr), 2 usage,\n"
	"77 the caches of this machine are not known; with --diff 0 equal,\n"
	"1 different, or, with a sentence on stderr, not compared.\n";

enum option_id {
	OPT_POLICY = 1,
	OPT_NO_VERIFY,
	OPT_FOLIO_SIZE,
	OPT_FAULT_PAGE,
	OPT_ADDR,
	OPT_PREEMPT,
	OPT_BATCH,
	OPT_RADIUS,
	OPT_CONTEXT,
	OPT_INIT,
	OPT_PAGE_KIND,
	OPT_HIGHMEM,
	OPT_PER_PAGE,
	OPT_FORMAT,
	OPT_CACHE,
	OPT_DIFF,
	OPT_HELP,
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "no-verify", no_argument, NULL, OPT_NO_VERIFY },
	{ "folio-size", required_argument, NULL, OPT_FOLIO_SIZE },
	{ "fault-page", required_argument, NULL, OPT_FAULT_PAGE },
	{ "addr", required_argument, NULL, OPT_ADDR },
	{ "preempt", required_argument, NULL, OPT_PREEMPT },
	{ "batch", required_argument, NULL, OPT_BATCH },
	{ "radius", required_argument, NULL, OPT_RADIUS },
	{ "context", required_argument, NULL, OPT_CONTEXT },
	{ "init-on-alloc", required_argument, NULL, OPT_INIT },
	{ "page-kind", required_argument, NULL, OPT_PAGE_KIND },
	{ "highmem", no_argument, NULL, OPT_HIGHMEM },
	{ "per-page-clear", no_argument, NULL, OPT_PER_PAGE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "cache", optional_argument, NULL, OPT_CACHE },
	{ "diff", required_argument, NULL, OPT_DIFF },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static const char *format_name_at(size_t i)
{
	static const char *const names[] = {
		[FZ_PLAN_TEXT] = "text",
		[FZ_PLAN_CSV] = "csv",
		[FZ_PLAN_JSON] = "json",
	};

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

static bool set_name(struct fz_plan_options *o, int id, const char *value)
{
	size_t i;

	switch (id) {
	case OPT_CONTEXT:
		if (!fz_option_index("context", value, fz_context_name_at, &i))
			return false;
		o->context = &fz_contexts[i];
		return true;
	case OPT_INIT:
		if (!fz_option_index("kernel with init_on_alloc", value,
				     fz_init_name_at, &i))
			return false;
		o->init = (enum fz_init_on_alloc)i;
		return true;
	case OPT_PAGE_KIND:
		if (!fz_option_index("kind of pages", value, fz_owner_name_at,
				     &i))
			return false;
		o->hugetlb = i == FZ_OWNER_HUGETLB;
		return true;
	default:
		if (!fz_option_index("format", value, format_name_at, &i))
			return false;
		o->format = (enum fz_plan_format)i;
		return true;
	}
}

static bool set_addr(struct fz_plan_options *o, const char *value)
{
	struct fz_err err;

	if (fz_parse_hex(value, &o->addr_hint, &err)) {
		fz_complain("--addr: %s", err.msg);
		return false;
	}
	o->addr = value;
	return true;
}

static bool set_option(struct fz_plan_options *o, int id, const char *value)
{
	switch (id) {
	case OPT_POLICY:
		fz_policy_list_fini(&o->policies);
		return fz_policy_list_add(&o->policies, value);
	case OPT_DIFF:
		return fz_plan_diff_option(o, value);
	case OPT_NO_VERIFY:
		return o->no_verify = true;
	case OPT_FOLIO_SIZE:
		return fz_option_pages("--folio-size", value,
				       &o->request.nr_pages);
	case OPT_BATCH:
		return fz_option_pages("--batch", value,
				       &o->request.batch_pages);
	case OPT_RADIUS:
		return fz_option_number("--radius", value, 0, UINT32_MAX,
					&o->request.radius_pages);
	case OPT_FAULT_PAGE:
		o->fault_page = value; /* read once the folio is known */
		return true;
	case OPT_PREEMPT:
		o->preempt = value; /* one, or with --diff several */
		return true;
	case OPT_ADDR:
		return set_addr(o, value);
	case OPT_CACHE:
		o->cache = value ? value : "here";
		return true;
	case OPT_HIGHMEM:
		return o->request.highmem = true;
	case OPT_PER_PAGE:
		return o->request.per_page_clear = true;
	default:
		return set_name(o, id, value);
	}
}

/* The page that a word stands for. */
static bool find_fault_word(const char *value, uint64_t nr_pages,
			    uint64_t *fault_page)
{
	if (strcmp(value, "first") == 0)
		*fault_page = 0;
	else if (strcmp(value, "middle") == 0)
		*fault_page = nr_pages / 2;
	else if (strcmp(value, "last") == 0)
		*fault_page = nr_pages - 1;
	else
		return false;
	return true;
}

bool fz_plan_fault_page_option(const struct fz_zero_request *request,
			       const char *word, uint64_t *fault_page)
{
	char size[FZ_FORMAT_BYTES];
	int error;

	if (find_fault_word(word, request->nr_pages, fault_page))
		return true;
	error = fz_parse_u64(word, fault_page, NULL);
	if (error == -EINVAL) {
		fz_complain("--fault-page: '%s' is neither a page number nor "
			    "first, middle or last",
			    word);
		return false;
	}
	if (!error && *fault_page < request->nr_pages)
		return true;
	fz_format_bytes(size, sizeof(size), request->nr_pages << FZ_PAGE_SHIFT);
	fz_complain("--fault-page: page %s is beyond the folio: give 0 to "
		    "%llu in a folio of %s",
		    word, (unsigned long long)(request->nr_pages - 1), size);
	return false;
}

static bool resolve_addr(struct fz_plan_options *o)
{
	const uint64_t nr_pages = o->request.nr_pages;
	char size[FZ_FORMAT_BYTES];

	if (nr_pages & (nr_pages - 1)) {
		fz_format_bytes(size, sizeof(size), nr_pages << FZ_PAGE_SHIFT);
		fz_complain("--addr: a folio of %s has no place in an address: "
			    "give a power of two, or --fault-page",
			    size);
		return false;
	}
	o->request.fault_page =
		fz_folio_fault_page(o->addr_hint, nr_pages << FZ_PAGE_SHIFT);
	return true;
}

/* The faulting page, where the policy is told it. */
static bool resolve_page(struct fz_plan_options *o)
{
	o->carried = fz_policy_init_on_alloc(
		o->policies.policy[0], o->hugetlb ? FZ_INIT_OFF : o->init);
	if (o->addr)
		return resolve_addr(o);
	if (o->fault_page)
		return fz_plan_fault_page_option(&o->request, o->fault_page,
						 &o->request.fault_page);
	if (!(o->carried.policy.uses & FZ_USES_FAULT))
		return true;
	fz_complain("the faulting page is missing: give --fault-page or "
		    "--addr");
	return false;
}

static bool resolve_preempt(struct fz_plan_options *o)
{
	size_t i;

	if (!o->preempt)
		return true;
	if (!fz_option_index("preemption model", o->preempt, fz_preempt_name_at,
			     &i))
		return false;
	o->request.preempt = (enum fz_preempt)i;
	return true;
}

/* What is given must fit together, and nothing may be missing. */
static bool options_agree(struct fz_plan_options *o)
{
	if (o->cache && o->format == FZ_PLAN_CSV) {
		fz_complain("--cache: csv has no place for it: give --format "
			    "text or json");
		return false;
	}
	if (!o->policies.nr && !o->diff.nr) {
		fz_complain("--policy is missing: 'foliosim list policies' "
			    "names them");
		return false;
	}
	if (!o->request.nr_pages) {
		fz_complain("--folio-size is missing: give 2M, for example");
		return false;
	}
	if (o->diff.nr)
		return fz_plan_diff_resolve(o);
	if (o->fault_page && o->addr) {
		fz_complain("--fault-page and --addr both name the faulting "
			    "page: give one");
		return false;
	}
	return resolve_preempt(o);
}

static int load(struct fz_plan_options *o)
{
	return fz_policy_list_load(o->diff.nr ? &o->diff : &o->policies,
				   !o->no_verify);
}

int fz_plan_options_parse(struct fz_plan_options *options, int argc,
			  char **argv)
{
	int id, status;

	*options = (struct fz_plan_options){
		.context = &fz_contexts[0],
		.request.radius_pages = FZ_RADIUS_PAGES,
	};
	while ((id = fz_option_next(argc, argv, long_options)) != -1) {
		if (id == OPT_HELP) {
			fputs(help_text, stdout);
			return -1;
		}
		if (id == OPT_CACHE)
			optarg = fz_option_optional_value(argc, argv);
		if (id == '?' || !set_option(options, id, optarg))
			return fz_usage("plan");
	}
	if (!fz_option_no_arguments(argc, argv) || !options_agree(options))
		return fz_usage("plan");
	status = load(options);
	if (status)
		return status;
	return options->diff.nr || resolve_page(options) ? FZ_EXIT_DONE
							 : fz_usage("plan");
}

void fz_plan_options_fini(struct fz_plan_options *options)
{
	fz_policy_list_fini(&options->policies);
	fz_policy_list_fini(&options->diff);
}
