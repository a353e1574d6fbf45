#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recording with perf, and what is said where that cannot be done.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Where there is no perf.
mkdir empty
(PATH=$PWD/empty "$FOLIOSIM" trace record -- true >out 2>err)
check 'no perf: exit status' test $? = 77
check 'no perf: nothing on stdout' test ! -s out
check 'no perf: says so' grep -q "cannot run 'perf'" err
check 'no perf: the recipe' grep -q 'perf script --show-lost-events' err
check 'no perf: the other recipe' grep -q 'tools/trace.bt' err

# Where perf may not record.
mkdir fake
printf '#!/bin/sh\necho "Error:" >&2\necho "Access is limited." >&2\nexit 255\n' \
	>fake/perf
chmod +x fake/perf
(PATH=$PWD/fake:$PATH "$FOLIOSIM" trace record -- true >out 2>err)
check 'no rights: exit status' test $? = 77
check 'no rights: the reason' grep -q 'here: Access is limited\.' err
check 'no rights: the recipe' grep -q 'perf_event_paranoid' err
[ "$failures" = 0 ] || finish

need perf
perf record -q -e page-faults -c 1 -d -o probe -- true >out 2>&1 ||
	skip 'perf may not record here'
names formats | grep -q '^perf-script$' || skip 'no reader of perf script'

export TMPDIR=$PWD/tmp
mkdir tmp
"$FOLIOSIM" trace record -o trace -- sh -c 'echo heard; exit 3' >out 2>err
check 'record: exit status' test $? = 0
check 'record: the command is heard' grep -qx heard out
check 'record: its status is told' grep -q "'sh' ended with status 3" err
"$FOLIOSIM" trace info --format json trace >document 2>err
check 'record: what it made is read' test $? = 0
check 'record: faults' grep -q '"page-faults": [1-9]' document
check 'record: mappings' grep -q '"mmap": [1-9]' document
check 'record: the exit' grep -q '"exit": [1-9]' document

# Without -o the trace is what is on standard output.
"$FOLIOSIM" trace record --to csv -- echo heard >out 2>err
check 'stdout: exit status' test $? = 0
check 'stdout: a header' grep -q ^time_ns, out
check 'stdout: the command is on stderr' grep -qx heard err
check 'stdout: and only there' test "$(grep -c heard out)" = 0

# What cannot be run is told in one line.
mkdir folder
: >no-program
printf '#!/no/such/interpreter\n' >no-script
chmod +x no-script
for command in ./no-such-command no-such-command ./folder ./no-program \
	./no-script; do
	"$FOLIOSIM" trace record -o never -- $command >out 2>err
	check "$command: exit status" test $? = 1
	check "$command: one line: $(cat err)" test "$(wc -l <err)" = 1
	check "$command: is named" grep -q "'$command'" err
	check "$command: no file" test ! -e never
done
"$FOLIOSIM" trace record -o 255.trace -- sh -c 'exit 255' 2>err
check 'status 255: exit status' test $? = 0
check "status 255: $(cat err)" grep -qx "foliosim: 'sh' ended with status 255" err

# Where the trace cannot be written, the command does not run.
for output in . /no/such/folder/trace; do
	"$FOLIOSIM" trace record -o "$output" -- touch ran >out 2>err
	check "-o $output: exit status" test $? = 1
	check "-o $output: one line: $(cat err)" test "$(wc -l <err)" = 1
	check "-o $output: is named" grep -q "cannot write '$output'" err
	check "-o $output: nothing ran" test ! -e ran
done
echo old >there
"$FOLIOSIM" trace record -o there -- ./no-such-command 2>err
check 'a file that is there is kept' grep -qx old there

# A signal ends the command; what was recorded is kept.
"$FOLIOSIM" trace record -o stopped -- sh -c 'touch begun; exec sleep 60' 2>err &
pid=$!
for _ in $(seq 200); do
	[ -e begun ] && break
	sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
status=$?
check "signal: killed by SIGTERM, not $status" test "$status" = 143
check 'signal: what was recorded is kept' test -s stopped
check 'nothing is left' test "$(ls tmp)" = ''
finish
