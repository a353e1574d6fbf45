#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every view of a real run on base pages, which every machine has.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

schema=$SOURCE_DIR/docs/foliosim.result-1.schema.json
few=(--page-size 4K --folio-size 2M --size 8M --repeat 2)

run() {
	"$FOLIOSIM" bench "$@" 2>err >out
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$2" "$1" >/dev/null
}

# shellcheck disable=SC2317 # called through check
no_infinity() {
	! grep -qiwE 'nan|inf|-nan|infinity' "$1"
}

for format in text json csv commit; do
	check "--format $format" run "${few[@]}" --format "$format"
	check "$format has a number that is none" no_infinity out
	cp out "out.$format"
done

check 'GiB/s is said' grep -q 'GiB/s' out.text
# shellcheck disable=SC2016 # awk's
check 'commit table is too wide' awk 'length($0) > 72 { exit 1 }' out.commit
check 'commit table has no spread' grep -q -- '+-' out.commit
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' /usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$schema" out.json
fi

rows() {
	check "$1" holds out.json "$2"
}
rows 'version' '.schema == "foliosim.result/1" and .partial == false'
rows 'seed and command' '.tool.seed == 1 and (.tool.command | startswith("foliosim bench"))'
# The kernel zeroes 4K pages, not 2M folios, so that row says so.
rows 'kernel row' '[.rows[] | select(.engine == "kernel")] | length == 1 and .[0].status == "unsupported" and (.[0].reason | length > 0) and .[0].seconds == []'
rows 'buffers rows' "[.rows[] | select(.engine == \"buffers\")] | length == $(names policies | wc -l) and all(.status == \"measured\")"
rows 'rounds' '[.rows[] | select(.status == "measured")] | all(.rounds == 2 and (.seconds | length) == 2 and all(.seconds[]; . > 0))'
rows 'bytes and faults' '[.rows[] | select(.rounds > 0)] | all(.bytes == 8388608 and .faults == 4 and .folio_bytes == 2097152)'
# shellcheck disable=SC2016 # jq's own variables, here and below
rows 'bandwidth follows from seconds' '[.rows[] | select(.rounds > 0)] | all(.bytes as $b | (.seconds | map($b / .) | add / 2) / .bandwidth.median_bps - 1 | fabs < 1e-9)'
rows 'mean of two is the median of two' '[.rows[] | select(.rounds > 0)] | all((.bandwidth.mean_bps - .bandwidth.median_bps) / .bandwidth.mean_bps | fabs < 1e-9)'
# shellcheck disable=SC2016
rows 'twins name each other' '([.rows[] | {key: .id, value: .same_as}] | from_entries) as $same | all(.rows[]; .id as $id | all(.same_as[]; $same[.] | index($id) != null))'
rows 'ids are unique' '([.rows[].id] | length) == ([.rows[].id] | unique | length)'
rows 'ignored parameters are null' '[.rows[] | select(.policy == "discontiguous-page" and .engine == "buffers")][0] | .batch_bytes == null and .radius_pages == null and .stream_clear == null and .fault_page == "random"'
rows 'no page is told' '[.rows[] | select(.policy == "init-pages")][0] | .fault_page == null and .use_ns.near == null'
rows 'near use' '[.rows[] | select(.policy == "neighbourhood-last")][0].use_ns | .near > 0 and .line > 0 and .folio == null'
rows 'backing' '[.rows[] | select(.status == "measured")] | all(.backing.kind == "base" and .backing.page_bytes == 4096 and (.backing.verified_by | startswith("smaps")))'
# shellcheck disable=SC2016
rows 'baseline' '[.rows[] | select(.ratio.median != null)] as $r | ($r | length) > 0 and ([.rows[].id] as $ids | $r | all(.ratio.baseline_id as $b | $ids | index($b) != null))'

csv_columns=$(head -n 1 out.csv | tr ',' '\n' | wc -l)
check 'CSV rows' [ "$(jq '.rows | length' out.json)" = \
	"$(tail -n +2 out.csv | wc -l)" ]
check 'CSV has columns' [ "$csv_columns" -gt 40 ]

# Points: one a page; under full none acts, and nobody waits for one.
check 'points' run "${few[@]}" --engine buffers --policy contiguous-page \
	--preempt none,full --fault-page 0 --format json
cp out out.json
rows 'points acting' '.rows[0].resched | .points == 512 and .interval_ns.max > 0 and .wakeup_model_ns.max == .interval_ns.max'
rows 'no points' '.rows[1].resched | .points == 0 and .interval_ns.max == null and .wakeup_model_ns.mean == null'
rows 'hypothetical' 'all(.rows[]; .hypothetical == false)'

check 'hypothetical' run "${few[@]}" --engine buffers --fault-page 0 \
	--policy neighbourhood-last --preempt none,lazy --format json
cp out out.json
rows 'hypothetical' '[.rows[].hypothetical] == [true, false]'

# Sizes are rounded with a note, never counted wrongly.
check 'rounding' run --page-size 4K --folio-size 2M --size 9M --repeat 1 \
	--policy init-pages --engine buffers --format json
cp out out.json
rows 'rounded size' '.rows[0].bytes == 8388608 and .rows[0].faults == 4'
check 'note of rounding' grep -q 'note: --size 9M' err

# Odd folios, bare, all primitives, folio use, and an own baseline.
run --page-size 4K --folio-size 12K --size 120K --repeat 3 --use folio \
	--engine bare,buffers --clear all --fault-page first,last,2,random \
	--baseline contiguous-page --format json
cp out out.json
rows 'first, last and 2 are two pages' '[.rows[] | select(.policy == "contiguous-page" and .engine == "bare" and .clear == "stosb") | .fault_page] == [0, 2, "random"] or ([.rows[] | select(.clear == "stosb")] | length == 0)'
rows 'folio use' '[.rows[] | select(.status == "measured")] | length > 0 and all(.use_ns.folio > 0)'
rows 'unsupported primitives stay' 'all(.rows[]; .status == "measured" or (.status == "unsupported" and (.reason | length > 0)))'

# One round has no spread and no interval.
check 'one round' run --page-size 4K --folio-size 64K --size 1M --repeat 1 \
	--format json
cp out out.json
rows 'no spread' '[.rows[] | select(.rounds == 1)] | length > 0 and all(.bandwidth.median_bps > 0 and .bandwidth.stdev_pct == null and .bandwidth.ci95_bps == null and .ratio.ci95 == null)'

# The last of a repeated option counts.
run --page-size 4K --folio-size 64K --size 1M --repeat 1 --engine buffers \
	--policy streaming-neighbourhood-last --stream-clear all \
	--stream-clear movnti --stream-clear all --format json
cp out out.json
rows 'no row twice' '[.rows[].stream_clear] | length == (unique | length)'

# At the ends of a small folio there are far pages, in its middle none.
check 'small folios' run --page-size 4K --folio-size 16K --size 1M --repeat 1 \
	--fault-page first,middle,last,random --format json
cp out out.json
rows 'streaming at the ends' '[.rows[] | select(.policy == "streaming-neighbourhood-last")] | length == 4 and all(.stream_clear != null)'
check 'wide radius' run --page-size 4K --folio-size 2M --size 4M --repeat 1 \
	--policy streaming-neighbourhood-last --radius 300 --fault-page first

# A closed stderr must not put messages into the result.
"$FOLIOSIM" bench --page-size 4K --folio-size 64K --size 1000K --repeat 1 \
	--policy init-pages --format json --output closed.json 2>&-
check 'closed stderr' jq -e .schema closed.json >/dev/null

# A slow reader of a non-blocking pipe gets all of it.
if [ -x /usr/bin/python3 ]; then
	/usr/bin/python3 - "$FOLIOSIM" plan --policy contiguous-page \
		--folio-size 64M --fault-page 0 --format csv >slow <<-'END'
		import os, subprocess, sys, time
		reader, writer = os.pipe()
		os.set_blocking(writer, False)
		program = subprocess.Popen(sys.argv[1:], stdout=writer)
		os.close(writer)
		time.sleep(0.3)
		while data := os.read(reader, 4096):
		    sys.stdout.buffer.write(data)
		sys.exit(program.wait())
	END
	check 'non-blocking pipe' [ $? = 0 ]
	"$FOLIOSIM" plan --policy contiguous-page --folio-size 64M \
		--fault-page 0 --format csv >whole
	check 'all of it' cmp slow whole
fi

# --output: the file appears whole, an old one is replaced.
printf '%0100000d' 0 >old
check 'output' run "${few[@]}" --policy init-pages --format csv --output old
check 'nothing on stdout' [ ! -s out ]
check 'file holds the table only' [ "$(wc -l <old)" -lt 20 ]

# Stretches as a histogram.
check 'histogram' run "${few[@]}" --histogram --policy contiguous-page
check 'histogram is drawn' grep -q '#' out
finish
