// SPDX-License-Identifier: GPL-2.0-or-later
/* A workload that is right, and what makes it wrong. */
#include "made_workloads.h"

const char good_workload[] =
	"{'schema':'foliosim.workload/1','cpus':4,'tasks':["
	"{'name':'worker','cpus':'1-3','loops':7,'start':'5us','program':["
	"{'fault':'2M','page':'random'},{'fault':'64K','page':15},"
	"{'access':'1M'},{'compute':'10us'},{'sleep':'2ms'}]},"
	"{'name':'timer','class':'rt','priority':50,'cpus':'0','loops':0,"
	"'program':[{'sleep':{'poisson':'1ms'}},{'compute':'1us'},"
	"{'sleep':{'period':'3ms'}}]},"
	"{'name':'everywhere','program':[{'fault':'4K'}]}]}";

const struct wrong_workload wrong_workloads[] = {
	{ 0, "workload/1", "workload/2", "'schema' is 'foliosim.workload/2'",
	  false },
	{ 0, "'cpus':4", "'cpus':0", "'cpus' is 0: give 1 to 8192", false },
	{ 0, "'cpus':4", "'cpus':-1", "'cpus' is -1", false },
	{ 0, "'cpus':4", "'cpus':8193", "'cpus' is 8193", false },
	{ 0, "'cpus':4", "'cpus':'4'", "'cpus' is not a whole number", false },
	{ 0, "'cpus':4", "'cpus':4,'cpu':1", "unknown member 'cpu'", false },
	{ 0, "'tasks':[", "'task':[", "no member 'tasks'", false },
	{ 0, "'name':'worker',", "", "task 1: no member 'name'", false },
	{ 0, "'worker'", "''", "task 1: 'name' must have 1 to 31", false },
	{ 0, "'worker'", "'\\u001b[31m'", "task 1: 'name' must have", false },
	{ 0, "'worker'", "'\\u0022'", "task 1: 'name' must have", false },
	{ 0, "'worker'", "'abcdefghijklmnopqrstuvwxyz012345'",
	  "task 1: 'name' must have", false },
	{ 0, "'loops':7", "'loops':7,'after':'timer'",
	  "task 1: unknown member 'after'", false },
	{ 0, "'loops':7", "'loops':-1", "task 1: 'loops' is -1", false },
	{ 0, "'loops':7", "'loops':9223372036854775807", "'loops' is 92233",
	  false },
	{ 0, "'loops':7", "'loops':7.5", "'loops' is not a whole number",
	  false },
	{ 0, "'5us'", "'5'", "task 1: 'start': ", false },
	{ 0, "'5us'", "'2000000s'", "'start' is '2000000s': give 0ns to",
	  true },
	{ 0, "'1-3'", "'1-4'", "task 1: 'cpus' has CPU 4; the last one", true },
	{ 0, "'1-3'", "'3-1'", "task 1: 'cpus': ", true },
	{ 0, "'1-3'", "''", "task 1: 'cpus': ", false },
	{ 0, "'1-3'", "3", "task 1: 'cpus' is not a string", false },
	{ 0, "'rt'", "'idle'", "task 2: 'class' is 'idle': give fair or rt",
	  false },
	{ 0, "'priority':50,", "", "task 2: no member 'priority'", false },
	{ 0, "'priority':50", "'priority':0", "'priority' is 0: give 1 to 99",
	  false },
	{ 0, "'priority':50", "'priority':100", "'priority' is 100", false },
	{ 0, "'class':'rt',", "", "task 2: 'priority' is for class rt", false },
	{ 0, "'2M'", "'3K'", "task 1: phase 1: 'fault' is '3K': give 4K",
	  true },
	{ 0, "'2M'", "'5K'", "phase 1: 'fault' is '5K', no multiple of 4K",
	  true },
	{ 0, "'2M'", "'32G'", "phase 1: 'fault' is '32G': give 4K to 16G",
	  true },
	{ 0, "'2M'", "'0'", "phase 1: 'fault' is '0'", false },
	{ 0, "'2M'", "'99999999999T'", "phase 1: 'fault': ", true },
	{ 0, "'2M'", "2097152", "phase 1: 'fault' is not a string", false },
	{ 0, "'random'", "'last'", "phase 1: 'page' is 'last': give a number",
	  false },
	{ 0, "'page':15", "'page':16", "phase 2: 'page' is 16: give 0 to 15",
	  true },
	{ 0, "'page':15", "'page':-1", "phase 2: 'page' is -1", false },
	{ 0, "'page':15", "'pages':15", "phase 2: unknown member 'pages'",
	  false },
	{ 0, "'access':'1M'", "'access':'0'", "phase 3: 'access' is '0'",
	  false },
	{ 0, "'access':'1M'", "'access':'1M','page':1", "phase 3: give one",
	  false },
	{ 0, "'access':'1M'", "'access':'1M','compute':'1us'",
	  "phase 3: give one of 'fault' (with 'page'), 'access'", false },
	{ 0, "{'access':'1M'}", "{}", "phase 3: give one of", false },
	{ 0, "{'access':'1M'}", "[]", "phase 3: it is not an object", false },
	{ 0, "'10us'", "'0us'", "phase 4: 'compute' is '0us': give 1ns to",
	  false },
	{ 0, "'10us'", "'10'", "phase 4: 'compute': ", false },
	{ 0, "'10us'", "'-1us'", "phase 4: 'compute': ", false },
	{ 0, "'sleep':'2ms'", "'sleep':'0ms'", "phase 5: 'sleep' is '0ms'",
	  false },
	{ 0, "'sleep':'2ms'", "'sleep':5", "phase 5: 'sleep' is not", false },
	{ 0, "{'poisson':'1ms'}", "{}",
	  "task 2: phase 1: sleep: give 'poisson' or 'period'", false },
	{ 0, "{'poisson':'1ms'}", "{'poisson':'1ms','period':'1ms'}",
	  "phase 1: sleep: give 'poisson' or 'period'", false },
	{ 0, "{'poisson':'1ms'}", "{'poisson':'0ms'}",
	  "phase 1: sleep: 'poisson' is '0ms'", false },
	{ 0, "{'poisson':'1ms'}", "{'normal':'1ms'}",
	  "phase 1: sleep: unknown member 'normal'", false },
	{ 0, "[{'fault':'4K'}]", "[]", "task 3: 'program' has 0 phases",
	  false },
	{ 0, "[{'fault':'4K'}]", "{'fault':'4K'}",
	  "task 3: 'program' is not an array", false },
	{ 0, "}]}]}", "}]},null]}", "task 4: it is not an object", false },
};

const size_t nr_wrong_workloads =
	sizeof(wrong_workloads) / sizeof(wrong_workloads[0]);
