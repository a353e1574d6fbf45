// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame format of RFC 8878, section 3.1: heads only. */
#include "zst_frames.h"

enum part {
	PART_MAGIC,
	PART_DESCRIPTOR,
	PART_BLOCK,
	PART_SKIPPABLE,
	PART_UNKNOWN, /* whoever unpacks it complains */
};

#define MAGIC           0xfd2fb528u
#define SKIPPABLE_MAGIC 0x184d2a50u /* and the fifteen behind it */

#define BLOCK_RLE 1u

static const size_t part_bytes[] = {
	[PART_MAGIC] = 4,
	[PART_DESCRIPTOR] = 1,
	[PART_BLOCK] = 3,
	[PART_SKIPPABLE] = 4,
};

static enum part take_magic(uint32_t magic)
{
	if (magic == MAGIC)
		return PART_DESCRIPTOR;
	return (magic & ~0xfu) == SKIPPABLE_MAGIC ? PART_SKIPPABLE
						  : PART_UNKNOWN;
}

/* Bit 5: a single segment, without a window; 0-1 and 6-7: sizes. */
static enum part take_descriptor(struct fz_zst_frames *frames, uint32_t bits)
{
	static const uint8_t id_bytes[] = { 0, 1, 2, 4 };
	static const uint8_t size_bytes[] = { 0, 2, 4, 8 };
	const bool is_single = bits >> 5 & 1;

	frames->has_checksum = bits >> 2 & 1;
	if (!frames->has_checksum)
		frames->lacks_checksum = true;
	frames->skip = id_bytes[bits & 3] + size_bytes[bits >> 6];
	frames->skip += is_single ? bits >> 6 == 0 : 1;
	return PART_BLOCK;
}

/* Bit 0: the last one; 1-2: its type; then its size. */
static enum part take_block(struct fz_zst_frames *frames, uint32_t bits)
{
	frames->skip = (bits >> 1 & 3) == BLOCK_RLE ? 1 : bits >> 3;
	if (!(bits & 1))
		return PART_BLOCK;
	frames->skip += frames->has_checksum ? 4 : 0;
	return PART_MAGIC;
}

static enum part take_part(struct fz_zst_frames *frames)
{
	uint32_t value = 0;

	for (size_t i = frames->nr; i-- > 0;)
		value = value << 8 | frames->bytes[i];
	frames->nr = 0;
	switch ((enum part)frames->part) {
	case PART_MAGIC:
		return take_magic(value);
	case PART_DESCRIPTOR:
		return take_descriptor(frames, value);
	case PART_BLOCK:
		return take_block(frames, value);
	case PART_SKIPPABLE:
		frames->skip = value;
		return PART_MAGIC;
	case PART_UNKNOWN:
		break;
	}
	return PART_UNKNOWN;
}

void fz_zst_frames_add(struct fz_zst_frames *frames, const void *bytes,
		       size_t nr)
{
	const uint8_t *at = bytes, *const end = at + nr;

	while (at < end && frames->part != PART_UNKNOWN) {
		if (frames->skip) {
			const uint64_t left = (uint64_t)(end - at);
			const uint64_t some =
				frames->skip < left ? frames->skip : left;

			frames->skip -= some;
			at += some;
			continue;
		}
		frames->bytes[frames->nr++] = *at++;
		if (frames->nr == part_bytes[frames->part])
			frames->part = take_part(frames);
	}
}
