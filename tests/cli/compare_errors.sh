#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What compare cannot read, cannot match or was not asked rightly.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/documents.sh
. "$SOURCE_DIR/tests/cli/documents.sh"

document 6.12 discontiguous-page 1 \
	"$(row r1 buffers contiguous-page 12 0.01)" >good.json
document 6.12 discontiguous-page 1 \
	"$(row r1 buffers init-pages 12 0.01)" >other.json
document 6.12 discontiguous-page 1 \
	"$(row r1 buffers contiguous-page 0 0 'no huge pages')" >none.json
document 6.12 discontiguous-page 1 >no-rows.json
: >empty.json
head -c 300 good.json >short.json
echo 'GiB/s' >text.json
echo '{"tool": "another"}' >another.json
sed 's,result/1,result/2,' good.json >later.json
sed 's,result/1,compare/1,' good.json >comparison.json
sed 's/"seconds":\[[^,]*/"seconds":[null/' good.json >null.json
sed 's/"seconds":\[[^,]*/"seconds":[-0.01/' good.json >negative.json
sed 's/"seconds":\[[^,]*/"seconds":["NaN"/' good.json >nan.json
sed 's/"seconds":\[[^,]*,/"seconds":[/' good.json >fewer.json
sed 's/"engine":"buffers",//' good.json >no-engine.json
sed 's/"rounds":12/"rounds":"12"/' good.json >type.json

# Usage.
try compare
try compare good.json
try compare good.json,other.json
try compare good.json good.json --format xml
try compare good.json good.json --bogus
try compare good.json good.json --between-runs
for pct in '' x -1 101 1e1 1. .5 nan '1 2' 0x1; do
	try compare good.json good.json --between-runs "$pct"
done
try compare - -
try compare good.json,good.json other.json
try compare good.json, other.json
try compare '' other.json
# shellcheck disable=SC2046 # 27 words
try compare $(yes good.json | head -27)

# Files.
for file in missing . empty short text another later comparison null negative \
	nan fewer no-engine type; do
	[ "$file" = . ] || file=$file.json
	try compare good.json "$file"
done
try compare /dev/null good.json
try compare - good.json
try compare good.json good.json,missing.json

# A copy is no second run.
cp good.json copy.json
try compare good.json,copy.json good.json

# Nothing in common.
try compare good.json other.json
try compare good.json none.json
try compare no-rows.json good.json

# Output.
try compare good.json good.json --output nowhere/file
try compare good.json other.json --output unmatched
check 'no file without a comparison' [ ! -e unmatched ]
echo precious >kept
try compare good.json other.json --output kept
check 'a file is kept when there is no comparison' grep -q precious kept
"$FOLIOSIM" compare good.json good.json >/dev/full 2>err
check 'a full disk fails' test $? = 1
check 'a full disk is told' grep -q 'cannot write to standard output' err

# A file too large to be a result; nothing of it is on the disk.
truncate -s 300M huge.json
if [ -z "${SANITIZED:-}" ]; then
	try compare good.json huge.json
	"$FOLIOSIM" compare good.json /dev/zero >out 2>err
	check 'endless input ends' grep -q 'larger than 256 MiB' err
fi
rm -f huge.json
sed -i '/huge.json/,+1d' transcript.stdout transcript.stderr
check 'one line each' test "$(grep -vc '^foliosim: try' <(grep '^foliosim' transcript.stderr))" \
	= "$(grep -c '^\$' transcript.stderr)"
finish
