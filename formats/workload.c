/* A workload of tt-npe: transfers with an offset each, as JSON or YAML. All its phases begin with the run. */
#include "formats/format.h"
#include "formats/items.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_COORDINATE = 65535, MOST_CHIP = 255 };
#define MOST_BYTES ((uint64_t)1 << 40)

/* A transfer, as it is kept until its turn comes. */
typedef struct transfer {
    uint64_t begins, bytes;
    uint32_t packet, number;
    uint16_t x, y, tx, ty, cx, cy; /* source, goal or first corner, other corner */
    uint8_t plane, chip;
    bool cast, fetched;
} transfer;

typedef struct reader {
    const char *path;
    fs_items *json;
    fs_notes *notes;
    transfer *of; /* [count] */
    size_t count, at;
    bool sorted;
    uint64_t published, columns;
} reader;

static void note(const reader *r, fs_note_kind kind, const char *what, const char *words) {
    if (r->notes != NULL)
        fs_notes_add(r->notes, (fs_note){kind, what, words, r->path, fs_items_line(r->json),
                                         fs_items_column(r->json), 1});
}

/* Keys of a transfer that are whole numbers. */
enum { PACKET, PACKETS, SRC_X, SRC_Y, DST_X, DST_Y, START_X, START_Y, END_X, END_Y, OFFSET, CHIP, NUMBERS };
static const struct {
    const char *key;
    uint64_t least, most;
} numbers[NUMBERS] = {
    [PACKET] = {"packet_size", 1, UINT32_MAX},         [PACKETS] = {"num_packets", 1, UINT32_MAX},
    [SRC_X] = {"src_x", 0, MOST_COORDINATE},           [SRC_Y] = {"src_y", 0, MOST_COORDINATE},
    [DST_X] = {"dst_x", 0, MOST_COORDINATE},           [DST_Y] = {"dst_y", 0, MOST_COORDINATE},
    [START_X] = {"mcast_start_x", 0, MOST_COORDINATE}, [START_Y] = {"mcast_start_y", 0, MOST_COORDINATE},
    [END_X] = {"mcast_end_x", 0, MOST_COORDINATE},     [END_Y] = {"mcast_end_y", 0, MOST_COORDINATE},
    [OFFSET] = {"phase_cycle_offset", 0, INT64_MAX},   [CHIP] = {"device_id", 0, MOST_CHIP},
};

/* A transfer while its keys are read. */
typedef struct keys {
    uint64_t value[NUMBERS];
    bool has[NUMBERS];
    int plane; /* -1: not said */
    bool read;
    uint64_t line, column;
} keys;

static bool take_plane(fs_items *j, keys *k) {
    char words[16];
    if (!fs_items_string(j, words, sizeof words))
        return false;
    k->plane = strcmp(words, "NOC_0") == 0 ? 0 : strcmp(words, "NOC_1") == 0 ? 1 : -1;
    return k->plane >= 0 || fs_items_wrong(j, "noc_type: expected NOC_0 or NOC_1, found \"%s\"", words);
}

/* As fast as the source's port takes it, whatever stands there: tt-npe puts its own rate in the place of it. */
static bool take_rate(const reader *r) {
    static const double slowest = 23; /* B/cycle of a source there, DRAM */
    double rate;
    if (!fs_items_real(r->json, &rate))
        return false;
    if (rate > 0 && rate < slowest)
        note(r, FS_NOTE_NEAR, "injection_rate", "sends as fast as the port takes it");
    else
        note(r, FS_NOTE_IGNORED, "injection_rate", "the machine's ports say how fast a source sends");
    return true;
}

static bool take_key(reader *r, keys *k) {
    fs_items *j = r->json;
    char words[48];
    for (size_t i = 0; i < NUMBERS; i++)
        if (fs_items_is(j, numbers[i].key)) {
            k->has[i] = fs_items_whole(j, (int64_t)numbers[i].least, numbers[i].most, &k->value[i]);
            return k->has[i];
        }
    if (fs_items_is(j, "noc_type"))
        return take_plane(j, k);
    if (fs_items_is(j, "injection_rate"))
        return take_rate(r);
    if (fs_items_is(j, "noc_event_type")) {
        if (!fs_items_string(j, words, sizeof words))
            return false;
        k->read = fs_begins(words, "READ");
        return true;
    }
    note(r, FS_NOTE_IGNORED, fs_items_text(j), "is no key that foamsim knows");
    fs_items_skip(j);
    return true;
}

static bool missing(const reader *r, const keys *k, const char *what) {
    return fs_items_wrong_at(r->json, k->line, k->column, "transfer %zu: %s: expected one, found none",
                             r->count + 1, what);
}

static bool add(reader *r, const keys *k) {
    const bool cast = !k->has[DST_X] && !k->has[DST_Y] &&
                      (k->has[START_X] || k->has[START_Y] || k->has[END_X] || k->has[END_Y]);
    static const int always[] = {PACKET, PACKETS, SRC_X, SRC_Y}, one[] = {DST_X, DST_Y},
                     all[] = {START_X, START_Y, END_X, END_Y};
    for (size_t i = 0; i < FS_COUNT(always); i++)
        if (!k->has[always[i]])
            return missing(r, k, numbers[always[i]].key);
    for (size_t i = 0; i < (cast ? FS_COUNT(all) : FS_COUNT(one)); i++)
        if (!k->has[cast ? all[i] : one[i]])
            return missing(r, k, numbers[cast ? all[i] : one[i]].key);
    if (k->plane < 0)
        return missing(r, k, "noc_type");
    const uint64_t bytes = k->value[PACKET] * k->value[PACKETS];
    if (bytes > MOST_BYTES || k->value[PACKETS] > MOST_BYTES / k->value[PACKET])
        return fs_items_wrong_at(r->json, k->line, k->column,
                                 "transfer %zu: expected at most %" PRIu64 " bytes, found more", r->count + 1,
                                 MOST_BYTES);
    if (r->count == FS_TASKS_MOST)
        return fs_items_wrong_at(r->json, k->line, k->column, "expected at most %d transfers, found more",
                                 FS_TASKS_MOST);
    const int x = cast ? START_X : DST_X, y = cast ? START_Y : DST_Y;
    r->of = fs_grow(r->of, r->count, sizeof *r->of);
    r->of[r->count] = (transfer){.begins = k->value[OFFSET],
                                 .bytes = bytes,
                                 .packet = (uint32_t)k->value[PACKET],
                                 .number = (uint32_t)r->count,
                                 .x = (uint16_t)k->value[SRC_X],
                                 .y = (uint16_t)k->value[SRC_Y],
                                 .tx = (uint16_t)k->value[x],
                                 .ty = (uint16_t)k->value[y],
                                 .cx = (uint16_t)k->value[cast ? END_X : DST_X],
                                 .cy = (uint16_t)k->value[cast ? END_Y : DST_Y],
                                 .plane = (uint8_t)k->plane,
                                 .chip = (uint8_t)k->value[CHIP],
                                 .cast = cast,
                                 .fetched = k->read};
    const transfer *t = &r->of[r->count];
    r->sorted = r->sorted && (r->count == 0 || r->of[r->count - 1].begins <= t->begins);
    r->columns = fs_most(r->columns, fs_most(t->x, fs_most(t->tx, t->cx)) + 1u);
    r->count++;
    return true;
}

static bool take_transfer(reader *r) {
    keys k = {.plane = -1};
    fs_items_kind kind;
    if (!fs_items_expect(r->json, FS_ITEM_OBJECT, "a transfer, an object"))
        return false;
    k.line = fs_items_line(r->json);
    k.column = fs_items_column(r->json);
    while ((kind = fs_items_next(r->json)) == FS_ITEM_KEY)
        if (!take_key(r, &k))
            return false;
    return kind == FS_ITEM_OBJECT_END && add(r, &k);
}

static bool take_phase(reader *r) {
    fs_items_kind k;
    if (!fs_items_expect(r->json, FS_ITEM_OBJECT, "a phase, an object"))
        return false;
    while ((k = fs_items_next(r->json)) == FS_ITEM_KEY) {
        if (!fs_items_is(r->json, "transfers")) {
            note(r, FS_NOTE_IGNORED, fs_items_text(r->json), "is no key that foamsim knows");
            fs_items_skip(r->json);
            continue;
        }
        if (!fs_items_expect(r->json, FS_ITEM_ARRAY, "an array of transfers"))
            return false;
        while (fs_items_more(r->json))
            if (!take_transfer(r) || (r->count % 65536 == 0 && fs_interrupted()))
                return false;
    }
    return k == FS_ITEM_OBJECT_END;
}

static bool take_golden(reader *r) {
    fs_items_kind k;
    if (!fs_items_expect(r->json, FS_ITEM_OBJECT, "golden_result, an object"))
        return false;
    while ((k = fs_items_next(r->json)) == FS_ITEM_KEY) {
        if (!fs_items_is(r->json, "cycles"))
            fs_items_skip(r->json);
        else if (!fs_items_whole(r->json, 0, INT64_MAX, &r->published))
            return false;
    }
    return k == FS_ITEM_OBJECT_END;
}

static bool take_all(reader *r) {
    uint64_t phases = 0;
    fs_items_kind k;
    if (!fs_items_expect(r->json, FS_ITEM_OBJECT, "a workload, an object with phases"))
        return false;
    while ((k = fs_items_next(r->json)) == FS_ITEM_KEY) {
        if (fs_items_is(r->json, "golden_result")) {
            if (!take_golden(r))
                return false;
        } else if (fs_items_is(r->json, "phases")) {
            if (!fs_items_expect(r->json, FS_ITEM_ARRAY, "an array of phases"))
                return false;
            for (; fs_items_more(r->json); phases++)
                if (!take_phase(r))
                    return false;
        } else {
            note(r, FS_NOTE_IGNORED, fs_items_text(r->json), "is no key that foamsim knows");
            fs_items_skip(r->json);
        }
    }
    if (k != FS_ITEM_OBJECT_END || fs_items_next(r->json) != FS_ITEM_END)
        return false;
    if (phases > 1)
        note(r, FS_NOTE_TAKEN, "phases", "all begin with the run, as in tt-npe");
    return r->count > 0 || fs_items_wrong(r->json, "phases: expected transfers, found none");
}

static int by_begin(const void *a, const void *b) {
    const transfer *x = a, *y = b;
    return x->begins != y->begins ? (x->begins > y->begins ? 1 : -1)
                                  : (x->number > y->number) - (x->number < y->number);
}

static size_t letters(const uint8_t *head, size_t bytes) {
    size_t at = 0;
    while (at < bytes && (head[at] == ' ' || (head[at] >= '\t' && head[at] <= '\r') || head[at] >= 0x80))
        at++;
    return at;
}

static bool holds(const uint8_t *head, size_t bytes, const char *what) {
    for (size_t k = 0; k + strlen(what) <= bytes; k++)
        if (memcmp(head + k, what, strlen(what)) == 0)
            return true;
    return false;
}

static void free_reader(void *self) {
    reader *r = self;
    free(r->of);
    free(r);
}

/* All its transfers, in the order in which they begin; NULL with *err. */
static reader *read_all(const char *path, fs_notes *notes, fs_error *err) {
    const uint8_t *head;
    fs_bytes *bytes = fs_bytes_open(path, err);
    if (bytes == NULL)
        return NULL;
    reader *r = fs_calloc(1, sizeof *r);
    const size_t there = fs_bytes_peek(bytes, FS_FORMAT_HEAD, &head), at = letters(head, there);
    const bool json = at == there || head[at] == '{' || head[at] == '[';
    *r = (reader){.path = path,
                  .notes = notes,
                  .sorted = true,
                  .json = json ? fs_items_of(bytes, false) : fs_items_yaml(path, err)};
    bool fine = r->json != NULL && take_all(r);
    if (r->json != NULL)
        fs_items_finish(r->json, err);
    r->json = NULL;
    fs_bytes_close(bytes, err);
    if (!fine && err->status == FS_OK)
        fs_fail(err, fs_interrupted() ? FS_RUN : FS_INPUT, "%s: %s", path,
                fs_interrupted() ? "interrupted" : "no workload");
    if (err->status != FS_OK) {
        free_reader(r);
        return NULL;
    }
    if (!r->sorted)
        qsort(r->of, r->count, sizeof *r->of, by_begin);
    return r;
}

static bool next(void *self, fs_task *out, fs_error *err) {
    reader *r = self;
    (void)err;
    if (r->at == r->count)
        return false;
    const transfer *t = &r->of[r->at++];
    *out = (fs_task){.kind = t->cast      ? FS_TASK_CAST
                             : t->fetched ? FS_TASK_FETCH
                                          : FS_TASK_SEND,
                     .plane = t->plane,
                     .place = {t->chip, t->x, t->y},
                     .to = {t->chip, t->tx, t->ty},
                     .corner = {t->chip, t->cx, t->cy},
                     .amount = t->bytes,
                     .packet = t->packet,
                     .not_before = t->begins};
    return true;
}

static fs_status tasks(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_task_source *out,
                       fs_notes *notes, fs_error *err) {
    (void)arena;
    (void)asked;
    reader *r = read_all(path, notes, err);
    if (r == NULL)
        return err->status;
    *out = (fs_task_source){.self = r, .next = next, .close = free_reader, .published = (double)r->published};
    return FS_OK;
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    (void)arena;
    (void)asked;
    reader *r = read_all(path, notes, err);
    if (r == NULL)
        return err->status;
    *out = (fs_format_told){.yaml = "workload:\n  kind: fabric\n",
                            .machine = r->columns <= 10 ? "wormhole" : "blackhole",
                            .records = r->count,
                            .unit = "transfers",
                            .published = (double)r->published};
    free_reader(r);
    return FS_OK;
}

/* An object, or a YAML mapping, with phases. */
static bool is(const uint8_t *head, size_t bytes) {
    const size_t at = letters(head, bytes);
    if (at == bytes)
        return false;
    if (head[at] == '{')
        return holds(head, bytes, "\"phases\"") || holds(head, bytes, "\"golden_result\"");
    return holds(head, bytes, "\nphases:") || (bytes - at > 7 && memcmp(head + at, "phases:", 7) == 0);
}

const fs_format fs_format_workload = {
    .name = "workload", .what = "a workload of tt-npe", .is = is, .tell = tell, .tasks = tasks};
