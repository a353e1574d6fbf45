# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of compare: result documents made by a formula.
# shellcheck shell=bash

# row ID ENGINE POLICY ROUNDS SECONDS [REASON]: rounds around so many seconds.
row() {
	awk -v id="$1" -v engine="$2" -v policy="$3" -v rounds="$4" \
		-v seconds="$5" -v reason="${6:-}" \
		-v switches="${SWITCHES:-0}" 'BEGIN {
		printf "{\"id\":\"%s\",\"status\":\"%s\",\"reason\":%s,", id,
			rounds ? "measured" : "unsupported",
			reason ? "\"" reason "\"" : "null"
		printf "\"engine\":\"%s\",\"policy\":\"%s\",", engine, policy
		printf "\"clear\":%s,\"stream_clear\":null,",
			engine == "kernel" ? "null" : "\"stosb\""
		printf "\"page_size_bytes\":2097152,\"backing\":{\"kind\":"
		printf "\"hugetlb\",\"page_bytes\":2097152,\"verified_by\":null},"
		printf "\"folio_bytes\":2097152,\"fault_page\":\"random\","
		printf "\"preempt\":\"none\",\"hypothetical\":false,"
		printf "\"batch_bytes\":null,\"radius_pages\":null,\"threads\":1,"
		printf "\"rounds\":%d,\"faults\":%s,\"bytes\":%s,\"seconds\":[",
			rounds, rounds ? 32 : "null", rounds ? 67108864 : "null"
		for (i = 0; i < rounds; i++)
			printf "%s%.9f", i ? "," : "",
				seconds * (1 + 0.02 * ((i * 7919) % 31 - 15) / 15)
		printf "],\"noise\":{\"steal_ms\":0,\"involuntary_switches\":%d,",
			switches
		printf "\"migrations\":0}}"
	}'
}

# document KERNEL POLICY SEED ROW...; PRICES is a member with its comma.
document() {
	local kernel=$1 policy=$2 seed=$3
	shift 3
	cat <<-END
		{"schema":"foliosim.result/1","partial":${PARTIAL:-false},
		"tool":{"version":"0.1.0","command":"foliosim bench --seed $seed","seed":$seed},
		"machine":{"cpu":"A CPU","kernel":"$kernel",
		"preempt_mode":{"value":"none","basis":"config"},
		"kernel_policy":{"value":"$policy","basis":"version"},
		"caches":[{"name":"L3","bytes":33554432}],
		"virtualised":true,"steal_ms":$seed},${PRICES:-}
		"rows":[$(IFS=,; echo "$*")]}
	END
}
