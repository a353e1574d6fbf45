// SPDX-License-Identifier: GPL-2.0-or-later
/* Our compact bytes: blocks of records with checksums. docs/trace-formats.md
 * has the layout. */
#include <fz/trace_format.h>

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Eight bits, a line end that text transfers change, an end of file that some
 * systems obey. */
static const uint8_t magic[8] = { 0x89, 'f', 'z', 't', 'r', '\r', '\n', 0x1a };

#define VERSION    1u
#define FILE_BYTES (sizeof(magic) + 4)

/* Of a block: numbers of records and contexts, bytes, checksum. */
#define HEAD_BYTES    16u
#define CHECKED_BYTES 12u /* of them, before the checksum */

#define MAX_BLOCK_BYTES   ((size_t)64 << 10) /* behind the head */
#define MAX_CONTEXTS      1024u
#define FIXED_CONTEXT     28u /* bytes of a context before the comm */
#define MAX_CONTEXT_BYTES (FIXED_CONTEXT + FZ_COMM_BYTES)
#define MAX_RECORD_BYTES  (2u + 2u + 3 * 8u)
#define END_BYTES         8u /* of the block that ends a file */

_Static_assert(MAX_BLOCK_BYTES <= FZ_TRACE_HEAD_BYTES,
	       "a block can be taken in one piece");
_Static_assert(MAX_CONTEXTS *MAX_CONTEXT_BYTES + MAX_RECORD_BYTES <
		       MAX_BLOCK_BYTES,
	       "contexts leave room for records");

/* Numbers are little-endian. */
static void put_u32(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

static void put_u64(uint8_t *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

static uint32_t get_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static uint64_t get_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

/* A small difference of either sign is a small number. */
static uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t number)
{
	return number >> 1 ^ (0 - (number & 1));
}

/* It goes on from block to block, so that none can be moved or left out. */
static uint32_t checksum(uint32_t before, const uint8_t *head,
			 const uint8_t *block, size_t bytes)
{
	const uLong sum = crc32(before, head, CHECKED_BYTES);

	return (uint32_t)crc32(sum, block, (uInt)bytes);
}

/*
 * A context is what records have in common that follow each other; it is
 * written once a block.
 */
struct write_context {
	struct fz_fault common; /* without time, addresses */
	uint64_t addr;          /* of the last record */
	uint64_t ip;
};

#define NR_SLOTS (2 * MAX_CONTEXTS)

struct binary_writer {
	uint64_t nr_written; /* records in blocks that were written */
	uint32_t sum;
	uint32_t nr_records; /* in this block */
	uint32_t nr_contexts;
	uint32_t last_context;
	uint64_t last_time_ns;
	size_t context_bytes;
	size_t record_bytes;
	struct write_context contexts[MAX_CONTEXTS];
	uint16_t slots[NR_SLOTS]; /* 0 = free, else 1 + index of a context */
	uint8_t head_text[HEAD_BYTES + MAX_CONTEXTS * MAX_CONTEXT_BYTES];
	uint8_t record_text[MAX_BLOCK_BYTES];
};

/* What is not known must not make contexts differ. */
static void common_part(struct fz_fault *common, const struct fz_fault *fault)
{
	const uint8_t knows = fault->knows;

	memset(common, 0, sizeof(*common));
	common->value = fault->value;
	common->pid = knows & FZ_KNOWS_PID ? fault->pid : 0;
	common->tid = knows & FZ_KNOWS_TID ? fault->tid : 0;
	common->cpu = knows & FZ_KNOWS_CPU ? fault->cpu : 0;
	common->error_code =
		knows & FZ_KNOWS_ERROR_CODE ? fault->error_code : 0;
	common->event = fault->event;
	common->knows = knows;
	common->backing = fault->backing;
	common->comm_bytes = fault->comm_bytes;
	memcpy(common->comm, fault->comm, fault->comm_bytes);
}

static bool is_alike(const struct fz_fault *a, const struct fz_fault *b)
{
	const size_t first = offsetof(struct fz_fault, value);

	return memcmp((const char *)a + first, (const char *)b + first,
		      offsetof(struct fz_fault, comm) + FZ_COMM_BYTES -
			      first) == 0;
}

static size_t slot_of(const struct fz_fault *common)
{
	uint64_t hash = common->value;

	hash = hash * 31 + common->pid;
	hash = hash * 31 + common->tid;
	hash = hash * 31 + common->cpu;
	hash = hash * 31 + common->error_code;
	hash = hash * 31 + common->event;
	hash = hash * 31 + common->comm_bytes;
	hash *= 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
	return hash >> 40 & (NR_SLOTS - 1);
}

static void put_context(uint8_t *at, const struct fz_fault *common)
{
	at[0] = common->event;
	at[1] = common->knows;
	at[2] = common->backing;
	at[3] = common->comm_bytes;
	put_u32(at + 4, common->pid);
	put_u32(at + 8, common->tid);
	put_u32(at + 12, common->cpu);
	put_u32(at + 16, common->error_code);
	put_u64(at + 20, common->value);
	memcpy(at + FIXED_CONTEXT, common->comm, common->comm_bytes);
}

/* Its index; MAX_CONTEXTS = there is no room for another one. */
static uint32_t find_context(struct binary_writer *writer,
			     const struct fz_fault *common)
{
	size_t slot = slot_of(common);
	uint32_t i = writer->last_context;

	if (i < writer->nr_contexts &&
	    is_alike(&writer->contexts[i].common, common))
		return i;
	for (; writer->slots[slot]; slot = (slot + 1) & (NR_SLOTS - 1)) {
		i = writer->slots[slot] - 1u;
		if (is_alike(&writer->contexts[i].common, common))
			return i;
	}
	if (writer->nr_contexts == MAX_CONTEXTS)
		return MAX_CONTEXTS;
	i = writer->nr_contexts++;
	writer->slots[slot] = (uint16_t)(i + 1);
	writer->contexts[i] = (struct write_context){ .common = *common };
	put_context(writer->head_text + HEAD_BYTES + writer->context_bytes,
		    common);
	writer->context_bytes += FIXED_CONTEXT + common->comm_bytes;
	return i;
}

static int write_bytes(const struct fz_trace_writer *writer, const void *bytes,
		       size_t nr)
{
	return writer->sink.write(writer->sink.state, bytes, nr);
}

/* The records collected so far, and an empty block to begin with. */
static int flush(struct fz_trace_writer *writer)
{
	struct binary_writer *binary = writer->state;
	uint8_t *const head = binary->head_text;
	const size_t bytes = binary->context_bytes + binary->record_bytes;
	int code;

	if (!binary->nr_records)
		return 0;
	put_u32(head, binary->nr_records);
	put_u32(head + 4, binary->nr_contexts);
	put_u32(head + 8, (uint32_t)bytes);
	binary->sum = checksum(binary->sum, head, head + HEAD_BYTES,
			       binary->context_bytes);
	binary->sum = (uint32_t)crc32(binary->sum, binary->record_text,
				      (uInt)binary->record_bytes);
	put_u32(head + CHECKED_BYTES, binary->sum);
	code = write_bytes(writer, head, HEAD_BYTES + binary->context_bytes);
	if (!code)
		code = write_bytes(writer, binary->record_text,
				   binary->record_bytes);
	binary->nr_written += binary->nr_records;
	binary->nr_records = binary->nr_contexts = binary->last_context = 0;
	binary->context_bytes = binary->record_bytes = 0;
	binary->last_time_ns = 0;
	memset(binary->slots, 0, sizeof(binary->slots));
	return code;
}

/* Appends the low bytes of a number that are not 0; how many there were. */
static unsigned int put_number(uint8_t **at, uint64_t number)
{
	const unsigned int bytes =
		number ? (71u - (unsigned int)__builtin_clzll(number)) / 8 : 0;

	put_u64(*at, number);
	*at += bytes;
	return bytes;
}

static void put_record(struct binary_writer *writer, uint32_t context,
		       const struct fz_fault *fault)
{
	struct write_context *const c = &writer->contexts[context];
	uint8_t *const begin = writer->record_text + writer->record_bytes;
	uint8_t *at = begin + 2;
	unsigned int lengths = 0;

	if (context != writer->last_context) {
		const unsigned int bytes = context > UINT8_MAX ? 2 : 1;

		at[0] = (uint8_t)context;
		at[1] = (uint8_t)(context >> 8);
		at += bytes;
		lengths = bytes << 12;
		writer->last_context = context;
	}
	if (fault->knows & FZ_KNOWS_TIME) {
		lengths |= put_number(
			&at, zigzag(fault->time_ns - writer->last_time_ns));
		writer->last_time_ns = fault->time_ns;
	}
	if (fault->knows & FZ_KNOWS_ADDR) {
		lengths |= put_number(&at, zigzag(fault->addr - c->addr)) << 4;
		c->addr = fault->addr;
	}
	if (fault->knows & FZ_KNOWS_IP) {
		lengths |= put_number(&at, zigzag(fault->ip - c->ip)) << 8;
		c->ip = fault->ip;
	}
	begin[0] = (uint8_t)lengths;
	begin[1] = (uint8_t)(lengths >> 8);
	writer->record_bytes += (size_t)(at - begin);
	writer->nr_records++;
}

static int write_record(struct fz_trace_writer *writer,
			const struct fz_fault *fault)
{
	struct binary_writer *const binary = writer->state;
	const size_t most = MAX_CONTEXT_BYTES + MAX_RECORD_BYTES + 8;
	struct fz_fault common;
	uint32_t context;
	int code = 0;

	common_part(&common, fault);
	if (binary->context_bytes + binary->record_bytes + most >
	    MAX_BLOCK_BYTES)
		code = flush(writer);
	context = find_context(binary, &common);
	if (context == MAX_CONTEXTS && !code) {
		code = flush(writer);
		context = find_context(binary, &common);
	}
	if (!code)
		put_record(binary, context, fault);
	return code;
}

static int binary_write_begin(struct fz_trace_writer *writer)
{
	struct binary_writer *const binary = writer->state;
	uint8_t head[FILE_BYTES];

	memcpy(head, magic, sizeof(magic));
	put_u32(head + sizeof(magic), VERSION);
	binary->sum = 0;
	return write_bytes(writer, head, sizeof(head));
}

static int binary_write(struct fz_trace_writer *writer,
			const struct fz_fault *faults, size_t nr)
{
	int code = 0;

	for (size_t i = 0; i < nr && !code; i++)
		code = write_record(writer, &faults[i]);
	return code;
}

/* A block without records, but with the number of all. */
static int binary_write_end(struct fz_trace_writer *writer)
{
	struct binary_writer *const binary = writer->state;
	uint8_t end[HEAD_BYTES + END_BYTES] = { 0 };
	const int code = flush(writer);

	if (code)
		return code;
	put_u32(end + 8, END_BYTES);
	put_u64(end + HEAD_BYTES, binary->nr_written);
	put_u32(end + CHECKED_BYTES,
		checksum(binary->sum, end, end + HEAD_BYTES, END_BYTES));
	return write_bytes(writer, end, sizeof(end));
}

struct read_context {
	struct fz_fault common;
	uint64_t addr; /* of the last record */
	uint64_t ip;
	uint64_t time_mask;     /* 0 = times are not known */
	unsigned int forbidden; /* lengths of what is not known */
};

struct binary_reader {
	bool begun, ended;
	uint64_t block; /* its number, 1 = the first */
	uint64_t nr_read;
	uint32_t sum;
	uint32_t nr_records; /* left in this block */
	uint32_t nr_contexts;
	uint32_t context; /* of the last record */
	uint64_t time_ns; /* of the last record */
	size_t at, end;   /* of the records in @text */
	struct read_context contexts[MAX_CONTEXTS];
	/* A record is read in whole words, also the last one. */
	uint8_t text[MAX_BLOCK_BYTES + MAX_RECORD_BYTES + 8];
};

static int damaged(const struct binary_reader *binary, const char *what,
		   struct fz_err *err)
{
	return fz_err_set(err, -EBADMSG, "is damaged: block %llu: %s",
			  (unsigned long long)binary->block, what);
}

/* Exactly so many bytes: 0, or a message. */
static int take(struct fz_trace_reader *reader, size_t bytes,
		const uint8_t **out, struct fz_err *err)
{
	const struct binary_reader *const binary = reader->state;
	const void *taken = NULL;
	const int code = fz_trace_input_take(reader->input, bytes, &taken);

	*out = taken;
	if (code == 1)
		return 0;
	if (code && code != -EBADMSG)
		return fz_err_set(err, code, "cannot be read: %s",
				  strerror(-code));
	return fz_err_set(err, -EBADMSG, "is cut short in block %llu",
			  (unsigned long long)binary->block);
}

static int read_file_head(struct fz_trace_reader *reader, struct fz_err *err)
{
	struct binary_reader *const binary = reader->state;
	const uint8_t *head;
	int code;

	code = take(reader, FILE_BYTES, &head, err);
	if (code)
		return code;
	if (memcmp(head, magic, sizeof(magic)) != 0)
		return fz_err_set(err, -EBADMSG,
				  "does not begin as a binary trace does");
	if (get_u32(head + sizeof(magic)) != VERSION)
		return fz_err_set(err, -EBADMSG,
				  "is a binary trace of version %u; this "
				  "foliosim reads version %u",
				  get_u32(head + sizeof(magic)), VERSION);
	binary->begun = true;
	return 0;
}

static bool get_context(struct read_context *context, const uint8_t *at,
			size_t bytes)
{
	struct fz_fault *const common = &context->common;

	*context = (struct read_context){ .addr = 0 };
	if (bytes < FIXED_CONTEXT)
		return false;
	common->event = at[0];
	common->knows = at[1];
	common->backing = at[2];
	common->comm_bytes = at[3];
	common->pid = get_u32(at + 4);
	common->tid = get_u32(at + 8);
	common->cpu = get_u32(at + 12);
	common->error_code = get_u32(at + 16);
	common->value = get_u64(at + 20);
	if (common->event >= FZ_NR_EVENTS || common->knows > 0x7f ||
	    common->backing > FZ_BACKING_FILE ||
	    common->comm_bytes > FZ_COMM_BYTES ||
	    bytes < FIXED_CONTEXT + common->comm_bytes)
		return false;
	memcpy(common->comm, at + FIXED_CONTEXT, common->comm_bytes);
	context->time_mask = common->knows & FZ_KNOWS_TIME ? UINT64_MAX : 0;
	context->forbidden = (common->knows & FZ_KNOWS_TIME ? 0 : 0x00fu) |
			     (common->knows & FZ_KNOWS_ADDR ? 0 : 0x0f0u) |
			     (common->knows & FZ_KNOWS_IP ? 0 : 0xf00u);
	return true;
}

static int read_contexts(struct binary_reader *binary, uint32_t nr,
			 struct fz_err *err)
{
	if (nr > MAX_CONTEXTS)
		return damaged(binary, "too many contexts", err);
	for (uint32_t i = 0; i < nr; i++) {
		if (!get_context(&binary->contexts[i],
				 binary->text + binary->at,
				 binary->end - binary->at))
			return damaged(binary, "a context that cannot be", err);
		binary->at +=
			FIXED_CONTEXT + binary->contexts[i].common.comm_bytes;
	}
	binary->nr_contexts = nr;
	return 0;
}

static int read_end(struct fz_trace_reader *reader, const uint8_t *text,
		    size_t bytes, struct fz_err *err)
{
	struct binary_reader *const binary = reader->state;
	const void *more;
	int code;

	if (bytes != END_BYTES || get_u64(text) != binary->nr_read)
		return damaged(binary, "not the number of records read", err);
	binary->ended = true;
	code = fz_trace_input_take(reader->input, 1, &more);
	return code ? fz_err_set(err, code < 0 ? code : -EBADMSG,
				 "has bytes behind its end")
		    : 0;
}

static int read_block(struct fz_trace_reader *reader, struct fz_err *err)
{
	struct binary_reader *const binary = reader->state;
	uint8_t head[HEAD_BYTES];
	const uint8_t *taken;
	uint32_t bytes;
	int code;

	binary->block++;
	code = take(reader, HEAD_BYTES, &taken, err);
	if (code)
		return code;
	memcpy(head, taken, HEAD_BYTES);
	bytes = get_u32(head + 8);
	if (bytes > MAX_BLOCK_BYTES)
		return damaged(binary, "longer than blocks are", err);
	code = bytes ? take(reader, bytes, &taken, err) : 0;
	if (code)
		return code;
	binary->sum = checksum(binary->sum, head, taken, bytes);
	if (binary->sum != get_u32(head + CHECKED_BYTES))
		return damaged(binary, "wrong checksum", err);
	binary->nr_records = get_u32(head);
	if (!binary->nr_records)
		return read_end(reader, taken, bytes, err);
	memcpy(binary->text, taken, bytes);
	binary->at = 0;
	binary->end = bytes;
	binary->context = 0;
	binary->time_ns = 0;
	return read_contexts(binary, get_u32(head + 4), err);
}

/* The number of so many bytes; those behind it may be read, too. */
static uint64_t get_number(const uint8_t *at, unsigned int bytes)
{
	static const uint64_t masks[9] = {
		0x0,
		0xff,
		0xffff,
		0xffffff,
		0xffffffff,
		0xffffffffff,
		0xffffffffffff,
		0xffffffffffffff,
		0xffffffffffffffff,
	};

	return get_u64(at) & masks[bytes];
}

/* Three lengths of at most 8 bytes, and one of at most 2. */
static bool lengths_can_be(unsigned int lengths)
{
	return lengths >> 12 <= 2 && !((lengths >> 3 & 0x111) * 7 & lengths);
}

/* False: it cannot be. */
static bool get_record(struct binary_reader *binary, struct fz_fault *fault)
{
	const uint8_t *at = binary->text + binary->at;
	const unsigned int lengths = at[0] | (unsigned int)at[1] << 8;
	const unsigned int time_bytes = lengths & 15,
			   addr_bytes = lengths >> 4 & 15,
			   ip_bytes = lengths >> 8 & 15;
	struct read_context *context;

	if (!lengths_can_be(lengths))
		return false;
	at += 2;
	if (lengths >> 12)
		binary->context = (uint32_t)get_number(at, lengths >> 12);
	at += lengths >> 12;
	if (binary->context >= binary->nr_contexts)
		return false;
	context = &binary->contexts[binary->context];
	if (lengths & context->forbidden)
		return false;
	binary->time_ns += unzigzag(get_number(at, time_bytes));
	at += time_bytes;
	context->addr += unzigzag(get_number(at, addr_bytes));
	at += addr_bytes;
	context->ip += unzigzag(get_number(at, ip_bytes));
	at += ip_bytes;
	binary->at = (size_t)(at - binary->text);
	*fault = context->common;
	fault->time_ns = binary->time_ns & context->time_mask;
	fault->addr = context->addr;
	fault->ip = context->ip;
	return binary->at <= binary->end;
}

static int read_records(struct fz_trace_reader *reader, struct fz_fault *faults,
			size_t nr, struct fz_err *err)
{
	struct binary_reader *const binary = reader->state;

	for (size_t i = 0; i < nr; i++) {
		if (binary->at >= binary->end ||
		    !get_record(binary, &faults[i]))
			return damaged(binary, "a record that cannot be", err);
		if (faults[i].event == FZ_EVENT_LOST)
			fz_trace_lost(reader->problems, faults[i].value);
	}
	binary->nr_records -= (uint32_t)nr;
	binary->nr_read += nr;
	if (!binary->nr_records && binary->at != binary->end)
		return damaged(binary, "bytes behind its records", err);
	return 0;
}

static ssize_t binary_read(struct fz_trace_reader *reader,
			   struct fz_fault *faults, size_t max,
			   struct fz_err *err)
{
	struct binary_reader *const binary = reader->state;
	size_t nr;
	int code = 0;

	if (!binary->begun)
		code = read_file_head(reader, err);
	if (!code && !binary->nr_records && !binary->ended)
		code = read_block(reader, err);
	if (code || binary->ended)
		return code;
	nr = binary->nr_records < max ? binary->nr_records : max;
	code = read_records(reader, faults, nr, err);
	return code ? code : (ssize_t)nr;
}

static unsigned int binary_probe(const char *head, size_t bytes)
{
	return bytes >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0
		       ? 100
		       : 0;
}

const struct fz_trace_format fz_trace_format_binary = {
	.name = "binary",
	.summary = "our compact bytes, with checksums",
	.probe = binary_probe,
	.state_bytes = sizeof(struct binary_reader),
	.read = binary_read,
	.writer_bytes = sizeof(struct binary_writer),
	.write_begin = binary_write_begin,
	.write = binary_write,
	.write_end = binary_write_end,
};
