#include "workloads/packets/flow.h"

#include "models/noc/loads.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = 1, SLICE = 1024 };

/* Places, cycle after cycle and node after node, at which packets are made: a draw for each packet, none for each
 * place, so that a light load costs little. */
typedef struct maker {
    fs_rng rng;
    double chance, log_miss;
    uint64_t at; /* the next place: cycle x nodes + node */
} maker;

static void move_on(maker *m) {
    m->at++;
    if (m->chance < 1)
        m->at += (uint64_t)(fs_log(1 - fs_rng_unit(&m->rng)) / m->log_miss);
}

static maker make_maker(const fs_flow_setup *s) {
    const double chance = s->window > 0 ? 0 : s->load / s->flits;
    maker m = {.rng = fs_rng_stream(s->seed, "fabric/made"),
               .chance = chance,
               .log_miss = chance < 1 ? fs_log(1 - chance) : 0,
               .at = UINT64_MAX};
    if (chance > 0)
        move_on(&m); /* from the place before the first one */
    return m;
}

/* A flow at work. */
typedef struct stream {
    const fs_flow_setup *setup;
    fs_noc_net *net;
    fs_rng goals;
    uint64_t *made; /* [nodes] packets so far */
    fs_flow *out;
} stream;

static void make_one(stream *m, uint32_t node) {
    const fs_flow_setup *s = m->setup;
    const uint64_t t = fs_noc_now(m->net);
    const bool measured = t >= s->warmup && t < s->warmup + s->measure;
    fs_noc_offer(m->net, node, fs_goal_draw(s->goals, node, m->made[node]++, &m->goals), s->flits, 0,
                 measured ? MEASURED : 0);
    m->out->made++;
    m->out->measured += measured;
    m->out->offered += measured ? s->flits : 0;
}

/* The packets that are made in a cycle of an open loop. */
static void make_open(stream *m, maker *places) {
    const uint64_t nodes = m->setup->goals->nodes, from = fs_noc_now(m->net) * nodes;
    while (places->at < from + nodes) {
        make_one(m, (uint32_t)(places->at - from));
        move_on(places);
    }
}

static void note(fs_flow *out, const fs_noc_arrival *a) {
    const uint64_t cycles = a->arrived - a->offered, queue = a->injected - a->offered, serial = a->flits - 1;
    out->arrived++;
    out->queue += queue;
    out->serial += serial;
    out->network += cycles - queue - serial;
    out->routers += a->routers;
    out->most_routers = fs_most(out->most_routers, a->routers);
    fs_latency_add(&out->latency, cycles, 0, a->routers);
}

/* Uses since they were `before`. */
static void take_uses(const fs_flow_setup *s, const fs_noc_net *net, fs_noc_use *uses, bool begin) {
    const fs_noc_use *now = fs_noc_uses(net);
    for (uint32_t l = 0; l < s->graph->links + s->graph->ends; l++)
        uses[l] = begin ? now[l]
                        : (fs_noc_use){.flits = now[l].flits - uses[l].flits,
                                       .no_credit = now[l].no_credit - uses[l].no_credit,
                                       .no_channel = now[l].no_channel - uses[l].no_channel,
                                       .lost = now[l].lost - uses[l].lost};
}

/* Nothing is under way, and nothing is made before another cycle: time passes to it. */
static bool skips(const stream *m, const maker *places) {
    const fs_flow_setup *s = m->setup;
    const uint64_t t = fs_noc_now(m->net), end = s->warmup + s->measure, next = places->at / s->goals->nodes;
    if (s->window > 0 || !fs_noc_is_idle(m->net) || next <= t)
        return false;
    const uint64_t to = fs_least(next, end);
    fs_noc_skip(m->net, t < s->warmup ? fs_least(to, s->warmup) : to);
    return true;
}

static fs_status flow(const fs_flow_setup *s, stream *m, fs_error *err) {
    maker places = make_maker(s);
    fs_noc_net *net = m->net;
    fs_flow *out = m->out;
    uint64_t delivered = 0;
    const uint64_t end = s->warmup + s->measure;
    for (uint64_t n = 0; n < s->window * s->goals->nodes; n++)
        make_one(m, (uint32_t)(n % s->goals->nodes));
    for (uint64_t t = 0; t < end || (out->arrived < out->measured && t < end + s->drain);
         t = fs_noc_now(net)) {
        uint32_t count = 0;
        if (out->film != NULL && t >= out->film->next)
            fs_noc_film_note(out->film, t, fs_noc_uses(net));
        if (t == s->warmup || t == end)
            take_uses(s, net, out->uses, t == s->warmup);
        if (skips(m, &places))
            continue;
        if (s->window == 0)
            make_open(m, &places);
        const uint64_t taken = fs_noc_taken(net);
        const fs_noc_arrival *a = fs_noc_step(net, &count);
        out->taken += t >= s->warmup && t < end ? fs_noc_taken(net) - taken : 0;
        for (uint32_t i = 0; i < count; i++) {
            if (a[i].tag == MEASURED)
                note(out, &a[i]);
            if (s->window > 0 && t < end)
                make_one(m, a[i].src);
        }
        delivered += count;
        if (out->made - delivered > s->most)
            return fs_fail(err, FS_RUN,
                           "more than %" PRIu64 " packets are under way after %" PRIu64
                           " cycles: the load is above what the network carries (workload.max_packets)",
                           s->most, t);
        if (t % SLICE == 0 && s->progress != NULL && !s->progress(s->self, t))
            return fs_fail(err, FS_RUN, "ended");
    }
    if (fs_noc_now(net) == end)
        take_uses(s, net, out->uses, false);
    if (out->film != NULL)
        fs_noc_film_end(out->film, fs_noc_now(net), fs_noc_uses(net));
    out->cycles = fs_noc_now(net);
    out->sums = fs_noc_sums_of(net);
    out->whole = out->arrived == out->measured;
    return fs_noc_check(net, err);
}

fs_status fs_flow_run(const fs_flow_setup *s, fs_flow *out, fs_error *err) {
    fs_noc_film *film = out->film;
    memset(out, 0, sizeof *out);
    out->film = film;
    out->uses = fs_calloc((size_t)s->graph->links + s->graph->ends, sizeof *out->uses);
    fs_noc_net *net = fs_noc_net_create(s->graph, &s->net, err);
    if (net == NULL)
        return err->status;
    stream m = {.setup = s,
                .net = net,
                .goals = fs_rng_stream(s->seed, "fabric/goals"),
                .made = fs_calloc(s->goals->nodes, sizeof *m.made),
                .out = out};
    const fs_status status = flow(s, &m, err);
    free(m.made);
    fs_noc_net_free(net);
    return status;
}

/* ---- the knee ---- */

fs_status fs_flow_find(const fs_flow_setup *setup, double times, double alone, double most, double *load,
                       fs_flow_probe probes[FS_FLOW_PROBES], fs_error *err) {
    double low = 0, high = most;
    fs_flow_setup s = *setup;
    s.most = UINT64_MAX;
    for (int step = 0; step < FS_FLOW_PROBES; step++) {
        fs_flow *f = fs_calloc(1, sizeof *f);
        s.load = (low + high) / 2;
        const fs_status status = fs_flow_run(&s, f, err);
        const bool calm = f->whole && f->arrived > 0 && fs_latency_mean(&f->latency) < times * alone;
        if (probes != NULL)
            probes[step] =
                (fs_flow_probe){.load = s.load,
                                .accepted = (double)f->taken / (double)s.measure / s.goals->nodes,
                                .latency = f->arrived > 0 ? fs_latency_mean(&f->latency) : (double)NAN};
        free(f->uses);
        free(f);
        if (status)
            return status;
        *(calm ? &low : &high) = s.load;
    }
    *load = low;
    return FS_OK;
}

/* ---- the outlook ---- */

fs_flow_outlook fs_flow_look(const fs_flow_setup *s, fs_arena *arena) {
    const fs_noc_graph *g = s->graph;
    fs_noc_loads *loads = fs_noc_loads_begin(arena, g, &s->net, s->flits);
    double *part = FS_NEW(arena, double, g->ends);
    for (uint32_t dst = 0; dst < g->ends; dst++) {
        for (uint32_t src = 0; src < g->ends; src++)
            part[src] = fs_goal_share(s->goals, src, dst);
        fs_noc_loads_add(loads, dst, g->ends, NULL, part);
    }
    fs_noc_loads_end(loads);
    fs_flow_outlook out = {.latency = loads->latency / loads->rate, .routers = loads->routers / loads->rate};
    for (uint32_t l = 0; l < g->links + g->ends; l++)
        if (loads->through[l] > out.busiest) {
            out.busiest = loads->through[l];
            out.link = l;
        }
    return out;
}
