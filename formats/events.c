#include "formats/events.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PROCESSORS = 1 << 16, SLOTS = 2 * MOST_PROCESSORS, CORES = 4, INC_BYTES = 4 };
#define MOST_BYTES ((int64_t)1 << 40)

/* What an event of a name is. */
typedef enum kind {
    READ,
    WRITE,
    CAST,
    INC,
    SEND,
    SET_READ,    /* keeps place and bytes for reads that name none */
    SET_WRITE,   /* the same for writes */
    KEPT_READ,   /* a read of what was kept */
    KEPT_WRITE,  /* a write of what was kept */
    WAIT_BEGIN,  /* a call that waits; its end is another event */
    WAIT_END,    /* of it */
    WAIT,        /* both in one: the stamp is the call's */
    FLUSH,       /* until writes have left: time between calls */
    PASS,        /* time between calls */
    WAIT_OTHERS, /* for something that is not in the file */
    UNKNOWN
} kind;

static const struct name {
    const char *name;
    kind kind;
    uint32_t waits;
} names[] = {
    {"READ", READ, 0},
    {"READ_SET_STATE", SET_READ, 0},
    {"READ_DRAM_SHARDED_SET_STATE", SET_READ, 0},
    {"READ_SET_TRID", PASS, 0},
    {"READ_WITH_STATE", KEPT_READ, 0},
    {"READ_WITH_STATE_AND_TRID", KEPT_READ, 0},
    {"READ_DRAM_SHARDED_WITH_STATE", KEPT_READ, 0},
    {"READ_BARRIER_START", WAIT_BEGIN, FS_WAITS_READS},
    {"READ_BARRIER_END", WAIT_END, FS_WAITS_READS},
    {"READ_BARRIER_WITH_TRID", WAIT, FS_WAITS_READS},
    {"WRITE", WRITE, 0},
    {"WRITE_", WRITE, 0},
    {"WRITE_WITH_TRID", WRITE, 0},
    {"WRITE_INLINE", WRITE, 0},
    {"WRITE_MULTICAST", CAST, 0},
    {"WRITE_SET_STATE", SET_WRITE, 0},
    {"WRITE_WITH_TRID_SET_STATE", SET_WRITE, 0},
    {"WRITE_WITH_STATE", KEPT_WRITE, 0},
    {"WRITE_WITH_TRID_WITH_STATE", KEPT_WRITE, 0},
    {"WRITE_BARRIER_START", WAIT_BEGIN, FS_WAITS_WRITES},
    {"WRITE_BARRIER_END", WAIT_END, FS_WAITS_WRITES},
    {"WRITE_BARRIER_WITH_TRID", WAIT, FS_WAITS_WRITES},
    {"WRITE_FLUSH", FLUSH, 0},
    {"FULL_BARRIER", WAIT, FS_WAITS_READS | FS_WAITS_WRITES},
    {"ATOMIC_BARRIER", WAIT, FS_WAITS_WRITES},
    {"SEMAPHORE_INC", INC, 0},
    {"SEMAPHORE_SET", PASS, 0},
    {"SEMAPHORE_WAIT", WAIT_OTHERS, 0},
    {"FABRIC_ROUTING_FIELDS_1D", PASS, 0},
    {"FABRIC_ROUTING_FIELDS_2D", PASS, 0},
    {"KERNEL_BEGIN", PASS, 0}, /* of the table form, as the next */
    {"KERNEL_END", PASS, 0},
};

/* What was kept by a ..._SET_STATE. */
typedef struct state {
    bool is;
    int64_t x, y, bytes;
} state;

/* Bytes written to a core since the last send there. */
typedef struct core {
    int64_t x, y;
    uint64_t bytes;
} core;

typedef struct processor {
    char name[FS_EVENT_NAME];
    int64_t host, x, y;
    uint32_t number;        /* among those that the taker has heard of */
    fs_place place;         /* its chip is known with its first call */
    bool said, lost;        /* the taker has heard of it; it waited for others */
    bool free;              /* what lies before the next event is no time that is known */
    uint64_t latest, began; /* stamps: of the last call or end of a wait; of a wait's call */
    uint64_t event;         /* stamp of its last event, */
    bool seen;              /* where there was one */
    bool waits;
    state read, write;
    core core[CORES];
} processor;

struct fs_events {
    const char *file;
    const fs_format_asked *asked;
    const fs_calls_taker *taker;
    fs_notes *notes;
    processor *of; /* [count] */
    uint32_t count, said;
    uint64_t events, least, last; /* stamps of all events */
    uint64_t step;                /* the least time between two of a processor */
    bool apart;                   /* processors count from beginnings of their own */
    uint32_t slot[SLOTS];         /* processors by a hash; UINT32_MAX */
};

fs_events *fs_events_create(const char *file, const fs_format_asked *asked, const fs_calls_taker *taker,
                            fs_notes *notes) {
    fs_events *e = fs_calloc(1, sizeof *e);
    e->file = file;
    e->asked = asked;
    e->taker = taker;
    e->least = e->step = UINT64_MAX;
    e->notes = notes;
    memset(e->slot, 0xff, sizeof e->slot);
    return e;
}

void fs_events_free(fs_events *e) {
    if (e != NULL)
        free(e->of);
    free(e);
}

fs_recorded_span fs_events_span(const fs_events *e) {
    return (fs_recorded_span){
        .events = e->events, .least = e->least, .last = e->last, .step = e->step, .apart = e->apart};
}

/* ---- words ---- */

/* "FILE:LINE:COLUMN: event N (BRISC of 1,2 on chip 0): ..." */
__attribute__((format(printf, 4, 5))) static bool wrong(const fs_events *e, const fs_marked *v, fs_error *err,
                                                        const char *format, ...) {
    char words[512];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    fs_fail(err, FS_INPUT,
            "%s:%" PRIu64 ":%" PRIu64 ": event %" PRIu64 " (%.40s of %" PRId64 ",%" PRId64 " on chip %" PRId64
            "): %s",
            e->file, v->line, v->column, e->events, v->proc, v->sx, v->sy, v->chip < 0 ? 0 : v->chip, words);
    return false;
}

static void note(const fs_events *e, const fs_marked *v, fs_note_kind as, const char *what,
                 const char *words) {
    fs_notes_add(e->notes, (fs_note){as, what, words, e->file, v->line, v->column, 1});
}

/* ---- processors ---- */

/* FNV-1a. */
static uint32_t slot_of(const fs_marked *v, int64_t host) {
    uint64_t hash = 1469598103934665603u;
    const int64_t numbers[] = {host, v->sx, v->sy};
    for (size_t i = 0; i < FS_COUNT(numbers); i++)
        hash = (hash ^ (uint64_t)numbers[i]) * 1099511628211u;
    for (const char *c = v->proc; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    return (uint32_t)(hash >> 20) % SLOTS;
}

static processor *processor_of(fs_events *e, const fs_marked *v, fs_error *err) {
    const int64_t host = v->host >= 0 ? v->host : v->chip < 0 ? 0 : v->chip;
    uint32_t at = slot_of(v, host);
    for (; e->slot[at] != UINT32_MAX; at = (at + 1) % SLOTS) {
        processor *p = &e->of[e->slot[at]];
        if (p->host == host && p->x == v->sx && p->y == v->sy && strcmp(p->name, v->proc) == 0)
            return p;
    }
    if (e->count == MOST_PROCESSORS) {
        wrong(e, v, err, "expected at most %d processors", MOST_PROCESSORS);
        return NULL;
    }
    e->slot[at] = e->count;
    e->of = fs_grow(e->of, e->count, sizeof *e->of);
    processor *p = &e->of[e->count++];
    *p = (processor){.host = host,
                     .x = v->sx,
                     .y = v->sy,
                     .place = {(uint32_t)(v->chip < 0 ? 0 : v->chip), (uint32_t)v->sx, (uint32_t)v->sy}};
    memcpy(p->name, v->proc, sizeof p->name);
    return p;
}

/* ---- calls ---- */

/* Time since the call before, or since the end of a wait; a mark out of its order is no time. */
static uint64_t gap_of(const processor *p, const fs_marked *v) {
    return p->free || v->stamp < p->latest ? 0 : v->stamp - p->latest;
}

/* Hands a call over; time goes on with it. */
static bool give(fs_events *e, processor *p, const fs_marked *v, fs_called *call, fs_error *err) {
    if (!p->said)
        p->number = e->said++;
    call->processor = p->number;
    call->name = p->name;
    call->place = p->place;
    call->gap = gap_of(p, v);
    call->stamp = v->stamp;
    call->lost = p->lost;
    call->line = v->line;
    call->column = v->column;
    p->latest = p->free ? v->stamp : fs_most(p->latest, v->stamp);
    p->free = false;
    p->said = true;
    return e->taker->take(e->taker->self, call, err);
}

static bool is_place(int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < UINT32_MAX && y < UINT32_MAX;
}

static fs_place place_of(const processor *p, int64_t x, int64_t y) {
    return (fs_place){p->place.chip, (uint32_t)x, (uint32_t)y};
}

/* A call that moves bytes has a network and as many bytes as some network carries. */
static bool check_bytes(const fs_events *e, const fs_marked *v, int64_t bytes, fs_error *err) {
    if (v->plane < 0)
        return wrong(e, v, err, "noc: %s: expected NOC_0 or another network, found none", v->type);
    if (bytes < 0)
        return wrong(e, v, err, "num_bytes: %s: expected bytes, found none", v->type);
    return (bytes > 0 && bytes <= MOST_BYTES) ||
           wrong(e, v, err, "num_bytes: %s: expected 1 ... %" PRId64 " bytes, found %" PRId64, v->type,
                 MOST_BYTES, bytes);
}

static bool check_goal(const fs_events *e, const fs_marked *v, int64_t x, int64_t y, fs_error *err) {
    return is_place(x, y) || wrong(e, v, err, "dx, dy: %s: expected the other place, found none", v->type);
}

/* A read or write to a place. */
static bool transfer(fs_events *e, processor *p, const fs_marked *v, fs_recorded_kind k, int64_t x, int64_t y,
                     int64_t bytes, fs_error *err) {
    if (!check_bytes(e, v, bytes, err) || !check_goal(e, v, x, y, err))
        return false;
    fs_called call = {
        .kind = k, .plane = (uint32_t)v->plane, .to = place_of(p, x, y), .bytes = (uint64_t)bytes};
    for (int i = 0; k == FS_RECORDED_WRITE && i < CORES; i++) {
        core *c = &p->core[i];
        if (c->bytes > 0 && (c->x != x || c->y != y))
            continue;
        *c = (core){x, y, c->bytes + (uint64_t)bytes};
        break;
    }
    return give(e, p, v, &call, err);
}

/* A multicast to a rectangle. */
static bool cast(fs_events *e, processor *p, const fs_marked *v, fs_error *err) {
    const bool turned = v->swapped && v->plane % 2 == 1;
    const int64_t x0 = turned ? v->x1 : v->x0, y0 = turned ? v->y1 : v->y0, x1 = turned ? v->x0 : v->x1,
                  y1 = turned ? v->y0 : v->y1;
    if (!check_bytes(e, v, v->bytes, err))
        return false;
    if (!is_place(x0, y0) || !is_place(x1, y1))
        return wrong(e, v, err,
                     "%s: expected a rectangle, mcast_start_x, _start_y, _end_x and _end_y, found none",
                     v->type);
    fs_called call = {.kind = FS_RECORDED_CAST,
                      .plane = (uint32_t)v->plane,
                      .to = place_of(p, x0, y0),
                      .corner = place_of(p, x1, y1),
                      .bytes = (uint64_t)v->bytes};
    return give(e, p, v, &call, err);
}

static bool keep(const fs_events *e, processor *p, const fs_marked *v, bool read, fs_error *err) {
    *(read ? &p->read : &p->write) = (state){true, v->dx, v->dy, v->bytes};
    return check_goal(e, v, v->dx, v->dy, err);
}

/* A call to what was kept; its own bytes count where given. */
static bool of_state(fs_events *e, processor *p, const fs_marked *v, bool read, fs_error *err) {
    const state *s = read ? &p->read : &p->write;
    if (!s->is)
        return wrong(e, v, err, "%s: expected a ..._SET_STATE of this processor before it, found none",
                     v->type);
    const bool placed = is_place(v->dx, v->dy);
    return transfer(e, p, v, read ? FS_RECORDED_READ : FS_RECORDED_WRITE, placed ? v->dx : s->x,
                    placed ? v->dy : s->y, v->bytes > 0 ? v->bytes : s->bytes, err);
}

static bool increment(fs_events *e, processor *p, const fs_marked *v, fs_error *err) {
    fs_called call = {.kind = FS_RECORDED_INC,
                      .plane = (uint32_t)v->plane,
                      .to = place_of(p, v->dx, v->dy),
                      .bytes = INC_BYTES};
    return check_bytes(e, v, INC_BYTES, err) && check_goal(e, v, v->dx, v->dy, err) &&
           give(e, p, v, &call, err);
}

/* Bytes that the processor wrote to a place since its last send; they are forgotten. */
static uint64_t take_written(processor *p, const fs_place *at) {
    uint64_t bytes = 0;
    for (int i = 0; i < CORES; i++)
        if (p->core[i].x == at->x && p->core[i].y == at->y) {
            bytes += p->core[i].bytes;
            p->core[i].bytes = 0;
        }
    return bytes;
}

/* Over each edge goes, beside its own bytes, what was written to the edge before it. */
static bool send(fs_events *e, processor *p, const fs_marked *v, fs_error *err) {
    const int64_t bytes = v->bytes < 1 ? 1 : v->bytes;
    if (!check_bytes(e, v, bytes, err))
        return false;
    if (v->send == NULL || v->send->legs == 0)
        return wrong(e, v, err, "%s: expected fabric_send, found none", v->type);
    fs_called call = {.kind = FS_RECORDED_SEND,
                      .plane = (uint32_t)v->plane,
                      .to = v->send->leg[0].to,
                      .bytes = (uint64_t)bytes,
                      .legs = v->send->legs,
                      .leg = v->send->leg};
    call.edge_bytes = fs_most(1, (v->bytes < 0 ? 0 : (uint64_t)v->bytes) + take_written(p, &call.to));
    return give(e, p, v, &call, err);
}

bool fs_events_add_leg(fs_event_send *s, fs_recorded_leg leg) {
    if (s->legs == FS_EVENT_LEGS)
        return false;
    s->leg[s->legs++] = leg;
    return true;
}

/* ---- waits ---- */

static bool wait(fs_events *e, processor *p, const fs_marked *v, uint32_t waits, bool whole, fs_error *err) {
    fs_called call = {.kind = FS_RECORDED_WAIT,
                      .plane = v->plane < 0 ? 0 : (uint32_t)v->plane,
                      .waits = waits,
                      .whole = whole};
    p->waits = !whole;
    p->began = v->stamp;
    return give(e, p, v, &call, err);
}

/* What lies between a wait's two events is simulated; time goes on behind it. */
static bool end_wait(fs_events *e, processor *p, const fs_marked *v, uint32_t waits, fs_error *err) {
    if (!p->waits) { /* its call is not in the file, nor how much of the time was waiting */
        p->free = true;
        const bool fine = wait(e, p, v, waits, false, err);
        p->waits = false;
        return fine;
    }
    p->waits = false;
    if (e->taker->ended != NULL && !p->lost && v->stamp >= p->began)
        e->taker->ended(e->taker->self, p->number, v->stamp - p->began);
    p->latest = fs_most(p->latest, v->stamp);
    return true;
}

/* ---- one event ---- */

static const struct name *name_of(const char *type) {
    static const struct name fabric = {"FABRIC", SEND, 0}, unknown = {"", UNKNOWN, 0};
    const struct name *found = FS_FOUND(names, FS_COUNT(names), name, type);
    return found != NULL ? found : fs_begins(type, "FABRIC_") ? &fabric : &unknown;
}

/* A processor begins; of one whose chip comes with its first call stamps count from there. */
static bool take_zone(fs_events *e, processor *p, const fs_marked *v, fs_error *err) {
    fs_called mark = {.kind = FS_RECORDED_MARK};
    if (p->said || v->zone == FS_ZONE_END || (v->chip < 0 && v->host >= 0))
        return true;
    return give(e, p, v, &mark, err);
}

static bool take_unknown(const fs_events *e, const fs_marked *v, fs_error *err) {
    if (!e->asked->lenient)
        return wrong(
            e, v, err,
            "type: \"%.40s\" is no event that foamsim knows (--lenient takes it for time between calls)",
            v->type);
    note(e, v, FS_NOTE_NEAR, v->type, "counts as time between calls");
    return true;
}

static bool take_typed(fs_events *e, processor *p, const fs_marked *v, const struct name *n, fs_error *err) {
    switch (n->kind) {
    case READ:
    case WRITE:
        return transfer(e, p, v, n->kind == READ ? FS_RECORDED_READ : FS_RECORDED_WRITE, v->dx, v->dy,
                        v->bytes, err);
    case CAST:
        return cast(e, p, v, err);
    case INC:
        return increment(e, p, v, err);
    case SEND:
        return send(e, p, v, err);
    case SET_READ:
    case SET_WRITE:
        return keep(e, p, v, n->kind == SET_READ, err);
    case KEPT_READ:
    case KEPT_WRITE:
        return of_state(e, p, v, n->kind == KEPT_READ, err);
    case WAIT_BEGIN:
        return wait(e, p, v, n->waits, false, err);
    case WAIT:
        note(e, v, FS_NOTE_NEAR, v->type,
             strstr(v->type, "TRID") != NULL
                 ? "waits for all of its kind, not for one number alone; what follows comes no sooner than "
                   "recorded"
                 : "its end is not in the file: what follows comes no sooner than recorded");
        return wait(e, p, v, n->waits, true, err);
    case WAIT_END:
        return end_wait(e, p, v, n->waits, err);
    case FLUSH:
        note(e, v, FS_NOTE_NEAR, v->type, "counts as time between calls, as long as recorded");
        return true;
    case PASS:
        return true;
    case WAIT_OTHERS:
        note(e, v, FS_NOTE_NEAR, v->type,
             "takes no time: what it waits for is not in the file, and nothing behind it is held to its "
             "stamp");
        p->lost = p->free = true;
        return true;
    case UNKNOWN:
        break;
    }
    return take_unknown(e, v, err);
}

bool fs_events_take(fs_events *e, const fs_marked *v, fs_error *err) {
    e->events++;
    if (v->proc[0] == '\0' && (v->type[0] == '\0' || name_of(v->type)->kind == PASS)) {
        note(e, v, FS_NOTE_IGNORED, "a mark of no processor", "moves nothing and takes no time");
        return true;
    }
    if (v->proc[0] == '\0')
        return wrong(e, v, err, "proc: expected a processor, found none");
    if (!is_place(v->sx, v->sy))
        return wrong(e, v, err, "sx, sy: expected the processor's place, found none");
    if (!v->timed)
        return wrong(e, v, err, "timestamp: expected a whole number, found none");
    processor *p = processor_of(e, v, err);
    if (p == NULL)
        return false;
    if (p->seen && !p->lost && v->stamp > p->event)
        e->step = fs_least(e->step, v->stamp - p->event);
    p->seen = true;
    p->event = v->stamp;
    e->least = fs_least(e->least, v->stamp);
    e->last = fs_most(e->last, v->stamp);
    e->apart = e->apart || v->host >= 0 || v->chip >= 0;
    if (v->chip >= 0)
        p->place.chip = (uint32_t)v->chip;
    if (v->type[0] == '\0')
        return v->zone != FS_ZONE_NONE ? take_zone(e, p, v, err)
                                       : wrong(e, v, err, "expected a type or a zone, found neither");
    fs_called mark = {.kind = FS_RECORDED_MARK};
    const struct name *n = name_of(v->type);
    const bool calls = n->kind <= SEND || (n->kind >= KEPT_READ && n->kind <= WAIT);
    if (!p->said && !calls && !give(e, p, v, &mark, err))
        return false;
    return take_typed(e, p, v, n, err);
}
