/* Cycle detail: register by register, from one clock edge to the next. Every place has a state and a counter,
 * pipelines are shift registers, the bus counts its cycles down, and figures count one cycle at a time. Only
 * what has no clock is shared with the other details: a ray's queue, the link's ways, cache and module. */
#include "models/fpga/engine_internal.h"

typedef enum register_state {
    REGISTER_FREE,
    REGISTER_ENDS,    /* counts down behind the last answer */
    REGISTER_WORKS,   /* counts down to the request */
    REGISTER_ASKS,    /* its line is up */
    REGISTER_CHOSEN,  /* a module has yet to choose it */
    REGISTER_LATENCY, /* counts down to the first byte */
    REGISTER_QUEUED,  /* at the bus, which is taken */
    REGISTER_READY,   /* its bytes begin in this cycle */
    REGISTER_BYTES,   /* counts its bytes' cycles */
    REGISTER_ITEMS,   /* all bytes are there, items are in a pipeline */
} register_state;

typedef struct registers {
    register_state state;
    uint64_t left;     /* of the countdown */
    uint64_t length;   /* cycles of its bytes */
    uint64_t received; /* of them passed */
} registers;

/* A shift register of `depth` stages: the place whose last item is in a stage, or nobody. */
typedef struct shift {
    const fs_pipeline *shape;
    uint32_t *stage;   /* [depth], the last one leaves; places + 1 */
    uint64_t head;     /* of the ring: the stage that leaves next */
    fs_fifo input;     /* places that claim it */
    uint64_t entered;  /* items of the first in line */
    uint64_t interval; /* cycles until the next item may enter */
    fs_part_use use;
    uint64_t items;
    uint32_t line;
} shift;

typedef struct clocked {
    engine *e;
    uint64_t now, memory_edge; /* cycle of the engine; next edge of the memory's clock */
    registers *r;              /* [places] */
    uint64_t *since;           /* [places] */
    fs_fifo free, bus;         /* places without a ray; places before the bus, in the order of grants */
    uint32_t on_bus;           /* place + 1 whose bytes come over it */
    fs_credits credits;
    shift box, triangle;
} clocked;

/* ---- memory ---- */

static shift *shift_of(clocked *c, const engine_place *p) {
    return p->access.leaf ? &c->triangle : &c->box;
}

static void begin_bytes(clocked *c, uint32_t place) {
    engine_place *p = &c->e->place[place];
    registers *r = &c->r[place];
    r->state = REGISTER_BYTES;
    r->received = 0;
    p->first = c->now;
    if (p->access.items > 0)
        fs_fifo_put(&shift_of(c, p)->input, place);
}

static void request_answered(clocked *c, uint32_t place);

static void end_bytes(clocked *c, uint32_t place) {
    engine *e = c->e;
    engine_place *p = &e->place[place];
    p->last = c->now;
    c->r[place].state = REGISTER_ITEMS;
    if (c->on_bus == place + 1)
        c->on_bus = 0;
    memory_fill(e, p);
    if (e->machine->memory.in_flight != FS_IN_FLIGHT_PIPELINE)
        fs_credits_give(&c->credits);
    if (p->access.items == 0)
        request_answered(c, place);
}

/* Bytes of a cycle end; counters that reach 0 let the next ones begin. */
static void clock_memory(clocked *c) {
    const uint32_t places = c->e->places;
    for (uint32_t p = 0; p < places; p++)
        if (c->r[p].state == REGISTER_BYTES && ++c->r[p].received == c->r[p].length)
            end_bytes(c, p);
    for (uint32_t p = 0; p < places; p++)
        if (c->r[p].state == REGISTER_LATENCY && --c->r[p].left == 0)
            c->r[p].state = c->e->place[p].cached || c->e->module != NULL ? REGISTER_READY : REGISTER_QUEUED;
    if (c->on_bus == 0 && c->bus.count > 0 && c->r[fs_fifo_front(&c->bus)].state == REGISTER_QUEUED) {
        const uint32_t place = (uint32_t)fs_fifo_take(&c->bus);
        c->on_bus = place + 1;
        c->r[place].state = REGISTER_READY;
    }
    for (uint32_t p = 0; p < places; p++)
        if (c->r[p].state == REGISTER_READY)
            begin_bytes(c, p);
}

/* ---- pipelines ---- */

/* The item that leaves; then the stages move, and an item may enter behind them. */
static void clock_shift(clocked *c, shift *s) {
    const uint32_t leaves = s->stage[s->head];
    s->stage[s->head] = 0;
    if (leaves > 0)
        request_answered(c, leaves - 1);
    s->interval -= s->interval > 0;
    if (s->input.count > 0 && s->interval == 0) {
        const uint32_t place = (uint32_t)fs_fifo_front(&s->input);
        const registers *r = &c->r[place];
        const uint64_t items = c->e->place[place].access.items, there = r->received * items / r->length;
        if (s->entered < there) {
            s->entered++;
            s->items++;
            s->interval = s->shape->interval;
            if (s->entered == items) {
                fs_fifo_take(&s->input);
                s->entered = 0;
                s->stage[s->head] = place + 1;
            }
        }
    }
    s->head = s->head + 1 == s->shape->depth ? 0 : s->head + 1;
}

/* ---- units ---- */

static void work(clocked *c, uint32_t place, uint64_t cycles, register_state then) {
    c->r[place].state = then;
    c->r[place].left = cycles;
}

static void request_answered(clocked *c, uint32_t place) {
    engine *e = c->e;
    engine_place *p = &e->place[place];
    if (e->machine->memory.in_flight == FS_IN_FLIGHT_PIPELINE)
        fs_credits_give(&c->credits);
    if (p->access.items == 0) {
        traversal_moved(e, p);
        work(c, place, e->request, REGISTER_WORKS);
        return;
    }
    unit_tell(c->e, place, c->now);
    uint64_t entries;
    const engine_next next = traversal_answer(e, p, &entries);
    if (next == ENGINE_ENDS)
        work(c, place, e->answer, REGISTER_ENDS);
    else if (next == ENGINE_SPILLS)
        work(c, place, e->answer, REGISTER_WORKS);
    else
        work(c, place, e->answer + entries * (uint64_t)e->machine->traversal.spill_cycles + e->request,
             REGISTER_WORKS);
}

static void clock_units(clocked *c) {
    engine *e = c->e;
    for (uint32_t p = 0; p < e->places; p++) {
        registers *r = &c->r[p];
        if ((r->state != REGISTER_WORKS && r->state != REGISTER_ENDS) || r->left > 0)
            continue;
        if (r->state == REGISTER_WORKS) {
            r->state = REGISTER_ASKS;
            c->since[p] = c->now;
            e->place[p].raised = c->now;
        } else {
            r->state = REGISTER_FREE;
            fs_fifo_put(&c->free, p);
            communication_result(e, c->now);
        }
    }
    if (c->free.count > 0 && communication_arrival(e) <= c->now) {
        const uint32_t place = (uint32_t)fs_fifo_take(&c->free);
        traversal_begin(e, &e->place[place], communication_take(e, c->now));
        work(c, place, e->request, REGISTER_WORKS);
    }
}

/* ---- arbiter ---- */

static void enter_memory(clocked *c, uint32_t place) {
    engine *e = c->e;
    engine_place *p = &e->place[place];
    registers *r = &c->r[place];
    r->state = REGISTER_LATENCY;
    if (memory_cached(e, p, c->now)) {
        r->left = p->first - c->now;
        r->length = p->last - p->first;
        return;
    }
    e->results->bus_bytes += memory_bytes(e, &p->access);
    if (e->module != NULL) {
        r->state = REGISTER_CHOSEN;
        memory_offer(e, place, c->now);
        return;
    }
    r->left = e->latency;
    r->length = memory_bus_cycles(e, &p->access);
    fs_fifo_put(&c->bus, place);
}

static void clock_arbiter(clocked *c) {
    engine *e = c->e;
    fs_engine_results *results = e->results;
    uint32_t asking = 0;
    for (uint32_t p = 0; p < e->places; p++)
        asking += c->r[p].state == REGISTER_ASKS;
    if (asking == 0)
        return;
    if (!fs_credits_left(&c->credits)) {
        results->arbiter.output++;
        return;
    }
    const uint32_t place = fs_arbiter_pick(&e->arbiter, c->since, c->now);
    engine_place *p = &e->place[place];
    fs_credits_take(&c->credits);
    c->since[place] = ENGINE_NEVER;
    p->granted = c->now;
    results->arbiter.busy++;
    results->granted++;
    results->longest_wait = fs_most(results->longest_wait, c->now - p->raised);
    enter_memory(c, place);
}

/* ---- the module's clock ---- */

/* Edges before a tick; counters of data go on from cycle `last`. */
static void clock_module(clocked *c, uint64_t until_tick, uint64_t last) {
    engine *e = c->e;
    fs_dram_data data;
    for (; e->module != NULL && c->memory_edge * e->clocks.b < until_tick; c->memory_edge++)
        while (fs_dram_step(e->dram, c->memory_edge, &data)) {
            registers *r = &c->r[data.tag];
            engine_place *p = &e->place[data.tag];
            memory_chosen(e, p, &data);
            r->state = REGISTER_LATENCY;
            r->left = p->first - last;
            r->length = p->last - p->first;
        }
}

/* ---- figures, a cycle at a time ---- */

static void count_place(clocked *c, uint32_t place) {
    engine *e = c->e;
    fs_engine_results *results = e->results;
    fs_part_use *use = &results->unit[place / e->rays_of_unit];
    registers *r = &c->r[place];
    const bool spilled = e->place[place].access.items == 0;
    uint32_t line = FS_ENGINE_LINE_ANSWER, stage = FS_REQUEST_MEMORY;
    switch (r->state) {
    case REGISTER_FREE:
        return;
    case REGISTER_ENDS:
    case REGISTER_WORKS:
        r->left--;
        use->busy++;
        results->stage[FS_REQUEST_UNIT]++;
        fs_series_add(results->series, FS_ENGINE_LINE_BUSY, c->now, c->now + 1);
        return;
    case REGISTER_ASKS:
        use->output++;
        line = FS_ENGINE_LINE_GRANT;
        stage = FS_REQUEST_GRANT;
        break;
    case REGISTER_BYTES:
        use->input++;
        stage = FS_REQUEST_BUS;
        break;
    case REGISTER_ITEMS:
        use->input++;
        stage = FS_REQUEST_PIPELINE;
        break;
    default:
        use->input++;
        break;
    }
    results->stage[spilled ? FS_REQUEST_SPILL : stage]++;
    fs_series_add(results->series, line, c->now, c->now + 1);
}

static void count_shift(clocked *c, shift *s) {
    const bool busy = s->interval > 0, claimed = s->input.count > 0;
    s->use.busy += busy;
    s->use.input += !busy && claimed;
    if (busy || claimed)
        fs_series_add(c->e->results->series, s->line, c->now, c->now + 1);
}

static void count(clocked *c) {
    engine *e = c->e;
    bool inside = false, moves = false;
    for (uint32_t p = 0; p < e->places; p++) {
        const register_state state = c->r[p].state;
        if (!e->place[p].cached && state >= REGISTER_CHOSEN && state <= REGISTER_BYTES) {
            inside = true;
            moves |= state == REGISTER_BYTES;
        }
        count_place(c, p);
    }
    e->results->memory.busy += moves;
    e->results->memory.input += inside && !moves;
    if (moves)
        fs_series_add(e->results->series, FS_ENGINE_LINE_BUS, c->now, c->now + 1);
    count_shift(c, &c->box);
    count_shift(c, &c->triangle);
}

static void create_shift(clocked *c, shift *s, const fs_pipeline *shape, uint32_t line) {
    *s = (shift){.shape = shape, .line = line, .stage = FS_NEW(c->e->arena, uint32_t, shape->depth)};
    fs_fifo_init(&s->input, c->e->arena, c->e->places);
}

static void hand_over(const shift *s, fs_pipeline *pipeline) {
    pipeline->use = s->use;
    pipeline->items = s->items;
}

void engine_cycle(engine *e) {
    clocked c = {.e = e,
                 .r = FS_NEW(e->arena, registers, e->places),
                 .since = FS_NEW(e->arena, uint64_t, e->places),
                 .credits = {.limit = e->machine->memory.in_flight == FS_IN_FLIGHT_MANY ? e->places : 1}};
    fs_fifo_init(&c.free, e->arena, e->places);
    fs_fifo_init(&c.bus, e->arena, e->places);
    create_shift(&c, &c.box, &e->box, FS_ENGINE_LINE_BOX);
    create_shift(&c, &c.triangle, &e->triangle, FS_ENGINE_LINE_TRIANGLE);
    for (uint32_t p = 0; p < e->places; p++) {
        c.since[p] = ENGINE_NEVER;
        fs_fifo_put(&c.free, p);
    }
    while (engine_goes_on(e)) {
        clock_module(&c, c.now * e->clocks.a, c.now - 1);
        clock_memory(&c);
        clock_shift(&c, &c.box);
        clock_shift(&c, &c.triangle);
        clock_units(&c);
        clock_arbiter(&c);
        clock_module(&c, c.now * e->clocks.a + 1, c.now);
        count(&c);
        c.now++;
    }
    hand_over(&c.box, &e->box);
    hand_over(&c.triangle, &e->triangle);
}
