#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shared objects that are no policies, or bad ones: one clear line each, and no
# process left. What they do is in C below, one object each.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/policy_objects.sh
. "$SOURCE_DIR/tests/cli/policy_objects.sh"
# shellcheck source=tests/cli/simulations.sh
. "$SOURCE_DIR/tests/cli/simulations.sh"
need jq

cat >bad.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fz/folio.h>
#include <fz/policy.h>

#ifndef BEFORE
#define BEFORE
#endif
#ifndef PLAN
#define PLAN pages(0, r->nr_pages);
#endif
#ifndef HEAD
#define HEAD FZ_POLICY_HEAD,
#endif
#ifndef NAME
#define NAME "bad"
#endif
#ifndef REST
#define REST .plan = plan,
#endif

static struct fz_plan_builder *builder;

__attribute__((unused)) static void pages(uint64_t first, uint64_t nr)
{
	fz_plan_add_pages(builder, (struct fz_range){ first, nr },
			  FZ_DIRECTION_UP, FZ_RESCHED_BEFORE);
}

__attribute__((unused)) static void plan(struct fz_plan_builder *b,
					 const struct fz_zero_request *r)
{
	(void)r;
	builder = b;
	PLAN
}

__attribute__((constructor)) static void before(void)
{
	BEFORE
}

#ifdef SYMBOL
SYMBOL
#else
const struct fz_policy fz_policy = {
	HEAD
	.name = NAME, .summary = "bad", .kernels = "none",
	.uses = FZ_USES_FAULT, .models = FZ_PREEMPT_ANY, REST
};
#endif
END

# bad NAME [OPTION...]: the object ./NAME.so; compiled beside the others.
bad() {
	local name=$1
	shift
	compile "$name.so" bad.c -I"$SOURCE_DIR/model" -Wno-unused-result "$@" &
}

bad good -DNAME='"good"'
bad no-symbol -DSYMBOL='extern const int some_other; const int some_other = 1;'
bad function -DSYMBOL='void fz_policy(void); void fz_policy(void) { }'
bad small -DSYMBOL='extern const int fz_policy; const int fz_policy = 1;'
bad no-head -DHEAD=
bad other-abi -DHEAD='.abi = FZ_POLICY_ABI + 1, .bytes = sizeof(struct fz_policy),'
bad other-size -DHEAD='.abi = FZ_POLICY_ABI, .bytes = sizeof(struct fz_policy) - 8,'
bad no-name -DNAME=NULL
bad odd-name -DNAME='"a policy"'
bad escape -DNAME='"\033[31mred"'
bad taken -DNAME='"contiguous-page"'
bad twin -DNAME='"good"'
bad no-plan -DREST=
bad undefined -DPLAN='extern void fz_no_such(void); fz_no_such();'
bad crash-early -DBEFORE='abort();'
bad exit-early -DBEFORE='_exit(0);'
bad skip -DPLAN='pages(0, 3); pages(4, r->nr_pages - 4);'
bad twice -DPLAN='pages(0, r->nr_pages); pages(r->nr_pages - 1, 1);'
bad outside -DPLAN='pages(0, r->nr_pages + 1);'
bad nothing -DPLAN=
bad no-run -DPLAN='fz_plan_add_run(b, (struct fz_run){ .nr = 4, .unit_pages = 8 });'
bad many -DPLAN='for (uint64_t i = 0; i < 600000; i++) { fz_plan_might_sleep(b); pages(i & 1, 1); }'
bad crash -DPLAN='pages(0, r->nr_pages); if (r->fault_page == 17) abort();'
bad wild -DPLAN='*(volatile int *)16 = 1;'
bad loop -DPLAN='for (volatile int i = 0; i < 2;) i = 1;'
bad late -DPLAN='pages(0, r->nr_pages); if (r->fault_page == 1) for (volatile int i = 0; i < 2;) i = 1;'
bad memory -DPLAN='for (;;) memset(malloc(1 << 20), 1, 1 << 20);'
bad fork -DPLAN='if (fork() == 0) pause();'
bad kill -DPLAN='kill(getppid(), SIGKILL);'
bad write -DPLAN='open("written", O_CREAT | O_WRONLY, 0600);'
bad net -DPLAN='socket(AF_INET, SOCK_STREAM, 0);'
bad exit -DPLAN='exit(3);'
bad wire -DPLAN='for (int fd = 0; fd < 64; fd++) write(fd, "nonsense nonsense", 17);'
bad streams -DPLAN='fz_plan_add_step(b, (struct fz_step){ .hint = r->fault_page == 17 ? FZ_HINT_STREAMING : FZ_HINT_CACHED, .nr = r->nr_pages });'
bad moody -DPLAN='static int n; if (n++ % 2) for (uint64_t i = 0; i < r->nr_pages; i++) pages(i, 1); else pages(0, r->nr_pages);'
for name in all kernel none auto default; do
	bad "named-$name" -DNAME="\"$name\""
done
# Of a first plan and of the others, one leaves out a page.
bad first-short -DPLAN='static int n; pages(0, r->nr_pages - !n); n = 1;'
bad then-short -DPLAN='static int n; pages(0, r->nr_pages - n); n = 1;'
bad slow -DBEFORE='while (access("go", F_OK)) ;'
bad fine -DPLAN='fz_plan_add_run(b, (struct fz_run){ .op = FZ_OP_CLEAR, .nr = r->nr_pages, .unit_pages = r->nr_pages, .call_pages = r->nr_pages }); for (int i = 0; i < 600000; i++) fz_plan_add_run(b, (struct fz_run){ .op = 1 + i % 2, .nr = 1 + i % 2 });'
wait

# says WHAT STATUS PATTERN COMMAND...: nothing on stdout, one line on stderr; a
# command line that is wrong may get the hint to --help too.
says() {
	local what=$1 expected=$2 pattern=$3 status
	shift 3
	"$FOLIOSIM" "$@" >out 2>err
	status=$?
	check "$what: exit $status" test "$status" = "$expected"
	check "$what: it printed" test ! -s out
	check "$what: lines" test "$expected" = 2 -o "$(wc -l <err)" = 1
	check "$what: $(cat err)" grep -qE -e "$pattern" err
}

# refused NAME PATTERN: by its path, in plan. A sanitizer's run time may end the
# process its own way.
refused() {
	says "$1" 1 "$2" plan --policy "$scratch/$1" --folio-size 64K \
		--fault-page 5
}

ends='crashed|ended itself'

# Its time is not up before the others are through.
{
	"$FOLIOSIM" plan --policy "$scratch/loop.so" --folio-size 64K \
		--fault-page 5 >loop.out 2>loop.err
	echo $? >loop.status
} &

# not a policy
: >empty
echo 'int main(void) { return 0; }' >main.c
cc main.c -o program
head -c 200 good.so >cut.so
head -c 5000 good.so >cut2.so
cp good.so machine.so
printf '\xf3\x00' | dd of=machine.so bs=1 seek=18 conv=notrunc 2>/dev/null
mkfifo pipe
mkdir directory.so
ln -s nowhere dangling.so
refused missing.so "cannot open '.*missing.so': No such file"
refused dangling.so "cannot open '.*dangling.so': No such file"
refused directory.so 'is no policy: it is a directory'
refused pipe 'is no policy: it is not a regular file'
refused empty 'is no policy: it is not an ELF file'
refused main.c 'is no policy: it is not an ELF file'
refused cut.so 'is no policy: it is cut off'
refused cut2.so 'is no policy: it is cut off'
refused machine.so 'was built for riscv, this is '
refused program "'.*program' "
says slash 2 "unknown policy 'good.so': for a file write ./good.so" \
	plan --policy good.so --folio-size 2M --fault-page 0

# no policy of this version
refused no-symbol.so "is no policy: it defines no 'const struct fz_policy fz_policy'"
refused function.so 'begins with FZ_POLICY_HEAD'
refused small.so 'begins with FZ_POLICY_HEAD'
refused no-head.so 'begins with FZ_POLICY_HEAD'
refused other-abi.so 'was built for policy ABI 2, this is foliosim with 1: build it again'
refused other-size.so 'build it again'
refused no-name.so "has no '.name', which is required"
refused odd-name.so "has the name 'a policy'"
refused escape.so "has the name '[?]\[31mred'"
refused no-plan.so "has no '.plan', which is required"
refused undefined.so 'cannot be loaded: .*fz_no_such'
refused crash-early.so "($ends).*, while it was loaded"
refused exit-early.so "$ends"

# names
refused taken.so "policy 'contiguous-page' of .*taken.so has the name of a built-in policy: give it another name"
for command in bench replay simulate; do
	says "$command: two of a name" 1 "policy 'good' of ./twin.so has the name of ./good.so: give it another name" \
		"$command" --policy ./good.so,./twin.so --profile genoa \
		"$(case $command in
		bench) echo --engine=model ;;
		replay) echo bad.c ;;
		*) echo --generate=anon-w-seq-hugetlb ;;
		esac)"
	says "$command: twice" 2 "'./good.so' is given twice" \
		"$command" --policy ./good.so,init-pages,./good.so
	says "$command: built in, twice" 2 "'init-pages' is given twice" \
		"$command" --policy all,./good.so,init-pages
	says "$command: not loaded" 1 "cannot open './missing.so'" \
		"$command" --policy ./good.so,./missing.so --profile genoa \
		"$(case $command in
		bench) echo --engine=model ;;
		replay) echo bad.c ;;
		*) echo --generate=anon-w-seq-hugetlb ;;
		esac)"
done
for name in all kernel none auto default; do
	refused named-$name.so "policy '$name' of .*named-$name.so has the name of something else: give it another name"
done
says 'baseline that is none' 2 'unknown policy .no-such.: known are .*, init-pages-batched, good$' \
	bench --policy ./good.so --baseline no-such
says 'baseline that is not measured' 2 'add it to --policy' \
	bench --policy ./good.so --baseline init-pages
says 'path that is not measured' 2 'add it to --policy' \
	bench --policy ./good.so --baseline ./twin.so
for command in bench replay simulate tune; do
	says "$command --no-verify" 2 "unknown or ambiguous option '--no-verify'" \
		"$command" --no-verify
done

# paths: of a long one the cause is said, a terminal obeys none
printf -v part '%0250d' 0
long=$scratch/$part/$part/$part/$part/$part
mkdir -p "$long"
refused "$part/$part/$part/$part/$part/missing.so" \
	"cannot open '/.*[.][.][.].*/missing.so': No such file or directory\$"
says 'control characters' 1 "cannot open './[?]\[31m[?]" plan --folio-size 64K \
	--policy $'./\e[31m\x7f\xc2\x9b.so'
says 'other characters' 1 "cannot open './täglich.so'" plan --folio-size 64K \
	--policy ./täglich.so

# A file that is not what was read: a pipe that nobody writes to, in its place.
cp slow.so slow-copy.so
timeout 60 "$FOLIOSIM" plan --policy "$scratch/slow.so" --folio-size 64K \
	--fault-page 5 >slow.out 2>slow.err &
pid=$!
# shellcheck disable=SC2317 # called through check
is_loaded() {
	for ((i = 0; i < 100; i++)); do
		grep -qsF "$scratch/slow.so" /proc/[0-9]*/maps && return
		sleep 0.05
	done
	return 1
}
check 'slow.so is not loaded' is_loaded
mkfifo slow.pipe
mv slow.pipe slow.so
: >go
wait $pid
check 'a file that changed: exit status' test $? = 1
check "a file that changed: $(cat slow.err)" grep -q \
	"slow.so' changed while it was loaded" slow.err
mv slow-copy.so slow.so
"$FOLIOSIM" plan --policy ./slow.so --folio-size 64K --fault-page 5 \
	>out 2>err
check 'a file that did not change' test $? = 0
truncate -s 300M huge.so
says huge 1 "'./huge.so' is no policy: it is larger than 256 MiB" \
	plan --policy ./huge.so --folio-size 64K --fault-page 5
(
	ulimit -s 64
	exec "$FOLIOSIM" plan --policy ./good.so --folio-size 64K --fault-page 5
) >out 2>err
check "a small stack: $(cat err)" test $? = 0

# bad plans
where="'.*/[a-z-]+.so': policy 'bad', folio of 64K \(order 4\), fault page 5: "
refused skip.so "${where}page 3 "
refused twice.so "${where}page 15 "
refused outside.so "$where.*16"
refused nothing.so "${where}page 0 "
refused no-run.so "$where"
refused many.so 'runs'
refused wild.so "policy 'bad' ($ends)"
refused memory.so "policy 'bad'"
refused fork.so "policy 'bad' made a system call that a policy may not: (clone|fork)"
refused kill.so 'made a system call that a policy may not: kill'
refused write.so 'made a system call that a policy may not: open'
check 'it wrote a file' test ! -e written
refused net.so 'made a system call that a policy may not: socket'
refused exit.so 'ended itself|made a system call'
refused wire.so "policy 'bad'"

# plan --no-verify: shown, and said what is wrong
for name in skip twice nothing; do
	"$FOLIOSIM" plan --policy "./$name.so" --no-verify --folio-size 64K \
		--fault-page 5 >out 2>err
	check "--no-verify $name: exit status" test $? = 1
	check "--no-verify $name: not shown" grep -q '^policy *bad$' out
	check "--no-verify $name: lines" test "$(wc -l <err)" = 1
	check "--no-verify $name: not said" \
		grep -qE "^foliosim: the plan of 'bad' is not sound: page" err
done
says '--no-verify outside' 1 "policy 'bad', folio of 64K" plan --no-verify \
	--policy ./outside.so --folio-size 64K --fault-page 5

# It is the printed plan that is judged, and of it the policy's part.
for init in off 6.12; do
	"$FOLIOSIM" plan --policy ./first-short.so --no-verify --folio-size 64K \
		--fault-page 5 --init-on-alloc $init >out 2>err
	check "first-short, $init: exit status" test $? = 1
	check "first-short, $init: $(cat err)" grep -qE \
		"the plan of 'bad'( behind the allocator's)? is not sound: page 15 is not cleared" err
	"$FOLIOSIM" plan --policy ./then-short.so --no-verify --folio-size 64K \
		--fault-page 5 --init-on-alloc $init >out 2>err
	check "then-short, $init: exit status" test $? = 0
	check "then-short, $init: $(cat err)" test ! -s err
done
"$FOLIOSIM" plan --policy ./nothing.so --no-verify --folio-size 64K \
	--fault-page 5 --init-on-alloc 6.12 >out 2>err
check 'nothing behind the allocator' test $? = 1
"$FOLIOSIM" plan --policy ./skip.so --no-verify --folio-size 64K \
	--init-on-alloc 7.3 >out 2>err
check 'nothing but the allocator' test $? = 0

holds() {
	jq -e "$2" out >truth || fail "$1"
}

# What it plans another time is no matter.
"$FOLIOSIM" plan --policy ./moody.so --folio-size 64K --fault-page 5 \
	--init-on-alloc 6.12 --format json >out 2>err
check 'another plan each time' test $? = 0
holds 'runs of the allocator' '.allocator_runs == 1 and .allocator_steps == 16'

# In a run the row says it, and others are measured.
few=(--page-size 4K --folio-size 2M --size 2M --repeat 2 --format json)
for engine in buffers model; do
	"$FOLIOSIM" bench "${few[@]}" --engine $engine --fault-page 5,17 \
		"$([ $engine = model ] && echo --profile=genoa || echo --use=none)" \
		--policy ./crash.so,batched-pages >out 2>err
	check "$engine: a row that crashes" test $? = 0
	holds "$engine: its row" '.rows[1] | .status == "unsupported" and (.reason | test("policy .bad. (crashed|ended itself)"))'
	holds "$engine: others" '[.rows[0, 2, 3].status] | all(. == "measured" or . == "modelled")'
	holds "$engine: the whole reason" '.rows[1].reason | contains("crash.so")'
done
"$FOLIOSIM" bench "${few[@]}" --engine buffers --policy ./streams.so \
	--fault-page 5,17 >out 2>err
check 'streams at one page only' test $? = 0
holds 'its reason' '.rows | (.[0].status == "measured") and (.[1].reason | test("for fault page 17 streams"))'
"$FOLIOSIM" bench "${few[@]}" --engine buffers --policy ./skip.so >out 2>err
check 'nothing but bad plans' test $? = 77
holds 'the reason of a bad plan' '.rows[0].reason | test("folio of 2M \\(order 9\\), fault page [0-9]+: page 3 ")'
check "one row: $(cat err)" grep -q 'warning: 1 of 1 row was not measured: ' err
"$FOLIOSIM" bench "${few[@]}" --engine buffers --use none \
	--policy ./skip.so,batched-pages >out 2>err
check "one of two rows: $(cat err)" grep -q \
	'warning: 1 of 2 rows was not measured: ' err
"$FOLIOSIM" bench "${few[@]}" --engine buffers --use none \
	--policy ./fine.so,batched-pages >out 2>err
check 'a plan that is too long' test $? = 0
holds 'the reason of a long plan' '.rows[0].reason | test("its [0-9]+ runs are more than the memory for plans that a bench sets aside")'
machine >machine.json
"$FOLIOSIM" simulate --profile machine.json --generate anon-w-seq-hugetlb \
	--size 4M --cpus 2 --policy ./skip.so,init-pages \
	--format json >out 2>err
check 'simulate goes on' test $? = 0
holds 'a row of simulate' '.rows | .[0].status == "unsupported" and (.[0].reason | contains("page 3")) and .[1].status == "modelled"'

# A signal while replay waits for the price of a row: it is not the whole.
printf '# foliosim-trace 1\n1 0 7 7 page-faults 0x1000 - - x\n' >one.trace
timeout --preserve-status --foreground --signal TERM 1 \
	"$FOLIOSIM" replay --folio-size 64K --policy contiguous-page,./late.so \
	--format json one.trace >out 2>err
check 'replay stopped: exit status' test $? = 143
check 'replay stopped: partial' test ! -s out -o "$(jq .partial out)" = true

wait
check 'loop: exit status' test "$(cat loop.status)" = 1
check "loop: $(cat loop.err)" grep -qE \
	"policy 'bad' used more than [0-9]+ s of CPU time" loop.err
check 'a process is left' gone "$scratch/fork.so"
for name in crash loop kill; do
	check "a process of $name is left" gone "$scratch/$name.so"
done
finish
