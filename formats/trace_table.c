/* A recorded trace as a table: proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip,channel,hops, a line for each event of a
 * processor, in their order. The last five may be missing: the far corner of a multicast's rectangle, the chip, and of a
 * send to another chip by which channel and how far. */
#include "formats/events.h"
#include "formats/fabric.h"

#include "sim/base/arith.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/yaml/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PROC,
    SX,
    SY,
    EVENT,
    NOC,
    VC,
    DX,
    DY,
    BYTES,
    CYCLE,
    FIELDS,
    EX = FIELDS,
    EY,
    CHIP,
    CHANNEL,
    HOPS,
    MOST_FIELDS
};
static const char *const names[] = {"proc",  "sx",    "sy", "event", "noc",  "vc",      "dx",  "dy",
                                    "bytes", "cycle", "ex", "ey",    "chip", "channel", "hops"};

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
} reader;

/* A number of least ... INT64_MAX in a field; none where the field is empty or missing. */
static bool number_of(const reader *r, size_t field, int64_t least, int64_t none, int64_t *out,
                      fs_error *err) {
    const char *text = field < r->cells ? r->cell[field] : "";
    char *end;
    *out = text[0] == '\0' ? none : strtoll(text, &end, 10);
    if (text[0] == '\0' || (end != text && *end == '\0' && *out >= least && *out < INT64_MAX))
        return true;
    fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%zu: %s: expected a number, %" PRId64 " or more, found \"%.40s\"",
            r->path, r->text.line, fs_csv_column_of(&r->text, text), names[field], least, text);
    return false;
}

static bool plane_of(const reader *r, int64_t *out, fs_error *err) {
    const char *text = r->cell[NOC];
    char *end = NULL;
    *out = fs_begins(text, "NOC_") && text[4] >= '0' && text[4] <= '9' ? strtoll(text + 4, &end, 10) : -1;
    if (text[0] == '\0' || (end != NULL && *end == '\0' && *out < 1000))
        return true;
    fs_fail(err, FS_INPUT,
            "%s:%" PRIu64 ":%zu: noc: expected NOC_0 or another plane of the network, found \"%.40s\"",
            r->path, r->text.line, fs_csv_column_of(&r->text, text), text);
    return false;
}

static bool name_of(const reader *r, size_t field, char out[FS_EVENT_NAME], fs_error *err) {
    if (snprintf(out, FS_EVENT_NAME, "%s", r->cell[field]) < FS_EVENT_NAME)
        return true;
    fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%zu: %s: expected a name of at most %d bytes", r->path,
            r->text.line, fs_csv_column_of(&r->text, r->cell[field]), names[field], FS_EVENT_NAME - 1);
    return false;
}

/* A send by channel and hops, as the topology's file has them. */
static bool take_send(reader *r, fs_error *err) {
    int64_t channel, hops;
    char words[256];
    fs_marked *v = &r->event;
    if (!fs_begins(v->type, "FABRIC_") || v->sx < 0 || v->sy < 0)
        return true;
    if (!number_of(r, CHANNEL, 0, -1, &channel, err) || !number_of(r, HOPS, 1, 0, &hops, err) ||
        (!fs_joints_known(r->joints) && fs_joints_read(r->joints, r->topology, err)))
        return false;
    r->send.is = true;
    r->send.legs = 0;
    v->send = &r->send;
    const fs_place from = {(uint32_t)(v->chip < 0 ? 0 : v->chip), (uint32_t)v->sx, (uint32_t)v->sy};
    const char *why = hops < 1 || v->dx < 0 || v->dy < 0
                          ? "a send needs channel, hops, dx and dy"
                          : fs_joints_walk(r->joints, from, (uint32_t)(v->plane < 0 ? 0 : v->plane), channel,
                                           (uint64_t)hops, 1, v->dx, v->dy, &r->send, words);
    if (why != NULL)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":1: %s", r->path, r->text.line, why), false;
    const fs_place core = r->send.leg[0].to;
    r->send.edge_bytes =
        fs_most(1, (v->bytes < 0 ? 0 : (uint64_t)v->bytes) + fs_events_written(r->events, v, core.x, core.y));
    return true;
}

/* One line; false: something in it is wrong. */
static bool take_line(reader *r, fs_error *err) {
    const int64_t none = FS_EVENT_NOWHERE;
    fs_marked *v = &r->event;
    int64_t stamp;
    *v = (fs_marked){.line = r->text.line, .column = 1, .host = -1, .x1 = none, .y1 = none};
    if (!name_of(r, PROC, v->proc, err) || !number_of(r, SX, 0, none, &v->sx, err) ||
        !number_of(r, SY, 0, none, &v->sy, err) || !name_of(r, EVENT, v->type, err) ||
        !plane_of(r, &v->plane, err) || !number_of(r, DX, -1, none, &v->x0, err) ||
        !number_of(r, DY, -1, none, &v->y0, err) || !number_of(r, BYTES, 0, -1, &v->bytes, err) ||
        !number_of(r, CYCLE, 0, -1, &stamp, err) || !number_of(r, CHIP, 0, -1, &v->chip, err))
        return false;
    if (strcmp(v->type, "WRITE_MULTICAST") == 0 &&
        (!number_of(r, EX, 0, none, &v->x1, err) || !number_of(r, EY, 0, none, &v->y1, err)))
        return false;
    v->dx = v->x0;
    v->dy = v->y0;
    v->timed = stamp >= 0;
    v->stamp = stamp >= 0 ? (uint64_t)stamp : 0;
    return take_send(r, err) && fs_events_take(r->events, v, err);
}

static fs_status take_lines(reader *r, fs_error *err) {
    uint64_t count = 0;
    while (err->status == FS_OK && (r->cells = fs_csv_record(&r->text, r->cell, FS_COUNT(r->cell))) > 0) {
        if (r->cell[0][0] == '#' || strcmp(r->cell[PROC], "proc") == 0)
            continue;
        if (r->cells < FIELDS)
            return fs_fail(err, FS_INPUT,
                           "%s:%" PRIu64
                           ":1: expected proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle, found %zu fields",
                           r->path, r->text.line, r->cells);
        take_line(r, err);
        count++;
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted in line %" PRIu64 " of %s", r->text.line, r->path);
    }
    if (err->status == FS_OK && count == 0)
        fs_fail(err, FS_INPUT, "%s: no event in it", r->path);
    return err->status;
}

static fs_status calls(fs_arena *arena, const char *path, const fs_format_asked *asked,
                       const fs_calls_taker *taker, fs_recorded_span *span, fs_notes *notes, fs_error *err) {
    fs_format_asked lenient = *asked;
    fs_arena *texts = fs_arena_create();
    char *text = fs_file_table(texts, path, err);
    lenient.lenient = true;
    if (text != NULL) {
        reader *r = FS_NEW(texts, reader, 1);
        *r = (reader){.path = path, .text = fs_csv_begin(text), .joints = fs_joints_create()};
        r->events = fs_events_create(path, &lenient, taker, notes);
        r->topology = fs_format_topology(arena, path, asked);
        take_lines(r, err);
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
