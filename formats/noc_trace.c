/* A recorded trace of a network on chip (JSON of tt-npe and tt-metal): a flat array of events, of one chip or of several. */
#include "formats/events.h"
#include "formats/fabric.h"
#include "formats/items.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_GOALS = 8, MOST_COORDINATE = 65535, MOST_CHIP = 255 };

/* Places that are written to, and the bytes that the last of them names. */
typedef struct writes {
    int64_t x[MOST_GOALS], y[MOST_GOALS], bytes;
    uint32_t count;
} writes;

/* A segment of a path, as it stands in the file. */
typedef struct segment {
    int64_t chip, plane, x0, y0, x1, y1, forward_x, parent; /* x1: below 0: it goes nowhere on the chip */
    writes write;
} segment;

/* fabric_send, as it stands in the file. */
typedef struct sent {
    bool is;
    int64_t channel, hops, start, range, ns, e, w;
    segment path[FS_EVENT_LEGS];
    uint32_t segments;
    bool tree; /* the path is of segments with parents */
} sent;

typedef struct reader {
    const char *path;
    fs_items *json;
    fs_events *events;
    fs_joints *joints;
    const char *topology;
    fs_notes *notes;
    fs_marked event;
    sent sent;
    fs_event_send send;
} reader;

/* ---- values ---- */

/* A column or row; below 0 it stands for none. */
static bool coordinate(fs_items *j, void *to) {
    int64_t *out = to;
    if (!fs_items_signed(j, -1, MOST_COORDINATE, out))
        return false;
    *out = *out < 0 ? FS_EVENT_NOWHERE : *out;
    return true;
}

static bool plane_of(fs_items *j, void *to) {
    char words[16];
    int64_t *out = to;
    if (!fs_items_string(j, words, sizeof words))
        return false;
    const bool is = fs_begins(words, "NOC_") && words[4] >= '0' && words[4] <= '3' && words[5] == '\0';
    *out = is ? words[4] - '0' : -1;
    return is || fs_items_wrong(j, "noc: expected NOC_0 or NOC_1, found \"%s\"", words);
}

static bool zone_of(fs_items *j, void *to) {
    char words[FS_EVENT_NAME];
    fs_event_zone *zone = to;
    if (!fs_items_string(j, words, sizeof words))
        return false;
    const bool begin = strcmp(words, "begin") == 0 || strcmp(words, "ZONE_START") == 0,
               end = strcmp(words, "end") == 0 || strcmp(words, "ZONE_END") == 0;
    *zone = begin ? FS_ZONE_BEGIN : FS_ZONE_END;
    return begin || end ||
           fs_items_wrong(j, "zone_phase: expected begin, end, ZONE_START or ZONE_END, found \"%.40s\"",
                          words);
}

static bool name_of(fs_items *j, void *to) {
    return fs_items_string(j, to, FS_EVENT_NAME);
}

/* ---- sends ---- */

/* A place, and num_bytes of it; of any other keys as well. */
typedef struct goal {
    int64_t x, y, bytes;
} goal;

static bool take_goal(fs_items *j, goal *g) {
    static const fs_items_key keys[] = {{"x", offsetof(goal, x), coordinate, 0, 0},
                                        {"dx", offsetof(goal, x), coordinate, 0, 0},
                                        {"y", offsetof(goal, y), coordinate, 0, 0},
                                        {"dy", offsetof(goal, y), coordinate, 0, 0},
                                        {"num_bytes", offsetof(goal, bytes), NULL, 0, INT64_MAX}};
    return fs_items_object(j, "a place, an object", keys, FS_COUNT(keys), g, NULL);
}

static bool take_mux(fs_items *j, void *to) {
    (void)to; /* sends go the same way past it */
    return take_goal(j, &(goal){.bytes = 0});
}

static bool take_write(fs_items *j, void *to) {
    writes *w = to;
    goal g = {FS_EVENT_NOWHERE, FS_EVENT_NOWHERE, w->bytes};
    if (w->count == MOST_GOALS)
        return fs_items_wrong(j, "expected at most %d places", MOST_GOALS);
    if (!take_goal(j, &g))
        return false;
    if (g.x < 0 || g.y < 0)
        return fs_items_wrong(j, "expected dx and dy of a place, found less");
    w->bytes = g.bytes;
    w->x[w->count] = g.x;
    w->y[w->count++] = g.y;
    return true;
}

static bool take_writes(fs_items *j, void *to) {
    return fs_items_array(j, "an array of places", take_write, to);
}

#define COORDINATE(name, owner, m)                                                                           \
    { .key = name, .at = offsetof(owner, m), .take = coordinate }

static bool take_segment(fs_items *j, void *to) {
    static const fs_items_key keys[] = {
        COORDINATE("segment_start_x", segment, x0),
        COORDINATE("segment_start_y", segment, y0),
        COORDINATE("segment_end_x", segment, x1),
        COORDINATE("segment_end_y", segment, y1),
        COORDINATE("forward_x", segment, forward_x),
        COORDINATE("forward_y", segment, y1),
        {.key = "device", .at = offsetof(segment, chip), .most = MOST_CHIP},
        {.key = "noc", .at = offsetof(segment, plane), .take = plane_of},
        {.key = "parent_id", .at = offsetof(segment, parent), .least = -1, .most = FS_EVENT_LEGS},
        {.key = "local_writes", .at = offsetof(segment, write), .take = take_writes}};
    enum { NOT_SAID = -2 };
    sent *of = to;
    if (of->segments == FS_EVENT_LEGS)
        return fs_items_wrong(j, "expected a path of at most %d segments", FS_EVENT_LEGS);
    segment *s = &of->path[of->segments];
    *s = (segment){.x0 = FS_EVENT_NOWHERE,
                   .y0 = FS_EVENT_NOWHERE,
                   .x1 = FS_EVENT_NOWHERE,
                   .y1 = FS_EVENT_NOWHERE,
                   .forward_x = NOT_SAID,
                   .parent = NOT_SAID,
                   .chip = -1};
    if (!fs_items_object(j, "a segment, an object", keys, FS_COUNT(keys), s, NULL))
        return false;
    of->tree = of->tree || s->forward_x != NOT_SAID || s->parent != NOT_SAID;
    if (s->forward_x != NOT_SAID)
        s->x1 = s->forward_x;
    if (s->parent == NOT_SAID)
        s->parent = of->tree ? 0 : (int64_t)of->segments - 1;
    of->segments++;
    return ((s->x1 < 0) == (s->y1 < 0) ||
            fs_items_wrong(j, "expected segment_end_x and segment_end_y of a segment, found one of them")) &&
           ((s->chip >= 0 && s->x0 >= 0 && s->y0 >= 0) ||
            fs_items_wrong(j,
                           "expected device, segment_start_x and segment_start_y of a segment, found less"));
}

static bool take_path(fs_items *j, void *to) {
    return fs_items_array(j, "a path, an array", take_segment, to);
}

static void forget_send(sent *s) {
    s->is = s->tree = false;
    s->segments = 0;
    s->channel = s->hops = s->start = s->range = s->ns = s->e = s->w = -1;
}

#define COUNTED(name, m)                                                                                     \
    { .key = name, .at = offsetof(sent, m), .least = -1, .most = FS_EVENT_LEGS }

static bool take_send(fs_items *j, void *to) {
    static const fs_items_key keys[] = {COUNTED("eth_chan", channel),
                                        COUNTED("hops", hops),
                                        COUNTED("start_distance", start),
                                        COUNTED("range", range),
                                        COUNTED("ns_hops", ns),
                                        COUNTED("e_hops", e),
                                        COUNTED("w_hops", w),
                                        {.key = "path", .take = take_path},
                                        {.key = "fabric_mux", .take = take_mux}};
    ((sent *)to)->is = true;
    return fs_items_object(j, "fabric_send, an object", keys, FS_COUNT(keys), to, NULL);
}

/* Legs of a path that stands in the file: a segment ends at an edge where others go on from it, else at its goal. */
static const char *legs_of_path(reader *r) {
    const sent *s = &r->sent;
    uint32_t leg_of[FS_EVENT_LEGS];
    bool good = true;
    for (uint32_t i = 0; i < s->segments && good; i++) {
        const segment *g = &s->path[i];
        const uint32_t chip = (uint32_t)g->chip;
        const fs_place from = {chip, (uint32_t)g->x0, (uint32_t)g->y0},
                       out = {chip, (uint32_t)g->x1, (uint32_t)g->y1};
        if (g->parent >= (int64_t)i || (i > 0 && g->parent < 0))
            return "parent_id of a segment is none of those before it";
        uint32_t next = i + 1;
        while (next < s->segments && s->path[next].parent != (int64_t)i)
            next++;
        const uint32_t parent = i == 0 ? 0 : leg_of[g->parent];
        leg_of[i] = r->send.legs;
        if (g->x1 < 0 && next < s->segments)
            return "a segment with others behind it ends nowhere";
        if (g->x1 >= 0) {
            const bool ends = next == s->segments;
            fs_recorded_leg l = {
                .from = from, .to = out, .plane = (uint32_t)g->plane, .edge = FS_NO_EDGE, .parent = parent};
            if (!ends)
                l.edge = fs_joints_edge(r->joints, out,
                                        (fs_place){(uint32_t)s->path[next].chip, (uint32_t)s->path[next].x0,
                                                   (uint32_t)s->path[next].y0});
            good = fs_events_add_leg(&r->send, l);
        }
        for (uint32_t w = 0; w < g->write.count && good; w++) {
            const fs_place to = {chip, (uint32_t)g->write.x[w], (uint32_t)g->write.y[w]};
            good = fs_events_add_leg(&r->send,
                                     (fs_recorded_leg){from, to, (uint32_t)g->plane, FS_NO_EDGE, parent});
        }
    }
    return !good ? "expected a way of fewer legs" : r->send.legs == 0 ? "its path leads nowhere" : NULL;
}

/* Legs by the topology's file. */
static const char *legs_of_topology(reader *r, char words[256]) {
    const sent *s = &r->sent;
    const int64_t range = s->range > 0 ? s->range : 1, hops = s->hops >= 0    ? s->hops
                                                              : s->start >= 0 ? s->start + range - 1
                                                                              : -1;
    if (s->ns >= 0 || s->e >= 0 || s->w >= 0)
        return "a send by ns_hops, e_hops and w_hops needs a path in the file";
    if (hops < 1)
        return "expected hops of at least 1";
    return fs_joints_walk(r->joints, &r->event, s->channel, (uint64_t)hops,
                          s->start >= 0 ? (uint64_t)range : 1, words);
}

/* The send's way. */
static bool resolve_send(reader *r, fs_error *err) {
    char words[256];
    fs_marked *v = &r->event;
    r->send.legs = 0;
    v->send = &r->send;
    if (v->sx < 0 || v->sy < 0)
        return true; /* is said with the event */
    if (r->sent.segments == 0 && !fs_joints_known(r->joints) && fs_joints_read(r->joints, r->topology, err))
        return false;
    const char *why = r->sent.segments > 0 ? legs_of_path(r) : legs_of_topology(r, words);
    return why == NULL || fs_items_wrong(r->json, "%s: %s", v->type, why);
}

/* ---- events ---- */

static void ignored(const reader *r, const char *what, const char *words) {
    fs_notes_add(r->notes, (fs_note){FS_NOTE_IGNORED, what, words, r->path, fs_items_line(r->json),
                                     fs_items_column(r->json), 1});
}

/* `dst`: places of a send's goal, of which the first counts here. */
static bool take_goals(fs_items *j, void *to) {
    fs_marked *v = to;
    writes w = {.bytes = v->bytes};
    if (!take_writes(j, &w))
        return false;
    v->bytes = w.bytes;
    if (w.count > 0) {
        v->dx = w.x[0];
        v->dy = w.y[0];
    }
    return true;
}

static bool stamp_of(fs_items *j, void *to) {
    fs_marked *v = to;
    return v->timed = fs_items_whole(j, 0, INT64_MAX, &v->stamp);
}

/* The value of a key that is none of the event's own. */
static bool take_other(fs_items *j, void *to) {
    static const char *const known[] = {"kernel_start_delta", "run_id", "op_name", "dst_device_id", "zone"};
    const char *key = fs_items_text(j);
    if (FS_WORD_PLACE(known, FS_COUNT(known), key) == FS_COUNT(known))
        ignored(to, key,
                strcmp(key, "vc") == 0 ? "a channel is chosen here" : "is no key that foamsim knows");
    fs_items_skip(j);
    return true;
}

/* Keys of an event; those that most have first. */
#define EVENT(name, m, takes)                                                                                \
    { .key = name, .at = offsetof(reader, event.m), .take = takes }
static const fs_items_key event_keys[] = {
    EVENT("proc", proc, name_of),
    EVENT("noc", plane, plane_of),
    {.key = "vc", .take = take_other},
    EVENT("sx", sx, coordinate),
    EVENT("sy", sy, coordinate),
    {.key = "num_bytes", .at = offsetof(reader, event.bytes), .least = -1, .most = INT64_MAX},
    EVENT("type", type, name_of),
    {.key = "timestamp", .at = offsetof(reader, event), .take = stamp_of},
    EVENT("dx", dx, coordinate),
    EVENT("dy", dy, coordinate),
    EVENT("mcast_start_x", x0, coordinate),
    EVENT("mcast_start_y", y0, coordinate),
    EVENT("mcast_end_x", x1, coordinate),
    EVENT("mcast_end_y", y1, coordinate),
    {.key = "src_device_id", .at = offsetof(reader, event.chip), .least = -1, .most = MOST_CHIP},
    {.key = "run_host_id", .at = offsetof(reader, event.host), .least = -1, .most = INT32_MAX},
    EVENT("zone_phase", zone, zone_of),
    {.key = "dst", .at = offsetof(reader, event), .take = take_goals},
    {.key = "fabric_send", .at = offsetof(reader, sent), .take = take_send},
};

static bool take_event(reader *r, fs_error *err) {
    const int64_t none = FS_EVENT_NOWHERE;
    fs_marked *v = &r->event;
    *v = (fs_marked){.sx = none,
                     .sy = none,
                     .dx = none,
                     .dy = none,
                     .x0 = none,
                     .y0 = none,
                     .x1 = none,
                     .y1 = none,
                     .plane = -1,
                     .bytes = -1,
                     .chip = -1,
                     .host = -1,
                     .swapped = true};
    forget_send(&r->sent);
    if (!fs_items_object(r->json, "an event, an object", event_keys, FS_COUNT(event_keys), r, take_other))
        return false;
    v->line = fs_items_line(r->json);
    v->column = fs_items_column(r->json);
    return (!r->sent.is || resolve_send(r, err)) && fs_events_take(r->events, v, err);
}

/* ---- the whole ---- */

static bool take_all(reader *r, fs_error *err) {
    const fs_items_kind k = fs_items_next(r->json);
    uint64_t count = 0;
    if (k == FS_ITEM_WRONG)
        return false;
    if (k != FS_ITEM_ARRAY)
        return fs_items_wrong(r->json, "expected an array of events, found %s",
                              k == FS_ITEM_OBJECT ? "an object, as a tt-npe workload is (--as workload)"
                                                  : "something else");
    for (; fs_items_more(r->json); count++) {
        if (!take_event(r, err))
            return false;
        if (count % 65536 == 0 && fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted in event %" PRIu64 " of %s", count, r->path), false;
    }
    if (fs_items_failed(r->json) || fs_items_next(r->json) != FS_ITEM_END)
        return false;
    return count > 0 || fs_items_wrong(r->json, "expected events, found none");
}

static fs_status calls(fs_arena *arena, const char *path, const fs_format_asked *asked,
                       const fs_calls_taker *taker, fs_recorded_span *span, fs_notes *notes, fs_error *err) {
    fs_bytes *bytes = fs_bytes_open(path, err);
    if (bytes == NULL)
        return err->status;
    reader *r = fs_calloc(1, sizeof *r);
    r->path = path;
    r->notes = notes;
    r->json = fs_items_of(bytes, false);
    r->events = fs_events_create(path, asked, taker, notes);
    r->joints = fs_joints_create();
    r->topology = fs_format_topology(arena, path, asked);
    const bool fine = take_all(r, err);
    *span = fs_events_span(r->events);
    fs_items_finish(r->json, err);
    fs_joints_free(r->joints);
    fs_events_free(r->events);
    free(r);
    fs_bytes_close(bytes, err);
    return fine || err->status != FS_OK ? err->status : fs_fail(err, FS_INPUT, "%s: no recorded trace", path);
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    return fs_format_tell_calls(&fs_format_noc_trace, arena, path, asked, out, notes, err);
}

/* An array, and soon a processor or a stamp. */
static bool is(const uint8_t *head, size_t bytes) {
    static const char *const keys[] = {"\"proc\"", "\"timestamp\"", "\"sx\""};
    const size_t at = fs_items_first(head, bytes);
    if (at == bytes || head[at] != '[')
        return false;
    for (size_t i = 0; i < FS_COUNT(keys); i++)
        if (fs_items_hold(head + at, bytes - at, keys[i]))
            return true;
    return false;
}

const fs_format fs_format_noc_trace = {.name = "noc-trace",
                                       .what = "a recorded trace of a network on chip (tt-npe, tt-metal)",
                                       .is = is,
                                       .tell = tell,
                                       .calls = calls,
                                       .beside = fs_format_topology_beside};
