#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces that cannot be read, and what was not asked rightly.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need gzip
samples=$SOURCE_DIR/traces/samples
formats=$(names formats | joined)
writable=$("$FOLIOSIM" list formats | grep '\[read, written\]$' |
	sed 's/ .*//' | joined)
subcommands=$("$FOLIOSIM" trace --help |
	sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | joined)

# As fold_lists, for lists of traces that grow.
fold_trace_lists() {
	sed -i -e "s/known are $subcommands\$/known are <subcommands>/" \
		-e "s/to write \(.*\): known are $writable\$/to write \1: known are <written formats>/" \
		-e "s/known are text, json, $formats\$/known are <formats>/" \
		-e "s/known are $formats\$/known are <formats>/" \
		-e "s/tried $formats;/tried <formats>;/" transcript.stderr
}

# Usage.
"$FOLIOSIM" trace >out 2>err
check 'no subcommand: exit status' test $? = 2
"$FOLIOSIM" trace --help >help
check 'no subcommand: usage on stderr' cmp help err
for subcommand in ${subcommands//,/}; do
	"$FOLIOSIM" trace "$subcommand" --help >out 2>err
	check "$subcommand --help: exit status" test $? = 0
	check "$subcommand --help: its usage" \
		grep -q "^usage: foliosim trace $subcommand" out
	check "$subcommand --help: stderr" test ! -s err
	check "$subcommand --help: 80 columns" test "$(wc -L <out)" -le 80
done
try trace no-such-subcommand
try trace --bogus
try trace info
try trace info --bogus
try trace info --format xml x
try trace info --tsc-hz fast x
try trace convert
try trace convert x
try trace convert --to xml x
try trace convert --to csv
try trace convert --to
try trace convert -o
try trace convert -x
try trace convert --to csv --format xml x
for hz in '' 0 -1 x 1e99 '1 ' nan 0x10 2.6; do
	try trace convert --to csv --tsc-hz "$hz" x
done
try trace record
try trace record --to xml -- true
try trace record --bogus -- true

# Files.
: >empty
printf 'neither\nof these\n' >text
head -c 4096 /dev/zero >zeroes
cp "$samples/canonical.txt" .
cp "$samples/binary.trace" good
head -c 1000 good >short
{ cat good; echo; } >longer
{ head -c 100 good; printf X; tail -c +102 good; } >flipped
{ printf '\211fztr\r\n\032\002'; tail -c +10 good; } >version
{ printf X; tail -c +2 good; } >magic
echo '# foliosim-trace 2' >later
echo '# foliosim-trace 1' >headonly
gzip -nc canonical.txt >packed.gz
head -c 1000 packed.gz >short.gz
{ head -c 1000 packed.gz; printf X; tail -c +1002 packed.gz; } >flipped.gz
{ cat packed.gz; echo; } >longer.gz
gzip -c empty >empty.gz
for file in missing . empty text zeroes short longer flipped version magic \
	later headonly short.gz flipped.gz longer.gz empty.gz; do
	try trace info "$file"
done
try trace info --trace-format binary magic
try trace info --trace-format csv good
try trace info -
try trace convert --to csv missing -o never
try trace convert --to csv canonical.txt -o /nonexistent/file
try trace convert --to csv canonical.txt -o .
for file in short flipped longer short.gz flipped.gz; do
	"$FOLIOSIM" trace convert --to csv $file -o never >out 2>err
	check "$file: exit status" test $? = 1
	check "$file: one line" test "$(wc -l <err)" = 1
	check "$file: no file" test ! -e never
done
check 'nothing is left over' test "$(ls -d never* 2>/dev/null)" = ''

# What was there stays where nothing comes in its place.
echo precious >kept
"$FOLIOSIM" trace convert --to csv flipped -o kept 2>err
check 'a file is kept' grep -q precious kept

# Output that cannot be written.
for format in csv canonical binary; do
	"$FOLIOSIM" trace convert --to $format good >/dev/full 2>err
	check "$format: a full disk: exit status" test $? = 1
	check "$format: a full disk: $(cat err)" test "$(cat err)" = \
		'foliosim: cannot write to standard output: No space left on device'
	"$FOLIOSIM" trace convert --to $format good -o /dev/full 2>err
	check "$format: -o to a full disk: exit status" test $? = 1
	check "$format: -o to a full disk: $(cat err)" test "$(cat err)" = \
		"foliosim: cannot write '/dev/full': No space left on device"
done
"$FOLIOSIM" trace info good >/dev/full 2>err
check 'info: a full disk' test $? = 1

# A reader that has seen enough ends it, quietly.
{
	echo '# foliosim-trace 1'
	yes '1 0 7 7 page-faults 0x1000 - - x' | head -n 100000
} >many
"$FOLIOSIM" trace convert --to csv many 2>err | head -n 1 >first
status=${PIPESTATUS[0]}
check "pipe: killed by SIGPIPE, not $status" test "$status" = 141
check 'pipe: stderr' test ! -s err

# A signal leaves nothing behind.
mkfifo fifo
"$FOLIOSIM" trace convert --to csv - -o stopped <fifo 2>err &
pid=$!
exec 3>fifo
head -n 90000 many >&3
kill -TERM "$pid"
tail -n +90000 many >&3
exec 3>&-
wait "$pid"
status=$?
check "signal: killed by SIGTERM, not $status" test "$status" = 143
check 'signal: nothing is left' test "$(ls -d stopped* 2>/dev/null)" = ''

# Nor does it wait for a pipe that says nothing more. They are so many that a
# replay has looked at the first ones, which it does before it catches signals.
while_waiting() {
	"$FOLIOSIM" "$@" <fifo >out 2>err &
	pid=$!
	exec 3>fifo
	cat many many >&3
	sleep 0.2
	kill -TERM "$pid"
	for ((i = 0; i < 200; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	check "waiting: $1 ends" test "$i" -lt 200
	exec 3>&-
	wait "$pid"
	status=$?
	check "waiting: $1: killed by SIGTERM, not $status" test "$status" = 143
	check "waiting: $1: stderr" test ! -s err
}
while_waiting trace convert --to csv - -o stopped
check 'waiting: nothing is left' test "$(ls -d stopped* 2>/dev/null)" = ''
while_waiting replay --policy contiguous-page --format json -
check 'waiting: replay is partial' grep -q '"partial": true' out

fold_trace_lists
finish
