# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of policies that are shared objects: compiles them.
# shellcheck shell=bash
need cc

# compile OUT SOURCE [OPTION...]
compile() {
	local out=$1 source=$2
	shift 2
	cc -shared -fPIC -O1 -Wall -Wextra -Werror "$@" "$source" -o "$out" ||
		fail "$source does not compile"
}

# as_object NAME: policies/neighbourhood_last.c as object ./NAME.so of that name.
as_object() {
	sed -e 's/fz_policy_neighbourhood_last = {/fz_policy = { FZ_POLICY_HEAD,/' \
		-e "s/\"neighbourhood-last\"/\"$1\"/" \
		"$SOURCE_DIR/policies/neighbourhood_last.c" >"$1.c"
	compile "$1.so" "$1.c" -I"$SOURCE_DIR/model"
}

# Is a process left that was started with this word?
left_over() {
	grep -qzxF -e "$1" /proc/[0-9]*/cmdline 2>/dev/null
}

# gone WORD: no such process is left, in a moment at the latest.
gone() {
	local i

	for ((i = 0; i < 50; i++)); do
		left_over "$1" || return 0
		sleep 0.1
	done
	return 1
}
