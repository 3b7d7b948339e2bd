/* A file of a rank: messages of protocol buffers, each behind its length. First what the file is, then a node each. Fields
 * that are not known are passed over; nothing is kept but what counts. */
#include "formats/chakra/private.h"
#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <string.h>

enum { VARINT, FIXED64, DELIMITED, FIXED32 = 5 };
enum { MOST_NODES = 1 << 26, MOST_AFTERS = 1 << 28, MOST_ATTRIBUTE = 64 };

/* Bytes of a message, which may lie in another one. */
typedef struct wire {
    fs_chakra *c;
    const char *path;
    fs_bytes *bytes;
    uint64_t end; /* place of its last byte, and one */
    fs_chakra_node *node;
} wire;

/* A field as its tag says. */
typedef struct field {
    uint32_t number, type;
    uint64_t value; /* of it; the bytes that follow where it is delimited */
} field;

__attribute__((format(printf, 2, 3))) static bool wrong(const wire *w, const char *format, ...) {
    char words[256];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    fs_fail(w->c->err, FS_INPUT, "%s: byte %" PRIu64 ": %s", w->path, fs_bytes_place(w->bytes), words);
    return false;
}

/* ---- numbers ---- */

/* `count` bytes of the message, at most FS_BYTES_AHEAD; NULL: it is shorter, or the file. */
static const uint8_t *bytes_of(const wire *w, size_t count) {
    const uint8_t *at;
    if (w->end - fs_bytes_place(w->bytes) < count || fs_bytes_peek(w->bytes, count, &at) < count) {
        wrong(w, "expected %zu more bytes of a message, found its end", count);
        return NULL;
    }
    fs_bytes_skip(w->bytes, count);
    return at;
}

static bool take_varint(const wire *w, uint64_t *out) {
    *out = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        const uint8_t *at = bytes_of(w, 1);
        if (at == NULL)
            return false;
        *out |= (uint64_t)(*at & 0x7f) << shift;
        if (*at < 0x80)
            return true;
    }
    return wrong(w, "expected a number of at most 10 bytes");
}

static bool pass(const wire *w, uint64_t count) {
    while (count > 0) {
        const size_t some = count < FS_BYTES_AHEAD ? (size_t)count : FS_BYTES_AHEAD;
        if (bytes_of(w, some) == NULL)
            return false;
        count -= some;
    }
    return true;
}

/* The next field of the message; false at its end, or with an error. Of a number its value is read. */
static bool next_field(const wire *w, field *out) {
    uint64_t tag;
    if (fs_bytes_place(w->bytes) >= w->end || w->c->err->status != FS_OK || !take_varint(w, &tag))
        return false;
    *out = (field){.number = (uint32_t)(tag >> 3), .type = tag & 7};
    if (tag >> 3 == 0 || tag >> 35 != 0)
        return wrong(w, "expected the number of a field, found %" PRIu64, tag >> 3);
    if (out->type == VARINT)
        return take_varint(w, &out->value);
    if (out->type == FIXED64 || out->type == FIXED32) {
        const size_t count = out->type == FIXED64 ? 8 : 4;
        const uint8_t *at = bytes_of(w, count);
        for (size_t i = count; at != NULL && i-- > 0;)
            out->value = out->value << 8 | at[i];
        return at != NULL;
    }
    if (out->type != DELIMITED)
        return wrong(w, "field %" PRIu32 ": expected wire type 0, 1, 2 or 5, found %" PRIu32, out->number,
                     out->type);
    if (!take_varint(w, &out->value))
        return false;
    return out->value <= w->end - fs_bytes_place(w->bytes) ||
           wrong(w, "field %" PRIu32 ": its %" PRIu64 " bytes are more than the message has", out->number,
                 out->value);
}

/* The message that a field is. */
static wire inside(const wire *w, const field *f) {
    wire in = *w;
    in.end = fs_bytes_place(w->bytes) + f->value;
    return in;
}

/* A text, cut where it does not fit. */
static bool take_text(const wire *w, const field *f, char *out, size_t room) {
    const size_t kept = f->value < room - 1 ? (size_t)f->value : room - 1;
    const uint8_t *at = kept == 0 ? (const uint8_t *)"" : bytes_of(w, kept);
    if (at == NULL)
        return false;
    for (size_t i = 0; i < kept; i++)
        out[i] = (char)(at[i] >= 0x20 && at[i] < 0x7f ? at[i] : '?');
    out[kept] = '\0';
    return pass(w, f->value - kept);
}

/* ---- attributes ---- */

/* An attribute with the first value that it has. */
typedef struct attribute {
    char name[MOST_ATTRIBUTE], text[FS_CHAKRA_NAME];
    bool number; /* it has one */
    int64_t value;
} attribute;

/* Numbers of fields that hold values: what kind. */
static bool take_value(const wire *w, const field *f, attribute *a) {
    enum {
        DOUBLE = 3,
        FLOAT = 5,
        FIRST_ZIGZAG = 15,
        LAST_ZIGZAG = 17,
        SHORT_SIGNED = 23,
        BOOL = 27,
        TEXT = 29
    };
    if (f->number == TEXT && f->type == DELIMITED)
        return take_text(w, f, a->text, sizeof a->text);
    if (f->type == DELIMITED)
        return pass(w, f->value);
    a->value = (int64_t)f->value;
    if (f->number == FIRST_ZIGZAG || f->number == LAST_ZIGZAG)
        a->value = (int64_t)(f->value >> 1) ^ -(int64_t)(f->value & 1);
    if (f->number == SHORT_SIGNED)
        a->value = (int32_t)f->value;
    if (f->number == DOUBLE || f->number == FLOAT) {
        const uint32_t bits = (uint32_t)f->value;
        double value;
        float single;
        memcpy(&value, &f->value, sizeof value);
        memcpy(&single, &bits, sizeof single);
        value = f->number == DOUBLE ? value : (double)single;
        a->value = value >= 0 && value < 9e18 ? (int64_t)value : -1;
    }
    a->number = f->number % 2 == 1 && f->number >= DOUBLE && f->number <= BOOL;
    return true;
}

static bool read_attribute(const wire *w, attribute *a) {
    enum { NAME = 1, WORDS = 2 };
    field f;
    *a = (attribute){.number = false};
    while (next_field(w, &f))
        if (f.number == NAME && f.type == DELIMITED ? !take_text(w, &f, a->name, sizeof a->name)
            : f.number <= WORDS                     ? f.type == DELIMITED && !pass(w, f.value)
                                                    : !take_value(w, &f, a))
            return false;
    return w->c->err->status == FS_OK;
}

static void note(const wire *w, const char *what, const char *words) {
    fs_notes_add(w->c->notes,
                 (fs_note){.kind = FS_NOTE_IGNORED, .what = what, .words = words, .file = w->path});
}

/* What an attribute says of the node. seen: bits of those that it has. */
enum { HAS_TYPE = 1, HAS_SIZE = 2, HAS_SOURCE = 4, HAS_GOAL = 8, HAS_OPS = 16, HAS_GROUP = 32 };
typedef struct told {
    uint32_t has;
    int64_t type, size, source, goal, tag;
    char group[FS_CHAKRA_NAME];
} told;

static void take_attribute(const wire *w, const attribute *a, told *t) {
    static const struct number {
        const char *name;
        uint32_t bit;
        size_t at;
    } numbers[] = {{"comm_type", HAS_TYPE, offsetof(told, type)},
                   {"comm_size", HAS_SIZE, offsetof(told, size)},
                   {"comm_src", HAS_SOURCE, offsetof(told, source)},
                   {"comm_dst", HAS_GOAL, offsetof(told, goal)},
                   {"comm_tag", 0, offsetof(told, tag)}};
    const struct number *number = FS_FOUND(numbers, FS_COUNT(numbers), name, a->name);
    if (number != NULL && a->number) {
        memcpy((char *)t + number->at, &a->value, sizeof a->value);
        t->has |= number->bit;
        return;
    }
    if (strcmp(a->name, "is_cpu_op") == 0)
        w->node->host = a->value != 0;
    else if (strcmp(a->name, "num_ops") == 0 || strcmp(a->name, "tensor_size") == 0)
        t->has |= HAS_OPS;
    else if (strcmp(a->name, "pg_name") == 0) {
        if (a->number)
            snprintf(t->group, sizeof t->group, "%" PRId64, a->value);
        else
            memcpy(t->group, a->text, sizeof t->group);
        t->has |= HAS_GROUP;
    } else {
        char what[MOST_ATTRIBUTE + 16];
        snprintf(what, sizeof what, "attribute %s", a->name);
        note(w, what, "is not known");
    }
}

/* ---- nodes ---- */

static bool take_dependency(const wire *w, uint64_t id) {
    fs_chakra *c = w->c;
    if (c->afters == MOST_AFTERS)
        return wrong(w, "more than %d dependencies", MOST_AFTERS);
    c->after = fs_grow(c->after, c->afters, sizeof *c->after);
    c->after[c->afters++] = id;
    w->node->count++;
    return true;
}

/* Packed, or one by one. */
static bool take_dependencies(const wire *w, const field *f) {
    uint64_t id;
    if (f->type == VARINT)
        return take_dependency(w, f->value);
    const wire list = inside(w, f);
    while (fs_bytes_place(list.bytes) < list.end)
        if (!take_varint(&list, &id) || !take_dependency(w, id))
            return false;
    return true;
}

static bool take_field(const wire *w, const field *f, char *name, uint64_t *micros, told *t) {
    enum { ID = 1, NAME, TYPE, CONTROL, DATA, START, DURATION, ATTRIBUTE = 10 };
    const bool number = f->type == VARINT, bytes = f->type == DELIMITED;
    attribute a;
    if (f->number == ID && number)
        w->node->id = f->value;
    else if (f->number == TYPE && number)
        w->node->kind = f->value < 255 ? (uint8_t)f->value : 255;
    else if (f->number == DURATION && number)
        *micros = f->value;
    else if (f->number == NAME && bytes)
        return take_text(w, f, name, FS_CHAKRA_NAME);
    else if (f->number == DATA && (number || bytes))
        return take_dependencies(w, f);
    else if (f->number == ATTRIBUTE && bytes) {
        const wire in = inside(w, f);
        if (!read_attribute(&in, &a))
            return false;
        take_attribute(w, &a, t);
    } else {
        if (f->number == CONTROL && (number || f->value > 0))
            note(w, "ctrl_deps", "are not waited for, as the reference feeder does not");
        if (f->number == START && number)
            note(w, "start_time_micros", "nodes begin when what they wait for is over");
        return !bytes || pass(w, f->value);
    }
    return true;
}

static bool take_peer(const fs_chakra *c, fs_chakra_node *n, int64_t peer, const char *key, bool has) {
    if (!has)
        return fs_chakra_wrong(c, n, "%s: expected the rank that it meets, found none", key);
    if (peer < 0 || peer >= FS_CHAKRA_MOST_RANKS)
        return fs_chakra_wrong(c, n, "%s: expected a rank, 0 to %d, found %" PRId64, key,
                               FS_CHAKRA_MOST_RANKS - 1, peer);
    n->peer = (uint32_t)peer;
    return true;
}

static bool finish_message(fs_chakra *c, fs_chakra_node *n, const told *t) {
    const bool sends = n->kind == FS_CHAKRA_SEND;
    const int64_t own = sends ? t->source : t->goal;
    if ((t->has & (sends ? HAS_SOURCE : HAS_GOAL)) != 0 && own != n->rank)
        return fs_chakra_wrong(c, n, "%s: expected its own rank, %" PRIu32 ", found %" PRId64,
                               sends ? "comm_src" : "comm_dst", n->rank, own);
    n->tag = t->tag;
    return sends ? take_peer(c, n, t->goal, "comm_dst", (t->has & HAS_GOAL) != 0)
                 : take_peer(c, n, t->source, "comm_src", (t->has & HAS_SOURCE) != 0);
}

static bool finish_collective(fs_chakra *c, fs_chakra_node *n, const told *t, const char *name) {
    if ((t->has & HAS_TYPE) == 0 || t->type < 0 || t->type >= FS_CHAKRA_COLLECTIVES)
        return fs_chakra_wrong(c, n, "comm_type: expected a kind of collective, 0 to %d, found %" PRId64,
                               FS_CHAKRA_COLLECTIVES - 1, (t->has & HAS_TYPE) == 0 ? -1 : t->type);
    const uint32_t group = fs_chakra_group_of(c, (t->has & HAS_GROUP) != 0 ? t->group : "");
    if (group == FS_CHAKRA_NONE)
        return fs_chakra_wrong(c, n, "pg_name: expected a group of %s.json, found \"%s\"", c->prefix,
                               t->group);
    n->collective = (uint8_t)t->type;
    n->group = (uint16_t)group;
    n->name = fs_arena_strdup(c->arena, name);
    return true;
}

/* What the kind of node must have. */
static bool finish_node(fs_chakra *c, fs_chakra_node *n, uint64_t micros, const told *t, const char *name) {
    const uint64_t most = (uint64_t)1 << 50;
    const bool moves = n->kind >= FS_CHAKRA_SEND && n->kind <= FS_CHAKRA_COLLECTIVE;
    const bool barrier = n->kind == FS_CHAKRA_COLLECTIVE && t->type == FS_CHAKRA_BARRIER;
    if (n->kind < FS_CHAKRA_METADATA || n->kind > FS_CHAKRA_COLLECTIVE)
        return fs_chakra_wrong(c, n, "type: expected 1 to 7, found %u", n->kind);
    if (n->kind == FS_CHAKRA_LOAD || n->kind == FS_CHAKRA_STORE)
        return fs_chakra_wrong(c, n,
                               "type: loads and stores need a memory, which the machine does not name here");
    if (n->kind == FS_CHAKRA_COMPUTE && micros == 0)
        return fs_chakra_wrong(
            c, n, "duration_micros: expected more than 0, found none%s",
            (t->has & HAS_OPS) != 0 ? "; num_ops and tensor_size give no time without a rate" : "");
    n->amount = n->kind == FS_CHAKRA_COMPUTE        ? micros
                : moves && (t->has & HAS_SIZE) != 0 ? (uint64_t)t->size
                                                    : 0;
    if (n->amount > most || (moves && !barrier && n->amount == 0))
        return fs_chakra_wrong(c, n, "%s: expected 1 to 2^50, found %" PRId64,
                               moves ? "comm_size" : "duration_micros", (int64_t)n->amount);
    return n->kind == FS_CHAKRA_COLLECTIVE ? finish_collective(c, n, t, name)
                                           : !moves || finish_message(c, n, t);
}

static bool read_node(wire *w, uint32_t rank) {
    fs_chakra *c = w->c;
    char name[FS_CHAKRA_NAME] = "";
    uint64_t micros = 0;
    told t = {.has = 0};
    field f;
    if (c->nodes == MOST_NODES)
        return wrong(w, "more than %d nodes", MOST_NODES);
    c->node = fs_grow(c->node, c->nodes, sizeof *c->node);
    fs_chakra_node n = {.rank = rank, .byte = fs_bytes_place(w->bytes), .first = c->afters};
    bool good = true;
    w->node = &n;
    while (good && next_field(w, &f))
        good = take_field(w, &f, name, &micros, &t);
    good = good && c->err->status == FS_OK && finish_node(c, &n, micros, &t, name);
    w->node = NULL;
    if (good)
        c->node[c->nodes++] = n;
    return good;
}

/* The length of the next message; false at the end of the file, or with an error. */
static bool next_message(wire *w) {
    const uint8_t *at;
    uint64_t length;
    w->end = UINT64_MAX;
    if (fs_bytes_peek(w->bytes, 1, &at) == 0 || !take_varint(w, &length))
        return false;
    w->end = fs_bytes_place(w->bytes) + length;
    return length < UINT64_MAX / 2 ||
           wrong(w, "a message of %" PRIu64 " bytes is more than a file has", length);
}

bool fs_chakra_read(fs_chakra *c, uint32_t rank) {
    wire w = {.c = c, .path = c->file[rank], .bytes = fs_bytes_open(c->file[rank], c->err)};
    if (w.bytes == NULL)
        return false;
    if (next_message(&w))
        pass(&w, w.end - fs_bytes_place(w.bytes));
    while (c->err->status == FS_OK && next_message(&w))
        if (read_node(&w, rank) && fs_interrupted())
            fs_fail(c->err, FS_RUN, "%s: interrupted at byte %" PRIu64, w.path, fs_bytes_place(w.bytes));
    fs_bytes_close(w.bytes, c->err);
    return c->err->status == FS_OK;
}
