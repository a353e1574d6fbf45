# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by every test of the command line.
#
# A test runs foliosim in a scratch directory. `try` writes a transcript, which
# `finish` compares with golden/TEST.stdout.exact and golden/TEST.stderr.exact;
# `check` counts other failures. tests/cli/update rewrites the golden files.
# shellcheck shell=bash

set -u
: "${FOLIOSIM:?the foliosim to test}" "${SOURCE_DIR:?the top of the sources}"

FOLIOSIM=$(realpath "$FOLIOSIM")
test_name=$(basename "$0" .sh)
golden=$SOURCE_DIR/tests/cli/golden/$test_name
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

skip() {
	echo "skipped: $*"
	exit 77
}

need() {
	command -v "$1" >/dev/null || skip "no $1"
}

# Names of a section, one a line.
names() {
	"$FOLIOSIM" list "$1" | sed 's/ .*//'
}

joined() {
	paste -sd, | sed 's/,/, /g'
}

policies=$(names policies | joined)
clears=$(names clears | joined)
commands=$("$FOLIOSIM" --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p' | joined)

# Lists that grow with every plug-in stand for themselves.
fold_lists() {
	sed -e "s/known are $policies\$/known are <policies>/" \
		-e "s/known are $clears\$/known are <clears>/" \
		-e "s/known are $commands\$/known are <commands>/"
}

# Run it and write down what it said on either stream, and its exit status.
try() {
	local status words
	words=$(printf ' %q' "$@")
	"$FOLIOSIM" "$@" >out 2>err </dev/null
	status=$?
	{
		echo "\$ foliosim$words"
		cat out
		echo "[exit $status]"
	} >>transcript.stdout
	if [ -s err ]; then
		echo "\$ foliosim$words"
		fold_lists <err
	fi >>transcript.stderr
}

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# check WHAT COMMAND...: the command must succeed.
check() {
	local what=$1
	shift
	"$@" || fail "$what"
}

compare() {
	local expected=$golden.$1.exact actual=transcript.$1
	if [ -n "${UPDATE:-}" ]; then
		cp "$actual" "$expected"
	else
		check "$1 differs from $expected" diff -u "$expected" "$actual"
	fi
}

# Compare the transcript, if there is one, and tell how it went.
finish() {
	if [ -e transcript.stdout ]; then
		compare stdout
		compare stderr
	fi
	[ "$failures" = 0 ] || echo "$test_name: $failures failed"
	[ "$failures" = 0 ]
	exit
}
