// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a counter is refused, in words. */
#include <fz/perf_rights.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

void fz_perf_needs(char *buf, size_t cap, const struct fz_perf_rights *rights)
{
	if (rights->paranoid == INT32_MIN)
		snprintf(buf, cap, "needs CAP_PERFMON");
	else
		snprintf(buf, cap,
			 "perf_event_paranoid is %d; needs CAP_PERFMON",
			 rights->paranoid);
}

static const char *missing(enum fz_perf_source source,
			   const struct fz_perf_rights *rights)
{
	if (source == FZ_PERF_SOFTWARE)
		return "this kernel does not count it";
	if (rights->has_pmu)
		return "this CPU does not count it";
	return rights->virtualised ? "no hardware counters (virtual machine)"
				   : "no hardware counters";
}

void fz_perf_refusal(char *buf, size_t cap, int code,
		     enum fz_perf_source source,
		     const struct fz_perf_rights *rights)
{
	char needs[64];
	const char *reason;

	switch (code) {
	case -EACCES:
	case -EPERM:
		fz_perf_needs(needs, sizeof(needs), rights);
		reason = needs;
		break;
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENODEV:
		reason = missing(source, rights);
		break;
	case -ENOSYS:
		reason = "the kernel has no perf events";
		break;
	case -EMFILE:
		reason = "too many open files: raise 'ulimit -n'";
		break;
	default:
		reason = strerror(-code);
		break;
	}
	snprintf(buf, cap, "%s: %s", strerrorname_np(-code), reason);
}
