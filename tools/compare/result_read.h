/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result document read back: checked once, so that its users need not. */
#ifndef FZ_RESULT_READ_H
#define FZ_RESULT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fz/err.h>
#include <jansson.h>

#define FZ_RESULT_SCHEMA "foliosim.result/1"

/* What is read of a file at most, and of rows: some more than bench makes. */
#define FZ_RESULT_MAX_BYTES ((size_t)256 << 20)
#define FZ_RESULT_MAX_ROWS  4096

/**
 * struct fz_read_row - a row of a document
 * @json: the row; its members have the types of the schema, and there are those
 *	of row_places.h, and profile, which a row of engine model is priced by
 * @id: "r3"
 * @reason: why it has no measurements, or not all; NULL = no reason
 * @seconds: [rounds], each finite and above 0; NULL without rounds; owned
 * @rounds: their number, at most FZ_MAX_ROUNDS
 * @bytes: zeroed in one round; 0 without rounds
 * @lead: the first row of its document that shares its measurement, itself if
 *	there is no other
 */
struct fz_read_row {
	const json_t *json;
	const char *id;
	const char *reason;
	double *seconds;
	size_t rounds;
	double bytes;
	const struct fz_read_row *lead;
};

/**
 * struct fz_document - a result document
 * @path: as it was given; "-" is standard input
 * @root: the JSON; owned
 * @machine: its machine block, an object
 * @partial: a signal ended the run early
 * @version: of the tool
 * @command: NULL = unknown
 * @seed: JSON integer or null
 * @rows: [nr_rows]; owned
 * @nr_rows: their number
 * @switches: how often other tasks took the CPU in measured rounds; of rows
 *with one thread and without a waker, each measurement once
 * @switches_per_s: the same for a second in @rows[].seconds, which are not all
 *	the time that they were counted in: above the rate; 0 without such rows
 */
struct fz_document {
	const char *path;
	json_t *root;
	const json_t *machine;
	bool partial;
	const char *version;
	const char *command;
	const json_t *seed;
	struct fz_read_row *rows;
	size_t nr_rows;
	double switches;
	double switches_per_s;
};

/* Two copies of one measurement, under whatever names. */
bool fz_document_is_same(const struct fz_document *a,
			 const struct fz_document *b);

/*
 * Read and check a document. Return: 0 or -errno with a sentence that names the
 * file. fz_document_fini() follows in either case; of a document that is all
 * zero it does nothing.
 */
int fz_document_read(struct fz_document *document, const char *path,
		     struct fz_err *err);
void fz_document_fini(struct fz_document *document);

/* The same from text in memory; `path` is for the sentence. */
int fz_document_parse(struct fz_document *document, const char *path,
		      const char *text, size_t bytes, struct fz_err *err);

/*
 * Did the run share its CPU? A task that always wants the CPU comes to some
 * hundred, the housekeeping of an idle machine to some twenty:
 * docs/comparing.md says of what, and where the threshold comes from. A few in
 * a short run are chance.
 */
#define FZ_DISTURBED_PER_S    40
#define FZ_DISTURBED_SWITCHES 10
bool fz_document_is_disturbed(const struct fz_document *document);

#endif
