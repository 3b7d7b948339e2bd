#include "workloads/packets/calls.h"

#include "sim/base/arith.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey: a line for each event of a processor, in their order; the last two are
 * the far corner of a multicast's rectangle. */
enum { PROC, SX, SY, EVENT, NOC, VC, DX, DY, BYTES, CYCLE, FIELDS, EX = FIELDS, EY, MOST_FIELDS };
static const char *const names[] = {"proc", "sx", "sy",    "event", "noc", "vc",
                                    "dx",   "dy", "bytes", "cycle", "ex",  "ey"};
enum { MOST_AGENTS = 1 << 16, MOST_STRANGE = 8, MOST_PLACES = 1 << 24 };

/* ---- places ---- */

/* Columns and rows of the routers with end points, as the graph has them. */
typedef struct places {
    uint32_t columns, rows;
    uint32_t *end; /* [rows][columns] the first end point there; FS_NOC_NONE: no router */
} places;

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts; the number of different ones, which come first. */
static uint32_t distinct(double *values, uint32_t count) {
    uint32_t kept = 0;
    qsort(values, count, sizeof *values, ascending);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || values[i] > values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static uint32_t rank(double value, const double *values, uint32_t count) {
    const double *found = bsearch(&value, values, count, sizeof *values, ascending);
    return (uint32_t)(found - values);
}

static fs_status find_places(fs_arena *arena, const fs_noc_graph *g, places *out, fs_error *err) {
    double *x = FS_NEW(arena, double, g->ends), *y = FS_NEW(arena, double, g->ends);
    for (uint32_t e = 0; e < g->ends; e++) {
        x[e] = g->place[g->end[e].router].x;
        y[e] = g->place[g->end[e].router].y;
    }
    *out = (places){.columns = distinct(x, g->ends), .rows = distinct(y, g->ends)};
    if ((uint64_t)out->columns * out->rows > MOST_PLACES)
        return fs_fail(err, FS_INPUT, "the network's routers lie in no grid of at most %d places",
                       MOST_PLACES);
    out->end = FS_NEW(arena, uint32_t, (size_t)out->columns * out->rows);
    memset(out->end, 0xff, (size_t)out->columns * out->rows * sizeof *out->end);
    for (uint32_t e = 0; e < g->ends; e++) {
        const fs_noc_place p = g->place[g->end[e].router];
        uint32_t *end = &out->end[rank(p.y, y, out->rows) * out->columns + rank(p.x, x, out->columns)];
        if (*end != FS_NOC_NONE && g->end[*end].router != g->end[e].router)
            return fs_fail(
                err, FS_INPUT,
                "a trace names places by column and row; expected each router with end points at a place "
                "of its own, found %u and %u at one",
                g->end[*end].router, g->end[e].router);
        *end = *end == FS_NOC_NONE ? e : *end;
    }
    return FS_OK;
}

/* ---- processors ---- */

typedef struct processor {
    const char *name; /* in the text */
    uint32_t node, count;
    uint64_t latest;
    fs_call *calls;
} processor;

/* A trace while it is read. */
typedef struct reader {
    fs_arena *arena;
    const char *path;
    const fs_calls_network *network;
    places places;
    fs_csv_lines text;
    char *cell[MOST_FIELDS + 1];
    size_t cells;
    processor *of; /* [count] */
    uint32_t count;
    uint32_t *slot; /* [2 MOST_AGENTS] processors by a hash of node and name; FS_NOC_NONE */
    struct {
        const char *event;
        uint64_t count;
    } strange[MOST_STRANGE]; /* events of which nothing is known */
    uint64_t more_strange, bytes;
} reader;

/* An error in a field, at its place: "FILE:LINE:COLUMN: NAME: what is wrong". */
static bool wrong(const reader *r, size_t field, fs_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool wrong(const reader *r, size_t field, fs_error *err, const char *format, ...) {
    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%zu: %s: %s", r->path, r->text.line,
            fs_csv_column_of(&r->text, r->cell[field]), names[field], words);
    return false;
}

/* FNV-1a. */
static uint32_t slot_of(const char *name, uint32_t node) {
    uint32_t hash = (2166136261u ^ node) * 16777619u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash % (2 * MOST_AGENTS);
}

/* The line's processor; NULL: it is one too many. */
static processor *processor_of(reader *r, uint32_t node, fs_error *err) {
    const char *name = r->cell[PROC];
    uint32_t at = slot_of(name, node);
    for (; r->slot[at] != FS_NOC_NONE; at = (at + 1) % (2 * MOST_AGENTS)) {
        processor *p = &r->of[r->slot[at]];
        if (p->node == node && strcmp(p->name, name) == 0)
            return p;
    }
    if (r->count == MOST_AGENTS) {
        wrong(r, PROC, err, "expected at most %d processors", MOST_AGENTS);
        return NULL;
    }
    r->slot[at] = r->count;
    r->of = fs_grow(r->of, r->count, sizeof *r->of);
    r->of[r->count] = (processor){.name = name, .node = node};
    return &r->of[r->count++];
}

/* ---- events ---- */

/* A number of 0 ... most in a field. */
static bool number_of(const reader *r, size_t field, uint64_t most, uint64_t *out, fs_error *err) {
    char *text = r->cell[field], *end = text;
    *out = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    return (end != text && *end == '\0' && *out <= most) ||
           wrong(r, field, err, "expected a number, 0 ... %" PRIu64 ", found \"%.40s\"", most, text);
}

/* The end point at a column and a row that two fields name. */
static bool place_of(const reader *r, size_t column, uint32_t *out, fs_error *err) {
    uint64_t x, y;
    if (!number_of(r, column, r->places.columns - 1, &x, err) ||
        !number_of(r, column + 1, r->places.rows - 1, &y, err))
        return false;
    *out = r->places.end[y * r->places.columns + x];
    return *out != FS_NOC_NONE ||
           wrong(r, column, err, "no router at column %" PRIu64 ", row %" PRIu64, x, y);
}

static bool plane_of(const reader *r, uint32_t *out, fs_error *err) {
    const char *text = r->cell[NOC];
    char *end = NULL;
    const unsigned long plane =
        strncmp(text, "NOC_", 4) == 0 && text[4] >= '0' && text[4] <= '9' ? strtoul(text + 4, &end, 10) : 0;
    *out = (uint32_t)plane;
    if (end == NULL || *end != '\0')
        return wrong(r, NOC, err, "expected NOC_0 or another plane of the network, found \"%.40s\"", text);
    return plane < r->network->planes ||
           wrong(r, NOC, err, "expected %s, or machine.exchange.noc.planes of at least %lu; found \"%.40s\"",
                 r->network->planes == 1 ? "NOC_0" : "one of its planes", plane + 1, text);
}

static bool lies_between(uint64_t at, uint64_t from, uint64_t to, bool wraps) {
    return from <= to ? at >= from && at <= to : wraps && (at >= from || at <= to);
}

/* The end points in a multicast's rectangle, the sender left out. */
static bool take_group(reader *r, uint32_t sender, fs_call *call, fs_error *err) {
    uint64_t x[2], y[2];
    if (r->cells <= EY)
        return wrong(
            r, EVENT, err,
            "a multicast goes to a rectangle from dx,dy to two more fields, ex,ey; expected %d fields, found "
            "%zu",
            MOST_FIELDS, r->cells);
    for (int i = 0; i < 2; i++)
        if (!number_of(r, i == 0 ? DX : EX, r->places.columns - 1, &x[i], err) ||
            !number_of(r, i == 0 ? DY : EY, r->places.rows - 1, &y[i], err))
            return false;
    uint32_t *group = FS_NEW(r->arena, uint32_t, (size_t)r->places.columns * r->places.rows);
    call->members = 0;
    for (uint32_t i = 0; i < r->places.columns * r->places.rows; i++) {
        const uint32_t end = r->places.end[i];
        if (end != FS_NOC_NONE && end != sender &&
            lies_between(i % r->places.columns, x[0], x[1], r->network->wraps) &&
            lies_between(i / r->places.columns, y[0], y[1], r->network->wraps))
            group[call->members++] = end;
    }
    call->group = group;
    call->to = call->members > 0 ? group[0] : sender;
    return call->members > 0 ||
           wrong(r, DX, err, "expected a rectangle with other places in it, found none%s",
                 r->network->wraps ? "" : "; only a torus has one that goes round an edge");
}

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

typedef enum event { WAITS, WRITES, READS, CASTS, PASSES, STRANGE } event;

static event event_of(const char *name) {
    if (strstr(name, "BARRIER") != NULL)
        return ends_with(name, "BARRIER_END") ? WAITS : ends_with(name, "BARRIER_START") ? PASSES : STRANGE;
    if (ends_with(name, "_SET_STATE") || ends_with(name, "_FLUSH"))
        return STRANGE;
    if (strcmp(name, "WRITE_MULTICAST") == 0)
        return CASTS;
    return strncmp(name, "READ", 4) == 0      ? READS
           : strncmp(name, "WRITE", 5) == 0   ? WRITES
           : strncmp(name, "KERNEL_", 7) == 0 ? PASSES
                                              : STRANGE;
}

static void note_strange(reader *r, const char *name) {
    for (int i = 0; i < MOST_STRANGE; i++) {
        if (r->strange[i].event != NULL && strcmp(r->strange[i].event, name) != 0)
            continue;
        r->strange[i].event = name;
        r->strange[i].count++;
        return;
    }
    r->more_strange++;
}

/* The call of a line: its destination, network and bytes. */
static bool take_call(reader *r, event e, uint32_t node, fs_call *call, fs_error *err) {
    static const fs_call_kind kinds[] = {
        [WRITES] = FS_CALL_WRITE, [READS] = FS_CALL_READ, [CASTS] = FS_CALL_MULTICAST};
    call->kind = kinds[e];
    if (!plane_of(r, &call->plane, err) ||
        !(e == CASTS ? take_group(r, node, call, err) : place_of(r, DX, &call->to, err)) ||
        !number_of(r, BYTES, (uint64_t)1 << 40, &call->bytes, err))
        return false;
    r->bytes += call->bytes * (e == CASTS ? call->members : 1);
    return true;
}

/* One event; false: something in it is wrong. */
static bool take_event(reader *r, fs_error *err) {
    const event e = event_of(r->cell[EVENT]);
    const bool calls = e == WRITES || e == READS || e == CASTS;
    fs_call call = {.kind = FS_CALL_WAIT};
    uint64_t cycle;
    uint32_t node;
    if (!place_of(r, SX, &node, err) || !number_of(r, CYCLE, (uint64_t)1 << 40, &cycle, err) ||
        (calls && !take_call(r, e, node, &call, err)))
        return false;
    if (e == STRANGE)
        note_strange(r, r->cell[EVENT]);
    processor *p = processor_of(r, node, err);
    if (p == NULL)
        return false;
    if (p->count > 0 && !calls && e != WAITS)
        return true; /* the time to it is the next call's; one out of its order says nothing */
    /* What lies between a barrier's two events is the waiting that is simulated; a call's own time is in its gap. */
    const uint64_t gap = e == WAITS || cycle < p->latest ? 0 : cycle - p->latest;
    call.gap = gap > r->network->issue ? gap - r->network->issue : 0;
    p->latest = fs_most(p->latest, cycle);
    p->calls = fs_grow(p->calls, p->count, sizeof *p->calls);
    p->calls[p->count++] = call;
    return true;
}

static fs_status read_lines(reader *r, fs_error *err) {
    while (err->status == FS_OK && (r->cells = fs_csv_record(&r->text, r->cell, FS_COUNT(r->cell))) > 0) {
        if (r->cell[0][0] == '#' || strcmp(r->cell[PROC], "proc") == 0)
            continue;
        if (r->cells < FIELDS)
            return fs_fail(err, FS_INPUT,
                           "%s:%" PRIu64
                           ":1: expected proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle, found %zu fields",
                           r->path, r->text.line, r->cells);
        take_event(r, err);
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted in line %" PRIu64 " of %s", r->text.line, r->path);
    }
    if (err->status == FS_OK && r->count == 0)
        fs_fail(err, FS_INPUT, "%s: no event in it", r->path);
    return err->status;
}

/* ---- the whole ---- */

static void say_strange(const reader *r) {
    char words[512] = "";
    size_t at = 0;
    for (int i = 0; i < MOST_STRANGE && r->strange[i].event != NULL && at < sizeof words; i++)
        at += (size_t)snprintf(words + at, sizeof words - at, "%s%.40s (%" PRIu64 ")", i == 0 ? "" : ", ",
                               r->strange[i].event, r->strange[i].count);
    if (r->strange[0].event != NULL)
        fs_say("%s: nothing is known of these events, which move no data here and count as time between "
               "calls: %s%s",
               r->path, words, r->more_strange > 0 ? " and others" : "");
}

/* The processors' calls one after another. */
static void lay_out(fs_arena *arena, const reader *r, fs_calls *out) {
    uint32_t *node = FS_NEW(arena, uint32_t, r->count + 1), *first = FS_NEW(arena, uint32_t, r->count + 1);
    for (uint32_t i = 0; i < r->count; i++)
        first[i + 1] = first[i] + r->of[i].count;
    fs_call *calls = FS_NEW(arena, fs_call, first[r->count] + 1);
    for (uint32_t i = 0; i < r->count; i++) {
        node[i] = r->of[i].node;
        memcpy(calls + first[i], r->of[i].calls, r->of[i].count * sizeof *calls);
    }
    *out = (fs_calls){.count = r->count, .node = node, .first = first, .calls = calls, .bytes = r->bytes};
}

fs_status fs_calls_read(fs_arena *arena, const char *path, const fs_calls_network *network, fs_calls *out,
                        fs_error *err) {
    reader r = {.arena = arena, .path = path, .network = network};
    char *text = fs_file_table(arena, path, err);
    if (text == NULL || find_places(arena, network->graph, &r.places, err))
        return err->status;
    r.text = fs_csv_begin(text);
    r.slot = fs_malloc(2 * MOST_AGENTS * sizeof *r.slot);
    memset(r.slot, 0xff, 2 * MOST_AGENTS * sizeof *r.slot);
    const fs_status status = read_lines(&r, err);
    if (status == FS_OK) {
        say_strange(&r);
        lay_out(arena, &r, out);
    }
    for (uint32_t i = 0; i < r.count; i++)
        free(r.of[i].calls);
    free(r.of);
    free(r.slot);
    return status;
}
