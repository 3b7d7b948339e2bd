/* Event detail: every part on SystemC. A part has a process, which is woken when something of it is due and
 * sleeps otherwise; parts hand over by calls in the cycle in which it happens.
 *
 * Within a cycle data come and end, then pipelines answer, then rays end and begin, then the arbiter grants;
 * processes run in the order of their numbers, which are given in this order. A module chooses at edges of
 * its own clock, behind all that happens in that tick. */
#include "models/fpga/engine_internal.h"
#include "sim/kernel/kernel.h"

/* Where a place stands. */
typedef enum stage {
    STAGE_FREE,
    STAGE_ASKS,   /* before its grant */
    STAGE_CHOSEN, /* a module has yet to choose it */
    STAGE_FIRST,  /* its first byte is on the way */
    STAGE_LAST,   /* its bytes come */
    STAGE_ANSWER, /* in a pipeline, or for its answer */
    STAGE_ENDS,   /* its ray ends */
} stage;

/* A pipeline's requests: places, and when each is answered. */
typedef struct answers {
    fs_pipeline *pipeline;
    fs_fifo place, at;
    fs_process_id process;
    uint32_t line; /* of the series */
} answers;

typedef struct state {
    engine *e;
    fs_kernel *kernel;
    stage *stages;   /* [places] */
    uint64_t *since; /* [places] for the arbiter */
    uint64_t *due;   /* [places] of data and ends of rays */
    fs_fifo free;
    fs_credits credits;
    uint64_t grant_from, deal_from;
    uint32_t asking, data, ending; /* places in STAGE_ASKS; FIRST and LAST; ENDS */
    uint32_t flying, moving;       /* accesses in memory; of them those whose bytes come */
    uint64_t flying_since, moving_since, asking_since;
    answers box, triangle;
    fs_process_id memory, traversal, arbiter, module;
} state;

static inline uint64_t now_of(const state *s) {
    return fs_kernel_now(s->kernel) / s->e->clocks.a;
}

/* At that cycle, or in this one if it has passed. */
static void wake(const state *s, fs_process_id process, uint64_t cycle) {
    const uint64_t now = fs_kernel_now(s->kernel), at = cycle * s->e->clocks.a;
    if (cycle != ENGINE_NEVER)
        fs_kernel_wake(s->kernel, process, at > now ? at - now : 0);
}

/* ---- what memory holds, as its part counts it ---- */

static void flying(state *s, uint64_t now, int change) {
    if (s->flying > 0)
        s->e->results->memory.input += now - s->flying_since;
    s->flying = (uint32_t)((int)s->flying + change);
    s->flying_since = now;
}

static void moving(state *s, uint64_t now, int change) {
    if (s->moving > 0) {
        s->e->results->memory.busy += now - s->moving_since;
        fs_series_add(s->e->results->series, FS_ENGINE_LINE_BUS, s->moving_since, now);
    }
    s->moving = (uint32_t)((int)s->moving + change);
    s->moving_since = now;
}

/* ---- arbiter ---- */

/* A request stands from p->raised on; several may be asking before theirs. */
static void asks(state *s, uint32_t place) {
    s->stages[place] = STAGE_ASKS;
    s->since[place] = s->e->place[place].raised;
    if (s->asking++ == 0 || s->since[place] < s->asking_since)
        s->asking_since = s->since[place];
    if (fs_credits_left(&s->credits))
        wake(s, s->arbiter, fs_most(s->asking_since, s->grant_from));
}

static void credit_back(state *s) {
    fs_credits_give(&s->credits);
    if (s->asking > 0)
        wake(s, s->arbiter, fs_most(now_of(s), fs_most(s->asking_since, s->grant_from)));
}

static void data_due(state *s, uint32_t place, uint64_t at) {
    s->due[place] = at;
    wake(s, s->memory, at);
}

/* An access goes into memory. */
static void enter(state *s, uint32_t place, uint64_t now) {
    engine *e = s->e;
    engine_place *p = &e->place[place];
    s->stages[place] = STAGE_FIRST;
    if (memory_cached(e, p, now)) {
        s->data++;
        data_due(s, place, p->first);
        return;
    }
    flying(s, now, 1);
    e->results->bus_bytes += memory_bytes(e, &p->access);
    if (e->module != NULL) {
        s->stages[place] = STAGE_CHOSEN;
        memory_offer(e, place, now);
        fs_kernel_wake(s->kernel, s->module,
                       fs_dram_next_due(e->dram) * e->clocks.b - fs_kernel_now(s->kernel));
        return;
    }
    p->first = fs_most(now + e->latency, e->bus_free);
    p->last = p->first + memory_bus_cycles(e, &p->access);
    e->bus_free = p->last;
    s->data++;
    data_due(s, place, p->first);
}

static void arbiter_wakes(void *self) {
    state *s = self;
    engine *e = s->e;
    const uint64_t now = now_of(s);
    if (s->asking == 0 || !fs_credits_left(&s->credits))
        return;
    if (now >= s->grant_from && now >= s->asking_since) {
        const uint32_t place = fs_arbiter_pick(&e->arbiter, s->since, now);
        e->results->arbiter.busy++;
        e->results->arbiter.output += now - fs_most(s->grant_from, s->asking_since);
        s->since[place] = ENGINE_NEVER;
        s->asking--;
        s->asking_since = ENGINE_NEVER;
        for (uint32_t p = 0; p < e->places && s->asking > 0; p++)
            s->asking_since = s->since[p] < s->asking_since ? s->since[p] : s->asking_since;
        s->grant_from = now + 1;
        fs_credits_take(&s->credits);
        unit_granted(e, place, now);
        enter(s, place, now);
    }
    if (s->asking > 0 && fs_credits_left(&s->credits))
        wake(s, s->arbiter, fs_most(s->asking_since, s->grant_from));
}

/* ---- units ---- */

/* The unit has its answer: the ray goes on, or ends. */
static void answered(state *s, uint32_t place, uint64_t now) {
    uint64_t end;
    if (s->e->machine->memory.in_flight == FS_IN_FLIGHT_PIPELINE)
        credit_back(s);
    if (unit_answered(s->e, place, now, &end)) {
        asks(s, place);
        return;
    }
    s->stages[place] = STAGE_ENDS;
    s->due[place] = end;
    s->ending++;
    wake(s, s->traversal, end);
}

static void pipeline_wakes(state *s, answers *a) {
    const uint64_t now = now_of(s);
    while (a->at.count > 0 && fs_fifo_front(&a->at) == now) {
        fs_fifo_take(&a->at);
        answered(s, (uint32_t)fs_fifo_take(&a->place), now);
    }
    if (a->at.count > 0)
        wake(s, a->process, fs_fifo_front(&a->at));
}
static void box_wakes(void *self) {
    pipeline_wakes(self, &((state *)self)->box);
}
static void triangle_wakes(void *self) {
    pipeline_wakes(self, &((state *)self)->triangle);
}

/* ---- memory ---- */

static void first_byte(state *s, uint32_t place, uint64_t now) {
    engine *e = s->e;
    const engine_place *p = &e->place[place];
    s->stages[place] = STAGE_LAST;
    s->due[place] = p->last;
    if (!p->cached)
        moving(s, now, 1);
    if (p->access.items == 0)
        return;
    answers *a = p->access.leaf ? &s->triangle : &s->box;
    const fs_pipeline_claim c = fs_pipeline_offer(a->pipeline, p->first, p->last, p->access.items);
    fs_series_add(e->results->series, a->line, c.from, c.to);
    fs_fifo_put(&a->place, place);
    fs_fifo_put(&a->at, c.out);
    wake(s, a->process, fs_fifo_front(&a->at));
}

static void last_byte(state *s, uint32_t place, uint64_t now) {
    engine *e = s->e;
    const engine_place *p = &e->place[place];
    s->stages[place] = STAGE_ANSWER;
    s->due[place] = ENGINE_NEVER;
    s->data--;
    if (!p->cached) {
        flying(s, now, -1);
        moving(s, now, -1);
        memory_fill(e, p);
    }
    if (e->machine->memory.in_flight != FS_IN_FLIGHT_PIPELINE)
        credit_back(s);
    if (p->access.items == 0)
        answered(s, place, now);
}

/* Last bytes come before first ones, each in the order of the places. */
static void memory_wakes(void *self) {
    state *s = self;
    const uint64_t now = now_of(s);
    const uint32_t places = s->e->places;
    uint64_t next = ENGINE_NEVER;
    for (uint32_t p = 0; p < places; p++)
        if (s->stages[p] == STAGE_LAST && s->due[p] == now)
            last_byte(s, p, now);
    for (uint32_t p = 0; p < places; p++)
        if (s->stages[p] == STAGE_FIRST && s->due[p] == now)
            first_byte(s, p, now);
    for (uint32_t p = 0; p < places; p++)
        if ((s->stages[p] == STAGE_FIRST || s->stages[p] == STAGE_LAST) && s->due[p] < next)
            next = s->due[p];
    wake(s, s->memory, next);
}

static void module_wakes(void *self) {
    state *s = self;
    engine *e = s->e;
    const uint64_t tick = fs_kernel_now(s->kernel);
    fs_dram_data data;
    while (tick % e->clocks.b == 0 && fs_dram_step(e->dram, tick / e->clocks.b, &data)) {
        memory_chosen(e, &e->place[data.tag], &data);
        s->stages[data.tag] = STAGE_FIRST;
        s->data++;
        data_due(s, data.tag, e->place[data.tag].first);
    }
    const uint64_t next = fs_dram_next_due(e->dram);
    if (next != FS_DRAM_NEVER)
        fs_kernel_wake(s->kernel, s->module, next * e->clocks.b - tick);
}

/* ---- rays ---- */

static void end_rays(state *s, uint64_t now) {
    for (uint32_t p = 0; p < s->e->places && s->ending > 0; p++)
        if (s->stages[p] == STAGE_ENDS && s->due[p] == now) {
            s->stages[p] = STAGE_FREE;
            s->ending--;
            fs_fifo_put(&s->free, p);
            communication_result(s->e, now);
        }
}

static void traversal_wakes(void *self) {
    state *s = self;
    engine *e = s->e;
    const uint64_t now = now_of(s);
    end_rays(s, now);
    if (!engine_goes_on(e)) {
        fs_kernel_stop(s->kernel);
        return;
    }
    if (s->free.count > 0 && communication_arrival(e) <= now && s->deal_from <= now) {
        const uint32_t place = (uint32_t)fs_fifo_take(&s->free);
        unit_begin(e, place, communication_take(e, now), now);
        s->deal_from = now + 1;
        asks(s, place);
    }
    uint64_t next = ENGINE_NEVER;
    for (uint32_t p = 0; p < e->places && s->ending > 0; p++)
        if (s->stages[p] == STAGE_ENDS && s->due[p] < next)
            next = s->due[p];
    if (s->free.count > 0 && communication_arrival(e) != ENGINE_NEVER) {
        const uint64_t begins = fs_most(communication_arrival(e), s->deal_from);
        next = begins < next ? begins : next;
    }
    wake(s, s->traversal, next);
}

/* ---- elaboration ---- */

static void create(state *s, engine *e) {
    const bool many = e->machine->memory.in_flight == FS_IN_FLIGHT_MANY;
    *s = (state){.e = e,
                 .stages = FS_NEW(e->arena, stage, e->places),
                 .since = FS_NEW(e->arena, uint64_t, e->places),
                 .due = FS_NEW(e->arena, uint64_t, e->places),
                 .credits = {.limit = many ? e->places : 1},
                 .box = {.pipeline = &e->box, .line = FS_ENGINE_LINE_BOX},
                 .triangle = {.pipeline = &e->triangle, .line = FS_ENGINE_LINE_TRIANGLE}};
    answers *const both[] = {&s->box, &s->triangle};
    for (int i = 0; i < 2; i++) {
        fs_fifo_init(&both[i]->place, e->arena, e->places);
        fs_fifo_init(&both[i]->at, e->arena, e->places);
    }
    fs_fifo_init(&s->free, e->arena, e->places);
    for (uint32_t p = 0; p < e->places; p++) {
        s->since[p] = s->due[p] = ENGINE_NEVER;
        fs_fifo_put(&s->free, p);
    }
}

void engine_event(engine *e) {
    state s;
    create(&s, e);
    s.kernel = fs_kernel_create(e->err);
    if (s.kernel == NULL) {
        e->failed = true;
        return;
    }
    s.memory = fs_kernel_process(s.kernel, "memory", memory_wakes, &s);
    s.box.process = fs_kernel_process(s.kernel, "box_pipeline", box_wakes, &s);
    s.triangle.process = fs_kernel_process(s.kernel, "triangle_pipeline", triangle_wakes, &s);
    s.traversal = fs_kernel_process(s.kernel, "traversal", traversal_wakes, &s);
    s.arbiter = fs_kernel_process(s.kernel, "arbiter", arbiter_wakes, &s);
    s.module = fs_kernel_process(s.kernel, "module", module_wakes, &s);
    wake(&s, s.traversal, communication_arrival(e));
    if (fs_kernel_run(s.kernel, e->err) != FS_OK)
        e->failed = true;
    e->results->memory.input -= e->results->memory.busy;
    e->results->activations = fs_kernel_activations(s.kernel);
    fs_kernel_free(s.kernel);
}
