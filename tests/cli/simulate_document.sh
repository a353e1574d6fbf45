#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/simulating.md shows an example as it is, and what really comes of it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

page=$SOURCE_DIR/docs/simulating.md
mkdir -p docs/examples
cp "$SOURCE_DIR/docs/examples/two-neighbours.json" docs/examples

# block KIND: the first block of that kind on the page.
block() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$page" | sed '1d;$d'
}

# The command above the result: its words, without the line ends.
mapfile -t words < <(sed -n '/^    build.foliosim simulate --profile icelakex/,/^$/p' \
	"$page" | sed 's/[^[:alnum:]]$//' | xargs -n 1)
check 'a command' [ "${#words[@]}" -gt 10 ]
"$FOLIOSIM" "${words[@]:1}" >out 2>err
check 'the command' [ $? = 0 ]
block text >shown.text
block json >shown.json
check 'a result' [ "$(wc -l <out)" -gt 10 ]
check 'the result' diff -u shown.text out
check 'the workload' diff -u shown.json docs/examples/two-neighbours.json
finish
