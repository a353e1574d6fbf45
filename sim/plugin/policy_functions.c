// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions that policy objects call: undefined there, found in the program
 * that loads them. A linker leaves out of a program what nothing in it names,
 * so they are named here. With the headers they are what FZ_POLICY_ABI counts.
 */
#include "policy_functions.h"

#include <dlfcn.h>
#include <stddef.h>

#include <fz/folio.h>
#include <fz/policy.h>

#define FUNCTION(name)                        \
	{                                     \
#name, (void (*)(void))(name) \
	}

static const struct {
	const char *name;
	void (*function)(void);
} functions[] = {
	FUNCTION(fz_folio_base),        FUNCTION(fz_folio_fault_page),
	FUNCTION(fz_folio_is_gigantic), FUNCTION(fz_neighbourhood_of),
	FUNCTION(fz_plan_add_extent),   FUNCTION(fz_plan_add_pages),
	FUNCTION(fz_plan_add_range),    FUNCTION(fz_plan_add_run),
	FUNCTION(fz_plan_add_step),     FUNCTION(fz_plan_conditional),
	FUNCTION(fz_plan_might_sleep),  FUNCTION(fz_preempt_is_preemptible),
	FUNCTION(fz_preempt_is_rt),
};

const char *fz_policy_function_hidden(void)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!functions[i].function ||
		    !dlsym(RTLD_DEFAULT, functions[i].name))
			return functions[i].name;
	return NULL;
}
