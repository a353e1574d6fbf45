#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What kpolicy cannot make a policy of.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need ctags
need "${CC:-cc}"
cp -r "$SOURCE_DIR/tests/cli/kpolicy_trees" trees

try kpolicy
try kpolicy trees/ranges
try kpolicy --linux trees/ranges --nonsense
try kpolicy --linux trees/ranges --config HIGHMEM,
try kpolicy --linux trees/ranges --config 'A B'
try kpolicy --linux trees/ranges --config '2'
try kpolicy --linux trees/ranges --config 'A=B;C'

try kpolicy --linux trees/none
try kpolicy --linux .
try kpolicy --linux trees/ranges/mm/memory.c
try kpolicy --linux trees/ranges --arch vax
try kpolicy --linux trees/ranges --arch ../arch/x86
try kpolicy --linux trees/ranges --arch ''
try kpolicy --linux trees/ranges --function folio_zero
try kpolicy --linux trees/ranges --function NEAR
try kpolicy --linux trees/ranges --function mm/page_alloc.c:folio_zero_user
try kpolicy --linux trees/ranges --also mm/none.c
try kpolicy --linux trees/ranges --shim none.h
# Its parameters are not those of a function that zeroes.
try kpolicy --linux trees/converging --function left
try kpolicy --linux trees/converging --function visit_one

try kpolicy --linux trees/ranges -o trees/ranges/x.so
try kpolicy --linux trees/ranges -o trees/ranges/mm/../x.so
try kpolicy --linux trees/ranges -o none/x.so
try kpolicy --linux trees/ranges -o trees/
check 'something was written into a tree' \
	diff -r "$SOURCE_DIR/tests/cli/kpolicy_trees" trees
mkdir full.so
echo 'int mine;' >mine.c
try kpolicy --linux trees/ranges -o mine.so
check 'the file of the user was changed' grep -q '^int mine;$' mine.c
try kpolicy --linux trees/ranges -o full.so
# Nothing of others is replaced, under either name.
try kpolicy --linux trees/ranges -o mine.c
cp mine.c mine
try kpolicy --linux trees/ranges -o mine
check 'the file of the user was changed' cmp -s mine mine.c
cp "$(type -P env)" program
try kpolicy --linux trees/ranges -o program
mkfifo pipe.so pipe2.c
ln -s trees/ranges/mm/evil.c link.c
try kpolicy --linux trees/ranges -o pipe.so
try kpolicy --linux trees/ranges -o pipe2.so
try kpolicy --linux trees/ranges -o link.so
check 'pipes are pipes' [ -p pipe.so -a -p pipe2.c ]
check 'nothing is written through a link' [ ! -e trees/ranges/mm/evil.c ]

cp -r trees/ranges twice
sed -n '/^void folio_zero_user/,/^}/p' trees/ranges/mm/memory.c \
	>>twice/mm/page_alloc.c
try kpolicy --linux twice
cp twice/mm/page_alloc.c twice/mm/again.c
try kpolicy --linux trees/ranges --also twice/mm/again.c
try kpolicy --linux twice --function mm/again.c:folio_zero_user

# Programs that are not there, or are others.
CC='no-such-cc -m64' try kpolicy --linux trees/ranges
# Nor do all compilers make objects.
CC='cc -c' try kpolicy --linux trees/ranges -o made.so
CC=true try kpolicy --linux trees/ranges -o made.so
check 'something was made' [ "$(echo made*)" = 'made*' ]
mkdir bin
for name in env sh; do
	ln -s "$(command -v "$name")" "bin/$name"
done
PATH=$PWD/bin "$FOLIOSIM" kpolicy --linux trees/ranges 2>ctags.err
echo $? >>ctags.err
check 'without ctags' diff - ctags.err <<'END'
foliosim: there is no ctags; universal-ctags is needed: apt-get install universal-ctags
77
END
printf '#!/bin/sh\necho Exuberant Ctags 5.8\n' >bin/ctags
chmod +x bin/ctags
PATH=$PWD/bin:$PATH try kpolicy --linux trees/ranges

# said TEXT: the last line on stderr; what is before it is the compiler's.
said() {
	tail -n 1 err | grep -qF -- "$1" || fail "no '$1' in: $(cat err)"
}

# fails OPTION...
fails() {
	"$FOLIOSIM" kpolicy "$@" >out 2>err
	[ $? = 1 ] || fail "exit status of kpolicy $*"
	check 'nothing is printed' [ ! -s out ]
}

# A program's own words.
TMPDIR=$PWD/none fails --linux trees/ranges
said "'ctags' failed with 1: cannot open temporary file: $PWD/none/"

# A name that nobody has: in a function, as a type, in a macro.
sed -i 's/might_sleep();/may_wait();/' twice/mm/memory.c
fails --linux twice --function mm/memory.c:folio_zero_user
said "'may_wait', which mm/memory.c:22 uses, is neither in the files that were read nor in the shim: name its file by --also, or define it in a header for --shim"
cp trees/ranges/mm/memory.c twice/mm/memory.c
sed -i 's/const long nr =/const pages_t nr =/' twice/mm/memory.c
fails --linux twice --function mm/memory.c:folio_zero_user
said "'pages_t', which mm/memory.c:37 uses"
cp trees/ranges/mm/memory.c twice/mm/memory.c
sed -i 's/define NEAR 2L/define NEAR far_away/' twice/mm/memory.c
fails --linux twice --function mm/memory.c:folio_zero_user
said "'far_away', which mm/memory.c:"
# An error of the tree, at its place there.
cp trees/ranges/mm/memory.c twice/mm/memory.c
sed -i 's/might_sleep();/might_sleep()/' twice/mm/memory.c
fails --linux twice --function mm/memory.c:folio_zero_user
said 'mm/memory.c:'
check 'the place is in the tree' grep -q '^twice/mm/memory.c:2[23]:' err
check 'no object is left' [ ! -e folio-zero-user.so ]
# What failed leaves what was there before.
"$FOLIOSIM" kpolicy --linux trees/ranges -o -kept.so >out || fail "kpolicy -o -kept.so"
cp ./-kept.so kept.so
cp ./-kept.c kept.c
fails --linux twice --function mm/memory.c:folio_zero_user -o -kept.so
check 'the object was changed' cmp -s kept.so ./-kept.so
check 'the C file was changed' cmp -s kept.c ./-kept.c
check 'files are left' [ "$(echo ./-kept*)" = './-kept.c ./-kept.so' ]
# One that does not end.
cp trees/ranges/mm/memory.c twice/mm/memory.c
sed -i '$d' twice/mm/memory.c
fails --linux twice --function mm/memory.c:folio_zero_user

# The preprocessor has one answer for all models.
cp trees/ranges/mm/memory.c twice/mm/memory.c
sed -i 's/^	might_sleep();/#ifndef CONFIG_PREEMPTION\n&\n#endif/' \
	twice/mm/memory.c
try kpolicy --linux twice --function mm/memory.c:folio_zero_user
"$FOLIOSIM" kpolicy --linux twice --function mm/memory.c:folio_zero_user \
	--config PREEMPTION >out 2>err
check 'no note where it is set' [ ! -s err ]
finish
