#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every view of comparisons of made-up results.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/documents.sh
. "$SOURCE_DIR/tests/cli/documents.sh"

document 6.12 discontiguous-page 1 \
	"$(row r1 buffers contiguous-page 31 0.0100)" \
	"$(row r2 buffers neighbourhood-last 31 0.0080)" \
	"$(row r3 kernel discontiguous-page 31 0.0100)" \
	"$(row r4 buffers init-pages 31 0.0090)" \
	"$(row r5 buffers batched-pages 10 0.0090)" >a.json
document 7.0 batched-pages 2 \
	"$(row r1 buffers batched-pages 31 0.0090)" \
	"$(row r2 buffers contiguous-page 31 0.0101)" \
	"$(row r3 buffers neighbourhood-last 31 0.0088)" \
	"$(row r4 kernel batched-pages 31 0.0080)" \
	"$(row r5 buffers init-pages 0 0 'no huge pages')" \
	"$(row r6 buffers contiguous-page 31 0.0101)" \
	"$(row r7 buffers streaming-neighbourhood-last 31 0.0050)" >b.json
for run in 1 2 3 4; do
	for side in a b; do
		factor=1.05
		[ "$side" = b ] || factor=1
		document 6.12 discontiguous-page $run \
			"$(row r1 buffers contiguous-page 12 \
				"$(awk "BEGIN { print 0.01 * $factor * (1 + 0.01 * ($run % 3)) }")")" \
			>$side$run.json
	done
done
PARTIAL=true document 6.12 discontiguous-page 3 \
	"$(row r1 buffers contiguous-page 12 0.0100)" >partial.json
cp a.json copy.json
document 6.12 discontiguous-page 5 \
	"$(SWITCHES=40 row r1 buffers contiguous-page 31 0.0150)" >busy.json

for format in text commit csv; do
	try compare a.json b.json --format $format
	try compare a1.json,a2.json,a3.json,a4.json \
		b1.json,b2.json,b3.json,b4.json --format $format
	try compare a.json b.json partial.json --format $format
done
try compare --between-runs 0.1 a.json b.json
try compare a.json copy.json
try compare a1.json,a2.json b1.json
try compare a.json busy.json
try compare --format commit a.json busy.json
try compare --between-runs 2 a.json busy.json
try compare a1.json,a2.json busy.json
# Two runs a side that differ by as much as they like.
for run in 1 2; do
	document 6.12 discontiguous-page $run \
		"$(row r1 buffers contiguous-page 12 0.0$run)" >wild$run.json
	document 6.12 discontiguous-page $((run + 2)) \
		"$(row r1 buffers contiguous-page 12 0.00$run)" >tame$run.json
done
try compare wild1.json,wild2.json tame1.json,tame2.json
try compare --format commit wild1.json,wild2.json tame1.json,tame2.json

# Prices of another machine make another row, and measured ones have none.
for profile in milan genoa; do
	PRICES="\"prices\":{\"profile\":\"$profile\",\"cpu\":\"$profile\"}," \
		document 6.12 discontiguous-page 1 \
		"$(row r1 buffers contiguous-page 12 0.0100)" \
		"$(row r2 model contiguous-page 12 0.0090)" >$profile.json
	PRICES="\"trace\":{\"prices\":{\"profile\":\"$profile\"}}," \
		document 6.12 discontiguous-page 2 \
		"$(row r1 model contiguous-page 12 0.0090)" >trace-$profile.json
done
document 6.12 discontiguous-page 3 \
	"$(row r1 model contiguous-page 12 0.0090)" >no-prices.json
try compare milan.json genoa.json
try compare milan.json trace-milan.json
try compare trace-milan.json genoa.json
try compare no-prices.json genoa.json
try compare no-prices.json no-prices.json
try compare --format commit milan.json,trace-genoa.json trace-milan.json,genoa.json

# Runs that do not count: two that a signal ended, one that shared its CPU.
for run in 5 6; do
	PARTIAL=true document 6.12 discontiguous-page $run \
		"$(row r1 buffers contiguous-page 1 0.0200)" \
		"$(row r2 buffers neighbourhood-last 1 0.0200)" >b$run.json
done
try compare a1.json,a2.json,a3.json b1.json,b2.json,b5.json,b6.json,busy.json
try compare a1.json,a2.json,a3.json b5.json,b6.json
try compare --format commit a1.json,a2.json b1.json,b2.json,b5.json
"$FOLIOSIM" compare - b.json <a.json >out 2>err
check 'standard input' test $? = 0
check 'standard input is named' grep -q '^A: standard input' out
"$FOLIOSIM" compare a.json b.json --output written 2>err >out
check '--output' test $? = 0
"$FOLIOSIM" compare a.json b.json >out 2>err
check '--output writes what would be printed' cmp out written

# Every view keeps its width, and is ASCII.
for format in text:100 commit:72; do
	for files in 'a.json b.json' 'a1.json,a2.json b1.json,b2.json' \
		'a.json b.json partial.json'; do
		# shellcheck disable=SC2086 # two or three words
		"$FOLIOSIM" compare --format "${format%:*}" $files >out 2>err
		check "${format%:*} $files: exit status" test $? = 0
		check "${format%:*} $files: width" \
			test "$(wc -L <out)" -le "${format#*:}"
		check "${format%:*} $files: ASCII" \
			test -z "$(LC_ALL=C tr -d '\n -~' <out)"
	done
done

if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	for files in 'a.json b.json' 'a1.json,a2.json b1.json,b2.json' \
		'a.json b.json partial.json' 'a.json copy.json' \
		'a.json busy.json' 'milan.json trace-milan.json' \
		'milan.json genoa.json' 'a1.json,a2.json b1.json,b5.json,busy.json'; do
		# shellcheck disable=SC2086
		"$FOLIOSIM" compare --format json $files >out 2>err
		check "$files: schema" /usr/bin/python3 \
			"$SOURCE_DIR/tests/cli/validate.py" \
			"$SOURCE_DIR/docs/foliosim.compare-1.schema.json" out
		# What the schema does not name, it does not let pass.
		sed 's/"verdict"/"verdict_"/' out >wrong
		if /usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
			"$SOURCE_DIR/docs/foliosim.compare-1.schema.json" \
			wrong 2>/dev/null; then
			fail "$files: the schema lets anything pass"
		fi
	done
fi
finish
