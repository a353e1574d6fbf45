#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# simulate_scale with 256 MiB of memory at most, address space included.
# usage: SIMULATE_SCALE=PROGRAM simulate_scale.sh
set -euo pipefail

program=${SIMULATE_SCALE:?the program simulate_scale}

ulimit -v $((256 * 1024))
exec "$program"
