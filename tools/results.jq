# SPDX-License-Identifier: GPL-2.0-or-later
# Views of a result document for tools/results: a markdown table, and claims
# that are worked out from its rows.

def gib: .bandwidth.median_bps / 1073741824;
def rounded($digits): pow(10; $digits) as $p | . * $p | round / $p;

# Text of a value; null is "-".
def number: if . == null then "-" else rounded(2) | tostring end;
def gib_text: if . == null then "-" else . / 1073741824 | number end;
def ns_text:
	if . == null then "-"
	elif . < 1000 then "\(rounded(1)) ns"
	elif . < 1e6 then "\(. / 1e3 | rounded(1)) us"
	else "\(. / 1e6 | rounded(1)) ms" end;
def size_text:
	if . == null then "-"
	elif . % 1073741824 == 0 then "\(. / 1073741824)G"
	elif . % 1048576 == 0 then "\(. / 1048576)M"
	else "\(. / 1024)K" end;

def name:
	if .engine == "kernel" then "kernel (\(.policy // "policy unknown"))"
	elif .engine == "bare" then "bare \(.policy)"
	else .policy end;
def primitives: [.clear, .stream_clear | values] | join(" + ") |
	if . == "" then "-" else . end;

def columns: ["what", "pages", "folio", "fault page", "batch", "primitive",
	"GiB/s (95 %)", "ratio (95 %)", "fault p50", "fault p99",
	"longest stretch", "wake-up p99 (model)", "near use"];
def cells: [name, (.page_size_bytes | size_text), (.folio_bytes | size_text),
	(.fault_page // "-" | tostring), (.batch_bytes | size_text), primitives,
	"\(.bandwidth.median_bps | gib_text) (\(.bandwidth.ci95_bps[0] |
		gib_text)-\(.bandwidth.ci95_bps[1] | gib_text))",
	if .ratio.median == null then "-" else
		"\(.ratio.median | number) (\(.ratio.ci95[0] |
			number)-\(.ratio.ci95[1] | number))" end,
	(.fault_ns.p50 | ns_text), (.fault_ns.p99 | ns_text),
	(.resched.interval_ns.max | ns_text),
	(.resched.wakeup_model_ns.p99 | ns_text), (.use_ns.near | ns_text)];
def table_line: "| \(join(" | ")) |";

def measured: [.rows[] | select(.rounds > 0)];
def spread:
	measured | map(.bandwidth.stdev_pct) |
	"spread of a row (stdev) \(min | rounded(1)) to \(max | rounded(1)) %";

# Kinds of warnings, and how many rows have them.
def warnings:
	[measured[].warnings[] | split(":")[0]] | group_by(.) |
	map("\(.[0]) (\(length) rows)") | select(length > 0) |
	"\nWarnings: \(join(", "));",
	"[reading-the-table.md](reading-the-table.md) explains them.";

# The whole table with what a reader needs to judge it.
def table_of(columns; cells):
	if measured == [] then
		"Could not run here: \(.rows[0].reason // "no rows")."
	else
		(columns | table_line), (columns | map("---") | table_line),
		(measured[] | cells | table_line), "",
		"\(measured | map(.rounds) | max) rounds; \(spread).",
		(.rows[] | select(.rounds == 0) |
			"\nNot measured: \(name), \(primitives): \(.reason)."),
		warnings
	end;
def table: table_of(columns; cells);

# Rows of several threads: a thread's share, and what fewer threads reach.
def interval_text: if . == null then "-" else
	"\(.[0] | number)-\(.[1] | number)" end;
def span_text: if length == 0 then "-" elif length == 1 then .[0] | gib_text
	else "\(min | gib_text)-\(max | gib_text)" end;
def thread_columns: ["what", "threads", "primitive", "GiB/s (95 %)",
	"a thread, GiB/s", "times the first (95 %)", "reading, GiB/s",
	"zeroing, share of the time"];
def thread_cells: [name, (.threads | tostring), primitives,
	"\(.bandwidth.median_bps | gib_text) (\(.bandwidth.ci95_bps[0] |
		gib_text)-\(.bandwidth.ci95_bps[1] | gib_text))",
	([.placement[].median_bps] | span_text),
	if .scaling.median == null then "-" else
		"\(.scaling.median | number) (\(.scaling.ci95 |
			interval_text))" end,
	if .phases.use_s == null then "-" else
		.bytes / .phases.use_s | gib_text end,
	"\(.phases.zero_share_pct | number) %"];
def thread_table: table_of(thread_columns; thread_cells);

# The first measured row of an engine and policy; more conditions in f.
def row($engine; $policy; f):
	first(.rows[] | select(.rounds > 0 and .engine == $engine) |
		select($policy == null or .policy == $policy) | select(f));
def row($engine; $policy): row($engine; $policy; true);

# Claims: {text, value, holds}. They give nothing where a row is missing.
def claim_streaming_is_faster:
	(row("buffers"; "streaming-neighbourhood-last") | gib) as $streaming |
	(row("buffers"; "neighbourhood-last") | gib) as $cached |
	{ text: "streaming-neighbourhood-last is at least 1.8 times as fast as neighbourhood-last",
	  value: ($streaming / $cached | number), holds: ($streaming / $cached >= 1.8) };

def claim_streaming_keeps_near_hot:
	row("buffers"; "streaming-neighbourhood-last").use_ns.near as $streaming |
	row("buffers"; "neighbourhood-last").use_ns.near as $cached |
	{ text: "the near pages are used no slower after streaming (within 10 %)",
	  value: "\($streaming | ns_text) against \($cached | ns_text)",
	  holds: ($streaming <= 1.1 * $cached) };

def claim_descending_is_slow:
	(row("buffers"; "discontiguous-page"; .fault_page == 0) | gib) as $down |
	(row("buffers"; "contiguous-page"; .fault_page == 0) | gib) as $up |
	{ text: "the converging order at page 0, which descends, is less than half as fast as the ascending order",
	  value: ($down / $up | number), holds: ($down / $up < 0.5) };

def claim_predicts_kernel($page):
	row("kernel"; null; .fault_page == $page).ratio.median as $ratio |
	{ text: "\(.rows[0].folio_bytes | size_text) folios, faulting page \($page): speed of the kernel over the same order in user space is within 0.85 to 1.15",
	  value: ($ratio | rounded(3)), holds: ($ratio >= 0.85 and $ratio <= 1.15) };

def mean_gib(f): measured | map(select(f) | gib) | add / length;
def claim_long_extents_are_faster:
	mean_gib(.batch_bytes < 33554432 and .batch_bytes >= 2097152) as $short |
	mean_gib(.batch_bytes >= 67108864) as $long |
	{ text: "extents of 64 MiB and more are about twice (at least 1.6 times) as fast as those of 2 to 31 MiB",
	  value: ($long / $short | number), holds: ($long / $short >= 1.6) };

# Wake-ups: what the model says, what came, and what it takes anyway.
def wake_text: "\(.p50 | ns_text) / \(.p99 | ns_text) / \(.max | ns_text)";
def wake_columns: ["what", "pages", "batch", "woken by", "wake-ups",
	"model p50 / p99 / max", "measured p50 / p99 / max",
	"busy p50 / p99 / max", "idle p50 / p99 / max"];
def wake_cells: [name, (.page_size_bytes | size_text),
	(.batch_bytes | size_text), (.waker.by // "-"),
	(.waker.wakeups // "-" | tostring),
	(.resched.wakeup_model_ns, .resched.wakeup_measured_ns,
	 .resched.wakeup_busy_ns, .resched.wakeup_idle_ns | wake_text)];
def wake_table: table_of(wake_columns; wake_cells);

# Is the derived p99 within 25 % of the measured one?
def within($what; $derived; $measured):
	{ text: "\($what): the derived p99 is within 25 % of the measured one",
	  value: "\($derived | ns_text) against \($measured | ns_text), \($derived / $measured | number)",
	  holds: ($derived / $measured >= 0.75 and $derived / $measured <= 1.25) };
def claim_flag_is_predicted:
	.rows[] | select(.waker.by == "flag" and .waker.wakeups > 0) |
	within("\(name) in user space, pages of \(.page_size_bytes | size_text)\(if .batch_bytes then ", batch \(.batch_bytes | size_text)" else "" end)";
		.resched.wakeup_model_ns.p99; .resched.wakeup_measured_ns.p99);
# A task needs the interrupt and the switch besides.
def claim_timer_is_predicted:
	.rows[] | select(.engine == "kernel" and .waker.wakeups > 0) |
	within("the kernel, pages of \(.page_size_bytes | size_text), model and busy baseline together";
		.resched.wakeup_model_ns.p99 + .resched.wakeup_busy_ns.p99;
		.resched.wakeup_measured_ns.p99);

# Where the derived p99 is not made of zeroing: almost all stretches are far
# shorter, and in the few long ones something else had the CPU.
def claim_interruptions:
	.rows[] | select(.waker.by == "flag" and .resched.interval_ns.p99 != null) |
	select(.resched.wakeup_model_ns.p99 > 10 * .resched.interval_ns.p99) |
	"* The reason for \(name), pages of \(.page_size_bytes | size_text): 99 % of its stretches in user space last \(.resched.interval_ns.p99 | ns_text) at most, the longest \(.resched.interval_ns.max | ns_text). The derived p99 is made of the few in which another task or the host had the CPU. User space is preempted there; a real-time task that the kernel wakes preempts those tasks itself, and waits for zeroing only.";

# Does the kernel gain by a second thread what user space gains?
def claim_scales_alike:
	row("kernel"; null; .threads == 2) as $kernel |
	row("buffers"; $kernel.policy; .threads == 2).scaling.median as $buffers |
	($kernel.scaling.median / $buffers) as $ratio |
	{ text: "two threads: the kernel and the same order in user space scale alike (ratio of their gains within 0.8 to 1.2)",
	  value: "\($kernel.scaling.median | number) / \($buffers | number) = \($ratio | number)",
	  holds: ($ratio >= 0.8 and $ratio <= 1.2) };

# Probes: where pages are, and what became of working sets.
def at($distance):
	first((.residency[] | select(.distance_pages == $distance)), null);
def cycles($distance): at($distance).median_cycles;
def probed($policy): row("buffers"; $policy; .residency != []);
def near_cycles: [cycles(-1, 0, 1)] | max;
def far_cycles: [.residency[0, -1].median_cycles] | min;
def in_cache($cache): first((.victim[] | select(.cache == $cache)), null);
def page_text($distance): at($distance) | if . == null then "-" else
	"\(.median_cycles | rounded(1)) (\(.level))" end;
def slowdown_text($cache): in_cache($cache) | if . == null then "-" else
	"\(.slowdown | number) (\(.ci95[0] | number)-\(.ci95[1] | number))" end;
def probe_columns: ["what", "fault", "+1", "+3", "+8", "+64", "first page",
	"last page", "half L1", "half L2", "L3"];
def probe_cells: [name, page_text(0, 1, 3, 8, 64), page_text(.residency[0, -1].distance_pages),
	slowdown_text("L1", "L2", "L3")];
def probe_table: table_of(probe_columns; probe_cells);
def probe_levels: .probe | "A load takes \([.levels[] |
	"\(.median_cycles | rounded(1)) cycles in \(.name) (\(.working_set_bytes |
	size_text))"] | join(", "))\(if .exceeds_llc then "" else
	"; the set in memory is less than twice the last-level cache" end).";

# The model beside the probe: the rows that run a plan.
def modelled: [.rows[] | select(.engine == "buffers" and .residency != [] and
	(.policy == ("contiguous-page", "neighbourhood-last",
		"streaming-neighbourhood-last")))];
def beside($what; $rows; lines):
	([$what] + ($rows | map("\(name), probe", "model")) | table_line),
	([$what] + ($rows | map("x", "x")) | map("---") | table_line),
	(lines | table_line);
def model_text: .model | if . == null then "-" else
	"\(if .cycles == null then "?" else .cycles | rounded(1) end) (\(.level))" end;
def model_table:
	modelled as $rows |
	beside("pages from the fault"; $rows;
		$rows[0].residency[]?.distance_pages as $distance |
		[($distance | tostring)] + ($rows | map(page_text($distance),
			(at($distance) | model_text))));
def model_victim_table:
	modelled as $rows |
	beside("working set"; $rows;
		$rows[0].victim[]? | .cache as $cache |
		["\(.set_bytes | size_text) in \($cache)"] +
		($rows | map(slowdown_text($cache),
			(in_cache($cache).model.slowdown | number))));

# A level that the probe cannot tell from its neighbour counts as both.
def same_level: .model.level as $model | .level | split("/") | any(. == $model);
def model_agreement:
	[modelled[] | .policy as $policy | .residency[] | select(.model) |
		{ $policy, same: same_level }] | select(length > 0) |
	"Pages that are where the model has them: \(group_by(.policy) |
		map("\(map(select(.same)) | length) of \(length) (\(.[0].policy))") |
		join(", ")).";

# Runs in turn without and with counters, in one array.
def median: sort | if length % 2 == 1 then .[length / 2 | floor]
	else (.[length / 2] + .[length / 2 - 1]) / 2 end;
def range_text: "\(median | rounded(3)) (\(min | rounded(3))-\(max | rounded(3)))";
def cost_key: [.engine, .policy, .page_size_bytes];
def runs($counted): map(select((.tool.command | test("--counters")) == $counted));
def speeds($key): map(first(.rows[] | select(cost_key == $key and .rounds > 0)) | gib);
def ratios($over): [., $over] | transpose | map(.[0] / .[1]);
def cost_table:
	runs(false) as $without | runs(true) as $with |
	(["what", "pages", "GiB/s without", "with", "with over without (least-most)",
		"over bare, without", "with"] |
		table_line, (map("---") | table_line)),
	($without[0].rows[] | select(.rounds > 0) | cost_key as $key |
		["\(name)", (.page_size_bytes | size_text),
		 ($without | speeds($key) | median | number),
		 ($with | speeds($key) | median | number),
		 ($with | speeds($key) | ratios($without | speeds($key)) | range_text),
		 ($without, $with | . as $runs |
			if $key[0] != "buffers" then "-" else
				speeds($key) | ratios($runs |
					speeds(["bare"] + $key[1:])) | range_text end)] |
		table_line);

def claim_near_is_cheap:
	(probed("contiguous-page") | cycles(0)) as $contiguous |
	("neighbourhood-last", "streaming-neighbourhood-last") as $policy |
	(probed($policy) | near_cycles) as $near |
	{ text: "after \($policy) a load next to the fault is at least 3 times as cheap as at the faulting page after contiguous-page",
	  value: "\($near | number) against \($contiguous | number) cycles",
	  holds: ($contiguous >= 3 * $near) };

def claim_streaming_leaves_far_pages_cold:
	probed("streaming-neighbourhood-last") |
	near_cycles as $near | far_cycles as $far |
	{ text: "after streaming-neighbourhood-last a load far from the fault costs at least 10 times one next to it",
	  value: "\($far | number) against \($near | number) cycles",
	  holds: ($far >= 10 * $near) };

def claim_streaming_spares_victims:
	(row("buffers"; "streaming-neighbourhood-last") | in_cache("L2")) as $streaming |
	("neighbourhood-last", "contiguous-page") as $policy |
	(row("buffers"; $policy) | in_cache("L2")) as $cached |
	{ text: "\($policy) slows a working set of half the L2 down more than streaming does (the intervals do not overlap)",
	  value: "\($cached.slowdown | number) (from \($cached.ci95[0] | number)) against \($streaming.slowdown | number) (to \($streaming.ci95[1] | number))",
	  holds: ($cached.ci95[0] > $streaming.ci95[1]) };

def claim_text:
	"* \(.text): measured \(.value). **\(if .holds then "Holds here" else "Does not hold here" end).**";

# What a profile says beside what was measured.
def prediction_columns: ["policy", "pages", "folio", "fault page", "batch",
	"primitive", "measured, GiB/s", "model, GiB/s", "model / measured (95 %)"];
def prediction_pairs: .rows as $rows | [$rows[] |
	select(.prediction != null and .prediction.median != null) | . as $model |
	{model: $model, measured: first($rows[] |
		select(.id == $model.prediction.measured_id))}];
def prediction_cells: [.model.policy, (.model.page_size_bytes | size_text),
	(.model.folio_bytes | size_text), (.model.fault_page // "-" | tostring),
	(.model.batch_bytes | size_text), (.model | primitives),
	(.measured.bandwidth.median_bps | gib_text),
	(.model.bandwidth.median_bps | gib_text),
	"\(.model.prediction.median | number) (\(.model.prediction.ci95 |
		interval_text))"];
def prediction_table:
	if prediction_pairs == [] then
		"Could not run here: \(.rows[0].reason // "no rows")."
	else
		(prediction_columns | table_line),
		(prediction_columns | map("---") | table_line),
		(prediction_pairs[] | prediction_cells | table_line)
	end;
# Of all documents: how far off the model is.
def prediction_summary:
	[.[] | prediction_pairs[] | .model.prediction.median - 1 | fabs] | sort |
	if length == 0 then "Nothing was predicted."
	else
		"Of \(length) rows the model is off by \(.[length / 2 | floor] * 100 |
		rounded(1)) % in the median and by \(last * 100 | rounded(1)) % at worst",
		"(aimed at: 10 % and 20 %: " +
		(if .[length / 2 | floor] <= 0.1 and last <= 0.2 then "reached"
		else "not reached" end) + ")."
	end;
