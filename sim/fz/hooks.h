/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every side effect of this layer, replaceable by tests. */
#ifndef FZ_HOOKS_H
#define FZ_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct fz_usage - what happened to the calling thread since it began
 * @minor_faults: page faults served without I/O
 * @involuntary_switches: times another task took the CPU
 */
struct fz_usage {
	uint64_t minor_faults;
	uint64_t involuntary_switches;
};

/**
 * struct fz_perf_config - what a perf counter counts, see perf_event_open(2)
 * @type: kind of event
 * @config: which of its kind
 * @config1: more of it, for some
 * @config2: more of it, for some
 * @exclude_user: not in user mode
 * @exclude_kernel: not in the kernel
 */
struct fz_perf_config {
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	bool exclude_user;
	bool exclude_kernel;
};

#define FZ_HYPERVISOR_ID_BYTES 13

/**
 * struct fz_hooks - the outside world
 * @state: handed to every function
 * @root: prefix of every /proc and /sys path, "" for the real ones; tests
 *	point it at a saved tree
 * @ticks: a raw clock that never steps back; on x86-64 the time-stamp counter,
 *	on arm64 the virtual counter, unfenced, so that reading it costs nothing
 *	beside a clear
 * @now_ns: CLOCK_MONOTONIC in ns
 * @tick_ns: time between two ticks of the kernel, as the resolution of its
 *	coarse clock tells it; 0 = unknown
 * @map: mmap() of anonymous private memory; MAP_FAILED and errno
 * @unmap: munmap(); 0 or -errno
 * @advise: madvise(); 0 or -errno
 * @read_file: up to @cap - 1 bytes from @offset of a file below @root into
 *	@buf, NUL-terminated; the number of bytes, fewer only at the end of the
 *	file, or -errno
 * @list_dir: calls @name for every entry of a directory below @root, in no
 *	order, without "." and ".."; 0 or -errno
 * @write_file: overwrite a file below @root with @text, never create one; 0 or
 *	-errno
 * @lock_file: take the lock of a file below @root, that programs which agree on
 *	it hold one at a time, waiting up to @wait_ns; what unlock_file wants,
 *	0 or more, or -errno: -EAGAIN if somebody held it all the time. The end
 *	of the process also ends it
 * @unlock_file: give such a lock back
 * @pin: bind the calling thread to a CPU, through hwloc; 0 or -errno:
 *	-ENOTSUP where the environment shows hwloc another machine. Any thread
 *	may call it at any time
 * @cpu: the CPU the calling thread is on
 * @bind_memory: let a range, whose start is aligned to a page, take memory of
 *	one NUMA node and no other: mbind(MPOL_BIND); call it after each map and
 *	before the first touch; 0 or -errno, -EIO if pages are elsewhere already
 * @page_nodes: the NUMA node of each page at @pages, [nr], into @node, [nr],
 *	or a negative errno there for a page that is not there; 0, or -errno
 *	where nothing can be told
 * @set_fifo: put the calling thread under SCHED_FIFO with that priority, 1
 *	(lowest) to 99; 0 or -errno: -EPERM without the right
 * @set_timer_slack: how late the calling thread's timers may fire, in ns, for
 *	the kernel to batch them, 0 = the default; real-time threads have none;
 *	0 or -errno
 * @sleep_until_ns: sleep until CLOCK_MONOTONIC reaches that; signals do not
 *	end it; 0 or -errno
 * @perf_open: open a counter of the calling thread, in the group of the counter
 *	@leader, or with -1 as the leader of a group that does not count yet;
 *	the counter, 0 or more, or -errno
 * @perf_enable: let a leader's group count, once all its members are open: one
 *	that came later would only begin when the thread is scheduled anew;
 *	0 or -errno
 * @perf_read: the counts of a leader's group into @words, [nr]: counters, ns
 *	enabled, ns running, and the value of each in the order they were
 *	opened; bytes, or -errno
 * @perf_close: end a counter
 * @hypervisor_id: the hypervisor's signature as the CPU tells it (CPUID leaf
 *	0x40000000, "KVMKVMKVM"), empty where there is none
 * @usage: what the calling thread has suffered so far; 0 or -errno
 *
 * Fill one by copying fz_hooks_default and overriding, so that a new hook is
 * never garbage.
 */
struct fz_hooks {
	void *state;
	const char *root;
	uint64_t (*ticks)(void *state);
	uint64_t (*now_ns)(void *state);
	uint64_t (*tick_ns)(void *state);
	void *(*map)(void *state, void *addr, size_t bytes, int prot,
		     int flags);
	int (*unmap)(void *state, void *addr, size_t bytes);
	int (*advise)(void *state, void *addr, size_t bytes, int advice);
	ssize_t (*read_file)(void *state, const char *root, const char *path,
			     uint64_t offset, void *buf, size_t cap);
	int (*list_dir)(void *state, const char *root, const char *path,
			void (*name)(void *arg, const char *entry), void *arg);
	int (*write_file)(void *state, const char *root, const char *path,
			  const char *text);
	int (*lock_file)(void *state, const char *root, const char *path,
			 uint64_t wait_ns);
	void (*unlock_file)(void *state, int lock);
	int (*pin)(void *state, unsigned int cpu);
	unsigned int (*cpu)(void *state);
	int (*bind_memory)(void *state, void *base, size_t bytes,
			   unsigned int node);
	int (*page_nodes)(void *state, const void **pages, size_t nr,
			  int *node);
	int (*set_fifo)(void *state, int priority);
	int (*set_timer_slack)(void *state, uint64_t slack_ns);
	int (*sleep_until_ns)(void *state, uint64_t until_ns);
	int (*perf_open)(void *state, const struct fz_perf_config *event,
			 int leader);
	int (*perf_enable)(void *state, int leader);
	ssize_t (*perf_read)(void *state, int leader, uint64_t *words,
			     size_t nr);
	void (*perf_close)(void *state, int counter);
	void (*hypervisor_id)(void *state, char id[FZ_HYPERVISOR_ID_BYTES]);
	int (*usage)(void *state, struct fz_usage *usage);
};

/* The real world. */
extern const struct fz_hooks fz_hooks_default;

/**
 * fz_read_text() - a whole small file, trailing newline removed
 * @hooks: the world
 * @path: absolute path without the root
 * @buf: [cap], NUL-terminated on success
 * @cap: size of @buf in bytes; a longer file is cut
 *
 * Return: bytes without the NUL, or -errno.
 */
ssize_t fz_read_text(const struct fz_hooks *hooks, const char *path, char *buf,
		     size_t cap);

/**
 * fz_read_u64() - a file that holds one decimal number
 * @hooks: the world
 * @path: absolute path without the root
 * @value: written on success
 *
 * Return: 0, -errno, or -EBADMSG if it holds something else.
 */
int fz_read_u64(const struct fz_hooks *hooks, const char *path,
		uint64_t *value);

#endif
