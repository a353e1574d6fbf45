#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Are the shipped machine profiles what fit_profiles makes of the published
# figures, and how well do they say those that they were not fitted to? Prints a
# table; exit status 1 if a file differs, too many rows are not met, or the
# table is not the one in DOCUMENT, if that is given.
# usage: BUILD=DIR published_rows.sh; FIT_PROFILES and PUBLISHED_TABLE name
# programs elsewhere
set -euo pipefail

build=${BUILD:?the build directory}
fit=${FIT_PROFILES:-$build/tests/bench/fit_profiles}
table=${PUBLISHED_TABLE:-$build/tests/bench/published_table}
top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
csv=$top/tests/golden/published.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$fit" "$csv" "$work"
for file in "$work"/*.json; do
	diff -u "$top/model/profiles/${file##*/}" "$file"
done
"$table" "$csv"
if [[ -n ${DOCUMENT:-} ]]; then
	diff -u <(sed -n '/^| row |/,/^With the /p' "$DOCUMENT") \
		<("$table" "$csv")
fi
