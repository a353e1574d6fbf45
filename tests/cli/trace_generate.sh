#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces that are made up: the same bytes for the same command.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

generators=$(names generators)
known=$(joined <<<"$generators")

# gen FILE WORD...: foliosim trace generate WORD... into FILE, without a word.
gen() {
	local file=$1
	shift
	"$FOLIOSIM" trace generate "$@" >"$file" 2>err </dev/null
	check "generate $*: exit status" test $? = 0
	check "generate $*: $(cat err)" test ! -s err
}

# shellcheck disable=SC2317 # called through check
differ() {
	! cmp -s "$1" "$2"
}

# The addresses of a CSV file, which may be those of one process.
addresses() {
	awk -F, -v pid="${2:-}" 'NR > 1 && (pid == "" || $2 == pid) { print $7 }' \
		"$1"
}

for generator in $generators; do
	words=("$generator" --size 32M --processes 3 --threads 2 --poisson 5000/s)
	gen csv "${words[@]}" --to csv
	gen again "${words[@]}" --to csv
	check "$generator: the same bytes" cmp csv again
	check "$generator: the header" test "$(head -n 1 csv)" = \
		time_ns,pid,tid,cpu,comm,event,addr,ip,error_code
	check "$generator: several faults" test "$(wc -l <csv)" -gt 40
	check "$generator: in order of time" sort -c -s -t, -k1,1n <(sed 1d csv)
	check "$generator: first touches only" test -z \
		"$(sed 1d csv | cut -d, -f2,7 | sort | uniq -d)"
	gen again "${words[@]}" --seed 2
	check "$generator: another seed, the same bytes" differ csv again

	# All formats have the same records.
	for format in canonical binary; do
		gen "$format" "${words[@]}" --to "$format"
		"$FOLIOSIM" trace convert --to csv "$format" >back 2>err
		check "$generator: $format and back" cmp csv back
	done

	# Into a file is as to standard output.
	rm -f file
	for option in -o --output; do
		check "$generator: $option" "$FOLIOSIM" trace generate \
			"${words[@]}" "$option" file
		check "$generator: $option: the same bytes" cmp csv file
	done

	# Another process changes nothing.
	words[4]=4
	gen more "${words[@]}"
	addresses csv 1002 >second
	addresses more 1002 >second_of_more
	check "$generator: second process" cmp second second_of_more
	check "$generator: second process has faults" test -s second
done

# Seeds are for patterns that are random.
for generator in uniform zipf hot-cold pointer-chase; do
	gen one "$generator" --size 4M --seed 1
	gen two "$generator" --size 4M --seed 2
	check "$generator: seeds" differ one two
	gen two "$generator" --size 4M
	check "$generator: the seed is 1" cmp one two
done

gen up sequential --size 16M
gen down reverse --size 16M
gen strides stride --size 16M --stride 4K
check "as many faults as pages" test "$(addresses up | wc -l)" = 4096
addresses up | sort -c || fail "sequential is not sorted"
check "reverse is sequential, reversed" \
	cmp <(addresses up | tac) <(addresses down)
check "strides of a page are sequential" \
	cmp <(addresses up) <(addresses strides)
gen cycle pointer-chase --size 16M
check "pointer-chase has each page once" \
	cmp <(addresses up) <(addresses cycle | sort)
check "pointer-chase is not sequential" differ up cycle
gen first sequential --size 16M --faults 100
check "--faults cuts the end off" cmp first <(head -n 101 up)
gen first uniform --size 16M --accesses 100
gen all uniform --size 16M --faults 4096
check "--accesses cuts the end off" \
	cmp first <(head -n "$(wc -l <first)" all)
check "uniform finds all pages" \
	cmp <(addresses up) <(addresses all | sort)

# Rates: the last of 1000 faults, in ns.
gen fixed sequential --size 4M --faults 1000 --rate 100
check "--rate" test "$(tail -n 1 fixed | cut -d, -f1)" = 9990000000
gen fixed sequential --size 4M --faults 1000 --rate 100/s
check "--rate with /s" test "$(tail -n 1 fixed | cut -d, -f1)" = 9990000000

# The command of the page works.
command=$(sed -n '/^    foliosim trace generate/,/^$/s/^    //p' \
	"$SOURCE_DIR/docs/generating-traces.md")
(eval "${command/#foliosim/\"\$FOLIOSIM\"}")
check "the command of docs/generating-traces.md" test $? = 0
check "its trace is there" test -s zipf.trace

# peak_kib WORD...: the most memory that foliosim trace generate WORD... has.
peak_kib() {
	python3 - "$FOLIOSIM" trace generate "$@" <<-'END'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], check=True)
		print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}

# A trace of any size takes little memory. Emulators, which a script starts, and
# sanitizers take more.
if [ -z "${SANITIZED:-}" ] && command -v python3 >/dev/null &&
	[ "$(head -c 2 "$FOLIOSIM")" != '#!' ]; then
	kib=$(peak_kib uniform --size 1T --accesses 1000000 --to binary -o big)
	check "1T, marked, in $kib KiB" test "$kib" -lt 65536
	kib=$(peak_kib pointer-chase --size 64T --faults 1000000 --to binary \
		-o big)
	check "64T in $kib KiB" test "$kib" -lt 32768
	kib=$(peak_kib zipf --size 1G --processes 1024 --threads 16 \
		--faults 1000000 --to binary -o big)
	check "16384 threads in $kib KiB" test "$kib" -lt 65536
fi

# A pattern that finds no new page: no trace.
rm -f file
try trace generate hot-cold --size 4M --hot-weight 1 --faults 200 -o file
check "no file of a trace that ended early" test ! -e file
try trace generate sequential --size 4M -o no-such-directory/file
if [ -w /dev/full ]; then
	for format in csv canonical binary; do
		"$FOLIOSIM" trace generate sequential --to "$format" \
			>/dev/full 2>err
		check "$format to a full disk: exit status" test $? = 1
		check "$format to a full disk: $(cat err)" \
			grep -q 'No space left on device$' err
	done
fi

# What records look like.
try trace generate sequential --size 16K
try trace generate reverse --size 16K --threads 2 --event page-faults
try trace generate stride --size 32K --stride 12K --base 7f0000000000
try trace generate uniform --size 32K --seed 7
try trace generate zipf --size 32K --zipf 0.5 --faults 4
try trace generate hot-cold --size 64K --hot-share 0.25 --hot-weight 0.5
try trace generate pointer-chase --size 32K --to canonical
try trace generate anon-w-seq-hugetlb --size 4M --processes 2 --rate 1000
try trace generate sequential --size 16K --poisson 1000/s

try trace generate
try trace generate ''
try trace generate Sequential
try trace generate sequential reverse
try trace generate sequential --no-such-option
try trace generate sequential -o
try trace generate sequential --size
for size in 0 -1 1.5M 5000 1K 65T 99999999999999999999; do
	try trace generate sequential --size "$size"
done
for size in 0 2K 12K 2G; do
	try trace generate sequential --page-size "$size"
done
try trace generate anon-w-seq-hugetlb --size 1M
for base in '' xyz 1 8000000000000000 7fffffffffffffff 12345678901234567; do
	try trace generate sequential --base "$base"
done
for number in 0 -1 1.5 16385 99999999999999999999; do
	try trace generate sequential --processes "$number"
	try trace generate sequential --threads "$number"
done
try trace generate sequential --processes 200 --threads 100
try trace generate sequential --size 16K --threads 5
for number in 0 -1 many 262145; do
	try trace generate sequential --faults "$number"
done
try trace generate sequential --accesses 0
try trace generate sequential --accesses 18446744073709551615
for stride in 0 1K 6K; do
	try trace generate stride --stride "$stride"
done
for exponent in '' -1 101 1e2 nan 1. 1.2345678901234567; do
	try trace generate zipf --zipf "$exponent"
done
for share in 0 1 10% -0.1; do
	try trace generate hot-cold --hot-share "$share"
done
for share in 1.1 half; do
	try trace generate hot-cold --hot-weight "$share"
done
try trace generate sequential --zipf 1
try trace generate zipf --stride 8K
try trace generate uniform --hot-share 0.5
try trace generate stride --hot-weight 0.5
for rate in 0 -1 1000/m /s 1.5 1000000001 1/s/s; do
	try trace generate sequential --rate "$rate"
	try trace generate sequential --poisson "$rate"
done
try trace generate sequential --rate 1 --poisson 1
try trace generate sequential --seed -1
try trace generate sequential --event exec
try trace generate sequential --to perf-script
try trace generate uniform --size 2T
try trace generate zipf --size 1T --processes 2

# A signal ends it, and leaves nothing behind. Packing all of it takes longer.
"$FOLIOSIM" trace generate sequential --size 1T -o stopped.xz 2>err &
pid=$!
while ! ls stopped* >/dev/null 2>&1 && kill -0 "$pid"; do
	sleep 0.01
done
sleep 0.5 # The file comes before the signal is caught.
kill -TERM "$pid"
wait "$pid"
status=$?
check "signal: killed by SIGTERM, not $status" test "$status" = 143
check 'signal: nothing is left' test "$(ls -d stopped* 2>/dev/null)" = ''
check 'signal: stderr' test ! -s err

# The names grow with every generator.
sed -i "s/known are $known\$/known are <generators>/" transcript.stderr
finish
