// SPDX-License-Identifier: GPL-2.0-or-later
/* The names that options take, by index. */
#include "names.h"

#include <fz/clear.h>
#include <fz/context.h>
#include <fz/init_on_alloc.h>
#include <fz/policies.h>
#include <fz/preempt.h>

const char *fz_policy_name_at(size_t i)
{
	return fz_policies[i] ? fz_policies[i]->name : NULL;
}

const char *fz_clear_name_at(size_t i)
{
	return fz_clears[i] ? fz_clears[i]->name : NULL;
}

const char *fz_preempt_name_at(size_t i)
{
	return i < FZ_NR_PREEMPT ? fz_preempt_name((enum fz_preempt)i) : NULL;
}

const char *fz_context_name_at(size_t i)
{
	return i < fz_nr_contexts ? fz_contexts[i].name : NULL;
}

const char *fz_init_name_at(size_t i)
{
	return i < FZ_NR_INIT_ON_ALLOC
		       ? fz_init_on_alloc_name((enum fz_init_on_alloc)i)
		       : NULL;
}

const char *fz_owner_name_at(size_t i)
{
	static const char *const names[] = {
		[FZ_OWNER_THP] = "thp",
		[FZ_OWNER_HUGETLB] = "hugetlb",
	};

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

const char *fz_format_name_at(size_t i)
{
	static const char *const names[] = {
		[FZ_FORMAT_TEXT] = "text",
		[FZ_FORMAT_JSON] = "json",
		[FZ_FORMAT_CSV] = "csv",
		[FZ_FORMAT_COMMIT] = "commit",
	};

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

const char *fz_document_name_at(size_t i)
{
	return i <= FZ_FORMAT_JSON ? fz_format_name_at(i) : NULL;
}
