/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of the random streams, so that no two uses share one. */
#ifndef FZ_STREAMS_H
#define FZ_STREAMS_H

/**
 * enum fz_stream - what a random stream is for
 * @FZ_STREAM_FAULT_PAGE: the faulting page of each folio and round
 * @FZ_STREAM_ROW_ORDER: the order of rows in a round
 * @FZ_STREAM_BOOTSTRAP: resampling
 * @FZ_STREAM_OVERHEAD: the order inside a pair of the overhead test
 * @FZ_STREAM_WAKER: times between wake-ups
 * @FZ_STREAM_PROBE: orders and lines of the probes
 * @FZ_STREAM_CALIBRATE: orders of pieces, and of plans in a round
 */
enum fz_stream {
	FZ_STREAM_FAULT_PAGE = 1,
	FZ_STREAM_ROW_ORDER,
	FZ_STREAM_BOOTSTRAP,
	FZ_STREAM_OVERHEAD,
	FZ_STREAM_WAKER,
	FZ_STREAM_PROBE,
	FZ_STREAM_CALIBRATE,
};

#endif
