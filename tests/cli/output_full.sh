#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Output that cannot be written is a failure that says why.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
[ -w /dev/full ] || skip "no /dev/full"

expected='foliosim: cannot write to standard output: No space left on device'

to_full() {
	"$FOLIOSIM" "$@" >/dev/full 2>err
	check "$* to a full disk: exit status" test $? = 1
	check "$* to a full disk: $(cat err)" test "$(cat err)" = "$expected"
}

to_full --help
to_full --version
to_full help plan
to_full list
to_full list clears
to_full machine
to_full machine --format json
for format in text csv json; do
	to_full plan --policy contiguous-page --folio-size 64K --fault-page 0 \
		--format "$format"
	# More than any buffer holds.
	to_full plan --policy contiguous-page --folio-size 256M --fault-page 0 \
		--format "$format"
done

# Closed is as bad as full, but only for those who have something to say.
"$FOLIOSIM" list >&- 2>err
check "closed: exit status" test $? = 1
check "closed: $(cat err)" grep -q 'standard output: Bad file descriptor$' err
"$FOLIOSIM" list no-such-section >&- 2>err
check "closed, a usage error: exit status" test $? = 2
check "closed, a usage error: $(cat err)" test "$(grep -c output err)" = 0

# A reader that has seen enough ends it, quietly.
"$FOLIOSIM" plan --policy contiguous-page --folio-size 1G --fault-page 0 \
	--format csv 2>err | head -n 1 >first
status=${PIPESTATUS[0]}
check "pipe: killed by SIGPIPE, not $status" test "$status" = 141
check "pipe: stderr" test ! -s err
check "pipe: header" grep -qx seq,op,first_page,nr_pages,hint first
finish
