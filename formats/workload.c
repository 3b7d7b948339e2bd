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
    uint64_t columns, phases;
    int64_t published;
} reader;

static void note(const reader *r, fs_note_kind kind, const char *what, const char *words) {
    fs_notes_add(r->notes,
                 (fs_note){kind, what, words, r->path, fs_items_line(r->json), fs_items_column(r->json), 1});
}

/* A transfer while its keys are read. */
typedef struct said {
    int64_t packet, packets, src_x, src_y, dst_x, dst_y, start_x, start_y, end_x, end_y; /* -1: not said */
    int64_t offset, chip;
    int plane; /* -1: not said */
    bool read;
    reader *of;
} said;

static bool take_plane(fs_items *j, void *to) {
    int *plane = to;
    char words[16];
    if (!fs_items_string(j, words, sizeof words))
        return false;
    *plane = strcmp(words, "NOC_0") == 0 ? 0 : strcmp(words, "NOC_1") == 0 ? 1 : -1;
    return *plane >= 0 || fs_items_wrong(j, "noc_type: expected NOC_0 or NOC_1, found \"%s\"", words);
}

static bool take_type(fs_items *j, void *to) {
    bool *read = to;
    char words[48];
    const bool good = fs_items_string(j, words, sizeof words);
    *read = good && fs_begins(words, "READ");
    return good;
}

/* As fast as the source's port takes it, whatever stands there: tt-npe puts its own rate in the place of it. */
static bool take_rate(fs_items *j, void *to) {
    static const double slowest = 23; /* B/cycle of a source there, DRAM */
    const said *k = to;
    double rate;
    if (!fs_items_real(j, &rate))
        return false;
    if (rate > 0 && rate < slowest)
        note(k->of, FS_NOTE_NEAR, "injection_rate", "sends as fast as the port takes it");
    else
        note(k->of, FS_NOTE_IGNORED, "injection_rate", "the machine's ports say how fast a source sends");
    return true;
}

static bool ignore(reader *r) {
    note(r, FS_NOTE_IGNORED, fs_items_text(r->json), "is no key that foamsim knows");
    fs_items_skip(r->json);
    return true;
}

static bool ignore_in_transfer(fs_items *j, void *to) {
    (void)j;
    return ignore(((said *)to)->of);
}

static bool ignore_in_reader(fs_items *j, void *to) {
    (void)j;
    return ignore(to);
}

#define PLACE(name, m)                                                                                       \
    { .key = name, .at = offsetof(said, m), .most = MOST_COORDINATE }
static const fs_items_key transfer_keys[] = {
    {.key = "packet_size", .at = offsetof(said, packet), .least = 1, .most = UINT32_MAX},
    {.key = "num_packets", .at = offsetof(said, packets), .least = 1, .most = UINT32_MAX},
    PLACE("src_x", src_x),
    PLACE("src_y", src_y),
    PLACE("dst_x", dst_x),
    PLACE("dst_y", dst_y),
    PLACE("mcast_start_x", start_x),
    PLACE("mcast_start_y", start_y),
    PLACE("mcast_end_x", end_x),
    PLACE("mcast_end_y", end_y),
    {.key = "phase_cycle_offset", .at = offsetof(said, offset), .most = INT64_MAX},
    {.key = "device_id", .at = offsetof(said, chip), .most = MOST_CHIP},
    {.key = "noc_type", .at = offsetof(said, plane), .take = take_plane},
    {.key = "injection_rate", .take = take_rate},
    {.key = "noc_event_type", .at = offsetof(said, read), .take = take_type},
};

/* The key of the first value that a transfer needs and does not have; NULL: it has all. */
static const char *lacks(const said *k, bool cast) {
    enum { ALWAYS = 4, TO_ONE = 6, TO_ALL = 10 }; /* ends of such rows of transfer_keys */
    for (size_t i = 0; i < TO_ALL; i++) {
        int64_t value;
        memcpy(&value, (const char *)k + transfer_keys[i].at, sizeof value);
        if (value < 0 && (i < ALWAYS || cast == (i >= TO_ONE)))
            return transfer_keys[i].key;
    }
    return k->plane < 0 ? "noc_type" : NULL;
}

static bool add(reader *r, const said *k) {
    const bool cast = k->dst_x < 0 && k->dst_y < 0 &&
                      (k->start_x >= 0 || k->start_y >= 0 || k->end_x >= 0 || k->end_y >= 0);
    const char *lacking = lacks(k, cast);
    if (lacking != NULL)
        return fs_items_wrong(r->json, "transfer %zu: %s: expected one, found none", r->count + 1, lacking);
    if ((uint64_t)k->packets > MOST_BYTES / (uint64_t)k->packet)
        return fs_items_wrong(r->json, "transfer %zu: expected at most %" PRIu64 " bytes, found more",
                              r->count + 1, MOST_BYTES);
    if (r->count == FS_TASKS_MOST)
        return fs_items_wrong(r->json, "expected at most %d transfers, found more", FS_TASKS_MOST);
    r->of = fs_grow(r->of, r->count, sizeof *r->of);
    r->of[r->count] = (transfer){.begins = (uint64_t)k->offset,
                                 .bytes = (uint64_t)(k->packet * k->packets),
                                 .packet = (uint32_t)k->packet,
                                 .number = (uint32_t)r->count,
                                 .x = (uint16_t)k->src_x,
                                 .y = (uint16_t)k->src_y,
                                 .tx = (uint16_t)(cast ? k->start_x : k->dst_x),
                                 .ty = (uint16_t)(cast ? k->start_y : k->dst_y),
                                 .cx = (uint16_t)(cast ? k->end_x : k->dst_x),
                                 .cy = (uint16_t)(cast ? k->end_y : k->dst_y),
                                 .plane = (uint8_t)k->plane,
                                 .chip = (uint8_t)k->chip,
                                 .cast = cast,
                                 .fetched = k->read};
    const transfer *t = &r->of[r->count];
    r->sorted = r->sorted && (r->count == 0 || r->of[r->count - 1].begins <= t->begins);
    r->columns = fs_most(r->columns, fs_most(t->x, fs_most(t->tx, t->cx)) + 1u);
    r->count++;
    return true;
}

static bool take_transfer(fs_items *j, void *to) {
    reader *r = to;
    said k = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, .plane = -1, .of = r};
    if (!fs_items_object(j, "a transfer, an object", transfer_keys, FS_COUNT(transfer_keys), &k,
                         ignore_in_transfer))
        return false;
    return add(r, &k) && (r->count % 65536 != 0 || !fs_interrupted());
}

static bool take_transfers(fs_items *j, void *to) {
    return fs_items_array(j, "an array of transfers", take_transfer, to);
}

static bool take_phase(fs_items *j, void *to) {
    static const fs_items_key keys[] = {{.key = "transfers", .take = take_transfers}};
    ((reader *)to)->phases++;
    return fs_items_object(j, "a phase, an object", keys, FS_COUNT(keys), to, ignore_in_reader);
}

static bool take_phases(fs_items *j, void *to) {
    return fs_items_array(j, "an array of phases", take_phase, to);
}

static bool take_golden(fs_items *j, void *to) {
    static const fs_items_key keys[] = {
        {.key = "cycles", .at = offsetof(reader, published), .most = INT64_MAX}};
    return fs_items_object(j, "golden_result, an object", keys, FS_COUNT(keys), to, NULL);
}

static bool take_all(reader *r) {
    static const fs_items_key keys[] = {{.key = "golden_result", .take = take_golden},
                                        {.key = "phases", .take = take_phases}};
    if (!fs_items_object(r->json, "a workload, an object with phases", keys, FS_COUNT(keys), r,
                         ignore_in_reader) ||
        fs_items_next(r->json) != FS_ITEM_END)
        return false;
    if (r->phases > 1)
        note(r, FS_NOTE_TAKEN, "phases", "all begin with the run, as in tt-npe");
    return r->count > 0 || fs_items_wrong(r->json, "phases: expected transfers, found none");
}

static int by_begin(const void *a, const void *b) {
    const transfer *x = a, *y = b;
    return x->begins != y->begins ? (x->begins > y->begins ? 1 : -1)
                                  : (x->number > y->number) - (x->number < y->number);
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
    const size_t there = fs_bytes_peek(bytes, FS_FORMAT_HEAD, &head), at = fs_items_first(head, there);
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
    const size_t at = fs_items_first(head, bytes);
    if (at == bytes)
        return false;
    if (head[at] == '{')
        return fs_items_hold(head, bytes, "\"phases\"") || fs_items_hold(head, bytes, "\"golden_result\"");
    return fs_items_hold(head, bytes, "\nphases:") ||
           (bytes - at > 7 && memcmp(head + at, "phases:", 7) == 0);
}

const fs_format fs_format_workload = {
    .name = "workload", .what = "a workload of tt-npe", .is = is, .tell = tell, .tasks = tasks};
