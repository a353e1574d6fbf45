// SPDX-License-Identifier: GPL-2.0-or-later
/* Parameters that make no trace, and why. */
#include "generator_check.h"

#include <errno.h>
#include <inttypes.h>

#include <fz/generated.h>
#include <fz/units.h>

struct size_text {
	char text[FZ_FORMAT_BYTES];
};

static struct size_text size_text(uint64_t bytes)
{
	struct size_text size;

	fz_format_bytes(size.text, sizeof(size.text), bytes);
	return size;
}

static int check_multiple(const char *what, uint64_t bytes, uint64_t page_bytes,
			  struct fz_err *err)
{
	if (bytes % page_bytes == 0)
		return 0;
	return fz_err_set(err, -EINVAL,
			  "%s of %s is not a multiple of a page of %s", what,
			  size_text(bytes).text, size_text(page_bytes).text);
}

static int check_pages(const struct fz_generator_params *params,
		       struct fz_err *err)
{
	const uint64_t page_bytes = params->page_bytes;

	if (page_bytes < 4096 || page_bytes & (page_bytes - 1))
		return fz_err_set(err, -EINVAL,
				  "a page of %s is not a power of two of at "
				  "least 4K: give 4K or 2M, for example",
				  size_text(page_bytes).text);
	if (params->region_bytes < 1 ||
	    params->region_bytes > FZ_GENERATED_MAX_BYTES)
		return fz_err_set(err, -ERANGE,
				  "a region of %s is not between a page and %s",
				  size_text(params->region_bytes).text,
				  size_text(FZ_GENERATED_MAX_BYTES).text);
	if (check_multiple("a region", params->region_bytes, page_bytes, err))
		return -EINVAL;
	if (params->base_addr % page_bytes)
		return fz_err_set(err, -EINVAL,
				  "a region at 0x%" PRIx64 " does not begin at "
				  "a multiple of a page of %s",
				  params->base_addr,
				  size_text(page_bytes).text);
	/* The upper half of the address space is the kernel's. */
	if (params->base_addr > (1ull << 63) - params->region_bytes)
		return fz_err_set(err, -ERANGE,
				  "a region of %s at 0x%" PRIx64 " reaches "
				  "into addresses of the kernel",
				  size_text(params->region_bytes).text,
				  params->base_addr);
	return 0;
}

static int check_threads(const struct fz_generator *generator,
			 const struct fz_generator_params *params,
			 struct fz_err *err)
{
	const uint64_t nr = (uint64_t)params->nr_processes * params->nr_threads;
	const uint64_t nr_pages = params->region_bytes / params->page_bytes;

	if (nr < 1 || nr > FZ_GENERATED_MAX_THREADS)
		return fz_err_set(err, -ERANGE,
				  "%" PRIu64 " threads in all are not between "
				  "1 and %u",
				  nr, FZ_GENERATED_MAX_THREADS);
	if (params->nr_threads > nr_pages)
		return fz_err_set(err, -EINVAL,
				  "%" PRIu32 " threads cannot share a region "
				  "of %" PRIu64 " pages: give a larger region "
				  "or fewer threads",
				  params->nr_threads, nr_pages);
	if (generator->repeats &&
	    nr_pages > FZ_GENERATED_MAX_MARKED_PAGES / params->nr_processes)
		return fz_err_set(err, -ERANGE,
				  "%" PRIu64 " pages in each process are more "
				  "than can be kept track of: give a smaller "
				  "region, larger pages or fewer processes, so "
				  "that there are at most %llu in all",
				  nr_pages, FZ_GENERATED_MAX_MARKED_PAGES);
	return 0;
}

static int check_numbers(const struct fz_generator_params *params,
			 struct fz_err *err)
{
	const uint64_t nr_pages = params->region_bytes / params->page_bytes *
				  params->nr_processes;

	if (params->nr_faults > nr_pages)
		return fz_err_set(err, -ERANGE,
				  "%" PRIu64
				  " faults are more than the %" PRIu64
				  " pages that can be touched: give a larger "
				  "region or fewer faults",
				  params->nr_faults, nr_pages);
	/* fz_walk_random() counts in 2^56. */
	if (params->nr_accesses > 1ull << 56)
		return fz_err_set(err, -ERANGE,
				  "%" PRIu64 " accesses are more than 2^56",
				  params->nr_accesses);
	if (params->arrival != FZ_ARRIVAL_FLAT_OUT &&
	    (params->rate_per_s < 1 ||
	     params->rate_per_s > FZ_GENERATED_MAX_RATE_PER_S))
		return fz_err_set(err, -ERANGE,
				  "a rate of %" PRIu64 "/s is not between 1/s "
				  "and %u/s",
				  params->rate_per_s,
				  FZ_GENERATED_MAX_RATE_PER_S);
	if (params->event != FZ_EVENT_USER_FAULT &&
	    params->event != FZ_EVENT_PAGE_FAULTS)
		return fz_err_set(
			err, -EINVAL,
			"event '%s' cannot be generated: give '%s' or "
			"'%s'",
			fz_event_name(params->event),
			fz_event_name(FZ_EVENT_USER_FAULT),
			fz_event_name(FZ_EVENT_PAGE_FAULTS));
	return 0;
}

/* Written so that what is not a number is refused, too. */
static int check_pattern(const struct fz_generator *generator,
			 const struct fz_generator_params *params,
			 struct fz_err *err)
{
	if (generator->uses & FZ_USES_STRIDE &&
	    check_multiple("a stride", params->stride_bytes, params->page_bytes,
			   err))
		return -EINVAL;
	if (generator->uses & FZ_USES_ZIPF &&
	    !(params->zipf_exponent >= 0 && params->zipf_exponent <= 100))
		return fz_err_set(err, -ERANGE,
				  "an exponent of %g is not between 0 and 100",
				  params->zipf_exponent);
	if (!(generator->uses & FZ_USES_HOT))
		return 0;
	if (!(params->hot_share > 0 && params->hot_share < 1))
		return fz_err_set(err, -ERANGE,
				  "a hot share of %g is not between 0 and 1",
				  params->hot_share);
	if (!(params->hot_weight >= 0 && params->hot_weight <= 1))
		return fz_err_set(err, -ERANGE,
				  "a hot weight of %g is not from 0 to 1",
				  params->hot_weight);
	return 0;
}

int generator_check(const struct fz_generator *generator,
		    const struct fz_generator_params *params,
		    struct fz_err *err)
{
	int code = check_pages(params, err);

	if (!code)
		code = check_threads(generator, params, err);
	if (!code)
		code = check_numbers(params, err);
	if (!code)
		code = check_pattern(generator, params, err);
	return code;
}
