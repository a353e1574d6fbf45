#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces from one format to another, and back.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
samples=$SOURCE_DIR/traces/samples

convert() {
	"$FOLIOSIM" trace convert "$@" 2>err
	check "convert $*: exit status" test $? = 0
	check "convert $*: $(cat err)" test ! -s err
}

# What bpftrace printed around the lines is gone after the first time.
convert --to canonical "$samples/canonical.txt" >one
for first in canonical csv binary; do
	convert --to $first one >there
	for second in canonical csv binary; do
		convert --to $second there >further
		convert --to canonical further -o back
		check "by way of $first and $second" cmp one back
	done
done
convert --to binary "$samples/binary.trace" >again
check 'binary to binary' cmp "$samples/binary.trace" again
convert --to csv "$samples/binary.trace" >table
convert --to binary table >again
check 'binary to csv to binary' cmp "$samples/binary.trace" again
check 'the header of csv' test "$(head -n 1 table)" = \
	time_ns,pid,tid,cpu,comm,event,addr,ip,error_code

# One line of each kind, as text.
cat >kinds.txt <<'END'
# foliosim-trace 1
1 0 7 8 page-faults 0x7f0000001000 0x401000 6 a, "b"
2 - 7 8 minor-faults@file 0x0 - - \x1b[31m\x5c
3 - 7 8 exceptions:page_fault_user@anon 0xffffffffffffffff 0x1 20 -
4 - 9 9 fork+7 - - - \x2d
5 - 9 9 mmap+2097152@anon 0x200000 - -  c 
6 - - - lost+17 - - - -
END
try trace convert --to csv kinds.txt
try trace convert --to canonical kinds.txt

# Several are one, in order of time, the first named first.
printf '# foliosim-trace 1\n1 - 1 - exit - - - a\n3 - 1 - exit - - - a\n' >a
printf '# foliosim-trace 1\n1 - 2 - exit - - - b\n2 - 2 - exit - - - b\n' >b
try trace convert --to canonical a b
try trace convert --to canonical b a

# Lines that are not understood do not end it, unless that was asked for.
printf '# foliosim-trace 1\n1 - 1 - exit - - - a\n\001bad\n2 - 1 -' >c
try trace convert --to canonical c
try trace convert --to canonical --strict c
try trace convert --to canonical --strict c -o strict
check 'no file of half a trace' test ! -e strict
try trace convert --help

# A file that is there is replaced as a whole, with its rights, also by itself.
grep -v lost kinds.txt >few.txt
echo old >out.csv
chmod 640 out.csv
ln -s out.csv link.csv
convert --to csv few.txt -o link.csv
check 'a link is followed' test -L link.csv
check 'rights are kept' test "$(stat -c %a out.csv)" = 640
check 'it is new' grep -q fork+7 out.csv
convert --to binary out.csv --output out.csv
convert --to csv out.csv >table
convert --to csv few.txt >expected
check 'in place' cmp table expected

# A name that says so is that of packed bytes, the same each time.
for ending in gz:gzip xz:xz zst:zstd; do
	packer=${ending#*:} file=few.${ending%:*}
	convert --to csv few.txt -o "$file"
	convert --to csv "$file" >table
	check "$file: the same" cmp table expected
	convert --to csv few.txt -o "again.$file"
	check "$file: twice" cmp "$file" "again.$file"
	command -v "$packer" >/dev/null || continue
	check "$file: $packer unpacks it" "$packer" -t -q "$file"
	"$packer" -dc "$file" >table
	check "$file: $packer unpacks the same" cmp table expected
done
if command -v zstd >/dev/null; then
	check 'zst: with a checksum' grep -q XXH64 <(zstd -lv few.zst 2>&1)
fi
"$FOLIOSIM" trace generate sequential --size 64K --to csv -o made.zst
convert --to csv made.zst >table
check 'generate packs too' test "$(wc -l <table)" = 17
check 'nothing is left beside it' test "$(ls -d out.csv.* 2>/dev/null)" = ''
finish
