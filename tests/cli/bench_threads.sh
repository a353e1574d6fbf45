#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench --threads: rows for each number of threads, and where they ran.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

allowed=$(taskset -cp $$ | sed 's/.*: //')
first=${allowed%%[-,]*}

bench() {
	"$FOLIOSIM" bench --page-size 4K --folio-size 64K --size 4M \
		--repeat 2 --policy contiguous-page,neighbourhood-last \
		--engine buffers "$@" >out 2>err
	status=$?
}

rows() {
	check "$1" jq -e "$2" out >/dev/null
}

bench --threads 1,3 --format json
check 'exit status' [ "$status" = 0 ]
if command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null; then
	check schema python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
fi
rows 'a row for each' '[.rows[].threads] == [1, 1, 3, 3]'
rows 'all measured' 'all(.rows[]; .status == "measured" and .rounds == 2)'
rows 'bytes of all threads' 'all(.rows[]; .bytes == .threads * 4194304 and .faults == .threads * 64)'
rows 'phases' 'all(.rows[]; .use == "phase" and .phases.zero_s > 0 and .phases.use_s > 0)'
rows 'time is summed over threads' 'all(.rows[]; .phases.zero_threads_s <= 1.001 * .threads * .phases.zero_s)'
rows 'scaling' '[.rows[] | .scaling.base_id] == [null, null, "r1", "r2"]'
rows 'placement' 'all(.rows[]; (.placement | length) == .threads and all(.placement[]; (.cpus | length) == 2 and .median_bps > 0))'
# Only rows with as many threads are compared, so that a ratio is one of times.
rows 'baseline' '[.rows[] | .ratio.baseline_id // "none"] | (.[0:2] + ["r1", "r2"] | unique) - ["none"] == ["r1", "r2"]'

# On one CPU all take turns.
bench --threads 2 --cpu "$first" --format json
check 'one CPU: exit status' [ "$status" = 0 ]
check 'one CPU: warning' grep -q '2 threads on 1 CPU: they take turns' err
rows 'one CPU: placement' "all(.rows[].placement[].cpus[]; . == $first)"

bench --threads 2 --use none --format json
rows 'nothing is read' 'all(.rows[]; .phases.use_s == null and .use == "none")'

bench --threads 1,2
check 'text: tables' [ "$(grep -c '^== [12] thread' out)" = 2 ]
check 'text: scaling' grep -q ' of r[12] ' out

# CPUs and nodes that are not there: refused, with those that are.
for words in '--cpu 8191' '--cpu 0-8191' '--node 1000'; do
	# shellcheck disable=SC2086 # two words
	bench --threads 2 $words
	check "$words: exit status $status" [ "$status" = 2 ]
	check "$words: the list" grep -q 'allowed here: [0-9]' err
	check "$words: one line" [ "$(wc -l <err)" = 1 ]
done
# A mask that leaves one CPU out, where there are two.
if [ "$allowed" != "$first" ]; then
	taskset -c "$first" "$FOLIOSIM" bench --cpu "$allowed" >out 2>err
	check 'outside the mask' [ $? = 2 ]
	check 'outside the mask: the list' \
		grep -q "outside the affinity mask.*allowed here: $first\$" err
fi
finish
