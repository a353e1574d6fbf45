// SPDX-License-Identifier: GPL-2.0-or-later
/* A policy object that does what none may. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fz/policy.h>
#include <fz/random.h>

#include "object_wire.h"
#include "sanitized.h"
#include "troubles.h"

/* Of the request, as the wire counts them. */
static uint64_t sequence;

static void add(struct fz_plan_builder *builder, uint64_t first, uint64_t nr)
{
	fz_plan_add_pages(builder, (struct fz_range){ first, nr },
			  FZ_DIRECTION_UP, FZ_RESCHED_BEFORE);
}

static char text[1 << 16];

/*
 * Later nothing can be opened. An emulator writes a file to make this one up,
 * which its process, being limited too, may not.
 */
__attribute__((constructor)) static void read_maps(void)
{
	const int file = FZ_EMULATED ? -1 : open("/proc/self/maps", O_RDONLY);
	size_t bytes = 0;
	ssize_t done;

	while ((done = read(file, text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += (size_t)done;
}

/* Every mapping that can be written, this function's stack too. */
static void write_all(void)
{
	char *line = text;

	for (; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		unsigned long begin, end;
		char rights[5];

		if (sscanf(line, "%lx-%lx %4s", &begin, &end, rights) == 3 &&
		    rights[1] == 'w' &&
		    ((unsigned long)text < begin || (unsigned long)text >= end))
			memset((void *)begin, 0xff, end - begin);
	}
}

static unsigned int recurse(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = *above;
	/* That it never ends is more than a compiler lets pass. */
	if (frame[0] != *above)
		return 0;
	return recurse(frame) + (unsigned int)frame[0];
}

/* Beyond those that it is given. */
static bool has_descriptors(void)
{
	struct stat status;

	for (int fd = 4; fd < 100; fd++)
		if (fstat(fd, &status) == 0)
			return true;
	return false;
}

static bool has_limit(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

static void write_everywhere(const void *bytes, size_t nr)
{
	for (int fd = 3; fd < 100; fd++)
		if (write(fd, bytes, nr) < 0)
			continue;
}

static void write_too_much(void)
{
	static const char zeros[1 << 16];

	for (;;)
		write_everywhere(zeros, sizeof(zeros));
}

/* Bytes of many runs, and none so late that nothing came for long. */
static void trickle(void)
{
	const struct fz_wire_reply reply = { .magic = FZ_WIRE_MAGIC,
					     .kind = FZ_WIRE_PLAN,
					     .sequence = sequence,
					     .number = 4000 };

	fz_wire_write(&reply, sizeof(reply));
	while (fz_wire_write("", 1))
		usleep(5000);
}

static void forge(uint64_t number, const struct fz_run *runs, size_t nr)
{
	const struct fz_wire_reply reply = { .magic = FZ_WIRE_MAGIC,
					     .kind = FZ_WIRE_PLAN,
					     .sequence = sequence,
					     .number = number };

	fz_wire_write(&reply, sizeof(reply));
	fz_wire_write(runs, nr * sizeof(*runs));
}

/* With the plan in other hands nobody waits for it. */
static void spin_afterwards(const struct fz_run *run)
{
	forge(1, run, 1);
	for (volatile unsigned int i = 0;; i++)
		;
}

/* A reply and runs that are nearly right. */
static void forge_random(const struct fz_zero_request *request)
{
	struct fz_random random = fz_random_begin(request->fault_page, 7);
	struct {
		struct fz_wire_reply reply;
		struct fz_run run;
	} bytes = {
		.reply = { .magic = FZ_WIRE_MAGIC,
			   .kind = FZ_WIRE_PLAN,
			   .sequence = sequence,
			   .number = 1 },
		.run = { .nr = request->nr_pages,
			 .unit_pages = 1,
			 .call_pages = 1 },
	};
	/* The text is not of interest. */
	const size_t head = offsetof(struct fz_wire_reply, text);
	unsigned char *at = (unsigned char *)&bytes;

	for (uint64_t i = fz_random_below(&random, 4); i > 0; i--) {
		size_t byte =
			fz_random_below(&random, head + sizeof(bytes.run));

		if (byte >= head)
			byte += sizeof(bytes) - head - sizeof(bytes.run);
		at[byte] ^= (unsigned char)(1 << fz_random_below(&random, 8));
	}
	fz_wire_write(&bytes, sizeof(bytes) - fz_random_below(&random, 2) * 8);
	_exit(0);
}

static void make_trouble(struct fz_plan_builder *builder,
			 const struct fz_zero_request *request)
{
	struct fz_run run = { .nr = request->nr_pages,
			      .unit_pages = 1,
			      .call_pages = 1 };

	switch ((enum trouble)request->radius_pages) {
	case TROUBLE_NONE:
		break;
	case TROUBLE_SKIPS:
	case TROUBLE_EMPTY:
		break; /* later */
	case TROUBLE_TWICE:
		add(builder, 3, 1);
		break;
	case TROUBLE_OUTSIDE:
		add(builder, request->nr_pages, 2);
		break;
	case TROUBLE_NO_RUN:
		run.unit_pages = run.nr + 1;
		fz_plan_add_run(builder, run);
		break;
	case TROUBLE_RUNS:
		run = (struct fz_run){ .op = FZ_OP_MIGHT_SLEEP, .nr = 1 };
		for (unsigned int i = 0; i < 5000; i++)
			fz_plan_add_run(builder, run);
		break;
	case TROUBLE_CALLS:
		run = (struct fz_run){ .op = FZ_OP_COND_RESCHED,
				       .nr = 1ull << 60 };
		fz_plan_add_run(builder, run);
		break;
	case TROUBLE_CONDITIONAL:
		fz_plan_conditional(builder);
		break;
	case TROUBLE_PRINTS:
		printf("a result\n");
		fprintf(stderr, "a message\n");
		fflush(NULL);
		break;
	case TROUBLE_NAPS:
		usleep(100000);
		break;
	case TROUBLE_LOOKS:
		add(builder, 0, has_descriptors());
		break;
	case TROUBLE_LOOKS_FOR_LIMIT:
		add(builder, 0, !has_limit());
		break;
	case TROUBLE_LOOPS:
		for (volatile unsigned int i = 0;; i++)
			;
	case TROUBLE_SLEEPS:
		for (;;)
			sleep(1000);
	case TROUBLE_ABORTS:
		abort();
	case TROUBLE_RAISES:
		raise(SIGRTMIN + 4);
		break;
	case TROUBLE_WRITES_NULL:
		*(volatile int *volatile)NULL = 0;
		break;
	case TROUBLE_WRITES_ALL:
		write_all();
		break;
	case TROUBLE_RECURSES:
		recurse((volatile char *)&run);
		break;
	case TROUBLE_ALLOCATES:
		for (;;)
			memset(malloc(1u << 20), 1, 1u << 20);
	case TROUBLE_EXITS:
		exit(3);
	case TROUBLE_CLOSES:
		for (int fd = 0; fd < 100; fd++)
			close(fd);
		sleep(1000);
		break;
	case TROUBLE_FORKS:
		fork();
		break;
	case TROUBLE_FORKS_ON:
		for (;;)
			fork();
	case TROUBLE_EXECUTES:
		execl("/bin/true", "true", (char *)NULL);
		break;
	case TROUBLE_SOCKET:
		socket(AF_INET, SOCK_STREAM, 0);
		break;
	case TROUBLE_KILLS_PARENT:
		kill(getppid(), SIGKILL);
		break;
	case TROUBLE_LIMITS:
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 1, 1 });
		break;
	case TROUBLE_OPENS_TO_WRITE:
		open("/proc/self/comm", O_WRONLY);
		break;
	case TROUBLE_OPENS_TO_READ:
		add(builder, 0, open("/dev/null", O_RDONLY) >= 0);
		break;
	case TROUBLE_STATS:
		add(builder, 0, access("/", F_OK) == 0);
		break;
	case TROUBLE_TAKES_HUGE_PAGES:
		mmap(NULL, 2u << 20, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_HUGETLB,
		     -1, 0);
		break;
	case TROUBLE_TAKES_OFFLINE:
		/* None, should it be let. */
		madvise(NULL, 0, MADV_HWPOISON);
		break;
	case TROUBLE_MAKES_FILE:
		memfd_create("troubles", 0);
		break;
	case TROUBLE_GARBAGE:
		write_everywhere("this is no reply", 16);
		break;
	case TROUBLE_TOO_MUCH:
		write_too_much();
		break;
	case TROUBLE_TRICKLES:
		trickle();
		break;
	case TROUBLE_FORGED_COUNT:
		forge(UINT64_MAX, NULL, 0);
		break;
	case TROUBLE_FORGED_PLAN:
		forge(1, &run, 1);
		break;
	case TROUBLE_FORGED_RANDOM:
		forge_random(request);
		break;
	case TROUBLE_SPINS_AFTERWARDS:
		spin_afterwards(&run);
	}
}

static void troubles_plan(struct fz_plan_builder *builder,
			  const struct fz_zero_request *request)
{
	const bool skips = request->radius_pages == TROUBLE_SKIPS;

	sequence++;
	make_trouble(builder, request);
	if (request->radius_pages != TROUBLE_EMPTY)
		add(builder, skips, request->nr_pages - skips);
}

const struct fz_policy fz_policy = {
	FZ_POLICY_HEAD,
	.name = "troubles",
	.summary = "whatever the radius says",
	.kernels = "none",
	.uses = FZ_USES_FAULT | FZ_USES_RADIUS,
	.models = FZ_PREEMPT_ANY,
	.plan = troubles_plan,
};
