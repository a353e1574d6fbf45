#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What trace info tells of traces, and that its document fits the schema.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
samples=$SOURCE_DIR/traces/samples
cp "$samples/canonical.txt" "$samples/binary.trace" .

# Two processes, three kinds of page, both ends of faults, a loss, a session.
{
	echo '# foliosim-trace 1'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		address=$((0x7f0000000000 + i * 0x200000))
		printf '%d 0 7 7 page-faults 0x%x - - big\n' \
			$((1000000 * i)) "$address"
		printf '%d 0 7 7 minor-faults 0x%x - - big\n' \
			$((1000000 * i + 1000 * (i + 1))) "$address"
	done
	# Bytes that a terminal would obey, and one that is no UTF-8.
	printf '20000000 1 8 9 page-faults 0x1000 - - \\x1b[31m\\xff "x", y\n'
	echo '20000100 1 8 9 page-faults@file 0x2000 - - z'
	echo '20000200 1 8 9 page-faults 0xffffffff81000000 - - z'
	echo '20000300 1 8 9 page-faults - - - z'
	echo '20000400 - - - lost+17 - - - -'
	echo 'this is no record'
	echo '100 1 8 9 exit - - - z'
} >made.txt
try trace info made.txt
try trace info --format json made.txt
try trace info canonical.txt binary.trace
try trace info --trace-format canonical canonical.txt
try trace info --strict made.txt
try trace info --help

# A trace of nothing but mappings has no faults to tell of.
printf '# foliosim-trace 1\n- - 7 7 mmap+4096@anon 0x1000 - - x\n' >none.txt
try trace info none.txt
try trace info --format json none.txt

# One of each is told of as one.
cat >one.txt <<'END'
# foliosim-trace 1
1 0 7 7 page-faults 0x1000 - - x
9 0 7 7 minor-faults 0x1000 - - x
10 - - - lost+1 - - - -
END
try trace info one.txt

# More than is told apart is not told as if it were all.
"$FOLIOSIM" trace generate sequential --page-size 2M --size 525G \
	--to binary -o regions.trace
try trace info regions.trace
awk 'BEGIN {
	print "# foliosim-trace 1"
	for (i = 1; i <= 16390; i++)
		printf "%d 0 %d %d page-faults 0x1000 - - x\n", i, i, i
	print "16400 - - - lost+18446744073709551615 - - - -"
	print "16401 - - - lost+2 - - - -"
}' >processes.txt
try trace info processes.txt

# A terminal is no wider than this, whatever the figures.
awk 'BEGIN {
	print "# foliosim-trace 1"
	split("0x6 0x4 0x7 0x14", code)
	for (event = 1; event <= 10; event++)
		for (i = 1; i <= 4000; i++)
			print i * 1000, 0, 4000000000 + i % 3, 4000000000, \
				word(event), address(i), "-", code[i % 4 + 1], \
				"\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09" \
				"\\x0a\\x0b\\x0c\\x0d\\x0e\\x0f\\x10"
}
function word(event) {
	split("page-faults minor-faults major-faults " \
		"exceptions:page_fault_user exceptions:page_fault_kernel " \
		"exec fork+1 exit mmap+4096@anon lost+1", words)
	return words[event]
}
function address(i) {
	if (i % 5 == 0)
		return "0xffffffff81000000"
	return sprintf("0x7fff%05x000", i * 977 % 1048576)
}' >wide.txt
"$FOLIOSIM" trace info wide.txt >out 2>err
check 'wide: exit status' test $? = 0
check 'wide: classes' grep -q 'zero-fill.*kernel' out
check "wide: $(wc -L <out) columns" test "$(wc -L <out)" -le 100

if [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import jsonschema'; then
	"$FOLIOSIM" trace info --format json made.txt none.txt canonical.txt \
		binary.trace processes.txt >document.json 2>err
	check 'json: exit status' test $? = 0
	check 'json fits the schema' /usr/bin/python3 \
		"$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.trace-info-1.schema.json" document.json
fi

# Classes are those of a replay, also where only mappings tell, and where only
# threads are known.
{
	echo '# foliosim-trace 1'
	echo '- - 7 7 mmap+8192@file 0x10000 - - x'
	echo '- - 7 7 mmap+8192@anon 0x12000 - - x'
	for fault in '7 7' '8 8' '9 9'; do
		for page in 0x10000 0x11000 0x12000 0x13000 0x14000; do
			echo "3 0 $fault page-faults $page - - x"
		done
	done
	echo '4 0 8 8 fork+7 - - - x'
	echo '5 0 8 8 page-faults 0x10000 - - x'
	echo '6 0 7 7 exec - - - x'
	echo '7 0 7 7 page-faults 0x10000 - - x'
	echo '8 0 8 9 exit - - - x'
	echo '9 0 8 8 page-faults 0x10000 - - x'
	echo '10 0 8 8 exit - - - x'
	echo '11 0 8 8 page-faults 0x10000 - - x'
	echo '12 0 - 20 mmap+4096@file 0x20000 - - x'
	echo '13 0 - 20 page-faults 0x20000 - - x'
	echo '14 0 - 21 page-faults 0x20000 - - x'
} >mapped.txt
if command -v jq >/dev/null; then
	for trace in mapped.txt "$samples"/*.txt "$samples"/*.trace; do
		"$FOLIOSIM" trace info --format json "$trace" 2>err |
			jq -c '.traces[0].classes' >actual
		"$FOLIOSIM" replay --policy contiguous-page --folio-size 2M \
			--format json "$trace" 2>err | jq -c .trace.classes \
			>theirs
		check "${trace##*/}: classes of a replay" cmp theirs actual
	done
fi
"$FOLIOSIM" trace info mapped.txt >out
check "files are told: $(grep classes out)" grep -q 'classes .*file 23.8 %' out

# Every way in is the same trace.
"$FOLIOSIM" trace info canonical.txt | tail -n +2 >expected
for packer in gzip xz zstd; do
	command -v $packer >/dev/null || continue
	$packer -c canonical.txt >packed
	"$FOLIOSIM" trace info packed 2>err | tail -n +2 >actual
	check "$packer: the same" cmp expected actual
	check "$packer: nothing to complain of" test ! -s err
	"$FOLIOSIM" trace info - <packed 2>err | tail -n +2 >actual
	check "$packer from standard input: the same" cmp expected actual
done

# Packed without a checksum: text may be damaged unnoticed, binary may not.
for unchecked in 'zstd --no-check' 'xz --check=none'; do
	command -v "${unchecked% *}" >/dev/null || continue
	$unchecked -c canonical.txt >packed
	"$FOLIOSIM" trace info packed 2>err | tail -n +2 >actual
	check "$unchecked: the same" cmp expected actual
	check "$unchecked: is told" grep -q 'without a checksum.*zstd --check' err
	$unchecked -c binary.trace >packed
	"$FOLIOSIM" trace info packed >actual 2>err
	check "$unchecked: a binary trace is not doubted" test ! -s err
done
if command -v zstd >/dev/null; then
	{ zstd -c canonical.txt; zstd -c --no-check canonical.txt; } >packed
	"$FOLIOSIM" trace info packed 2>err >actual
	check 'zstd: the second frame counts too' grep -q checksum err
fi
# A frame that is skipped may come first, as P does of pzstd, or one of fifteen
# other kinds.
if command -v zstd >/dev/null; then
	for kind in P Q _; do
		{
			printf '%s*M\030\004\0\0\0abcd' $kind
			zstd -c canonical.txt
		} >packed
		"$FOLIOSIM" trace info packed 2>err | tail -n +2 >actual
		check "skipped $kind: the same" cmp expected actual
		check "skipped $kind: nothing to complain of" test ! -s err
	done
fi
# A terminal obeys no name of a file.
cp canonical.txt $'\e[31m\xc2\x9bt'
"$FOLIOSIM" trace info $'\e[31m\xc2\x9bt' >actual
check "a name: $(head -1 actual)" grep -qxF '?[31m??t: canonical' actual
# shellcheck disable=SC2002 # a pipe is what this is about
cat canonical.txt | "$FOLIOSIM" trace info - | tail -n +2 >actual
check 'a pipe: the same' cmp expected actual
finish
