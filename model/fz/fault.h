/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page fault that was recorded, and what else a recording tells. */
#ifndef FZ_FAULT_H
#define FZ_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum fz_event - what a record is about
 * @FZ_EVENT_PAGE_FAULTS: software event page-faults, at the fault's entry
 * @FZ_EVENT_MINOR_FAULTS: software event minor-faults, at its exit
 * @FZ_EVENT_MAJOR_FAULTS: software event major-faults, at its exit
 * @FZ_EVENT_USER_FAULT: tracepoint exceptions:page_fault_user, at its entry
 * @FZ_EVENT_KERNEL_FAULT: tracepoint exceptions:page_fault_kernel
 * @FZ_EVENT_EXEC: the process has a new, empty address space
 * @FZ_EVENT_FORK: @pid is a new process; @value is its parent's pid
 * @FZ_EVENT_EXIT: the task @tid ended; the process where @tid is @pid
 * @FZ_EVENT_MMAP: a mapping of @value bytes at @addr; @backing tells its kind
 * @FZ_EVENT_LOST: @value events were lost here
 * @FZ_NR_EVENTS: how many
 */
enum fz_event {
	FZ_EVENT_PAGE_FAULTS,
	FZ_EVENT_MINOR_FAULTS,
	FZ_EVENT_MAJOR_FAULTS,
	FZ_EVENT_USER_FAULT,
	FZ_EVENT_KERNEL_FAULT,
	FZ_EVENT_EXEC,
	FZ_EVENT_FORK,
	FZ_EVENT_EXIT,
	FZ_EVENT_MMAP,
	FZ_EVENT_LOST,
	FZ_NR_EVENTS,
};

/**
 * enum fz_fault_knows - which members of a record were recorded
 * @FZ_KNOWS_TIME: time_ns
 * @FZ_KNOWS_ADDR: addr
 * @FZ_KNOWS_IP: ip
 * @FZ_KNOWS_PID: pid
 * @FZ_KNOWS_TID: tid
 * @FZ_KNOWS_CPU: cpu
 * @FZ_KNOWS_ERROR_CODE: error_code
 */
enum fz_fault_knows {
	FZ_KNOWS_TIME = 1 << 0,
	FZ_KNOWS_ADDR = 1 << 1,
	FZ_KNOWS_IP = 1 << 2,
	FZ_KNOWS_PID = 1 << 3,
	FZ_KNOWS_TID = 1 << 4,
	FZ_KNOWS_CPU = 1 << 5,
	FZ_KNOWS_ERROR_CODE = 1 << 6,
};

/**
 * enum fz_fault_bits - bits of an error code
 * @FZ_FAULT_PRESENT: the page is there: a write to it copies
 * @FZ_FAULT_WRITE: a write
 * @FZ_FAULT_USER: from user mode
 * @FZ_FAULT_FETCH: an instruction
 *
 * x86's: Intel SDM volume 3, "Page-Fault Exception".
 */
enum fz_fault_bits {
	FZ_FAULT_PRESENT = 1 << 0,
	FZ_FAULT_WRITE = 1 << 1,
	FZ_FAULT_USER = 1 << 2,
	FZ_FAULT_FETCH = 1 << 4,
};

/**
 * enum fz_fault_backing - what is mapped at the address
 * @FZ_BACKING_UNKNOWN: the recording does not say
 * @FZ_BACKING_ANON: anonymous memory, hugetlb included
 * @FZ_BACKING_FILE: a file
 */
enum fz_fault_backing {
	FZ_BACKING_UNKNOWN,
	FZ_BACKING_ANON,
	FZ_BACKING_FILE,
};

#define FZ_COMM_BYTES 16

/**
 * struct fz_fault - one record
 * @time_ns: since an unknown instant
 * @addr: faulting address
 * @ip: instruction pointer
 * @value: see enum fz_event, else 0
 * @pid: process
 * @tid: thread
 * @cpu: where it ran
 * @error_code: x86's
 * @event: enum fz_event
 * @knows: enum fz_fault_knows; what it does not name is 0
 * @backing: enum fz_fault_backing
 * @comm_bytes: bytes in @comm, 0 = unknown
 * @comm: [comm_bytes] name of the task: any bytes but NUL, not NUL-terminated
 */
struct fz_fault {
	uint64_t time_ns;
	uint64_t addr;
	uint64_t ip;
	uint64_t value;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t error_code;
	uint8_t event;
	uint8_t knows;
	uint8_t backing;
	uint8_t comm_bytes;
	char comm[FZ_COMM_BYTES];
};

/**
 * enum fz_fault_class - what the kernel had to do for a fault
 * @FZ_CLASS_ZERO_FILL: a write to memory that was not there: zeroes are needed
 * @FZ_CLASS_READ: a read of memory that was not there: the zero page serves
 * @FZ_CLASS_COPY: a write to a page that is there but not writable: copied
 * @FZ_CLASS_FETCH: an instruction
 * @FZ_CLASS_FILE: of a file
 * @FZ_CLASS_KERNEL: a kernel address
 * @FZ_CLASS_UNKNOWN: the recording does not say; it has no error code
 * @FZ_NR_CLASSES: how many
 */
enum fz_fault_class {
	FZ_CLASS_ZERO_FILL,
	FZ_CLASS_READ,
	FZ_CLASS_COPY,
	FZ_CLASS_FETCH,
	FZ_CLASS_FILE,
	FZ_CLASS_KERNEL,
	FZ_CLASS_UNKNOWN,
	FZ_NR_CLASSES,
};

/**
 * fz_fault_class_of() - the class of a fault
 * @fault: a record of a fault with an address
 *
 * Return: its class, from address, backing and error code.
 */
enum fz_fault_class fz_fault_class_of(const struct fz_fault *fault);

/**
 * fz_fault_class_name() - its name in tables and JSON
 * @which: the class
 *
 * Return: "zero-fill", "read", "copy", "fetch", "file", "kernel" or "unknown".
 */
const char *fz_fault_class_name(enum fz_fault_class which);

/**
 * fz_event_is_fault() - is a record about a fault?
 * @event: its event
 *
 * Return: false for exec, fork, exit, mmap and lost.
 */
bool fz_event_is_fault(enum fz_event event);

/**
 * fz_event_name() - its name in canonical and CSV traces
 * @event: the event
 *
 * Return: perf's name where there is one: "page-faults",
 * "exceptions:page_fault_user".
 */
const char *fz_event_name(enum fz_event event);

/**
 * fz_event_find() - the event of a name
 * @name: [@bytes], not NUL-terminated
 * @bytes: its length
 * @event: written on success; perf's other names for an event ("faults") too
 *
 * Return: true if it is known.
 */
bool fz_event_find(const char *name, size_t bytes, enum fz_event *event);

#endif
