/* Phase detail: parts have no state but latency and interval, so everything about an access is known when it
 * is granted, and the run is one loop over grants, ends and beginnings of rays in the order of time. */
#include "models/fpga/engine_internal.h"

typedef struct loop {
    engine *e;
    uint64_t *since;                /* [places] when the place's request stands; ENGINE_NEVER: it has none */
    uint64_t *ends;                 /* [places] when its ray ends; ENGINE_NEVER: it does not yet */
    uint64_t *freed;                /* [places] when a place became free */
    uint32_t ending;                /* places of which `ends` says so */
    fs_fifo free;                   /* places without a ray, in the order in which they became free */
    uint64_t grant_from, deal_from; /* one of each in a cycle */
    uint64_t credit_from;           /* when the one credit is back */
    uint64_t covered;               /* memory holds an access, or nothing, until then */
} loop;

static uint32_t earliest(const uint64_t *at, uint32_t places) {
    uint32_t best = 0;
    for (uint32_t p = 1; p < places; p++)
        best = at[p] < at[best] ? p : best;
    return best;
}

static void deal(loop *l, uint64_t now) {
    engine *e = l->e;
    const uint32_t place = (uint32_t)fs_fifo_take(&l->free);
    unit_begin(e, place, communication_take(e, now), now);
    l->since[place] = e->place[place].raised;
    l->deal_from = now + 1;
}

static void finish(loop *l, uint32_t place) {
    const uint64_t now = l->ends[place];
    l->ends[place] = ENGINE_NEVER;
    l->freed[place] = now;
    l->ending--;
    fs_fifo_put(&l->free, place);
    communication_result(l->e, now);
}

/* Latency, then the bus in the order of grants. */
static void read_memory(loop *l, engine_place *p) {
    engine *e = l->e;
    fs_engine_results *r = e->results;
    p->first = fs_most(p->granted + e->latency, e->bus_free);
    p->last = p->first + memory_bus_cycles(e, &p->access);
    e->bus_free = p->last;
    const uint64_t from = fs_most(p->granted, l->covered);
    r->memory.busy += p->last - p->first;
    r->memory.input += p->last - from;
    l->covered = p->last;
    r->bus_bytes += memory_bytes(e, &p->access);
    fs_series_add(r->series, FS_ENGINE_LINE_BUS, p->first, p->last);
}

/* Returns when the answer is at the unit. */
static uint64_t through_pipeline(engine *e, const engine_place *p) {
    if (p->access.items == 0)
        return p->last;
    const fs_pipeline_claim c = fs_pipeline_offer(engine_pipeline(e, p), p->first, p->last, p->access.items);
    fs_series_add(e->results->series, p->access.leaf ? FS_ENGINE_LINE_TRIANGLE : FS_ENGINE_LINE_BOX, c.from,
                  c.to);
    return c.out;
}

static void grant(loop *l, uint64_t now, uint64_t waits_since) {
    engine *e = l->e;
    fs_engine_results *r = e->results;
    const uint32_t place = fs_arbiter_pick(&e->arbiter, l->since, now);
    engine_place *p = &e->place[place];
    r->arbiter.busy++;
    r->arbiter.output += now - fs_most(l->grant_from, waits_since);
    unit_granted(e, place, now);
    read_memory(l, p);
    const uint64_t answered = through_pipeline(e, p);
    if (e->machine->memory.in_flight != FS_IN_FLIGHT_MANY)
        l->credit_from = e->machine->memory.in_flight == FS_IN_FLIGHT_CONTROLLER ? p->last : answered;
    l->grant_from = now + 1;
    uint64_t end;
    l->since[place] = ENGINE_NEVER;
    if (unit_answered(e, place, answered, &end)) {
        l->since[place] = p->raised;
    } else {
        l->ends[place] = end;
        l->ending++;
    }
}

/* What comes next: of one cycle ends, then a beginning, then a grant. */
static void step(loop *l) {
    const engine *e = l->e;
    const uint32_t raised = earliest(l->since, e->places);
    uint64_t at = l->since[raised];
    const uint64_t waits_since = at;
    if (at != ENGINE_NEVER)
        at = fs_most(at, fs_most(l->grant_from, l->credit_from));
    uint64_t begins = ENGINE_NEVER;
    if (l->free.count > 0 && communication_arrival(e) != ENGINE_NEVER)
        begins = fs_most(fs_most(communication_arrival(e), l->deal_from), l->freed[fs_fifo_front(&l->free)]);
    if (l->ending > 0) {
        const uint32_t place = earliest(l->ends, e->places);
        if (l->ends[place] <= at && l->ends[place] <= begins) {
            finish(l, place);
            return;
        }
    }
    if (begins <= at)
        deal(l, begins);
    else
        grant(l, at, waits_since);
}

void engine_phase(engine *e) {
    loop l = {.e = e,
              .since = FS_NEW(e->arena, uint64_t, e->places),
              .ends = FS_NEW(e->arena, uint64_t, e->places),
              .freed = FS_NEW(e->arena, uint64_t, e->places)};
    fs_fifo_init(&l.free, e->arena, e->places);
    for (uint32_t p = 0; p < e->places; p++) {
        l.since[p] = l.ends[p] = ENGINE_NEVER;
        fs_fifo_put(&l.free, p);
    }
    while (engine_goes_on(e))
        step(&l);
    e->results->memory.input -= e->results->memory.busy;
}
