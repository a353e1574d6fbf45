// SPDX-License-Identifier: GPL-2.0-or-later
/* What the options of `foliosim plan` mean with --diff. */
#include "plan_options.h"

#include "names.h"

bool fz_plan_diff_option(struct fz_plan_options *o, const char *value)
{
	struct fz_list list;
	bool ok;

	if (!fz_list_parse(&list, "--diff", value))
		return false;
	ok = list.nr == 2;
	if (!ok)
		fz_complain("--diff: '%s' is not two policies: give P,Q",
			    value);
	fz_policy_list_fini(&o->diff);
	for (size_t i = 0; i < 2 && ok; i++)
		ok = fz_policy_list_add(&o->diff, list.words[i]);
	fz_list_fini(&list);
	return ok;
}

/* Ascending, each once. */
static void add_page(struct fz_plan_options *o, uint64_t page)
{
	size_t i = o->nr_fault_pages;

	while (i && o->fault_pages[i - 1] > page)
		i--;
	if (i && o->fault_pages[i - 1] == page)
		return;
	for (size_t j = o->nr_fault_pages; j > i; j--)
		o->fault_pages[j] = o->fault_pages[j - 1];
	o->fault_pages[i] = page;
	o->nr_fault_pages++;
}

static bool resolve_pages(struct fz_plan_options *o)
{
	struct fz_list list;
	uint64_t page;
	bool ok = true;

	if (!o->fault_page)
		return true;
	if (!fz_list_parse(&list, "--fault-page", o->fault_page))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++) {
		ok = fz_plan_fault_page_option(&o->request, list.words[i],
					       &page);
		if (ok)
			add_page(o, page);
	}
	fz_list_fini(&list);
	return ok;
}

static bool resolve_models(struct fz_plan_options *o)
{
	struct fz_list list;
	size_t model;
	bool ok = true;

	o->models = o->preempt ? 0 : FZ_PREEMPT_ANY;
	if (!o->preempt)
		return true;
	if (!fz_list_parse(&list, "--preempt", o->preempt))
		return false;
	for (size_t i = 0; i < list.nr && ok; i++) {
		ok = fz_option_index("preemption model", list.words[i],
				     fz_preempt_name_at, &model);
		if (ok)
			o->models |= FZ_PREEMPT_BIT(model);
	}
	fz_list_fini(&list);
	return ok;
}

bool fz_plan_diff_resolve(struct fz_plan_options *o)
{
	const char *extra = o->policies.nr ? "--policy"
			    : o->no_verify ? "--no-verify"
			    : o->addr      ? "--addr"
			    : o->cache     ? "--cache"
			    : o->init      ? "--init-on-alloc"
			    : o->hugetlb   ? "--page-kind"
					   : NULL;

	if (extra) {
		fz_complain("%s does not go with --diff, which compares two "
			    "policies at many faulting pages: leave one out",
			    extra);
		return false;
	}
	return resolve_models(o) && resolve_pages(o);
}
