#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What plans do to modelled caches: every policy, every view, bad geometries.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

small=4K/4@4,32K/8:inclusive@14,128K/16:victim@50,memory=200

# plan_of POLICY OPTION...
plan_of() {
	local policy=$1
	shift
	try plan --policy "$policy" --folio-size 64K --fault-page 7 "$@"
}

for policy in discontiguous-page contiguous-page batched-pages \
	neighbourhood-last neighbourhood-last-v6 streaming-neighbourhood-last \
	init-pages; do
	plan_of "$policy" --cache "$small"
done
plan_of neighbourhood-last --format json --cache "$small,prefetch=16/2/1"
plan_of streaming-neighbourhood-last --format json --cache=4K/4,32K/8
plan_of batched-pages --cache=genoa
plan_of batched-pages --cache milan
plan_of batched-pages --cache "$small,elide=64K/8K,loads=2" --format json
plan_of contiguous-page --cache 4K/1
plan_of contiguous-page --cache 4K/4,8K/4,16K/4,32K/4,line=128
try plan --policy discontiguous-page --folio-size 4K --fault-page 0 \
	--cache "$small"
# No page is near a fault that nobody knows of, unless one is given.
try plan --policy init-pages --folio-size 16K --cache "$small"
try plan --policy init-pages --folio-size 16K --cache "$small" --format json
try plan --policy init-pages --folio-size 16K --addr 0x3000 --cache "$small"
# The last of an option that is given twice counts.
plan_of contiguous-page --cache nonsense --cache 4K/1

# A sleep that is illegal is reported as ever.
try plan --policy init-pages-batched --folio-size 16K --context alloc-irq \
	--cache 4K/1

for geometry in '' ',' genoa,32K/8 Genoa there 32K 32K/8:exclusive 32K/8@0 \
	32K/7 32K/65 line=64 32K/8,line=48 32K/8:victim 32K/8,16K/8:inclusive \
	32K/8,prefetch=1/1/1 genoa,prefetch=1 genoa,elide=32M genoa,loads=x \
	genoa,size=1 genoa,line=64,line=64 1K/1,1K/1,1K/1,1K/1,1K/1; do
	plan_of contiguous-page --cache "$geometry"
done
plan_of contiguous-page --cache genoa --format csv
plan_of contiguous-page --cache genoa more
try plan --policy contiguous-page --folio-size 32G --fault-page 0 \
	--cache genoa

# The plan itself is what it is without.
with() {
	"$FOLIOSIM" plan --policy neighbourhood-last --folio-size 2M \
		--fault-page first "$@"
}
with >without
with --cache genoa >out
check "the plan comes first" cmp -n "$(wc -c <without)" without out
with --cache genoa >again
check "the same figures again" cmp out again

# Machines as hwloc sees them; one that does not say how many ways there are.
machine() {
	local cache='cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"'
	cat <<-END
	<?xml version="1.0" encoding="UTF-8"?>
	<!DOCTYPE topology SYSTEM "hwloc2.dtd">
	<topology version="2.0">
	<object type="Machine" os_index="0" $cache allowed_cpuset="0x1" allowed_nodeset="0x1" gp_index="1">
	<object type="NUMANode" os_index="0" $cache gp_index="2" local_memory="1073741824"/>
	<object type="L2Cache" $cache gp_index="3" cache_size="65536" depth="2" cache_linesize="64" cache_associativity="$1" cache_type="0">
	<object type="L1Cache" $cache gp_index="4" cache_size="4096" depth="1" cache_linesize="64" cache_associativity="4" cache_type="1">
	<object type="Core" os_index="0" $cache gp_index="5">
	<object type="PU" os_index="0" $cache gp_index="6"/>
	</object></object></object></object>
	</topology>
	END
}

machine 8 >known.xml
machine 0 >unknown.xml
export HWLOC_XMLFILE=known.xml
plan_of contiguous-page --cache
plan_of contiguous-page --format json --cache=here,memory=300
plan_of contiguous-page --cache --format json
HWLOC_XMLFILE=unknown.xml
plan_of contiguous-page --cache
plan_of contiguous-page --cache here,line=64
plan_of contiguous-page --cache 4K/4
unset HWLOC_XMLFILE

# What the documentation shows is what is printed.
doc=$SOURCE_DIR/docs/cache.md
sed -n 's/^    build\/foliosim plan/plan/p' "$doc" | head -n 1 >words.txt
read -ra words <words.txt
"$FOLIOSIM" "${words[@]}" | sed -n '/^cache /,$p' >printed
awk '/^```/ { inside = !inside && /text/; next } inside' "$doc" >shown
check "docs/cache.md shows its command's output" diff shown printed
finish
