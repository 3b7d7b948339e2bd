#include "workloads/packets/calls/calls.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    BATCH = 62,
    MOST_STAMP = 128
}; /* MOST_STAMP: cycles; a file of longer steps says nothing of what one costs */

/* Calls of a processor while they are read: batches, so that any number of them is moved once. */
typedef struct batch {
    struct batch *next;
    fs_call call[BATCH];
} batch;

typedef struct processor {
    batch *first, *last;
    uint32_t count;
    uint64_t begins; /* stamp of its first event */
    uint64_t latest; /* stamp of its last call */
    uint64_t last_read_wait;
    bool waits_for_reads;
    fs_caller caller;
} processor;

typedef struct reader {
    fs_arena *arena, *batches;
    const char *path;
    const fs_calls_asked *how;
    fs_spots *spots;
    processor *of; /* [out->count] */
    fs_calls *out;
} reader;

static bool wrong(const fs_called *c, const reader *r, const char *why, fs_error *err) {
    fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%" PRIu64 ": %s of %u,%u on chip %u: %s", r->path, c->line,
            c->column, c->name, c->place.x, c->place.y, c->place.chip, why);
    return false;
}

/* ---- a call ---- */

/* The nodes of a send's ways. */
static const char *take_ways(reader *r, const fs_called *c, fs_call *call) {
    fs_ways *w = fs_arena_alloc(r->arena, 1, sizeof *w + c->legs * sizeof *w->leg);
    const char *why = NULL;
    w->bytes = c->edge_bytes;
    w->legs = c->legs;
    for (uint32_t i = 0; i < c->legs && why == NULL; i++) {
        const fs_recorded_leg *l = &c->leg[i];
        fs_ways_leg *to = &w->leg[i];
        to->edge = l->edge == FS_NO_EDGE ? FS_NOC_NONE : l->edge;
        to->parent = l->parent;
        why = fs_spot_plane(r->spots, l->from.chip, l->plane, &to->plane);
        why = why != NULL ? why : fs_spot_end(r->spots, l->from, &to->from);
        why = why != NULL ? why : fs_spot_end(r->spots, l->to, &to->to);
        if (to->edge != FS_NOC_NONE) {
            r->out->edges = (uint32_t)fs_most(r->out->edges, to->edge + (uint64_t)1);
            r->out->edge_hops++;
        }
    }
    call->ways = w;
    call->to = w->leg[0].to;
    r->out->sends++;
    r->out->edge_bytes += c->bytes;
    return why;
}

static const char *take_group(reader *r, const fs_called *c, uint32_t node, fs_call *call) {
    const char *why = fs_spot_group(r->spots, c->to, c->corner, node, &call->group);
    if (why != NULL)
        return why;
    call->to = call->group->node[0];
    r->out->bytes += c->bytes * call->group->members;
    fs_spots_add_group(r->spots, c->stamp, call->plane, node, call->group, c->bytes, 0);
    return NULL;
}

/* The call on this machine; what is wrong, or NULL. */
static const char *take_call(reader *r, const fs_called *c, uint32_t node, fs_call *call) {
    static const fs_call_kind kinds[] = {
        [FS_RECORDED_WRITE] = FS_CALL_WRITE,    [FS_RECORDED_READ] = FS_CALL_READ,
        [FS_RECORDED_CAST] = FS_CALL_MULTICAST, [FS_RECORDED_INC] = FS_CALL_WRITE,
        [FS_RECORDED_SEND] = FS_CALL_SEND,      [FS_RECORDED_WAIT] = FS_CALL_WAIT,
        [FS_RECORDED_MARK] = FS_CALL_WAIT};
    uint32_t plane = 0;
    call->kind = (uint8_t)kinds[c->kind];
    call->bytes = c->bytes;
    if (c->kind == FS_RECORDED_WAIT)
        call->waits = (uint8_t)(((c->waits & FS_WAITS_READS) != 0 ? FS_CALL_READS : 0) |
                                ((c->waits & FS_WAITS_WRITES) != 0 ? FS_CALL_WRITES : 0) |
                                (c->whole ? FS_CALL_WHOLE : 0) | (c->lost ? 0 : FS_CALL_COUNTED));
    if (call->kind == FS_CALL_WAIT)
        return NULL;
    if (c->kind == FS_RECORDED_INC && !c->lost)
        call->waits = FS_CALL_COUNTED;
    const char *why = fs_spot_plane(r->spots, c->place.chip, c->plane, &plane);
    call->plane = (uint16_t)plane;
    if (why == NULL)
        why = c->kind == FS_RECORDED_CAST   ? take_group(r, c, node, call)
              : c->kind == FS_RECORDED_SEND ? take_ways(r, c, call)
                                            : fs_spot_end(r->spots, c->to, &call->to);
    if (why != NULL || c->kind == FS_RECORDED_CAST)
        return why;
    r->out->bytes += c->bytes;
    const bool reads = c->kind == FS_RECORDED_READ;
    r->out->reads += reads;
    r->out->writes += c->kind == FS_RECORDED_WRITE;
    if (reads || c->kind == FS_RECORDED_WRITE)
        fs_spots_add(r->spots, c->stamp, call->plane, reads ? call->to : node, reads ? node : call->to,
                     c->bytes, 0);
    return NULL;
}

/* ---- processors ---- */

static processor *processor_of(reader *r, const fs_called *c) {
    if (c->processor == r->out->count) {
        r->of = fs_grow(r->of, r->out->count, sizeof *r->of);
        processor *p = &r->of[r->out->count++];
        *p = (processor){.begins = c->gap,
                         .caller = {.name = fs_arena_strdup(r->arena, c->name),
                                    .chip = c->place.chip,
                                    .recorded = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0}}};
    }
    return &r->of[c->processor];
}

static void keep(reader *r, processor *p, const fs_call *call) {
    if (p->count % BATCH == 0) {
        batch *b = FS_NEW(r->batches, batch, 1);
        if (p->last != NULL)
            p->last->next = b;
        else
            p->first = b;
        p->last = b;
    }
    p->last->call[p->count++ % BATCH] = *call;
}

/* What the stamps say, until something that is not in the file was waited for. */
static void note_stamp(processor *p, const fs_called *c) {
    fs_agent_times *t = &p->caller.recorded;
    p->waits_for_reads = c->kind == FS_RECORDED_WAIT && c->waits == FS_WAITS_READS;
    p->latest = c->stamp;
    if (c->lost)
        return;
    if (c->kind == FS_RECORDED_READ && t->read == UINT64_MAX)
        t->read = c->stamp;
    if (c->kind == FS_RECORDED_SEND && t->sent == UINT64_MAX)
        t->sent = c->stamp;
    if (c->kind == FS_RECORDED_INC && t->sent != UINT64_MAX && t->done == UINT64_MAX)
        t->done = c->stamp;
}

static void end_wait(void *self, uint32_t processor_number, uint64_t cycles) {
    const reader *r = self;
    processor *p = &r->of[processor_number];
    fs_agent_times *t = &p->caller.recorded;
    p->last->call[(p->count - 1) % BATCH].waits |= FS_CALL_ENDED;
    if (!p->waits_for_reads)
        return;
    t->waited = p->latest + cycles;
    t->waits++;
    t->waiting += cycles;
    t->longest = fs_most(t->longest, cycles);
}

static bool take(void *self, const fs_called *c, fs_error *err) {
    reader *r = self;
    fs_call call = {.kind = FS_CALL_WAIT};
    uint32_t node;
    const char *why = fs_spot_end(r->spots, c->place, &node);
    if (why != NULL || (why = take_call(r, c, node, &call)) != NULL)
        return wrong(c, r, why, err);
    processor *p = processor_of(r, c);
    const uint64_t before = p->latest;
    p->caller.node = node;
    note_stamp(p, c);
    call.gap = c->gap;
    if (r->how->stamps) {
        call.gap = p->count == 0 ? c->gap : c->stamp > before ? c->stamp - before : 0;
        call.waits = call.kind == FS_CALL_WAIT ? 0 : call.waits;
    }
    keep(r, p, &call);
    return true;
}

/* ---- the whole ---- */

/* Times between stamps become times between calls. What a stamp is of is done behind it, so that a call comes that much later
 * behind a recorded end of a wait, which is no call; a call's own time lies in the time to the next one. */
static void fit_gaps(fs_call *call, uint32_t count, uint64_t issue, uint64_t stamp) {
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || (call[i - 1].kind == FS_CALL_WAIT && (call[i - 1].waits & FS_CALL_ENDED) != 0))
            call[i].gap += stamp;
        if (i > 0 && call[i - 1].kind != FS_CALL_WAIT)
            call[i].gap -= fs_least(call[i].gap, issue);
    }
}

/* The processors' calls one after another; stamps count from the file's least, where they have a time in common. */
static void lay_out(reader *r, fs_calls *out) {
    uint32_t *node = FS_NEW(r->arena, uint32_t, out->count + 1),
             *first = FS_NEW(r->arena, uint32_t, out->count + 1);
    fs_caller *caller = FS_NEW(r->arena, fs_caller, out->count + 1);
    for (uint32_t i = 0; i < out->count; i++)
        first[i + 1] = first[i] + r->of[i].count;
    fs_call *calls = FS_NEW(r->arena, fs_call, (size_t)first[out->count] + 1);
    out->stamp = r->how->stamp >= 0            ? (uint64_t)r->how->stamp
                 : out->span.step > MOST_STAMP ? 0
                                               : out->span.step;
    for (uint32_t i = 0; i < out->count; i++) {
        const processor *p = &r->of[i];
        uint32_t left = p->count;
        fs_call *to = calls + first[i];
        node[i] = p->caller.node;
        caller[i] = p->caller;
        for (const batch *b = p->first; b != NULL; b = b->next) {
            const uint32_t part = (uint32_t)fs_least(left, BATCH);
            memcpy(to, b->call, part * sizeof *to);
            to += part;
            left -= part;
        }
        if (!out->span.apart && p->count > 0)
            calls[first[i]].gap = p->begins - fs_least(p->begins, out->span.least);
        if (!r->how->stamps)
            fit_gaps(calls + first[i], p->count, r->how->issue, out->stamp);
        uint64_t alone = 0;
        for (uint32_t k = first[i]; k < first[i + 1]; k++)
            alone += calls[k].gap + (calls[k].kind == FS_CALL_WAIT || r->how->stamps ? 0 : r->how->issue);
        out->alone = fs_most(out->alone, alone);
    }
    out->node = node;
    out->first = first;
    out->calls = calls;
    out->caller = caller;
}

fs_status fs_calls_read(fs_arena *arena, const char *path, const fs_format *format,
                        const fs_format_asked *asked, const fs_calls_asked *how, fs_spots *spots,
                        fs_calls *out, fs_notes *notes, fs_error *err) {
    reader r = {
        .arena = arena, .batches = fs_arena_create(), .path = path, .how = how, .spots = spots, .out = out};
    const fs_calls_taker taker = {.self = &r, .take = take, .ended = end_wait};
    *out = (fs_calls){.count = 0};
    if (format->calls(arena, path, asked, &taker, &out->span, notes, err) == FS_OK) {
        if (out->count > 0)
            lay_out(&r, out);
        else
            fs_fail(err, FS_INPUT, "%s: expected calls, found none", path);
    }
    free(r.of);
    fs_arena_free(r.batches);
    return err->status;
}
