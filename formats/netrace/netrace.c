/* Traces of netrace, version 1: packets of a chip with caches, each with those that wait for it. They become
 * tasks one by one, so that a file of any length takes the memory of what is under way. */
#include "formats/bytes.h"
#include "formats/format.h"
#include "formats/netrace/waits.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 72,
    REGION = 24,
    PACKET = 21,
    MOST_REGIONS = 100,
    MOST_NOTES = 8192,
    MOST_NODES = 255,
    WIDTH = 16
};
static const uint8_t magic[] = {0x55, 0x54, 0x4a, 0x48};

/* Kinds of packets: bytes, and whether one answers another. */
static const struct kind {
    uint8_t bytes;
    bool answer;
} kinds[] = {
    [1] = {8, false},  /* read */
    [2] = {72, true},  /* its answer */
    [3] = {72, true},  /* the same, with an invalidation */
    [4] = {72, false}, /* write */
    [5] = {8, true},   /* its answer */
    [6] = {72, false}, /* write back */
    [13] = {8, false}, /* upgrade */
    [14] = {8, true},  /* its answer */
    [15] = {8, false}, /* read to own */
    [16] = {72, true}, /* its answer */
    [25] = {8, true},  /* no such address */
    [27] = {8, false}, /* invalidation */
    [28] = {8, true},  /* its answer */
    [29] = {8, false}, /* downgrade */
    [30] = {72, true}, /* its answer */
};

typedef struct region {
    uint64_t offset, cycles, packets;
} region;

typedef struct packet {
    uint64_t cycle, record, byte; /* record, byte: of it in the file */
    uint32_t id;
    uint8_t type, from, to;
} packet;

typedef struct reader {
    const char *path;
    fs_format_asked asked;
    fs_bytes *bytes; /* NULL: closed, at its end */
    fs_error *err;
    uint32_t nodes, regions;
    uint64_t packets; /* that the head counts */
    region region[MOST_REGIONS];
    /* What of it counts: */
    uint64_t begin; /* cycle that is 0 of the run */
    uint64_t left;  /* packets of the region */
    /* While it is read: */
    uint64_t record, task, latest, moved, dependencies;
    fs_netrace_waits waits;
    fs_netrace_wait *found;
    size_t found_room;
    uint64_t *after; /* [after_room] */
    size_t after_room;
} reader;

__attribute__((format(printf, 2, 3))) static bool wrong(reader *r, const char *format, ...) {
    char words[512];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    fs_fail(r->err, FS_INPUT, "%s: %s", r->path, words);
    return false;
}

static uint64_t number(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* At the end of the file, which may have come early: what was packed may be damaged. */
static bool is_sound(reader *r) {
    const fs_status status = fs_bytes_close(r->bytes, r->err);
    r->bytes = NULL;
    return status == FS_OK;
}

/* ---- the head ---- */

static bool skip(reader *r, uint64_t count, const char *what) {
    while (count > 0) {
        const uint8_t *at;
        const size_t want = count < FS_BYTES_AHEAD ? (size_t)count : FS_BYTES_AHEAD;
        const size_t there = fs_bytes_peek(r->bytes, want, &at);
        const uint64_t place = fs_bytes_place(r->bytes);
        if (there < want)
            return is_sound(r) &&
                   wrong(r, "%s (byte %" PRIu64 "): %" PRIu64 " bytes are missing at the end of the file",
                         what, place, count - there);
        fs_bytes_skip(r->bytes, want);
        count -= want;
    }
    return true;
}

static bool take_regions(reader *r) {
    for (uint32_t i = 0; i < r->regions; i++) {
        const uint8_t *at;
        const uint64_t place = fs_bytes_place(r->bytes);
        if (fs_bytes_peek(r->bytes, REGION, &at) < REGION)
            return is_sound(r) && wrong(r,
                                        "region %" PRIu32 " (byte %" PRIu64
                                        "): expected %d bytes, found the end of the file",
                                        i, place, REGION);
        r->region[i] = (region){number(at, 8), number(at + 8, 8), number(at + 16, 8)};
        fs_bytes_skip(r->bytes, REGION);
    }
    return true;
}

static bool take_head(reader *r) {
    const uint8_t *at;
    float version;
    const size_t there = fs_bytes_peek(r->bytes, HEAD, &at);
    if (there < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
        return wrong(r, "magic (byte 0): expected 0x484A5455, found 0x%08" PRIX64,
                     there < sizeof magic ? 0 : number(at, 4));
    if (there < HEAD)
        return is_sound(r) && wrong(r, "head (byte 0): expected %d bytes, found %zu", HEAD, there);
    memcpy(&version, at + 4, sizeof version);
    if (!(version >= 1 && version <= 1))
        return wrong(r, "version (byte 4): expected 1, found %g", (double)version);
    r->nodes = at[38];
    r->packets = number(at + 48, 8);
    const uint64_t notes = number(at + 56, 4);
    r->regions = (uint32_t)number(at + 60, 4);
    if (r->nodes == 0)
        return wrong(r, "nodes (byte 38): expected 1 to %d, found 0", MOST_NODES);
    if (r->regions > MOST_REGIONS)
        return wrong(r, "regions (byte 60): expected at most %d, found %" PRIu32, MOST_REGIONS, r->regions);
    fs_bytes_skip(r->bytes, HEAD);
    return skip(r, notes < MOST_NOTES ? notes : 0, "notes") && take_regions(r);
}

/* Goes to the region that is asked for; its first cycle becomes 0. */
static bool choose_region(reader *r) {
    const int64_t n = r->asked.region;
    r->left = UINT64_MAX;
    for (int64_t i = 0; i < n && i < r->regions; i++)
        r->begin += r->region[i].cycles;
    r->begin = r->begin < r->asked.from ? r->asked.from : r->begin;
    if (n < 0)
        return true;
    if ((uint64_t)n >= r->regions)
        return wrong(r, "region: expected one of its %" PRIu32 ", from 0, found %" PRId64, r->regions, n);
    r->left = r->region[n].packets;
    return skip(r, r->region[n].offset, "region");
}

/* ---- packets ---- */

static bool wrong_packet(reader *r, const packet *p, const char *words, uint64_t found) {
    return wrong(r, "packet %" PRIu64 " (byte %" PRIu64 "): %s%" PRIu64, p->record, p->byte, words, found);
}

static bool check_packet(reader *r, const packet *p) {
    if (p->type >= FS_COUNT(kinds) || kinds[p->type].bytes == 0)
        return wrong_packet(r, p, "type: expected 1 to 6, 13 to 16, 25 or 27 to 30, found ", p->type);
    if (p->from >= r->nodes || p->to >= r->nodes)
        return wrong(
            r, "packet %" PRIu64 " (byte %" PRIu64 "): %s: expected a node, 0 ... %" PRIu32 ", found %u",
            p->record, p->byte, p->from >= r->nodes ? "source" : "destination", r->nodes - 1,
            p->from >= r->nodes ? p->from : p->to);
    if (p->cycle < r->latest)
        return wrong(r,
                     "packet %" PRIu64 " (byte %" PRIu64 "): cycle: expected at least %" PRIu64
                     ", that of the packet before, found %" PRIu64,
                     p->record, p->byte, r->latest, p->cycle);
    if (!fs_netrace_waits_see(&r->waits, p->id))
        return wrong_packet(r, p, "id: expected one of its own, found for the second time ", p->id);
    r->latest = p->cycle;
    return true;
}

/* The packets that wait for this one come later. counts: it is one of the run's tasks. */
static bool note_waits(reader *r, const packet *p, const uint8_t *at, uint32_t count, bool counts) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = (uint32_t)number(at + 4 * i, 4);
        if (fs_netrace_waits_saw(&r->waits, id))
            return wrong_packet(r, p, "expected packets that stand behind it to wait for it, found packet ",
                                id);
        const fs_netrace_wait wait = {
            .id = id, .task = r->task, .stamp = p->cycle, .record = p->record, .byte = p->byte};
        if (counts && !fs_netrace_waits_add(&r->waits, &wait))
            return wrong_packet(r, p, "more packets are waited for at a time than ", FS_NETRACE_MOST_WAITS);
    }
    return true;
}

/* The next packet of the file into *p and the packets that it waits for into r->found. counts: it is one of the run's.
 * false: the end, or an error. */
static bool take_packet(reader *r, packet *p, bool *counts, size_t *found) {
    const uint8_t *at;
    const size_t there = r->left == 0 || r->bytes == NULL ? 0 : fs_bytes_peek(r->bytes, PACKET, &at);
    if (there == 0)
        return false;
    *p = (packet){.record = r->record, .byte = fs_bytes_place(r->bytes)};
    const size_t whole = there < PACKET ? PACKET : PACKET + 4u * at[20];
    const size_t all = there < PACKET ? there : fs_bytes_peek(r->bytes, whole, &at);
    if (all < whole)
        return is_sound(r) && wrong_packet(r, p, "bytes missing at the end of the file: ", whole - all);
    p->cycle = number(at, 8);
    p->id = (uint32_t)number(at + 8, 4);
    p->type = at[16];
    p->from = at[17];
    p->to = at[18];
    if (!check_packet(r, p))
        return false;
    if (r->asked.to > 0 && p->cycle >= r->asked.to)
        return (r->left = 0) > 0;
    *counts = p->cycle >= r->asked.from;
    *found = fs_netrace_waits_take(&r->waits, p->id, &r->found, &r->found_room);
    if (!note_waits(r, p, at + PACKET, at[20], *counts))
        return false;
    fs_bytes_skip(r->bytes, whole);
    r->record++;
    r->left -= r->left != UINT64_MAX;
    return true;
}

/* A packet that another one waits for is not in the file; in a part of it it may stand behind the part. */
static bool check_end(reader *r) {
    const fs_netrace_wait *left = fs_netrace_waits_left(&r->waits);
    if (r->bytes != NULL && !is_sound(r))
        return false;
    if (r->err->status != FS_OK || left == NULL || r->asked.region >= 0 || r->asked.to > 0)
        return r->err->status == FS_OK;
    return wrong(r,
                 "packet %" PRIu64 " (byte %" PRIu64 "): waited for by packet %" PRIu32
                 ", which the file does not have",
                 left->record, left->byte, left->id);
}

/* ---- tasks ---- */

static bool next(void *self, fs_task *out, fs_error *err) {
    reader *r = self;
    packet p;
    bool counts = false;
    size_t found = 0;
    r->err = err;
    do
        if (!take_packet(r, &p, &counts, &found)) {
            check_end(r);
            return false;
        }
    while (!counts);
    if (fs_interrupted())
        return fs_fail(err, FS_RUN, "%s: interrupted in packet %" PRIu64, r->path, p.record) == FS_OK;
    if (r->task == FS_TASKS_MOST)
        return wrong_packet(r, &p, "more packets than a run takes: ", FS_TASKS_MOST);
    if (r->task == 0 && p.cycle < r->begin)
        r->begin = p.cycle;
    uint64_t latest = 0;
    for (; r->after_room < found; r->after_room++)
        r->after = fs_grow(r->after, r->after_room, sizeof *r->after);
    for (size_t i = 0; i < found; i++) {
        r->after[i] = r->found[i].task;
        latest = r->found[i].stamp > latest ? r->found[i].stamp : latest;
    }
    *out = (fs_task){.kind = FS_TASK_SEND,
                     .answer = kinds[p.type].answer,
                     .place = {.x = p.from, .y = FS_PLACE_END},
                     .to = {.x = p.to, .y = FS_PLACE_END},
                     .amount = kinds[p.type].bytes,
                     .packet = kinds[p.type].bytes,
                     .not_before = p.cycle - r->begin,
                     .gap = r->asked.gaps && found > 0 ? p.cycle - latest : 0,
                     .after = r->after,
                     .after_count = found};
    r->task++;
    r->moved += out->amount;
    r->dependencies += found;
    return true;
}

static void close_reader(void *self) {
    reader *r = self;
    fs_error ended = {0};
    fs_bytes_close(r->bytes, &ended);
    fs_netrace_waits_free(&r->waits);
    free(r->found);
    free(r->after);
    free(r);
}

static reader *open_reader(const char *path, const fs_format_asked *asked, fs_error *err) {
    fs_bytes *bytes = fs_bytes_open(path, err);
    if (bytes == NULL)
        return NULL;
    reader *r = fs_calloc(1, sizeof *r);
    *r = (reader){.path = path, .asked = *asked, .bytes = bytes, .err = err};
    if (take_head(r) && choose_region(r))
        return r;
    close_reader(r);
    return NULL;
}

static fs_status tasks(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_task_source *out,
                       fs_notes *notes, fs_error *err) {
    (void)arena;
    (void)notes;
    reader *r = open_reader(path, asked, err);
    *out = (fs_task_source){.self = r, .next = next, .close = close_reader};
    return r == NULL ? err->status : FS_OK;
}

/* ---- what it says ---- */

/* A grid of so many nodes, as square as they allow. */
static const char *grid_of(fs_arena *arena, uint32_t nodes) {
    uint32_t rows = 1;
    for (uint32_t i = 2; i * i <= nodes; i++)
        rows = nodes % i == 0 ? i : rows;
    return fs_arena_printf(arena, "[%" PRIu32 ", %" PRIu32 "]", nodes / rows, rows);
}

static void note(fs_notes *notes, fs_note_kind kind, const reader *r, const char *what, const char *words) {
    fs_notes_add(notes, (fs_note){.kind = kind, .what = what, .words = words, .file = r->path});
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    reader *r = open_reader(path, asked, err);
    fs_task task;
    if (r == NULL)
        return err->status;
    while (next(r, &task, err))
        ;
    if (err->status == FS_OK && r->task == 0)
        wrong(r, "expected packets, found none%s",
              asked->region >= 0 || asked->from > 0 || asked->to > 0 ? " in the part that is asked for" : "");
    const bool whole = asked->region < 0 && asked->to == 0;
    if (err->status == FS_OK && whole && r->record != r->packets)
        note(notes, FS_NOTE_IGNORED, r,
             fs_arena_printf(arena, "%s packets counted by its head", fs_number_grouped((double)r->packets)),
             fs_arena_printf(arena, "it has %s", fs_number_grouped((double)r->record)));
    note(notes, FS_NOTE_TAKEN, r, fs_arena_printf(arena, "%s packets", fs_number_grouped((double)r->task)),
         fs_arena_printf(arena, "of %s B, with %s dependencies, between %" PRIu32 " nodes",
                         fs_number_grouped((double)r->moved), fs_number_grouped((double)r->dependencies),
                         r->nodes));
    note(notes, FS_NOTE_IGNORED, r, "addresses and types of nodes", "ways and bytes follow from the rest");
    *out = (fs_format_told){
        .yaml = fs_arena_printf(
            arena,
            "machine:\n  exchange:\n    kind: noc\n    mode: dynamic\n    noc:\n      topology: mesh\n"
            "      size: %s\n      width: %d B\n      header: 0\nworkload:\n  kind: fabric\n",
            grid_of(arena, r->nodes), WIDTH),
        .machine = "gc200",
        .records = r->task,
        .unit = "packets"};
    close_reader(r);
    return err->status;
}

static bool is_netrace(const uint8_t *head, size_t bytes) {
    return bytes >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

const fs_format fs_format_netrace = {.name = "netrace",
                                     .what = "a trace of netrace, version 1",
                                     .is = is_netrace,
                                     .tell = tell,
                                     .tasks = tasks};
