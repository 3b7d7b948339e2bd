/* A recorded trace as a table: proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip,channel,hops, a line for each event of a
 * processor, in their order. The last five may be missing: the far corner of a multicast's rectangle, the chip, and of a
 * send to another chip by which channel and how far. */
#include "formats/events.h"
#include "formats/fabric.h"

#include "sim/base/arith.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Fields: their names, and the most that a number of them may be. */
#define FIELD_TABLE(X)                                                                                       \
    X(PROC, "proc", 0)                                                                                       \
    X(SX, "sx", MOST_COORDINATE)                                                                             \
    X(SY, "sy", MOST_COORDINATE)                                                                             \
    X(EVENT, "event", 0)                                                                                     \
    X(NOC, "noc", 0)                                                                                         \
    X(VC, "vc", 0)                                                                                           \
    X(DX, "dx", MOST_COORDINATE)                                                                             \
    X(DY, "dy", MOST_COORDINATE)                                                                             \
    X(BYTES, "bytes", INT64_MAX - 1)                                                                         \
    X(CYCLE, "cycle", INT64_MAX - 1)                                                                         \
    X(EX, "ex", MOST_COORDINATE)                                                                             \
    X(EY, "ey", MOST_COORDINATE)                                                                             \
    X(CHIP, "chip", MOST_CHIP)                                                                               \
    X(CHANNEL, "channel", INT32_MAX)                                                                         \
    X(HOPS, "hops", FS_EVENT_LEGS)
#define X(field, name, most) field,
enum { FIELD_TABLE(X) MOST_FIELDS, FIELDS = EX }; /* FIELDS: those that every line has */
#undef X
enum { MOST_COORDINATE = 65535, MOST_CHIP = 255 };
#define X(field, name, most) {name, most},
static const struct {
    const char *name;
    int64_t most;
} fields[] = {FIELD_TABLE(X)};
#undef X

typedef struct reader {
    const char *path;
    fs_csv_lines text;
    char *cell[MOST_FIELDS + 1];
    size_t cells;
    fs_events *events;
    fs_joints *joints;
    const char *topology;
    fs_marked event;
    fs_event_send send;
    fs_error *err;
} reader;

static bool wrong(const reader *r, size_t field, const char *expected, const char *found) {
    fs_fail(r->err, FS_INPUT, "%s:%" PRIu64 ":%zu: %s: expected %s, found \"%.40s\"", r->path, r->text.line,
            fs_csv_column_of(&r->text, found), fields[field].name, expected, found);
    return false;
}

/* A number of at least `least` in a field; `none` where the field is empty or missing. */
static bool number_of(const reader *r, size_t field, int64_t least, int64_t none, int64_t *out) {
    const char *text = field < r->cells ? r->cell[field] : "";
    char *end, expected[64];
    *out = text[0] == '\0' ? none : strtoll(text, &end, 10);
    if (text[0] == '\0' || (end != text && *end == '\0' && *out >= least && *out <= fields[field].most))
        return true;
    snprintf(expected, sizeof expected, "a number, %" PRId64 " ... %" PRId64, least, fields[field].most);
    return wrong(r, field, expected, text);
}

static bool plane_of(const reader *r, int64_t *out) {
    const char *text = r->cell[NOC];
    char *end = NULL;
    *out = fs_begins(text, "NOC_") && text[4] >= '0' && text[4] <= '9' ? strtoll(text + 4, &end, 10) : -1;
    return text[0] == '\0' || (end != NULL && *end == '\0' && *out < 1000) ||
           wrong(r, NOC, "NOC_0 or another plane of the network", text);
}

static bool name_of(const reader *r, size_t field, char out[FS_EVENT_NAME]) {
    return snprintf(out, FS_EVENT_NAME, "%s", r->cell[field]) < FS_EVENT_NAME ||
           wrong(r, field, "a name of at most 47 bytes", r->cell[field]);
}

/* A send by channel and hops, as the topology's file has them. */
static bool take_send(reader *r) {
    int64_t channel, hops;
    char words[256];
    fs_marked *v = &r->event;
    if (!fs_begins(v->type, "FABRIC_") || v->sx < 0 || v->sy < 0)
        return true;
    if (!number_of(r, CHANNEL, 0, -1, &channel) || !number_of(r, HOPS, 1, 0, &hops) ||
        (!fs_joints_known(r->joints) && fs_joints_read(r->joints, r->topology, r->err)))
        return false;
    r->send.legs = 0;
    v->send = &r->send;
    const char *why = hops < 1 ? "a send needs channel, hops, dx and dy"
                               : fs_joints_walk(r->joints, v, channel, (uint64_t)hops, 1, words);
    return why == NULL ||
           fs_fail(r->err, FS_INPUT, "%s:%" PRIu64 ":1: %s", r->path, r->text.line, why) == FS_OK;
}

/* One line; false: something in it is wrong. */
/* One line; false: something in it is wrong. */
static bool take_line(reader *r) {
    const int64_t none = FS_EVENT_NOWHERE;
    fs_marked *v = &r->event;
    int64_t stamp;
    *v = (fs_marked){.line = r->text.line, .column = 1, .host = -1, .x1 = none, .y1 = none};
    if (!name_of(r, PROC, v->proc) || !number_of(r, SX, 0, none, &v->sx) ||
        !number_of(r, SY, 0, none, &v->sy) || !name_of(r, EVENT, v->type) || !plane_of(r, &v->plane) ||
        !number_of(r, DX, -1, none, &v->x0) || !number_of(r, DY, -1, none, &v->y0) ||
        !number_of(r, BYTES, 0, -1, &v->bytes) || !number_of(r, CYCLE, 0, -1, &stamp) ||
        !number_of(r, CHIP, 0, -1, &v->chip))
        return false;
    if (strcmp(v->type, "WRITE_MULTICAST") == 0 &&
        (!number_of(r, EX, 0, none, &v->x1) || !number_of(r, EY, 0, none, &v->y1)))
        return false;
    v->dx = v->x0;
    v->dy = v->y0;
    v->timed = stamp >= 0;
    v->stamp = stamp >= 0 ? (uint64_t)stamp : 0;
    return take_send(r) && fs_events_take(r->events, v, r->err);
}

static fs_status take_lines(reader *r) {
    uint64_t count = 0;
    while (r->err->status == FS_OK && (r->cells = fs_csv_record(&r->text, r->cell, FS_COUNT(r->cell))) > 0) {
        if (r->cell[0][0] == '#' || strcmp(r->cell[PROC], "proc") == 0)
            continue;
        if (r->cells < FIELDS)
            return fs_fail(r->err, FS_INPUT,
                           "%s:%" PRIu64
                           ":1: expected proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle, found %zu fields",
                           r->path, r->text.line, r->cells);
        take_line(r);
        count++;
        if (fs_interrupted())
            return fs_fail(r->err, FS_RUN, "interrupted in line %" PRIu64 " of %s", r->text.line, r->path);
    }
    return count > 0 ? r->err->status : fs_fail(r->err, FS_INPUT, "%s: no event in it", r->path);
}

static fs_status calls(fs_arena *arena, const char *path, const fs_format_asked *asked,
                       const fs_calls_taker *taker, fs_recorded_span *span, fs_notes *notes, fs_error *err) {
    fs_format_asked lenient = *asked;
    fs_arena *texts = fs_arena_create();
    char *text = fs_file_table(texts, path, err);
    lenient.lenient = true;
    if (text != NULL) {
        reader *r = FS_NEW(texts, reader, 1);
        *r = (reader){.path = path, .text = fs_csv_begin(text), .joints = fs_joints_create(), .err = err};
        r->events = fs_events_create(path, &lenient, taker, notes);
        r->topology = fs_format_topology(arena, path, asked);
        take_lines(r);
        *span = fs_events_span(r->events);
        fs_events_free(r->events);
        fs_joints_free(r->joints);
    }
    fs_arena_free(texts);
    return err->status;
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    return fs_format_tell_calls(&fs_format_trace_table, arena, path, asked, out, notes, err);
}

/* The head's words, behind comments. */
static bool is(const uint8_t *head, size_t bytes) {
    static const char words[] = "proc,sx,sy,event,noc";
    size_t at = bytes >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < bytes && head[at] == '#') {
        while (at < bytes && head[at] != '\n')
            at++;
        at += at < bytes;
    }
    return bytes - at >= sizeof words - 1 && memcmp(head + at, words, sizeof words - 1) == 0;
}

const fs_format fs_format_trace_table = {.name = "trace-table",
                                         .what = "a recorded trace as a table of foamsim",
                                         .is = is,
                                         .tell = tell,
                                         .calls = calls,
                                         .beside = fs_format_topology_beside};
