#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench --probe: what zeroing leaves in the caches and pushes out of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need jq

bench() {
	"$FOLIOSIM" bench --page-size 4K --folio-size 64K --size 4M --repeat 3 \
		--policy contiguous-page,init-pages "$@" >out 2>err
	status=$?
}

holds() {
	check "$1" jq -e "$2" out >/dev/null
}

# So small that a model takes no time.
caches=8K/8,64K/8,256K/16

bench --probe all --fault-page middle --format json --cache "$caches"
check 'exit status' [ "$status" = 0 ]
if command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null; then
	check schema python3 "$SOURCE_DIR/tests/cli/validate.py" \
		"$SOURCE_DIR/docs/foliosim.result-1.schema.json" out
fi
holds 'levels' '.probe | (.levels | length) > 0 and .repeats == 3 and
	.levels[-1].name == "memory" and .borders[-1].below_cycles == null'
holds 'levels have the names of borders' '.probe |
	(.levels | map(.level)) - (.borders | map(.level)) == []'
holds 'distances' '.rows[0].residency | map(.distance_pages) ==
	[-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7]'
holds 'samples' 'all(.rows[] | .residency[], .victim[];
	.samples == 3 and .source == "probe")'
holds 'every row has pages or a reason' '[.rows[] | select(.residency == []).id] ==
	[.probe.not_probed[] | select(.probe == "residency").id]'
holds 'a working set for each cache, or a reason' '
	([.probe.not_probed[] | select(.probe == "victim" and (.id == null or .id == "r1"))] +
	.rows[0].victim | length) >=
	([2, (.probe.levels | length)] | min) - 1'
cp out one.json
check 'compare reads it' "$FOLIOSIM" compare one.json one.json >/dev/null

# A folio as large as the second level, in ascending order: the last two pages
# are in the first, and of those that are looked at one.
holds 'a model of each page' '.rows[0].residency | all(.model.source == "model")
	and map(.model.level) == ([range(10) | "L2"] + ["L1"])'
holds 'with the latencies that were measured' '
	.probe.model.geometry | test("^8K/8@[0-9.]+,64K/8@[0-9.]+,256K/16@")'
holds 'a set is modelled if its cache is' 'all(.rows[].victim[];
	.model.slowdown >= 1 or .cache == "L4")'
bench --probe residency --format json --cache=32K/8@7,1M/16@9
holds 'given latencies are kept' 'all(.rows[0].residency[].model | select(.);
	.cycles == 7 or .cycles == 9)'

bench --probe all --engine kernel --folio-size 4K --size 1M --format json
holds 'a row without a plan has none' '
	[.probe.model.not_modelled[] | .reason] == ["the row runs no plan"] and
	all(.rows[] | .residency[], .victim[]; .model == null)'

bench --probe residency --engine buffers --policy contiguous-page
check 'text: the caches of this machine, or why not' \
	grep -Eq '^(no )?model: ' out
bench --probe residency --cache "$caches"
# Latencies are as long as they are: the line may end anywhere.
check 'text: which page' grep -q 'middle page for' <(tr -s ' \n' ' ' <out)
check 'text: a modelled row' grep -q '^ *model  *[0-9.]*/[12]' out
check 'text: random faults' grep -q '^ *cycles a load .* -1 .* +1 ' out
check 'text: one table' [ "$(grep -c '^ *by probe' out)" = 1 ]
check 'text: levels' grep -q '^probe: a load takes so many cycles' out
check 'text: reason' grep -q '^no residency: the policy is told no' out

bench --format json
holds 'none' '(.probe == null) and all(.rows[]; .residency == [])'
bench --format csv
head -n 1 out >plain
bench --probe victim --format csv --cache "$caches"
check 'CSV has the same columns' diff plain <(head -n 1 out)

# A machine that does not say how many ways its caches have.
cat >unknown.xml <<-END
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
<object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
<object type="L1Cache" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3" cache_size="4096" depth="1" cache_linesize="64" cache_associativity="0" cache_type="1">
<object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4">
<object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
</object></object></object>
</topology>
END
export HWLOC_XMLFILE=unknown.xml
bench --probe residency --format json
check 'caches that are not known' [ "$status" = 0 ]
holds 'are not modelled' '.probe.model | .geometry == null and
	(.not_modelled[0] | .id == null and (.reason | test("not known")))'
bench --probe residency --cache
check 'nor if they are asked for' [ "$status" = 77 ]
check 'with what to do' grep -q 'give them, as in --cache=' err
finish
