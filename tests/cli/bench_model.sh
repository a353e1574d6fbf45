#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rows of bench that are priced by a machine's profile, alone and beside others.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

few=(--preempt none --clear stosb --page-size 2M --size 16M)

# Without the lines of the machine.
shown() {
	try bench --engine model "${few[@]}" "$@"
	sed -i -e '/, Linux .*, preempt /d' -e "/^this kernel's policy/d" \
		-e '/^ *guest$/d' transcript.stdout
}

shown --profile milan --policy discontiguous-page,batched-pages
shown --profile milan --policy batched-pages --batch 64K,2M --repeat 3 \
	--baseline batched-pages
# It has no streaming primitive, and not every CPU's.
shown --profile genoa --policy batched-pages,streaming-neighbourhood-last
shown --profile neoverse-n1 --policy batched-pages
shown --profile neoverse-n1 --policy batched-pages --clear dc-zva
# Nobody published what long calls cost there.
shown --profile zen5 --policy init-pages-extent --folio-size 1G --size 1G
shown --profile milan --policy batched-pages --threads 1
# What loads cost, made up: near pages from L1 or L2, others from memory too.
jq '.name = "made" | .cycle_ns = 0.5 | .clock_ns = 20 | .cache.levels = [
	.cache.levels[] | .latency_cycles = .bytes / 8192 |
	.read_cycles = .latency_cycles / 4] | .cache.levels[2:] = []' \
	"$SOURCE_DIR/model/profiles/milan.json" >made.json
for use in line near folio; do
	shown --profile ./made.json --use "$use" --fault-page middle,last \
		--policy contiguous-page,neighbourhood-last,init-pages
done
jq '.cache.memory_cycles = 400 | .cache.memory_read_cycles = 8' made.json \
	>whole.json
shown --profile ./whole.json --use folio \
	--policy contiguous-page,neighbourhood-last,init-pages
for profile in no-such-profile ./no-such.json /dev/null; do
	shown --profile "$profile"
done

run() {
	"$FOLIOSIM" bench "$@" --format json >out.json 2>err
}

# shellcheck disable=SC2317 # called through check
holds() {
	jq -e "$1" out.json >/dev/null
}

# shellcheck disable=SC2317 # called through check
valid() {
	/usr/bin/python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out.json
}

# The same rows on real base pages, which every machine has.
beside=(--page-size 4K --folio-size 256K --size 4M --repeat 2 --preempt none
	--clear memset --batch '16K,64K' --policy
	'batched-pages,neighbourhood-last,init-pages')
jq '.name = "mine" | .clears[0].name = "memset"' \
	"$SOURCE_DIR/model/profiles/neutral.json" >mine.json
check 'beside' run --engine buffers,kernel,model --profile mine.json "${beside[@]}"
check 'the profile is named' holds '.prices.profile == "mine"'
check 'modelled rows' holds '[.rows[] | select(.engine == "model")] |
	length == 5 and all(.status == "modelled" and .rounds == 2)'
# shellcheck disable=SC2016 # jq's own variables, here and below
check 'each beside its own' holds '.rows as $rows |
	def of: [.policy, .clear, .batch_bytes, .fault_page];
	[.rows[] | select(.engine == "model")] | all(. as $row |
		$rows[] | select(.id == $row.prediction.measured_id) |
		.engine == "buffers" and of == ($row | of))'
# shellcheck disable=SC2016
check 'the ratio is that of the seconds' holds '.rows as $rows |
	[.rows[] | select(.engine == "model")] | all(. as $row |
		$rows[] | select(.id == $row.prediction.measured_id) |
		[.seconds, $row.seconds] | transpose | map(.[0] / .[1]) |
		add / 2 / $row.prediction.median - 1 | fabs < 1e-9)'
check 'measured rows predict nothing' holds '[.rows[] |
	select(.engine != "model")] | all(.prediction.measured_id == null)'
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	check 'schema' valid
fi
for member in line near folio; do
	check "no $member" holds "all(.rows[] | select(.engine == \"model\");
		.use_ns.$member == null)"
done
check 'why no use' holds 'all(.rows[] | select(.engine == "model" and
	.policy != "init-pages"); .warnings | any(test("^use: profile .mine. ")))'
# A primitive that every machine has.
jq '.clears[0].name = "memset"' whole.json >whole-memset.json
check 'use beside' run --engine buffers,model --profile whole-memset.json \
	--clear memset --page-size 4K --folio-size 256K --size 4M --repeat 2 \
	--preempt none --policy neighbourhood-last --use folio
check 'use beside: all' holds 'all(.rows[] | .use_ns.line, .use_ns.near,
	.use_ns.folio; . > 0)'
check 'use beside: nothing to say' holds 'all(.rows[] |
	select(.engine == "model"); .warnings == [])'
run --engine buffers,kernel,model --profile mine.json "${beside[@]}"
for format in text csv commit; do
	check "--format $format" "$FOLIOSIM" bench \
		--engine buffers,model --profile mine.json "${beside[@]}" \
		--format "$format" --output "out.$format"
done
check 'side by side' grep -q 'model /' out.text
check 'columns of csv' test \
	"$(awk -F, '{ print NF }' out.csv | sort -u | wc -l)" = 1
# shellcheck disable=SC2016 # awk's
check 'commit table is too wide' awk 'length($0) > 72 { exit 1 }' out.commit
check 'it says what is not measured' grep -q 'not$\|not measured' out.commit

# Model first: no row of it may be fastest.
check 'no winner' "$FOLIOSIM" bench --engine model,buffers --profile mine.json \
	"${beside[@]}" --repeat 11 --output fast.text
check 'no model is fastest' test "$(grep -cE '^(fastest|no winner): model|^\*.*model' fast.text)" = 0

# Nothing is taken, so anybody can, and sizes are only numbers.
anybody=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	anybody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod 755 .
fi
"${anybody[@]}" "$FOLIOSIM" bench --engine model --profile genoa \
	--clear stosb --page-size 1G --size 1024G --preempt none \
	--policy batched-pages --format json >out.json 2>err
check "as anybody: $(cat err)" test $? = 0
check '1024 folios' holds '.rows[0] | .status == "modelled" and .faults == 1024'

# No memory for what is measured: what is priced stands.
run --engine buffers,model --profile mine.json --clear memset --page-size 2M \
	--size 1T --policy batched-pages --repeat 1
check 'no memory' test $? = 0
check 'its row is there' holds '[.rows[].status] == ["unsupported", "modelled"]'

# Stopped while it prices more folios than anybody has.
timeout --preserve-status --foreground --signal INT 1 "$FOLIOSIM" bench \
	--engine model --profile milan --clear stosb --size 4096T \
	--page-size 2M --policy all --preempt none --format json >out.json 2>err
check "stopped: exit status $?" test $? = 130
check 'stopped: all rows say so' holds '.partial and
	([.rows[] | select(.status == "unsupported")] | length > 1 and
	all(.reason == "stopped by a signal"))'

# The seed decides the faulting pages.
random=(--engine model --profile milan "${few[@]}" --policy discontiguous-page)
run "${random[@]}"
one=$(jq -c '.rows[0].seconds' out.json)
run "${random[@]}"
check 'the same again' test "$one" = "$(jq -c '.rows[0].seconds' out.json)"
run "${random[@]}" --seed 2
check 'another seed' test "$one" != "$(jq -c '.rows[0].seconds' out.json)"
finish
