#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An installed tree and pkg-config are enough to write a policy, or a program.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/policy_objects.sh
. "$SOURCE_DIR/tests/cli/policy_objects.sh"
need cmake
need pkg-config

prefix=$scratch/moved
check 'install' cmake --install "$(dirname "$FOLIOSIM")" \
	--prefix "$scratch/prefix" >/dev/null
# It must not matter where it was.
mv prefix moved
PKG_CONFIG_PATH=$(dirname "$(find moved -name foliosim.pc)")
export PKG_CONFIG_PATH

# flags OPTION...: of pkg-config; an array, as a path may have blanks.
flags() {
	read -ra flags <<<"$(pkg-config "$@" foliosim)"
}
check 'version' test "foliosim $(pkg-config --modversion foliosim)" = \
	"$(moved/bin/foliosim --version)"

# Each header by itself, as strictly as a user may compile.
flags --cflags
check 'headers' test -e "$prefix/include/fz/policy.h"
for header in "$prefix"/include/fz/*.h; do
	echo "#include <fz/${header##*/}>"
	# A second time it must add nothing.
	echo "#include <fz/${header##*/}>"
	echo "typedef int nothing_else;"
done >all.c
check 'all headers together' cc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic \
	-Werror -fsyntax-only "${flags[@]}" all.c
for header in err folio plan policy preempt range; do
	echo "#include <fz/$header.h>" >one.c
	echo 'typedef int nothing_else;' >>one.c
	check "$header.h alone" cc -std=c17 -Wall -Wextra -Wpedantic -Werror \
		-fsyntax-only "${flags[@]}" one.c
done

# A policy, without the source tree.
cp "$SOURCE_DIR/docs/examples/towards_fault.c" .
check 'at most 60 lines' test "$(wc -l <towards_fault.c)" -lt 60
compile towards_fault.so towards_fault.c "${flags[@]}"
moved/bin/foliosim plan --policy ./towards_fault.so --folio-size 64K \
	--fault-page 5 --batch 16K --format csv >actual
check 'plan' test $? = 0
cat >expected <<'END'
seq,op,first_page,nr_pages,hint
0,might_sleep,0,0,
1,resched,0,0,
2,clear,12,4,cached
3,resched,0,0,
4,clear,8,4,cached
5,resched,0,0,
6,clear,0,3,cached
7,resched,0,0,
8,clear,3,4,cached
9,resched,0,0,
10,clear,7,1,cached
END
check 'steps' diff expected actual
check 'bench' moved/bin/foliosim bench --policy ./towards_fault.so,init-pages \
	--page-size 4K --folio-size 64K --size 1M --repeat 2 --output bench.txt

# A program of the archive, which needs everything that it was built with.
cat >program.c <<'END'
#include <stdio.h>

#include <fz/machine.h>
#include <fz/policies.h>
#include <fz/policy_object.h>
#include <fz/trace_format.h>

static struct fz_machine machine;

int main(int argc, char **argv)
{
	struct fz_policy_object *object = NULL;
	struct fz_err err = { "" };

	fz_machine_read(&fz_hooks_default, &machine);
	if (argc > 1 &&
	    fz_policy_object_open(&object, argv[1], true, NULL, NULL, &err))
		puts(err.msg);
	printf("%s %s %s\n", fz_policies[0]->name, fz_trace_formats[0]->name,
	       object ? fz_policy_object_policy(object)->name : "none");
	fz_policy_object_close(object);
	return 0;
}
END
if [ -z "$SANITIZED" ] && [ -n "$(find moved -name libfoliosim.a)" ]; then
	flags --cflags --libs --static
	check 'a program' cc -std=c17 -Wall -Wextra -Werror -rdynamic program.c \
		"${flags[@]}" -o program
	check 'it runs' test "$(./program ./towards_fault.so)" = \
		'discontiguous-page canonical towards-fault'
fi
finish
