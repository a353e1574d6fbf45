/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands of foliosim trace; their argv[0] is their word. */
#ifndef FZ_CMD_TRACE_H
#define FZ_CMD_TRACE_H

#include "command.h"

extern const struct fz_command fz_trace_command_convert;
extern const struct fz_command fz_trace_command_generate;
extern const struct fz_command fz_trace_command_info;
extern const struct fz_command fz_trace_command_record;

#endif
