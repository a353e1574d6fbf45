// SPDX-License-Identifier: GPL-2.0-or-later
/* The real world behind the hooks: memory, files, clocks and CPUs of Linux. */
#include <fz/hooks.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <fz/units.h>

#include "hw_pin.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#define PATH_BYTES 4096

/* Between two looks at a lock; who holds it writes one file. */
#define LOCK_PAUSE_NS 5000000

/* The most that a kernel can be built for, MAX_NUMNODES. */
#define MAX_NODES 1024

static uint64_t real_now_ns(void *state)
{
	struct timespec now;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t real_tick_ns(void *state)
{
	struct timespec resolution;

	(void)state;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) ||
	    resolution.tv_sec)
		return 0;
	return (uint64_t)resolution.tv_nsec;
}

static uint64_t real_ticks(void *state)
{
#if defined(__x86_64__)
	(void)state;
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	(void)state;
	asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return real_now_ns(state);
#endif
}

static void *real_map(void *state, void *addr, size_t bytes, int prot,
		      int flags)
{
	(void)state;
	return mmap(addr, bytes, prot, flags | MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
}

static int real_unmap(void *state, void *addr, size_t bytes)
{
	(void)state;
	return munmap(addr, bytes) ? -errno : 0;
}

static int real_advise(void *state, void *addr, size_t bytes, int advice)
{
	(void)state;
	return madvise(addr, bytes, advice) ? -errno : 0;
}

static bool path_join(char joined[PATH_BYTES], const char *root,
		      const char *path)
{
	const int length = snprintf(joined, PATH_BYTES, "%s%s", root, path);

	return length >= 0 && length < PATH_BYTES;
}

static int file_open(const char *root, const char *path, int flags)
{
	char joined[PATH_BYTES];
	int fd;

	if (!path_join(joined, root, path))
		return -ENAMETOOLONG;
	do
		fd = open(joined, flags | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

/* Files of /proc hand out a page or so at a time, so read until the end. */
static ssize_t fd_read(int fd, uint64_t offset, char *buf, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t got = pread(fd, buf + done, bytes - done,
					  (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static ssize_t real_read_file(void *state, const char *root, const char *path,
			      uint64_t offset, void *buf, size_t cap)
{
	ssize_t got;
	int fd;

	(void)state;
	if (cap == 0)
		return -EINVAL;
	fd = file_open(root, path, O_RDONLY);
	if (fd < 0)
		return fd;
	got = fd_read(fd, offset, buf, cap - 1);
	if (got >= 0)
		((char *)buf)[got] = '\0';
	close(fd);
	return got;
}

static int real_list_dir(void *state, const char *root, const char *path,
			 void (*name)(void *arg, const char *entry), void *arg)
{
	char joined[PATH_BYTES];
	struct dirent *entry;
	DIR *dir;

	(void)state;
	if (!path_join(joined, root, path))
		return -ENAMETOOLONG;
	dir = opendir(joined);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			name(arg, entry->d_name);
	}
	closedir(dir);
	return 0;
}

/* One write call: the files of /sys take a value whole or not at all. */
static int real_write_file(void *state, const char *root, const char *path,
			   const char *text)
{
	ssize_t put;
	int fd, code = 0;

	(void)state;
	fd = file_open(root, path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return fd;
	do
		put = write(fd, text, strlen(text));
	while (put < 0 && errno == EINTR);
	if (put < 0)
		code = -errno;
	else if ((size_t)put != strlen(text))
		code = -EIO;
	if (close(fd) && !code)
		code = -errno;
	return code;
}

/* Looks again and again: a wait in flock() could only be ended by a signal. */
static int real_lock_file(void *state, const char *root, const char *path,
			  uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	const uint64_t begin_ns = real_now_ns(state);
	const int fd = file_open(root, path, O_RDONLY);
	int code;

	if (fd < 0)
		return fd;
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		code = -errno;
		if (code != -EAGAIN ||
		    real_now_ns(state) - begin_ns >= wait_ns) {
			close(fd);
			return code;
		}
		nanosleep(&pause, NULL);
	}
	return fd;
}

static void real_unlock_file(void *state, int lock)
{
	(void)state;
	close(lock);
}

static int real_pin(void *state, unsigned int cpu)
{
	(void)state;
	return fz_hw_pin(cpu);
}

static unsigned int real_cpu(void *state)
{
	const int cpu = sched_getcpu();

	(void)state;
	return cpu < 0 ? 0 : (unsigned int)cpu;
}

static int real_bind_memory(void *state, void *base, size_t bytes,
			    unsigned int node)
{
	uint64_t mask[MAX_NODES / 64] = { 0 };

	(void)state;
	if (node >= MAX_NODES)
		return -EINVAL;
	mask[node / 64] = 1ull << node % 64;
	/* The kernel takes one bit less than it is told of. */
	if (syscall(SYS_mbind, base, bytes, MPOL_BIND, mask, MAX_NODES + 1,
		    MPOL_MF_STRICT))
		return -errno;
	return 0;
}

static int real_page_nodes(void *state, const void **pages, size_t nr,
			   int *node)
{
	(void)state;
	/* Without nodes to move to, it tells where the pages are. */
	return syscall(SYS_move_pages, 0, nr, pages, NULL, node, 0) ? -errno
								    : 0;
}

static int real_set_fifo(void *state, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	(void)state;
	return sched_setscheduler(0, SCHED_FIFO, &param) ? -errno : 0;
}

static int real_set_timer_slack(void *state, uint64_t slack_ns)
{
	(void)state;
	if (slack_ns > LONG_MAX)
		return -EINVAL;
	return prctl(PR_SET_TIMERSLACK, (unsigned long)slack_ns) ? -errno : 0;
}

static int real_sleep_until_ns(void *state, uint64_t until_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / 1000000000u),
		.tv_nsec = (long)(until_ns % 1000000000u),
	};
	int error;

	(void)state;
	do
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until,
					NULL);
	while (error == EINTR);
	return -error;
}

static int real_perf_open(void *state, const struct fz_perf_config *event,
			  int leader)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.read_format = PERF_FORMAT_GROUP |
			       PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_user = event->exclude_user,
		.exclude_kernel = event->exclude_kernel,
		.exclude_hv = 1,
		.disabled = leader < 0,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader,
				    PERF_FLAG_FD_CLOEXEC);

	(void)state;
	return fd < 0 ? -errno : fd;
}

static int real_perf_enable(void *state, int leader)
{
	(void)state;
	return ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP)
		       ? -errno
		       : 0;
}

static ssize_t real_perf_read(void *state, int leader, uint64_t *words,
			      size_t nr)
{
	const ssize_t bytes = read(leader, words, nr * sizeof(*words));

	(void)state;
	return bytes < 0 ? -errno : bytes;
}

static void real_perf_close(void *state, int counter)
{
	(void)state;
	close(counter);
}

static void real_hypervisor_id(void *state, char id[FZ_HYPERVISOR_ID_BYTES])
{
	(void)state;
	memset(id, 0, FZ_HYPERVISOR_ID_BYTES);
#if defined(__x86_64__)
	uint32_t leaf[4];

	__cpuid(1, leaf[0], leaf[1], leaf[2], leaf[3]);
	if (!(leaf[2] & 1u << 31)) /* "hypervisor" */
		return;
	__cpuid(0x40000000, leaf[0], leaf[1], leaf[2], leaf[3]);
	memcpy(id, &leaf[1], 12);
#endif
}

static int real_usage(void *state, struct fz_usage *usage)
{
	struct rusage now;

	(void)state;
	if (getrusage(RUSAGE_THREAD, &now))
		return -errno;
	*usage = (struct fz_usage){
		.minor_faults = (uint64_t)now.ru_minflt,
		.involuntary_switches = (uint64_t)now.ru_nivcsw,
	};
	return 0;
}

const struct fz_hooks fz_hooks_default = {
	.root = "",
	.ticks = real_ticks,
	.now_ns = real_now_ns,
	.tick_ns = real_tick_ns,
	.map = real_map,
	.unmap = real_unmap,
	.advise = real_advise,
	.read_file = real_read_file,
	.list_dir = real_list_dir,
	.write_file = real_write_file,
	.lock_file = real_lock_file,
	.unlock_file = real_unlock_file,
	.pin = real_pin,
	.cpu = real_cpu,
	.bind_memory = real_bind_memory,
	.page_nodes = real_page_nodes,
	.set_fifo = real_set_fifo,
	.set_timer_slack = real_set_timer_slack,
	.sleep_until_ns = real_sleep_until_ns,
	.perf_open = real_perf_open,
	.perf_enable = real_perf_enable,
	.perf_read = real_perf_read,
	.perf_close = real_perf_close,
	.hypervisor_id = real_hypervisor_id,
	.usage = real_usage,
};

ssize_t fz_read_text(const struct fz_hooks *hooks, const char *path, char *buf,
		     size_t cap)
{
	ssize_t bytes =
		hooks->read_file(hooks->state, hooks->root, path, 0, buf, cap);

	if (bytes > 0 && buf[bytes - 1] == '\n')
		buf[--bytes] = '\0';
	return bytes;
}

int fz_read_u64(const struct fz_hooks *hooks, const char *path, uint64_t *value)
{
	char text[32];
	const ssize_t bytes = fz_read_text(hooks, path, text, sizeof(text));

	if (bytes < 0)
		return (int)bytes;
	return fz_parse_u64(text, value, NULL) ? -EBADMSG : 0;
}
