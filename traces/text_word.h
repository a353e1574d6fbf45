/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a known width, eight characters of a line at a time. */
#ifndef TEXT_WORD_H
#define TEXT_WORD_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A byte, eight times. */
#define TEXT_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight characters, the first in the highest byte. */
static inline uint64_t text_word(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return be64toh(word);
}

/* The top bit of each byte that is at least @least; all are below 0x80. */
static inline uint64_t text_at_least(uint64_t word, unsigned int least)
{
	return (word + TEXT_BYTES(0x80 - least)) & TEXT_BYTES(0x80);
}

static inline uint64_t text_in_range(uint64_t word, char first, char last)
{
	return text_at_least(word, (unsigned char)first) &
	       ~text_at_least(word, (unsigned char)last + 1u);
}

/* Eight decimal digits. */
static inline bool text_decimal8(const char *text, uint32_t *value)
{
	uint64_t word = text_word(text);

	if (word & TEXT_BYTES(0x80) ||
	    text_in_range(word, '0', '9') != TEXT_BYTES(0x80))
		return false;
	word &= TEXT_BYTES(0x0f);
	word = (word >> 8 & 0x00ff00ff00ff00ffu) * 10 +
	       (word & 0x00ff00ff00ff00ffu);
	word = (word >> 16 & 0x0000ffff0000ffffu) * 100 +
	       (word & 0x0000ffff0000ffffu);
	*value = (uint32_t)(word >> 32) * 10000 + (uint32_t)word;
	return true;
}

/* Eight columns of a number in hex, small letters. Blanks count as zeroes;
 * @blanks gets the top bit of the byte of each. */
static inline bool text_hex8(const char *text, uint64_t *value,
			     uint64_t *blanks)
{
	uint64_t word = text_word(text);

	*blanks = text_in_range(word, ' ', ' ');
	if (word & TEXT_BYTES(0x80) ||
	    (*blanks | text_in_range(word, '0', '9') |
	     text_in_range(word, 'a', 'f')) != TEXT_BYTES(0x80))
		return false;
	word = (word & TEXT_BYTES(0x0f)) + 9 * (word >> 6 & TEXT_BYTES(1));
	word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
	word = (word | word >> 8) & 0x0000ffff0000ffffu;
	*value = (word | word >> 16) & 0xffffffffu;
	return true;
}

/* Is there no blank behind a digit? */
static inline bool text_blanks_lead(uint64_t blanks)
{
	return (blanks << 8 & ~blanks) == 0;
}

/* Sixteen columns of a number in hex with blanks on its left. */
static inline bool text_hex16(const char *text, uint64_t *value)
{
	uint64_t high, low, blanks_high, blanks_low;

	if (!text_hex8(text, &high, &blanks_high) ||
	    !text_hex8(text + 8, &low, &blanks_low))
		return false;
	*value = high << 32 | low;
	if (blanks_high != TEXT_BYTES(0x80))
		return text_blanks_lead(blanks_high) && !blanks_low;
	return text_blanks_lead(blanks_low) && blanks_low != TEXT_BYTES(0x80);
}

#endif
