/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands of foliosim. */
#ifndef FZ_COMMAND_H
#define FZ_COMMAND_H

/* Exit status of every subcommand. */
enum fz_exit {
	FZ_EXIT_DONE = 0,
	FZ_EXIT_FAILED = 1,
	FZ_EXIT_USAGE = 2,
	FZ_EXIT_CANNOT_RUN = 77, /* nothing could run here */
};

/**
 * struct fz_command - a subcommand
 * @name: its word. Required.
 * @summary: one line. Required.
 * @run: argv[0] is the word; returns enum fz_exit. Required.
 */
struct fz_command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

extern const struct fz_command fz_command_bench;
extern const struct fz_command fz_command_calibrate;
extern const struct fz_command fz_command_compare;
extern const struct fz_command fz_command_kpolicy;
extern const struct fz_command fz_command_list;
extern const struct fz_command fz_command_machine;
extern const struct fz_command fz_command_plan;
extern const struct fz_command fz_command_replay;
extern const struct fz_command fz_command_simulate;
extern const struct fz_command fz_command_trace;
extern const struct fz_command fz_command_tune;

#endif
