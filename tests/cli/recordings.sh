# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of replay: recordings made by a formula.
# shellcheck shell=bash

# Two processes that touch memory, one in order and one here and there, as
# tracepoints: writes, reads, copies and fetches; an exec and an exit; pages
# that were freed; mappings of anonymous memory.
workload() {
	awk 'function line(t, pid, event, addr, code) {
		printf "%d 0 %d %d %s 0x%x - %s task %d\n", t, pid, pid, event,
			addr, code, pid
	}
	BEGIN {
		tp = "exceptions:page_fault_user"
		print "# foliosim-trace 1"
		line(1000, 7, "mmap+8388608@anon", 1073741824, "-")
		line(1000, 8, "mmap+3145728@anon", 1073741824 + 4096, "-")
		t = 2000
		for (i = 0; i < 1024; i++)
			line(t += 1000, 7, tp, 1073741824 + 4096 * i, "0x6")
		for (i = 0; i < 256; i++) {
			at = 1073741824 + 4096 * ((i * 167) % 700 + 1)
			line(t += 500, 8, tp, at, i % 8 ? "0x6" : "0x4")
			if (i % 16 == 0)
				line(t += 500, 8, tp, at, "0x7")
			if (i % 32 == 0)
				line(t += 500, 8, tp, 94000000000 + 4096 * i, "0x14")
		}
		for (i = 0; i < 40; i++)
			line(t += 1000, 7, tp, 1073741824 + 8192 * i, "0x6")
		line(t += 1000, 7, "exec", 0, "-")
		for (i = 0; i < 20; i++)
			line(t += 1000, 7, tp, 1073741824 + 4096 * i, "0x6")
		line(t += 1000, 8, "exit", 0, "-")
		printf "%d 0 9 9 %s 0xffff888000001000 - 0x2 task 9\n", t, tp
	}' | sed 's/0x0 - - task/- - - task/'
}

# software EVENT BYTES NR: faults without error codes, so far apart, in order.
software() {
	echo '# foliosim-trace 1'
	awk -v event="$1" -v bytes="$2" -v nr="$3" 'BEGIN {
		for (i = 0; i < nr; i++)
			printf "%d 0 5 5 %s 0x%x - - task\n", 1000 * i, event,
				139637976727552 + bytes * i
	}'
}
