# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of simulate: a machine and workloads made up here.
# shellcheck shell=bash

# machine: a profile that says all that a simulation needs.
machine() {
	cat <<-'END'
		{"schema": "foliosim.profile/1", "name": "made-up",
		"cpu": "A CPU", "fitted_rows": [], "fault_ns": 1000,
		"point_ns": 5, "switch_ns": 1500, "irq_ns": 500, "hz": 250,
		"nr_cores": 4, "smt": 2, "nr_nodes": 2, "cache": null,
		"memory": {"bps": 100000000000, "read_bps": 20000000000,
		"read_cost": 1, "allocate_cost": 2, "stream_cost": 1},
		"clears": [
		{"name": "stosb", "streaming": false,
		"call_ns": {"up": 10, "down": 50, "other": 30},
		"bps": 10000000000, "threshold_bytes": 33554432,
		"ramp_bytes": 1048576, "elided_bps": 20000000000,
		"elided_share": 1, "interrupted_ns": 100},
		{"name": "movnti", "streaming": true,
		"call_ns": {"up": 10, "down": 50, "other": 30},
		"bps": 15000000000, "threshold_bytes": 0, "ramp_bytes": 0,
		"elided_bps": null, "elided_share": null,
		"interrupted_ns": 100}]}
	END
}
