#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench --waker: wake-ups measured beside those of the model.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

allowed=$(taskset -cp $$ | sed 's/.*: //')
first=${allowed%%[-,]*}

# The kernel's steps in user space are on pages of 4K those of one page.
bench() {
	"$FOLIOSIM" bench --page-size 4K --size 16M --repeat 3 \
		--policy contiguous-page,init-pages --preempt none "$@" \
		>out 2>err
	status=$?
}

rows() {
	check "$1" jq -e "$2" out >/dev/null
}

bench --waker --interval 20us --format json
check 'exit status' [ "$status" = 0 ]
if command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null; then
	check schema python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
fi
rows 'the kernel wakes a task' '[.rows[] | select(.engine == "kernel")] |
	all(.waker.by == "fifo" or .waker.by == "fair")'
rows 'baselines' 'all(.rows[] | select(.waker.by != null and .waker.by != "flag");
	.resched.wakeup_idle_ns.p50 > 0 and .resched.wakeup_busy_ns.p50 > 0)'
rows 'the interval' 'all(.rows[] | select(.waker.by != null);
	.waker.interval_ns == 20000 and .waker.dropped >= 0)'
rows 'wake-ups of the kernel' 'all(.rows[] | select(.engine == "kernel");
	.waker.wakeups > 0 and .resched.wakeup_measured_ns.p99 > 0)'
rows 'figures only where somebody was woken' 'all(.rows[];
	(.waker.wakeups // 0) > 0 or .resched.wakeup_measured_ns.p50 == null)'

if [ "$allowed" != "$first" ]; then
	rows 'plans see a flag' '[.rows[] | select(.engine == "buffers")] |
		all(.waker.by == "flag" and .waker.model_id == .id)'
	# One CPU: nobody can set a flag, and that is said.
	taskset -c "$first" "$FOLIOSIM" bench --page-size 4K --size 4M \
		--repeat 1 --engine buffers --policy init-pages --waker \
		--format json >out 2>err
	check 'one CPU: exit status' [ $? = 0 ]
	check 'one CPU: note' grep -q 'no second CPU to set a flag from' err
	rows 'one CPU: nobody is woken' 'all(.rows[]; .waker.by == null)'
fi

bench --waker fair
check 'text: the table' grep -q '^ *wake-ups  *by  *number' out
check 'text: fair' grep -q ' kernel: [a-z-]* *fair ' out
bench --waker=fair --format csv
check 'csv: columns' grep -q 'resched.wakeup_measured_ns.p99,.*waker.by,' out

# Without the right to be real-time it is fair, and says so.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$scratch"
	cp "$FOLIOSIM" "$scratch/foliosim"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$scratch/foliosim" bench --page-size 4K --size 4M \
		--repeat 1 --engine kernel --waker fifo --format json \
		>out 2>err
	check 'no rights: exit status' [ $? = 0 ]
	check 'no rights: note' grep -q 'note: --waker: .*SCHED_FIFO' err
	rows 'no rights: fair' 'all(.rows[]; .waker.by == "fair")'
fi
finish
