#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policies made of source trees, which are ours; their plans against those of
# the built-in policies, for every faulting page.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need ctags
need "${CC:-cc}"
cp -r "$SOURCE_DIR/tests/cli/kpolicy_trees" trees

# same OBJECT POLICY [OPTION...]: folios of 4K to 2M, and one of 1G.
same() {
	local size
	for size in 4K 8K 16K 64K 2M; do
		check "$* of $size" "$FOLIOSIM" plan --diff "$1,$2" \
			--folio-size "$size" "${@:3}" >/dev/null
	done
	check "$* of 1G" "$FOLIOSIM" plan --diff "$1,$2" --folio-size 1G \
		--fault-page 0,1,3,131072,262141,262143 "${@:3}" >/dev/null
}

# differ OBJECT POLICY SIZE [OPTION...]
differ() {
	local status=0
	"$FOLIOSIM" plan --diff "$1,$2" --folio-size "$3" "${@:4}" \
		>differ.out 2>differ.err || status=$?
	if [ $status != 1 ] || [ -s differ.err ]; then
		fail "$1 has the plans of $2, or none: $(cat differ.err)"
	fi
}

# make OBJECT OPTION...: where only the plans matter.
make() {
	local object=$1
	shift
	"$FOLIOSIM" kpolicy "$@" -o "$object" >make.out 2>&1 ||
		fail "kpolicy $*: $(cat make.out)"
}

try kpolicy --linux trees/converging
same ./clear-huge-page.so discontiguous-page
differ ./clear-huge-page.so contiguous-page 16K
try plan --policy ./clear-huge-page.so --folio-size 16K --format csv

try kpolicy --linux trees/converging --function kernel_init_pages
same ./kernel-init-pages.so init-pages
try plan --policy ./kernel-init-pages.so --folio-size 16K --format csv

try kpolicy --linux trees/ranges -o ranges.so
same ./ranges.so neighbourhood-last
differ ./ranges.so neighbourhood-last 64M --batch 64K

try kpolicy --linux trees/ranges --function kernel_init_pages \
	-o "Init pages, batched.so"
# A comma would end the name in a list.
cp "./Init pages, batched.so" "Init pages.so"
same "./Init pages.so" init-pages-batched
try plan --policy "./Init pages, batched.so" --folio-size 64K \
	--context alloc-pte-lock --format csv

# What the architecture has not, is the tree's own: page by page.
try kpolicy --linux trees/ranges --config HIGHMEM -o out.so
same ./out.so neighbourhood-last --highmem

try kpolicy --linux trees/posted/ --output ./posted
same ./posted neighbourhood-last-v6

try kpolicy --linux trees/waiting --arch x86
# It was told that nobody waits: what it then does is no more than may be.
try plan --policy ./folio-zero-user.so --folio-size 64K --fault-page 3
sed -i '/need_resched()/,+1d' trees/waiting/mm/memory.c
make folio-zero-user.so --linux trees/waiting
same ./folio-zero-user.so init-pages

# An edited header is the tree's.
sed -i 's/SZ_32M/SZ_1M/' trees/ranges/include/linux/mm.h
make ranges.so --linux trees/ranges
same ./ranges.so neighbourhood-last --batch 1M
differ ./ranges.so neighbourhood-last 2M
# And an edited radius is not that of the built-in policy.
sed -i 's/NEAR 2L/NEAR 3L/' trees/ranges/mm/memory.c
make ranges.so --linux trees/ranges
differ ./ranges.so neighbourhood-last 2M --batch 1M

# Words that such functions are written with, and what they say of numbers.
cp -r trees/converging words
cat >words/mm/page_alloc.c <<'END'
typedef void (*clear_one)(void *page);

static noinline_for_stack void __cold one_of(struct page *page, clear_one one)
{
	one(page_address(page));
}

static void kernel_init_pages(struct page *page, int nr)
{
	int below = -5, calls = 0, left[BITS_PER_LONG];

	BUG_ON(round_down(below, 4) != -8 || round_up(below, 4) != -4);
	BUG_ON(ALIGN(below, 8) != 0 || ALIGN_DOWN(below, 8ul) != -8);
	BUG_ON(round_up((u8)3, 256) != 256 || round_up(17u, 16ul) != 32);
	BUG_ON(IS_ALIGNED(below, 4) || !IS_ALIGNED(-8, 4));
	BUG_ON(roundup(calls++, 10) + rounddown(19 + calls++, 10) != 20);
	BUG_ON(round_up(++calls, 4) != 4 || ALIGN_DOWN(++calls, 4) != 4);
	BUG_ON(calls != 4);
	BUG_ON(MIN(1, 2) + MAX(1, 2) + min3(3, 1, 2) + max3(1, 3, 2) != 7);
	memset(left, 0, sizeof(left));
	if (left[calls] || WARN_ONCE(!pfn_valid(page_to_pfn(page)), "%d", nr))
		BUILD_BUG();
	pr_debug("%d pages\n", nr);
	lockdep_assert_preemption_enabled();
	rcu_read_lock();
	preempt_disable();
	while (nr--)
		one_of(page++, clear_page);
	cpu_relax();
	preempt_enable();
	rcu_read_unlock();
#if IS_ENABLED(CONFIG_PREEMPTION) || !IS_ENABLED(CONFIG_MMU)
	BUG();
#endif
	BUG_ON(IS_ENABLED(CONFIG_PREEMPTION) != preempt_model_preemptible());
	BUG_ON(IS_ENABLED(CONFIG_PREEMPT_NONE) != preempt_model_none());
	BUG_ON(IS_ENABLED(CONFIG_PREEMPT_LAZY) != preempt_model_lazy());
}
END
make words.so --linux words --function kernel_init_pages
check 'a note of #if' grep -q 'note: mm/page_alloc.c:32 lets' make.out
cp words.so kept.so
make words.so --linux words --function kernel_init_pages
check 'two runs make one object' cmp kept.so words.so
same ./words.so init-pages
same ./words.so init-pages --preempt none,voluntary,full,lazy
# What only a running kernel knows.
for word in 'rcu_preempt_depth()' 'test_thread_flag(1)' 'PageHWPoison(page)' \
	'folio_test_hugetlb(page_folio(page))' 'jiffies' 'ktime_get()'; do
	cp -r words asking
	sed -i "s/^	memset.*/&\n	BUG_ON($word);/" asking/mm/page_alloc.c
	make again.so --linux asking --function kernel_init_pages
	"$FOLIOSIM" plan --policy ./again.so --folio-size 64K >out
	check "$word is an assumption" grep -q '^plan  *conditional' out
	rm -r asking
done
# It is told no, whatever the context.
sed -i "s/^	memset.*/&\n	if (!in_atomic())\n		cond_resched();/" words/mm/page_alloc.c
make words.so --linux words --function kernel_init_pages
try plan --policy ./words.so --folio-size 64K --context alloc-pte-lock

# The name of a built-in policy is not taken twice.
make init-pages.so --linux trees/converging --function kernel_init_pages
same ./init-pages.so init-pages

# Variables and enums come along, with what a patch would write before them.
sed -i -e 's/ZERO_AT_ONCE;/READ_ONCE(tunable[WANTED]);/' \
	-e 's/^#define NEAR .*/enum wanted { UNUSED, WANTED };\n&/' \
	-e 's/^static long at_once/static long tunable[] __read_mostly = {\n\t1,\n\t512,\n};\n&/' \
	-e 's/NEAR 3L/NEAR 2L/' trees/ranges/mm/memory.c
make ranges.so --linux trees/ranges
same ./ranges.so neighbourhood-last --batch 2M

# What a header of the user has, is not taken from the tree.
cat >extra.h <<'END'
static inline void clear_user_highpages(struct page *page, unsigned long user,
					unsigned int nr)
{
	fz_clear(page_address(page), nr, FZ_HINT_STREAMING);
}
END
mkdir 'headers ?'
cp extra.h 'headers ?'
make streaming.so --linux trees/ranges --shim 'headers ?/extra.h'
try kpolicy --linux trees/ranges --shim extra.h -o streaming.so
try plan --policy ./streaming.so --folio-size 64K --fault-page 9 --format csv

# A mistake of the tree is seen in its plan: a page that is left out, one beyond
# the folio, one that is no page.
for wrong in 's/zero_stretch(folio, user, to, nr)/zero_stretch(folio, user, to + 1, nr)/' \
	's/zero_stretch(folio, user, to, nr)/zero_stretch(folio, user, to, nr + 1)/' \
	's/clear_pages(page_address(page), nr)/clear_pages(page_address(page) + 8, nr)/'; do
	cp -r trees/ranges wrong
	sed -i "$wrong" wrong/mm/memory.c wrong/include/linux/highmem.h
	make wrong.so --linux wrong
	try plan --policy ./wrong.so --folio-size 64K --fault-page 3
	rm -r wrong
done

# Files that are named.
mkdir trees/posted/lib
sed -n '/^enum/,/^}/p; /^static/,/^}/p' trees/posted/mm/memory.c \
	>trees/posted/include/linux/zero.h
sed -i '/^enum/,/^}/d; /^static/,/^}/d' trees/posted/mm/memory.c
mv trees/posted/mm/memory.c trees/posted/lib/zero.c
echo '/* Empty. */' >trees/posted/mm/memory.c
try kpolicy --linux trees/posted
make posted --linux trees/posted --also lib/zero.c \
	--also include/linux/zero.h --also mm/memory.c
same ./posted neighbourhood-last-v6

# formed FILE BATCH [OPTION...]: what ZERO_AT_ONCE is, from standard input, in
# place of its line in mm.h or above the code of memory.c.
formed() {
	cat >form
	rm -rf formed
	cp -r "$SOURCE_DIR/tests/cli/kpolicy_trees/ranges" formed
	if [ "$1" = mm/memory.c ]; then
		sed -i '/^#define ZERO_AT_ONCE/d' formed/include/linux/mm.h
		sed -i '/^#define NEAR/r form' formed/mm/memory.c
	else
		sed -i -e '/^#define ZERO_AT_ONCE/{r form' -e 'd}' \
			formed/include/linux/mm.h
	fi
	make formed.so --linux formed "${@:3}"
	check "$(cat form)" "$FOLIOSIM" plan --diff ./formed.so,neighbourhood-last \
		--folio-size 2M --batch "$2" >/dev/null
}

# What is asked after it was defined, and what is no more.
formed include/linux/mm.h 64K <<'END'
#ifndef TUNED
#define TUNED 1
#define BATCH 16
#else
#define BATCH 32
#endif
#define ZERO_AT_ONCE (BATCH * TUNED)
END
formed include/linux/mm.h 128K <<'END'
#define FAST 1
#undef FAST
#ifdef FAST
#define ZERO_AT_ONCE 16
#else
#define ZERO_AT_ONCE 32
#endif
END
formed mm/memory.c 64K <<'END'
#define ZERO_AT_ONCE 32
#undef ZERO_AT_ONCE
#ifndef ZERO_AT_ONCE
#define ZERO_AT_ONCE 16
#endif
END
# Deep ones, and those that Linux on SMP of 64 bits has.
{
	printf '#if 1\n%.0s' {1..100}
	echo '#define ZERO_AT_ONCE 16'
	printf '#endif\n%.0s' {1..100}
} | formed include/linux/mm.h 64K
formed mm/memory.c 64K <<'END'
#if BITS_PER_LONG == 64 && defined(CONFIG_SMP)
#define ZERO_AT_ONCE 16
#else
#define ZERO_AT_ONCE 1
#endif
END
! grep note make.out || fail "a note on what is defined"
# Include guards of any form.
for guard in '#ifndef ZU_H\n#define ZU_H 1' '#if !defined(ZU_H)\n#define ZU_H' \
	'#pragma once\n#ifndef ZU_H\n#define ZU_H' \
	'#include <linux/mm.h>\n#ifndef ZU_H\n#define ZU_H'; do
	printf '%b\n#define ZERO_AT_ONCE 16\n#endif\n' "$guard" >zu.h
	formed mm/memory.c 64K --also "$PWD/zu.h" <<'END'
#ifndef ZERO_AT_ONCE
#define ZERO_AT_ONCE 1
#endif
END
done
# How C lets them be written.
formed mm/memory.c 64K <<'END'
static long later(void);
static long sooner(void)
{
	return later();
}
static long later(void)
{
	return 16;
}
#define ZERO_AT_ONCE sooner()
END
formed mm/memory.c 64K <<'END'
// A comment that \
   goes on; {
typedef struct {
	int pages;
} unit_t;
static const unit_t unit = { .pages = 16 };
static const struct {
	int times;
} table[] = {
	{ 1 },
};
#define LAST 3
static const int range[] = { [0 ... LAST] = 1 };
#define ZERO_AT_ONCE (unit.pages * table[0].times * range[2])
END

# What is not known, is told.
formed mm/memory.c 64K <<'END'
#if NOBODY_HAS_IT >= 64
#define ZERO_AT_ONCE 1
#else
#define ZERO_AT_ONCE 16
#endif
END
grep -q "^foliosim: note: 'NOBODY_HAS_IT' is asked by #if at mm/memory.c:6 and" \
	make.out || fail "no note on a word that nobody defines: $(cat make.out)"
sed -i 's/^	asm_clear_many/	pause_a_while();\n&/' \
	formed/arch/x86/include/asm/page_64.h
echo '#define pause_a_while() cond_resched()' >>formed/include/linux/mm.h
make formed.so --linux formed
grep -q "tree's clear_pages(): its cond_resched() at include/linux/mm.h:[0-9]* is" \
	make.out || fail "no note on a call inside of a store: $(cat make.out)"

# A name that ## puts together is there, though it was not looked for.
rm -r formed
cp -r trees/ranges formed
sed -i -e 's/^static long at_once/static long zu_one(void)\n{\n\treturn 1;\n}\n#define ZU(what) zu_##what()\n&/' \
	-e 's/most = left/most = ZU(one)/' formed/mm/memory.c
! "$FOLIOSIM" kpolicy --linux formed -o formed.so >make.out 2>&1 ||
	fail "a name of ## was found"
grep -q "'zu_one', which mm/memory.c:[0-9]* uses, is in a file that was read" \
	make.out || fail "no word on a name of ##: $(tail -1 make.out)"

# A header that is there, and cannot be read, is none that is not there.
rm formed/include/linux/highmem.h
ln -s highmem.h formed/include/linux/highmem.h
try kpolicy --linux formed
rm formed/include/linux/highmem.h
mkfifo formed/include/linux/highmem.h
try kpolicy --linux formed

finish
