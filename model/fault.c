// SPDX-License-Identifier: GPL-2.0-or-later
/* Classes and names of recorded faults. */
#include <fz/fault.h>

#include <string.h>

/* The upper half of the address space is the kernel's on every 64-bit CPU. */
#define KERNEL_BIT (1ull << 63)

enum fz_fault_class fz_fault_class_of(const struct fz_fault *fault)
{
	if (fault->addr & KERNEL_BIT)
		return FZ_CLASS_KERNEL;
	if (fault->backing == FZ_BACKING_FILE)
		return FZ_CLASS_FILE;
	if (!(fault->knows & FZ_KNOWS_ERROR_CODE))
		return FZ_CLASS_UNKNOWN;
	if (fault->error_code & FZ_FAULT_FETCH)
		return FZ_CLASS_FETCH;
	if (!(fault->error_code & FZ_FAULT_WRITE))
		return FZ_CLASS_READ;
	return fault->error_code & FZ_FAULT_PRESENT ? FZ_CLASS_COPY
						    : FZ_CLASS_ZERO_FILL;
}

const char *fz_fault_class_name(enum fz_fault_class which)
{
	static const char *const names[FZ_NR_CLASSES] = {
		[FZ_CLASS_ZERO_FILL] = "zero-fill",
		[FZ_CLASS_READ] = "read",
		[FZ_CLASS_COPY] = "copy",
		[FZ_CLASS_FETCH] = "fetch",
		[FZ_CLASS_FILE] = "file",
		[FZ_CLASS_KERNEL] = "kernel",
		[FZ_CLASS_UNKNOWN] = "unknown",
	};

	return names[which];
}

bool fz_event_is_fault(enum fz_event event)
{
	return event <= FZ_EVENT_KERNEL_FAULT;
}

static const char *const event_names[FZ_NR_EVENTS] = {
	[FZ_EVENT_PAGE_FAULTS] = "page-faults",
	[FZ_EVENT_MINOR_FAULTS] = "minor-faults",
	[FZ_EVENT_MAJOR_FAULTS] = "major-faults",
	[FZ_EVENT_USER_FAULT] = "exceptions:page_fault_user",
	[FZ_EVENT_KERNEL_FAULT] = "exceptions:page_fault_kernel",
	[FZ_EVENT_EXEC] = "exec",
	[FZ_EVENT_FORK] = "fork",
	[FZ_EVENT_EXIT] = "exit",
	[FZ_EVENT_MMAP] = "mmap",
	[FZ_EVENT_LOST] = "lost",
};

const char *fz_event_name(enum fz_event event)
{
	return event_names[event];
}

static bool is_name(const char *name, size_t bytes, const char *known)
{
	return strlen(known) == bytes && memcmp(name, known, bytes) == 0;
}

bool fz_event_find(const char *name, size_t bytes, enum fz_event *event)
{
	if (is_name(name, bytes, "faults")) {
		*event = FZ_EVENT_PAGE_FAULTS;
		return true;
	}
	for (unsigned int i = 0; i < FZ_NR_EVENTS; i++) {
		if (!is_name(name, bytes, event_names[i]))
			continue;
		*event = (enum fz_event)i;
		return true;
	}
	return false;
}
