#include "workloads/packets/flow.h"

#include "sim/base/arith.h"
#include "sim/base/detmath.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = 1 };

double fs_flow_mean_flits(const fs_flow_setup *s) {
    double mean = s->sizes == NULL ? s->flits : 0;
    for (uint32_t i = 0; s->sizes != NULL && i < s->size_count; i++)
        mean += s->sizes[i].part * s->sizes[i].flits;
    return mean;
}

double fs_flow_most_packets(const fs_flow_setup *s) {
    return s->goals->most_weight * (s->on > 0 ? (s->on + s->off) / s->on : 1) / fs_flow_mean_flits(s);
}

/* ---- when packets are made ---- */

/* When a node is on, and when it turns next: stretches are as long as chance will have it. */
typedef struct burst {
    uint64_t until;
    bool on;
} burst;

/* Places, cycle after cycle and node after node, at which packets may be made: a draw for each, none for each place
 * that is passed over, so that a light load costs little. A place is as likely as that of the busiest node that is
 * on; others leave some out. */
typedef struct maker {
    const fs_flow_setup *setup;
    fs_rng rng, thinned, turns;
    double chance, log_miss;
    uint64_t at;   /* the next place: cycle x nodes + node */
    burst *bursts; /* [nodes]; NULL: none */
} maker;

/* Cycles until what happens in a cycle with the probability 1 / mean, at least 1. */
static uint64_t stretch(fs_rng *rng, double mean) {
    return mean <= 1 ? 1 : 1 + (uint64_t)(fs_log(1 - fs_rng_unit(rng)) / fs_log(1 - 1 / mean));
}

static bool is_on(maker *m, uint32_t node, uint64_t cycle) {
    burst *b = &m->bursts[node];
    while (cycle >= b->until) {
        b->on = !b->on;
        b->until += stretch(&m->turns, b->on ? m->setup->on : m->setup->off);
    }
    return b->on;
}

/* A packet is made at the next place. */
static bool is_made(maker *m) {
    const fs_goals *goals = m->setup->goals;
    const uint64_t nodes = goals->nodes > 0 ? goals->nodes : 1;
    const uint32_t node = (uint32_t)(m->at % nodes);
    return (m->bursts == NULL || is_on(m, node, m->at / nodes)) &&
           (goals->weight == NULL ||
            fs_rng_unit(&m->thinned) * goals->most_weight < fs_goal_weight(goals, node));
}

static void move_on(maker *m) {
    do {
        m->at++;
        if (m->chance < 1)
            m->at += (uint64_t)(fs_log(1 - fs_rng_unit(&m->rng)) / m->log_miss);
    } while (!is_made(m));
}

static maker make_maker(const fs_flow_setup *s) {
    const double chance = s->window > 0 ? 0 : s->load * fs_flow_most_packets(s);
    const uint32_t nodes = s->goals->nodes;
    maker m = {.setup = s,
               .rng = fs_rng_stream(s->seed, "fabric/made"),
               .thinned = fs_rng_stream(s->seed, "fabric/thinned"),
               .turns = fs_rng_stream(s->seed, "fabric/bursts"),
               .chance = chance,
               .log_miss = chance < 1 ? fs_log(1 - chance) : 0,
               .at = UINT64_MAX,
               .bursts = s->on > 0 ? fs_calloc(nodes, sizeof *m.bursts) : NULL};
    for (uint32_t n = 0; n < nodes && m.bursts != NULL; n++) {
        const bool on = fs_rng_unit(&m.turns) * (s->on + s->off) < s->on;
        m.bursts[n] = (burst){.on = on, .until = stretch(&m.turns, on ? s->on : s->off)};
    }
    if (chance > 0)
        move_on(&m); /* from the place before the first one */
    return m;
}

/* ---- a flow at work ---- */

typedef struct stream {
    const fs_flow_setup *setup;
    fs_noc_net *net;
    fs_rng goals, sizes;
    uint64_t *made; /* [nodes] packets so far */
    fs_flow *out;
} stream;

static bool is_measured(const fs_flow_setup *s, uint64_t t) {
    return t >= s->warmup && t < s->warmup + s->measure;
}

/* The half of the measured cycles that a cycle of them lies in. */
static uint32_t half_of(const fs_flow_setup *s, uint64_t t) {
    return t >= s->warmup + s->measure / 2;
}

static uint32_t size_of(stream *m) {
    const fs_flow_setup *s = m->setup;
    if (s->sizes == NULL)
        return s->flits;
    double left = fs_rng_unit(&m->sizes);
    uint32_t i = 0;
    while (i + 1 < s->size_count && left >= s->sizes[i].part)
        left -= s->sizes[i++].part;
    return s->sizes[i].flits;
}

static void make_one(stream *m, uint32_t node) {
    const fs_flow_setup *s = m->setup;
    const uint64_t t = fs_noc_now(m->net);
    const bool measured = is_measured(s, t);
    const uint32_t flits = size_of(m);
    fs_noc_offer(m->net, node, fs_goal_draw(s->goals, node, m->made[node]++, &m->goals), flits, 0,
                 measured ? MEASURED : 0);
    m->out->made++;
    m->out->measured += measured;
    m->out->offered += measured ? flits : 0;
    m->out->half_made[half_of(s, t)] += measured;
    m->out->source[node].offered += measured ? flits : 0;
    m->out->source[node].measured += measured;
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
    fs_flow_source *source = &out->source[a->src];
    source->arrived++;
    source->latency += cycles;
    source->longest = fs_most(source->longest, cycles);
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

static fs_status flow(const fs_flow_setup *s, stream *m, maker *places, fs_error *err) {
    fs_noc_net *net = m->net;
    fs_flow *out = m->out;
    uint64_t delivered = 0;
    const uint64_t end = s->warmup + s->measure;
    for (uint64_t n = 0; n < s->window * s->goals->nodes; n++)
        if (fs_goal_weight(s->goals, (uint32_t)(n % s->goals->nodes)) > 0)
            make_one(m, (uint32_t)(n % s->goals->nodes));
    for (uint64_t t = 0; t < end || (out->arrived < out->measured && t < end + s->drain);
         t = fs_noc_now(net)) {
        uint32_t count = 0;
        if (out->film != NULL && t >= out->film->next)
            fs_noc_film_note(out->film, t, fs_noc_uses(net));
        if (t == s->warmup || t == end)
            take_uses(s, net, out->uses, t == s->warmup);
        if (skips(m, places))
            continue;
        if (s->window == 0)
            make_open(m, places);
        const uint64_t taken = fs_noc_taken(net);
        const fs_noc_arrival *a = fs_noc_step(net, &count);
        out->taken += t >= s->warmup && t < end ? fs_noc_taken(net) - taken : 0;
        const bool measured = is_measured(s, t);
        out->half_over[half_of(s, t)] += measured ? count : 0;
        for (uint32_t i = 0; i < count; i++) {
            if (a[i].tag == MEASURED)
                note(out, &a[i]);
            out->source[a[i].src].accepted += measured ? a[i].flits : 0;
            if (s->window > 0 && t < end)
                make_one(m, a[i].src);
        }
        delivered += count;
        out->piled = out->made - delivered > s->most;
        if (out->piled)
            return fs_fail(err, FS_RUN,
                           "more than %" PRIu64 " packets are under way after %" PRIu64
                           " cycles: the load is above what the network carries (workload.max_packets)",
                           s->most, t);
        if (s->progress != NULL && !s->progress(s->self, t)) {
            out->sums = fs_noc_sums_of(net);
            out->cycles = t + 1;
            return fs_fail(err, FS_RUN, "interrupted after %" PRIu64 " cycles", t);
        }
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
    out->source = fs_calloc(s->goals->nodes, sizeof *out->source);
    fs_noc_net *net = fs_noc_net_create(s->graph, &s->net, err);
    if (net == NULL)
        return err->status;
    stream m = {.setup = s,
                .net = net,
                .goals = fs_rng_stream(s->seed, "fabric/goals"),
                .sizes = fs_rng_stream(s->seed, "fabric/sizes"),
                .made = fs_calloc(s->goals->nodes, sizeof *m.made),
                .out = out};
    maker places = make_maker(s);
    const fs_status status = flow(s, &m, &places, err);
    free(places.bursts);
    free(m.made);
    fs_noc_net_free(net);
    return status;
}

void fs_flow_free(fs_flow *flow) {
    free(flow->uses);
    free(flow->source);
    flow->uses = NULL;
    flow->source = NULL;
}

bool fs_flow_is_full(const fs_flow *f) {
    const double kept_up = 0.97, scatter = 3; /* of what is offered; standard deviations of what is made */
    bool grows = (double)f->taken < kept_up * (double)f->offered;
    for (int h = 0; h < 2; h++) {
        const double made = (double)f->half_made[h];
        grows = grows && made - (double)f->half_over[h] > scatter * sqrt(made);
    }
    return grows;
}
