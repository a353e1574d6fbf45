#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policies made of real kernels' trees: those of FOLIOSIM_LINUX_SRC (directories
# with blanks between), else those that Debian's linux-source-* have installed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need ctags
need "${CC:-cc}"

# What is read of a tree; the last of them comes late in an archive.
files=(Makefile
	arch/x86/include/asm/page{,_32,_64}.h
	include/linux/{highmem,huge_mm,mm,mmzone,range,sizes}.h
	mm/{internal.h,memory.c,page_alloc.c})

# unpack ARCHIVE: only those files; not all kernels have all of them.
unpack() {
	local top
	top=$(basename "$1" .tar.xz)
	tar -xJf "$1" --occurrence=1 "${files[@]/#/$top/}" 2>tar.err || true
	printf '%s\n' "$top"
}

# pages OBJECT POLICY
pages() {
	local size
	for size in 64K 2M; do
		check "$* of $size" "$FOLIOSIM" plan --diff "$1,$2" \
			--folio-size "$size" >/dev/null
	done
	check "$* of 1G" "$FOLIOSIM" plan --diff "$1,$2" --folio-size 1G \
		--fault-page 0,1,2,131072,262141,262143 >/dev/null
}

# compare_tree TREE
compare_tree() {
	local tree=$1 major first second init
	major=$(sed -n 's/^VERSION = //p' "$tree/Makefile")
	first=discontiguous-page
	second='init-pages'
	if [ "$major" -ge 7 ]; then
		first=neighbourhood-last
		second='init-pages-extent'
	fi
	check "kpolicy of $tree" "$FOLIOSIM" kpolicy --linux "$tree" -o zero.so \
		>/dev/null
	pages ./zero.so "$first"
	# Its name changed in 7.x.
	for init in kernel_init_pages clear_highpages_kasan_tagged; do
		grep -q "^static void $init(" "$tree/mm/page_alloc.c" || continue
		check "kpolicy of $init in $tree" "$FOLIOSIM" kpolicy \
			--linux "$tree" --function "$init" -o init.so >/dev/null
		pages ./init.so "$second"
	done
}

trees=()
if [ -n "${FOLIOSIM_LINUX_SRC:-}" ]; then
	read -ra trees <<<"$FOLIOSIM_LINUX_SRC"
else
	for archive in /usr/src/linux-source-*.tar.xz; do
		[ -e "$archive" ] && trees+=("$(unpack "$archive")")
	done
fi
[ ${#trees[@]} -gt 0 ] ||
	skip 'no source tree: set FOLIOSIM_LINUX_SRC, or install linux-source-6.1'
for tree in "${trees[@]}"; do
	compare_tree "$tree"
done
finish
