#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench --counters: what is counted, and what is said where nothing can be.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

"$FOLIOSIM" list events >listed
grep -q '^context-switches .*unavailable' listed &&
	skip 'software events cannot be counted here'

bench() {
	"$FOLIOSIM" bench --page-size 4K --size 4M --repeat 3 \
		--policy contiguous-page --preempt none "$@" >out 2>err
	status=$?
}

rows() {
	check "$1" jq -e "$2" out >/dev/null
}

schema() {
	command -v python3 >/dev/null && python3 -c 'import jsonschema' \
		2>/dev/null || return 0
	check "$1: schema" python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
}

# A clock behind other events: all of a group begin at once.
software=page-faults,context-switches,cpu-migrations,task-clock
bench --counters "$software" --format json
check 'software: exit status' [ "$status" = 0 ]
check 'software: nothing to complain about' test ! -s err
schema software
rows 'every row has the names, in order' "all(.rows[];
	(.counters | keys_unsorted | join(\",\")) == \"$software\")"
rows 'counted by the kernel' 'all(.rows[].counters[];
	.status == "counted" and .source == "software" and
	.mode == "user+kernel" and .reason == null and
	.enabled_ns == .running_ns and .running_ns > 0)'
rows 'a fault a page' 'all(.rows[] | select(.engine == "kernel");
	.counters["page-faults"].value >= .faults)'
if [ -z "$SANITIZED" ]; then
	rows 'no other faults' 'all(.rows[];
		.counters["page-faults"].value ==
		(if .engine == "kernel" then .faults else 0 end))'
fi
rows 'time passes' 'all(.rows[]; .counters["task-clock"].value > 0)'
rows 'switches' 'all(.rows[]; .counters["context-switches"].value >= 0)'
cp out counted.json

bench --threads 2 --counters page-faults,task-clock --format json
check 'threads: exit status' [ "$status" = 0 ]
schema threads
rows 'threads are summed' 'all(.rows[] | select(.engine == "kernel");
	.counters["page-faults"].value >= 2048 and
	.counters["task-clock"].value > 0)'

# Without a PMU: one note, and the run goes on.
if grep -q '^cycles   .*unavailable' listed; then
	bench --counters cycles,L1-dcache-load-misses,r01c2 --format json
	check 'no pmu: exit status' [ "$status" = 0 ]
	check 'no pmu: one note' [ "$(wc -l <err)" = 1 ]
	check 'no pmu: the note' grep -q \
		'note: --counters: cycles, L1-dcache-load-misses, r01c2: E[A-Z]*: .*; values are null$' err
	schema 'no pmu'
	rows 'no pmu: null, never 0' 'all(.rows[].counters[];
		.value == null and .enabled_ns == null and
		.running_ns == null and .mode == null and
		.source == "pmu" and (.reason | test("^E[A-Z]+: ")) and
		(.status == "unsupported" or .status == "denied"))'
	rows 'no pmu: measured all the same' 'all(.rows[];
		.status == "measured" and (.seconds | length) == 3)'
	bench --counters L1-dcache-load-misses,l2_pf_hit_l2.all \
		--format csv
	check 'no pmu: a name of another CPU' [ "$status" = 0 ]
	bench --counters cycles,page-faults
	check 'no pmu: text' grep -q '^not counted: cycles: E' out
fi

bench --counters page-faults,task-clock
check 'text: the table' grep -q '^ *counted  *software, a round' out
check 'text: what reading takes' grep -q '^counters: .* read twice a round' out
bench --counters page-faults,cycles:u --format csv
check 'csv: columns' grep -q \
	',counters.page-faults.value,.*,counters.cycles:u.value,' out
check 'csv: lines of one length' [ "$(sed 's/"[^"]*"//g' out |
	awk -F, '{ print NF }' | sort -u | wc -l)" = 1 ]
bench --format json
rows 'without: nothing' 'all(.rows[]; .counters == {})'
"$FOLIOSIM" compare counted.json out >compared 2>err
check 'compare: reads both' [ $? = 0 ]

# Few files are open: what cannot be had is left out, the rest counted.
(ulimit -n 6 && bench --counters page-faults,cpu-clock,minor-faults,task-clock \
	--format json && exit "$status")
check 'few files: exit status' [ $? = 0 ]
if grep -q EMFILE err; then
	rows 'few files: null' 'any(.rows[0].counters[];
		.value == null and (.reason | test("EMFILE")))'
fi

# Without rights user mode is counted, and what is the kernel's own is not.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	chmod 755 "$scratch"
	cp "$FOLIOSIM" "$scratch/foliosim"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$scratch/foliosim" bench --page-size 4K --size 4M \
		--repeat 1 --engine kernel --counters "$software" \
		--format json >out 2>err
	check 'no rights: exit status' [ $? = 0 ]
	check 'no rights: user mode' grep -q \
		'note: --counters: page-faults: user mode only.*CAP_PERFMON' err
	check 'no rights: denied' grep -q \
		'note: --counters: context-switches, cpu-migrations: EACCES: perf_event_paranoid is 2; needs CAP_PERFMON' err
	schema 'no rights'
	rows 'no rights: the modes' 'all(.rows[].counters;
		.["page-faults"].mode == "user" and
		.["page-faults"].value >= 1024 and
		.["task-clock"].mode == "user+kernel" and
		.["task-clock"].value > 0 and
		.["context-switches"].status == "denied" and
		.["context-switches"].value == null)'
fi
finish
