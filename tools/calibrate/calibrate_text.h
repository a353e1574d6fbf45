/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A calibration as text. */
#ifndef FZ_CALIBRATE_TEXT_H
#define FZ_CALIBRATE_TEXT_H

#include <stdio.h>

#include <fz/calibrate.h>
#include <fz/machine.h>

/* What was measured on; kept by value, since the buffer is gone by then. */
struct fz_calibrated_on {
	struct fz_page_size page;
	struct fz_backing backing;
	uint64_t bytes;
	uint64_t max_extent_bytes;
};

/* Return: 0 or -errno. */
int fz_calibrate_text(FILE *out, const struct fz_calibration *calibration,
		      const struct fz_machine *machine,
		      const struct fz_calibrated_on *on);

#endif
