/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process in which a policy object is loaded and plans. */
#ifndef OBJECT_CHILD_H
#define OBJECT_CHILD_H

/*
 * Loads the object at `path`, which has a '/', sends FZ_WIRE_POLICY or
 * FZ_WIRE_NOTHING, then answers requests until the wire is closed. The process
 * has been confined before, and is more so when the object is loaded.
 */
_Noreturn void fz_object_child_run(const char *path);

#endif
