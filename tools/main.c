// SPDX-License-Identifier: GPL-2.0-or-later
/* foliosim: finds the subcommand, runs it, and checks that it was heard. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "options.h"

static const struct fz_command *const commands[] = {
	&fz_command_bench,   &fz_command_calibrate, &fz_command_compare,
	&fz_command_kpolicy, &fz_command_list,      &fz_command_machine,
	&fz_command_plan,    &fz_command_replay,    &fz_command_simulate,
	&fz_command_trace,   &fz_command_tune,      NULL,
};

static const char *command_name_at(size_t i)
{
	return commands[i] ? commands[i]->name : NULL;
}

static void print_usage(FILE *out)
{
	fputs("usage: foliosim COMMAND [OPTION]...\n"
	      "       foliosim help [COMMAND]\n"
	      "       foliosim --help | --version\n"
	      "\n"
	      "Which way of zeroing huge pages is best on this machine, and what\n"
	      "it costs in preemption latency and in using the pages afterwards.\n"
	      "\n",
	      out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name,
			commands[i]->summary);
	fputs("\nExit status: 0 done, 1 failed, 2 usage, 77 nothing could run "
	      "here.\n",
	      out);
}

static const struct fz_command *find_command(const char *word)
{
	size_t i;

	if (!fz_option_index("command", word, command_name_at, &i))
		return NULL;
	return commands[i];
}

static int run_help(int argc, char **argv)
{
	char help[] = "--help";
	char *words[] = { argv[1], help, NULL };
	const struct fz_command *command;

	if (argc < 2) {
		print_usage(stdout);
		return FZ_EXIT_DONE;
	}
	if (argc > 2) {
		fz_complain("unexpected argument '%s'", argv[2]);
		return FZ_EXIT_USAGE;
	}
	command = find_command(argv[1]);
	return command ? command->run(2, words) : FZ_EXIT_USAGE;
}

static int run_command(int argc, char **argv)
{
	const struct fz_command *command;

	if (argc < 1) {
		print_usage(stderr);
		return FZ_EXIT_USAGE;
	}
	if (strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0)
		return run_help(argc, argv);
	if (strcmp(argv[0], "--version") == 0) {
		if (argc > 1) {
			fz_complain("unexpected argument '%s'", argv[1]);
			return FZ_EXIT_USAGE;
		}
		printf("foliosim %s\n", FZ_VERSION);
		return FZ_EXIT_DONE;
	}
	if (argv[0][0] == '-') {
		fz_complain("unknown option '%s'", argv[0]);
		return FZ_EXIT_USAGE;
	}
	command = find_command(argv[0]);
	return command ? command->run(argc, argv) : FZ_EXIT_USAGE;
}

/*
 * What is written to a file or pipe is collected, so that the reason of a
 * failure is still known when check_output() asks.
 */
static void buffer_output(void)
{
	static char buffer[65536];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

/* A full disk must not pass for success. */
static int check_output(int status)
{
	/* The command has seen it and said so. */
	if (ferror(stdout) && status != FZ_EXIT_DONE)
		return status;
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return fz_output_failed(errno ? -errno : -EIO);
}

/*
 * A standard stream that is closed would be the number of the next file that
 * is opened, and messages would end up in it. Reading or writing one fails all
 * the same.
 */
static void hold_standard_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", modes[fd]);
}

int main(int argc, char **argv)
{
	hold_standard_streams();
	buffer_output();
	return check_output(run_command(argc - 1, argv + 1));
}
