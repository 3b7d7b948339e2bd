/* A recorded trace of a network on chip (JSON of tt-npe and tt-metal): a flat array of events, of one chip or of several. */
#include "formats/events.h"
#include "formats/fabric.h"
#include "formats/items.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_GOALS = 8, MOST_COORDINATE = 65535, MOST_CHIP = 255 };

/* A segment of a path, as it stands in the file. */
typedef struct segment {
    int64_t chip, plane, x0, y0, x1, y1, parent; /* x1: -1: it goes nowhere on the chip */
    struct {
        int64_t x, y;
    } write[MOST_GOALS];
    uint32_t writes;
} segment;

/* fabric_send, as it stands in the file. */
typedef struct sent {
    bool is;
    int64_t channel, hops, start, range, ns, e, w, mux_x, mux_y;
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
    uint64_t vcs; /* channels that were passed over */
    fs_marked event;
    sent sent;
    fs_event_send send;
} reader;

/* ---- values ---- */

/* A column or row; below 0 it stands for none. */
static bool coordinate(fs_items *j, int64_t *out) {
    if (!fs_items_signed(j, -1, MOST_COORDINATE, out))
        return false;
    *out = *out < 0 ? FS_EVENT_NOWHERE : *out;
    return true;
}

static bool plane_of(fs_items *j, int64_t *out) {
    char words[16];
    if (!fs_items_string(j, words, sizeof words))
        return false;
    const bool is = fs_begins(words, "NOC_") && words[4] >= '0' && words[4] <= '3' && words[5] == '\0';
    *out = is ? words[4] - '0' : -1;
    return is || fs_items_wrong(j, "noc: expected NOC_0 or NOC_1, found \"%s\"", words);
}

static bool zone_of(reader *r) {
    char words[FS_EVENT_NAME];
    if (!fs_items_string(r->json, words, sizeof words))
        return false;
    const bool begin = strcmp(words, "begin") == 0 || strcmp(words, "ZONE_START") == 0,
               end = strcmp(words, "end") == 0 || strcmp(words, "ZONE_END") == 0;
    r->event.zone = begin ? FS_ZONE_BEGIN : FS_ZONE_END;
    return begin || end ||
           fs_items_wrong(r->json, "zone_phase: expected begin, end, ZONE_START or ZONE_END, found \"%.40s\"",
                          words);
}

/* ---- sends ---- */

/* { x, y } or { dx, dy }, and num_bytes, where somebody asks; of any other keys as well. */
static bool pair_of(fs_items *j, int64_t *x, int64_t *y, int64_t *bytes) {
    fs_items_kind k;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "a place, an object"))
        return false;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        if (fs_items_is(j, "x") || fs_items_is(j, "dx")) {
            if (!coordinate(j, x))
                return false;
        } else if (fs_items_is(j, "y") || fs_items_is(j, "dy")) {
            if (!coordinate(j, y))
                return false;
        } else if (bytes != NULL && fs_items_is(j, "num_bytes")) {
            if (!fs_items_signed(j, 0, INT64_MAX, bytes))
                return false;
        } else {
            fs_items_skip(j);
        }
    }
    return k == FS_ITEM_OBJECT_END;
}

/* Places that a segment writes to. */
static bool take_writes(fs_items *j, segment *s, int64_t *bytes) {
    if (!fs_items_expect(j, FS_ITEM_ARRAY, "an array of places"))
        return false;
    while (fs_items_more(j)) {
        if (s->writes == MOST_GOALS)
            return fs_items_wrong(j, "expected at most %d places", MOST_GOALS);
        s->write[s->writes].x = s->write[s->writes].y = FS_EVENT_NOWHERE;
        if (!pair_of(j, &s->write[s->writes].x, &s->write[s->writes].y, bytes))
            return false;
        if (s->write[s->writes].x < 0 || s->write[s->writes].y < 0)
            return fs_items_wrong(j, "expected dx and dy of a place, found less");
        s->writes++;
    }
    return !fs_items_failed(j);
}

static bool take_segment(fs_items *j, segment *s, bool *tree) {
    const struct {
        const char *key;
        int64_t *to;
    } keys[] = {{"segment_start_x", &s->x0}, {"segment_start_y", &s->y0}, {"segment_end_x", &s->x1},
                {"segment_end_y", &s->y1},   {"forward_x", &s->x1},       {"forward_y", &s->y1}};
    fs_items_kind k;
    *s = (segment){.x0 = FS_EVENT_NOWHERE,
                   .y0 = FS_EVENT_NOWHERE,
                   .x1 = FS_EVENT_NOWHERE,
                   .y1 = FS_EVENT_NOWHERE,
                   .chip = -1};
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "a segment, an object"))
        return false;
    const uint64_t line = fs_items_line(j), column = fs_items_column(j);
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        size_t i = 0;
        bool fine = true;
        while (i < FS_COUNT(keys) && !fs_items_is(j, keys[i].key))
            i++;
        *tree = *tree || i == 4;
        if (i < FS_COUNT(keys))
            fine = coordinate(j, keys[i].to);
        else if (fs_items_is(j, "device"))
            fine = fs_items_signed(j, 0, MOST_CHIP, &s->chip);
        else if (fs_items_is(j, "noc"))
            fine = plane_of(j, &s->plane);
        else if (fs_items_is(j, "parent_id"))
            fine = *tree = fs_items_signed(j, -1, FS_EVENT_LEGS, &s->parent);
        else if (fs_items_is(j, "local_writes"))
            fine = take_writes(j, s, NULL);
        else
            fs_items_skip(j);
        if (!fine)
            return false;
    }
    return k == FS_ITEM_OBJECT_END &&
           ((s->chip >= 0 && s->x0 >= 0 && s->y0 >= 0) ||
            fs_items_wrong_at(
                j, line, column,
                "expected device, segment_start_x and segment_start_y of a segment, found less"));
}

static bool take_path(reader *r) {
    if (!fs_items_expect(r->json, FS_ITEM_ARRAY, "a path, an array"))
        return false;
    while (fs_items_more(r->json)) {
        sent *s = &r->sent;
        if (s->segments == FS_EVENT_LEGS)
            return fs_items_wrong(r->json, "expected a path of at most %d segments", FS_EVENT_LEGS);
        if (!take_segment(r->json, &s->path[s->segments], &s->tree))
            return false;
        s->path[s->segments].parent = s->tree ? s->path[s->segments].parent : (int64_t)s->segments - 1;
        s->segments++;
    }
    return !fs_items_failed(r->json);
}

static void forget_send(sent *s) {
    s->is = s->tree = false;
    s->segments = 0;
    s->channel = s->hops = s->start = s->range = s->ns = s->e = s->w = -1;
}

static bool take_send(reader *r) {
    sent *s = &r->sent;
    fs_items *j = r->json;
    const struct {
        const char *key;
        int64_t *to;
    } keys[] = {{"eth_chan", &s->channel}, {"hops", &s->hops},  {"start_distance", &s->start},
                {"range", &s->range},      {"ns_hops", &s->ns}, {"e_hops", &s->e},
                {"w_hops", &s->w}};
    fs_items_kind k;
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "fabric_send, an object"))
        return false;
    s->is = true;
    while ((k = fs_items_next(j)) == FS_ITEM_KEY) {
        size_t i = 0;
        bool fine = true;
        while (i < FS_COUNT(keys) && !fs_items_is(j, keys[i].key))
            i++;
        if (i < FS_COUNT(keys))
            fine = fs_items_signed(j, -1, FS_EVENT_LEGS, keys[i].to);
        else if (fs_items_is(j, "path"))
            fine = take_path(r);
        else if (fs_items_is(j, "fabric_mux"))
            fine = pair_of(j, &s->mux_x, &s->mux_y, NULL);
        else
            fs_items_skip(j);
        if (!fine)
            return false;
    }
    return k == FS_ITEM_OBJECT_END;
}

static const char *leg(reader *r, fs_recorded_leg l) {
    if (r->send.legs == FS_EVENT_LEGS)
        return "expected a way of fewer legs";
    r->send.leg[r->send.legs++] = l;
    return NULL;
}

/* Legs of a path that stands in the file: a segment ends at an edge where others go on from it, else at its goal. */
static const char *legs_of_path(reader *r) {
    const sent *s = &r->sent;
    uint32_t leg_of[FS_EVENT_LEGS];
    const char *why = NULL;
    for (uint32_t i = 0; i < s->segments && why == NULL; i++) {
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
            why = leg(r, l);
        }
        for (uint32_t w = 0; w < g->writes && why == NULL; w++) {
            const fs_place to = {chip, (uint32_t)g->write[w].x, (uint32_t)g->write[w].y};
            why = leg(r, (fs_recorded_leg){from, to, (uint32_t)g->plane, FS_NO_EDGE, parent});
        }
    }
    return why != NULL ? why : r->send.legs == 0 ? "its path leads nowhere" : NULL;
}

/* Legs by the topology's file. */
static const char *legs_of_topology(reader *r, char words[256]) {
    const sent *s = &r->sent;
    const fs_marked *v = &r->event;
    const fs_place from = {(uint32_t)(v->chip < 0 ? 0 : v->chip), (uint32_t)v->sx, (uint32_t)v->sy};
    const int64_t range = s->range > 0 ? s->range : 1, hops = s->hops >= 0    ? s->hops
                                                              : s->start >= 0 ? s->start + range - 1
                                                                              : -1;
    if (s->ns >= 0 || s->e >= 0 || s->w >= 0)
        return "a send by ns_hops, e_hops and w_hops needs a path in the file";
    if (hops < 1)
        return "expected hops of at least 1";
    if (v->dx < 0 || v->dy < 0)
        return "dx, dy: expected a goal, found none";
    return fs_joints_walk(r->joints, from, (uint32_t)(v->plane < 0 ? 0 : v->plane), s->channel,
                          (uint64_t)hops, s->start >= 0 ? (uint64_t)range : 1, v->dx, v->dy, &r->send, words);
}

/* The send's way and what it moves over edges. */
static bool resolve_send(reader *r, fs_error *err) {
    char words[256];
    fs_marked *v = &r->event;
    r->send.is = true;
    r->send.legs = 0;
    v->send = &r->send;
    if (v->sx < 0 || v->sy < 0)
        return true; /* is said with the event */
    if (r->sent.segments == 0 && !fs_joints_known(r->joints) && fs_joints_read(r->joints, r->topology, err))
        return false;
    const char *why = r->sent.segments > 0 ? legs_of_path(r) : legs_of_topology(r, words);
    if (why != NULL)
        return fs_items_wrong_at(r->json, v->line, v->column, "%s: %s", v->type, why);
    const fs_place core = r->send.leg[0].to;
    r->send.edge_bytes =
        fs_most(1, (v->bytes < 0 ? 0 : (uint64_t)v->bytes) + fs_events_written(r->events, v, core.x, core.y));
    return true;
}

/* ---- events ---- */

static void ignored(const reader *r, const char *what, const char *words) {
    if (r->notes != NULL)
        fs_notes_add(r->notes, (fs_note){FS_NOTE_IGNORED, what, words, r->path, fs_items_line(r->json),
                                         fs_items_column(r->json), 1});
}

/* `dst`: places of a send's goal, of which the first counts here. */
static bool take_goals(reader *r) {
    segment s = {.writes = 0};
    if (!take_writes(r->json, &s, &r->event.bytes))
        return false;
    if (s.writes > 0) {
        r->event.dx = s.write[0].x;
        r->event.dy = s.write[0].y;
    }
    return true;
}

/* The value of a key that is none of the event's own. */
static bool take_other(reader *r) {
    static const char *const known[] = {"kernel_start_delta", "run_id", "op_name", "dst_device_id", "zone"};
    const char *key = fs_items_text(r->json);
    bool is = false;
    if (strcmp(key, "vc") == 0) {
        if (r->vcs++ == 0)
            ignored(r, "vc", "a channel is chosen here");
        is = true;
    }
    for (size_t i = 0; i < FS_COUNT(known) && !is; i++)
        is = strcmp(key, known[i]) == 0;
    if (!is)
        ignored(r, key, "is no key that foamsim knows");
    fs_items_skip(r->json);
    return true;
}

/* Keys of an event with its places and numbers, by their letters: there are many of them. */
static bool take_key(reader *r) {
    fs_items *j = r->json;
    fs_marked *v = &r->event;
    const char *key = fs_items_text(j);
#define IS(name) (strcmp(key, name) == 0)
    switch (key[0]) {
    case 's':
        return IS("sx")              ? coordinate(j, &v->sx)
               : IS("sy")            ? coordinate(j, &v->sy)
               : IS("src_device_id") ? fs_items_signed(j, -1, MOST_CHIP, &v->chip)
                                     : take_other(r);
    case 'd':
        return IS("dx")    ? coordinate(j, &v->dx)
               : IS("dy")  ? coordinate(j, &v->dy)
               : IS("dst") ? take_goals(r)
                           : take_other(r);
    case 'm':
        return IS("mcast_start_x")   ? coordinate(j, &v->x0)
               : IS("mcast_start_y") ? coordinate(j, &v->y0)
               : IS("mcast_end_x")   ? coordinate(j, &v->x1)
               : IS("mcast_end_y")   ? coordinate(j, &v->y1)
                                     : take_other(r);
    case 't':
        return IS("timestamp") ? (v->timed = fs_items_whole(j, 0, INT64_MAX, &v->stamp))
               : IS("type")    ? fs_items_string(j, v->type, sizeof v->type)
                               : take_other(r);
    case 'n':
        return IS("noc")         ? plane_of(j, &v->plane)
               : IS("num_bytes") ? fs_items_signed(j, -1, INT64_MAX, &v->bytes)
                                 : take_other(r);
    case 'p':
        return IS("proc") ? fs_items_string(j, v->proc, sizeof v->proc) : take_other(r);
    case 'r':
        return IS("run_host_id") ? fs_items_signed(j, -1, INT32_MAX, &v->host) : take_other(r);
    case 'z':
        return IS("zone_phase") ? zone_of(r) : take_other(r);
    case 'f':
        return IS("fabric_send") ? take_send(r) : take_other(r);
    default:
        return take_other(r);
    }
#undef IS
}

static bool take_event(reader *r, fs_error *err) {
    fs_items *j = r->json;
    fs_items_kind k;
    r->event = (fs_marked){.sx = FS_EVENT_NOWHERE,
                           .sy = FS_EVENT_NOWHERE,
                           .dx = FS_EVENT_NOWHERE,
                           .dy = FS_EVENT_NOWHERE,
                           .x0 = FS_EVENT_NOWHERE,
                           .y0 = FS_EVENT_NOWHERE,
                           .x1 = FS_EVENT_NOWHERE,
                           .y1 = FS_EVENT_NOWHERE,
                           .plane = -1,
                           .bytes = -1,
                           .chip = -1,
                           .host = -1,
                           .swapped = true};
    if (!fs_items_expect(j, FS_ITEM_OBJECT, "an event, an object"))
        return false;
    r->event.line = fs_items_line(j);
    r->event.column = fs_items_column(j);
    if (r->sent.is || r->sent.hops == 0) {
        r->sent.is = r->sent.tree = false;
        r->sent.segments = 0;
        r->sent.channel = r->sent.hops = r->sent.start = r->sent.range = r->sent.ns = r->sent.e = r->sent.w =
            -1;
    }
    while ((k = fs_items_next(j)) == FS_ITEM_KEY)
        if (!take_key(r))
            return false;
    if (k != FS_ITEM_OBJECT_END)
        return false;
    return (!r->sent.is || resolve_send(r, err)) && fs_events_take(r->events, &r->event, err);
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
    forget_send(&r->sent);
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
    size_t at = 0;
    while (at < bytes && (head[at] == ' ' || (head[at] >= '\t' && head[at] <= '\r') || head[at] >= 0x80))
        at++;
    if (at == bytes || head[at] != '[')
        return false;
    for (size_t i = 0; i < FS_COUNT(keys); i++)
        for (size_t k = at; k + strlen(keys[i]) <= bytes; k++)
            if (memcmp(head + k, keys[i], strlen(keys[i])) == 0)
                return true;
    return false;
}

const fs_format fs_format_noc_trace = {.name = "noc-trace",
                                       .what = "a recorded trace of a network on chip (tt-npe, tt-metal)",
                                       .is = is,
                                       .tell = tell,
                                       .calls = calls,
                                       .beside = fs_format_topology_beside};
