/* Phases of a network that are kept as they come, counted by their ways and bounded, and of which at the end as many are
 * simulated as the sum of their cycles needs.
 *
 * A phase is simulated alone: the network is idle at a barrier, and what phases before leave behind, where pointers of
 * arbiters stand and how many packets there were, is given by the phase's number. So phases run beside each other in any
 * order. What follows from the ways of messages is counted for all phases: bytes, flits of links, routers of packets,
 * energy. What follows from meeting others, stalls and latencies, is that of the simulated phases times what all flits
 * are of theirs. The order of a sender's messages matters, that of senders does not. */
#include "models/fabric/network_internal.h"
#include "sim/base/arith.h"
#include "sim/host/signals.h"
#include "sim/stats/strata.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* As they are sent: of each tile in the order of its lanes. */
typedef struct kept_message {
    uint32_t src, dst, bytes; /* end points */
} kept_message;

typedef struct kept_phase {
    kept_message *messages; /* on the heap */
    uint64_t size;          /* what its cycles are about proportional to */
    uint32_t count, number; /* number: of its first packet */
    uint32_t packets;
    uint64_t flits; /* times routers */
} kept_phase;

/* What a simulated phase met: sums of its packets' cycles, and of the waits before all links and at all sources. */
typedef struct met {
    uint64_t cycles, latency, queue, longest, waiting;
    fs_noc_use waits; /* flits: none */
} met;

/* A thread's network, and sums over its phases, so that it does not matter which thread had which phases. */
typedef struct worker {
    fs_arena *arena; /* of its own, so that no line of the cache is another thread's; NULL: it had no phase */
    fs_noc_net *net;
    uint64_t *waiting;     /* [ends] cycles in which a source's port waited */
    uint64_t *sent, *last; /* [ends] of the phase: flits; cycle in which the last packet's head was sent */
    uint32_t *last_flits;  /* [ends] of that packet */
    fs_noc_use waits;
    uint64_t hops;
    bool differs; /* links carried other flits than the ways say, or not all came back */
} worker;

struct fs_network_samples {
    fs_arena *arena;
    const fs_noc_graph *graph;
    const fs_noc_options *options;
    fs_noc_params params; /* of the threads' nets */
    kept_phase *phase;
    fs_fabric_phase_row *row;
    uint32_t count;
    uint32_t packets; /* numbers that are given */
    double *through;  /* [links + ends] flits of the phase */
    fs_noc_use *uses; /* [links + ends] */
};

fs_network_samples *fs_network_samples_create(fs_arena *arena, const fs_noc_graph *graph,
                                              const fs_noc_options *options, const fs_noc_params *params) {
    fs_network_samples *s = FS_NEW(arena, fs_network_samples, 1);
    *s = (fs_network_samples){.arena = arena, .graph = graph, .options = options, .params = *params};
    s->params.packets = 0;
    s->through = FS_NEW(arena, double, graph->links + graph->ends);
    s->uses = FS_NEW(arena, fs_noc_use, graph->links + graph->ends);
    return s;
}

const fs_noc_use *fs_network_samples_uses(const fs_network_samples *samples) {
    return samples->uses;
}

/* ---- ways ---- */

/* Links of the way of a packet, the way out included, into `way`; *tossed: another number may go another way. */
static uint32_t walk(const fs_network_samples *s, uint32_t src, uint32_t dst, uint32_t number, uint32_t *way,
                     bool *tossed) {
    const fs_noc_graph *g = s->graph;
    fs_noc_header header = {.src = src, .dst = dst, .number = number};
    for (uint32_t router = g->end[src].router, n = 0;;) {
        header.choices = 0;
        const uint32_t out = g->out_at[router] + g->rule(g, router, s->params.channels, &header).port;
        *tossed = *tossed || header.choices > 1;
        if (g->out_of[out] == FS_NOC_NONE) {
            way[n] = g->links + dst;
            return n + 1;
        }
        way[n++] = g->out_of[out];
        router = g->link[g->out_of[out]].to;
    }
}

#define TOSSED UINT32_MAX /* in place of a way: each packet has its own */

void fs_network_samples_set(fs_network_fabric *x) {
    const fs_network_samples *s = x->network->samples;
    const uint32_t *end_of = x->network->of.end_of;
    uint32_t *way = fs_malloc(((size_t)s->graph->routers + 1) * sizeof *way);
    uint64_t all = 0;
    for (uint32_t i = 0; i < x->count; i++)
        all += x->routers[i];
    if (x->way == NULL || all > x->way_room) {
        x->way_room = (uint32_t)all;
        x->way = FS_NEW(s->arena, uint32_t, all + 1);
    }
    for (uint32_t i = 0, at = 0; i < x->count; i++) {
        bool tossed = false;
        const uint32_t links =
            walk(s, end_of[x->transfers[i].src], end_of[x->transfers[i].dst], 0, way, &tossed);
        x->way_start[i] = at;
        memcpy(x->way + at, way, (tossed ? 0 : links) * sizeof *way);
        at += tossed ? 0 : links;
        x->way_start[i + 1] = at;
    }
    free(way);
}

/* ---- a phase comes ---- */

static void keep(fs_network_fabric *x, uint32_t transfer, uint32_t bytes, kept_phase *phase) {
    fs_network *n = x->network;
    fs_network_samples *s = n->samples;
    const fs_transfer *t = &x->transfers[transfer];
    const uint32_t src = n->of.end_of[t->src], dst = n->of.end_of[t->dst],
                   packets = fs_network_packets(s->options, bytes), routers = x->routers[transfer];
    const uint64_t flits = fs_network_message_flits(s->options, bytes);
    const uint64_t most = (uint64_t)s->options->packet;
    phase->messages[phase->count++] = (kept_message){src, dst, bytes};
    phase->flits += flits * routers;
    for (uint32_t i = x->way_start[transfer]; i < x->way_start[transfer + 1]; i++)
        s->through[x->way[i]] += (double)flits;
    if (x->way_start[transfer] == x->way_start[transfer + 1])
        for (uint64_t p = 0; p < packets; p++)
            fs_noc_way_of(s->graph, s->params.channels, src, dst, s->packets + (uint32_t)p, s->through,
                          (double)fs_network_flits(s->options, fs_least(most, bytes - p * most)));
    s->packets += packets;
    phase->packets += packets;
    n->flits[t->src] += flits;
    n->of.traffic.flits += flits;
    n->of.traffic.hops += flits * routers;
    fs_network_count_message(n, s->options, bytes);
    fs_noc_packets *all = &n->of.packets;
    all->count += packets;
    all->routers += (uint64_t)packets * routers;
    all->most_routers = fs_most(all->most_routers, routers);
    all->by_routers[fs_least(routers, FS_NOC_WAYS - 1)] += packets;
    all->serial += flits - packets;
}

/* Flits of the phase, by link; of the busiest one. */
static uint64_t count_links(fs_network_samples *s) {
    double busiest = 0;
    for (uint32_t l = 0; l < s->graph->links + s->graph->ends; l++) {
        s->uses[l].flits += (uint64_t)s->through[l];
        if (l < s->graph->links && s->through[l] > busiest)
            busiest = s->through[l];
    }
    return (uint64_t)busiest;
}

static double fourth_root(double x) {
    return sqrt(sqrt(x));
}

/* What the phase's cycles are about proportional to: its bound, and more where several links and ports are nearly as busy, since
 * whichever waits decides: the 16th root of the sum of their flits' 16th powers. Forgets the flits of links. */
static uint64_t size_of(fs_network *n, uint32_t tiles, uint64_t bound) {
    fs_network_samples *s = n->samples;
    const uint32_t links = s->graph->links + s->graph->ends;
    double sum = 0;
    for (uint32_t i = 0; i < links + tiles; i++) {
        const double part = (i < links ? s->through[i] : (double)n->flits[i - links]) / (double)bound,
                     square = part * part;
        sum += square * square * square * square * square * square * square * square;
    }
    memset(s->through, 0, links * sizeof *s->through);
    const double size =
        s->options->routers == FS_NOC_FREE ? 0 : (double)bound * fourth_root(fourth_root(sum));
    return fs_most(bound, (uint64_t)size);
}

uint64_t fs_network_samples_phase(fs_network_fabric *x, const uint32_t *occupied,
                                  const fs_port_counters *counters) {
    fs_network *n = x->network;
    fs_network_samples *s = n->samples;
    uint32_t messages = 0;
    for (uint32_t i = 0; i < x->count; i++)
        messages += occupied[i] > 0;
    memset(n->flits, 0, x->fabric.chip.tiles * sizeof *n->flits);
    if (messages == 0)
        return 0;
    s->phase = fs_arena_grow(s->arena, s->phase, s->count, sizeof *s->phase);
    s->row = fs_arena_grow(s->arena, s->row, s->count, sizeof *s->row);
    kept_phase *phase = &s->phase[s->count];
    *phase = (kept_phase){.messages = fs_malloc(messages * sizeof *phase->messages), .number = s->packets};
    for (uint32_t i = 0; i < x->count; i++)
        if (occupied[x->order[i]] > 0)
            keep(x, x->order[i], occupied[x->order[i]], phase);
    const uint64_t bound = fs_network_add_floors(x, occupied, count_links(s));
    phase->size = size_of(n, x->fabric.chip.tiles, bound);
    fs_network_count_ports(x, occupied, counters);
    s->row[s->count++] = (fs_fabric_phase_row){.bound = bound, .cycles = bound};
    return bound;
}

/* ---- some are simulated ---- */

static void make_worker(worker *w, const fs_network_samples *s) {
    fs_error never = {.status = FS_OK};
    const uint32_t ends = s->graph->ends;
    fs_noc_params params = s->params;
    params.arena = w->arena = fs_arena_create();
    w->net = fs_noc_net_create(s->graph, &params, &never);
    FS_ASSERT(w->net != NULL, "a network that was made before: %s", never.text);
    w->waiting = FS_NEW(w->arena, uint64_t, ends);
    w->sent = FS_NEW(w->arena, uint64_t, ends);
    w->last = FS_NEW(w->arena, uint64_t, ends);
    w->last_flits = FS_NEW(w->arena, uint32_t, ends);
}

static void send(worker *w, const fs_noc_options *o, const kept_message *m) {
    for (uint32_t done = 0; done < m->bytes;
         done += (uint32_t)fs_least((uint64_t)o->packet, m->bytes - done)) {
        const uint32_t flits = fs_network_flits(o, fs_least((uint64_t)o->packet, m->bytes - done));
        fs_noc_offer(w->net, m->src, m->dst, flits, 0, 0);
        w->sent[m->src] += flits;
    }
}

static void note(worker *w, met *m, const fs_noc_arrival *a) {
    m->latency += a->arrived - a->offered;
    m->queue += a->injected - a->offered;
    m->longest = fs_most(m->longest, a->arrived - a->offered);
    if (a->injected >= w->last[a->src]) {
        w->last[a->src] = a->injected;
        w->last_flits[a->src] = a->flits;
    }
}

/* Steps to the last arrival, and until all credits are back. */
static void run_to_end(worker *w, met *m) {
    const uint64_t begun = fs_noc_now(w->net);
    while (!fs_noc_is_idle(w->net)) {
        uint32_t count;
        const fs_noc_arrival *a = fs_noc_step(w->net, &count);
        for (uint32_t i = 0; i < count; i++) {
            note(w, m, &a[i]);
            m->cycles = a[i].arrived - begun;
        }
    }
}

/* Of all phases so far; what is not told of one is the difference. */
static fs_noc_use waits_of(const worker *w, const fs_noc_graph *g) {
    const fs_noc_use *uses = fs_noc_uses(w->net);
    fs_noc_use sum = {0};
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        sum.no_credit += uses[l].no_credit;
        sum.no_channel += uses[l].no_channel;
        sum.lost += uses[l].lost;
    }
    return sum;
}

static void simulate(worker *w, const fs_network_samples *s, fs_rng rng, const kept_phase *phase, met *m) {
    const uint32_t ends = s->graph->ends;
    memset(w->sent, 0, ends * sizeof *w->sent);
    memset(w->last, 0, ends * sizeof *w->last);
    fs_noc_rest(w->net, rng, phase->number);
    const uint64_t begun = fs_noc_now(w->net);
    for (uint32_t i = 0; i < phase->count; i++)
        send(w, s->options, &phase->messages[i]);
    run_to_end(w, m);
    for (uint32_t e = 0; e < ends; e++) {
        const uint64_t waited = w->sent[e] > 0 ? w->last[e] - begun - (w->sent[e] - w->last_flits[e]) : 0;
        w->waiting[e] += waited;
        m->waiting += waited;
    }
    const fs_noc_use waits = waits_of(w, s->graph);
    m->waits = (fs_noc_use){.no_credit = waits.no_credit - w->waits.no_credit,
                            .no_channel = waits.no_channel - w->waits.no_channel,
                            .lost = waits.lost - w->waits.lost};
    w->waits = waits;
    w->hops += phase->flits;
    const fs_noc_sums sums = fs_noc_sums_of(w->net);
    w->differs = w->differs || !sums.whole || sums.hops != w->hops;
}

typedef struct turn {
    uint64_t flits, phase;
} turn;

static int longest_first(const void *a, const void *b) {
    const uint64_t x = ((const turn *)a)->flits, y = ((const turn *)b)->flits;
    return (x < y) - (x > y);
}

/* Longest first, so that no thread has a long one when all others are done. */
static void simulate_all(worker *workers, const fs_network_samples *s, const uint64_t *list, uint64_t count,
                         met *of) {
    const fs_rng rng = fs_rng_stream(0, "network/phases");
    turn *turns = fs_malloc((count + 1) * sizeof *turns);
    for (uint64_t i = 0; i < count; i++)
        turns[i] = (turn){s->phase[list[i]].flits, list[i]};
    qsort(turns, count, sizeof *turns, longest_first);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t i = 0; i < count; i++) {
        worker *w = &workers[omp_get_thread_num()];
        if (fs_interrupted())
            continue;
        if (w->net == NULL)
            make_worker(w, s);
        const uint64_t k = turns[i].phase;
        simulate(w, s, fs_rng_sub(rng, k), &s->phase[k], &of[k]);
    }
    free(turns);
}

static fs_status check_workers(const worker *workers, int count, fs_error *err) {
    for (int t = 0; t < count; t++)
        if (workers[t].differs)
            return fs_fail(err, FS_BROKEN,
                           "links carried other flits in a phase than the ways of its messages say");
    return fs_interrupted() ? fs_fail(err, FS_RUN, "interrupted while phases of the network were simulated")
                            : FS_OK;
}

/* As many phases as are needed. */
static fs_status simulate_enough(fs_network_samples *s, fs_strata *strata, worker *workers, int count,
                                 double added, met *of, fs_error *err) {
    uint64_t *list = FS_NEW(s->arena, uint64_t, s->count);
    do {
        const uint64_t missing = fs_strata_missing(strata, list);
        simulate_all(workers, s, list, missing, of);
        if (check_workers(workers, count, err))
            return err->status;
        for (uint64_t i = 0; i < missing; i++)
            strata->value[list[i]] = of[list[i]].cycles;
    } while (!fs_strata_within(strata, s->options->error / 100, added));
    return FS_OK;
}

/* ---- and stand for all ---- */

/* Of all phases, as far as simulated ones are like them: a packet waits as long as phases are long, a flit as often as
 * flits of a phase like it, a source as long as its phase. */
typedef struct told {
    double latency, queue, waiting, no_credit, no_channel, lost;
} told;

static void add_like(told *all, const met *m, double packets, double flits, double cycles) {
    all->latency += (double)m->latency * packets * cycles;
    all->queue += (double)m->queue * packets * cycles;
    all->waiting += (double)m->waiting * cycles;
    all->no_credit += (double)m->waits.no_credit * flits;
    all->no_channel += (double)m->waits.no_channel * flits;
    all->lost += (double)m->waits.lost * flits;
}

static uint64_t scaled(uint64_t value, double all, double seen) {
    return seen > 0 ? (uint64_t)((double)value * (all / seen) + 0.5) : 0;
}

/* Links and ports share what all phases met as they share what the simulated ones did. */
static void share_out(fs_network *n, const worker *workers, int count, const told *all, const told *seen,
                      uint32_t tiles, const fs_port_counters *counters) {
    fs_network_samples *s = n->samples;
    const uint32_t links = s->graph->links + s->graph->ends;
    uint64_t *waiting = FS_NEW(s->arena, uint64_t, s->graph->ends);
    for (int t = 0; t < count; t++) {
        const fs_noc_use *uses = workers[t].net != NULL ? fs_noc_uses(workers[t].net) : NULL;
        for (uint32_t l = 0; uses != NULL && l < links; l++) {
            s->uses[l].no_credit += uses[l].no_credit;
            s->uses[l].no_channel += uses[l].no_channel;
            s->uses[l].lost += uses[l].lost;
        }
        for (uint32_t e = 0; uses != NULL && e < s->graph->ends; e++)
            waiting[e] += workers[t].waiting[e];
    }
    for (uint32_t l = 0; l < links; l++) {
        s->uses[l].no_credit = scaled(s->uses[l].no_credit, all->no_credit, seen->no_credit);
        s->uses[l].no_channel = scaled(s->uses[l].no_channel, all->no_channel, seen->no_channel);
        s->uses[l].lost = scaled(s->uses[l].lost, all->lost, seen->lost);
    }
    for (uint32_t t = 0; t < tiles; t++)
        fs_port_count(counters->waiting_out, t,
                      scaled(waiting[n->of.end_of[t]], all->waiting, seen->waiting));
}

/* Rows get what the strata say, and so do sums over packets, links and ports. */
static void fill(fs_network *n, const fs_strata *strata, const met *of, const worker *workers, int count,
                 uint32_t tiles, const fs_port_counters *counters) {
    fs_network_samples *s = n->samples;
    told all = {0}, seen = {0};
    n->of.sample = (fs_fabric_sample){.row = s->row, .count = s->count, .half = fs_strata_half_width(strata)};
    for (uint32_t k = 0; k < s->count; k++) {
        const uint64_t like = fs_strata_like(strata, k);
        const kept_phase *phase = &s->phase[k], *other = &s->phase[like];
        fs_fabric_phase_row *row = &s->row[k];
        row->cycles = fs_most(row->bound, (uint64_t)(fs_strata_value(strata, k) + 0.5));
        row->simulated = like == k;
        n->of.floors.cycles += row->cycles;
        add_like(&all, &of[like], (double)phase->packets / (double)other->packets,
                 (double)phase->flits / (double)other->flits,
                 fs_strata_value(strata, k) / (double)of[like].cycles);
        if (!row->simulated)
            continue;
        add_like(&seen, &of[k], 1, 1, 1);
        n->of.sample.simulated++;
        n->of.packets.longest = fs_most(n->of.packets.longest, of[k].longest);
    }
    n->of.packets.latency = (uint64_t)(all.latency + 0.5);
    n->of.packets.queue = (uint64_t)(all.queue + 0.5);
    share_out(n, workers, count, &all, &seen, tiles, counters);
}

fs_status fs_network_samples_settle(fs_network *n, uint64_t added, uint32_t tiles,
                                    const fs_port_counters *counters, fs_error *err) {
    fs_network_samples *s = n->samples;
    const int threads = omp_get_max_threads();
    if (s->count == 0)
        return FS_OK;
    uint64_t *size = FS_NEW(s->arena, uint64_t, s->count);
    for (uint32_t k = 0; k < s->count; k++)
        size[k] = s->phase[k].size;
    met *of = FS_NEW(s->arena, met, s->count);
    worker *workers = FS_NEW(s->arena, worker, (size_t)threads);
    fs_strata strata = fs_strata_create(s->arena, size, s->count, fs_rng_stream(0, "network/strata"));
    const fs_status status = simulate_enough(s, &strata, workers, threads, (double)added, of, err);
    if (status == FS_OK)
        fill(n, &strata, of, workers, threads, tiles, counters);
    for (int t = 0; t < threads; t++)
        fs_arena_free(workers[t].arena);
    for (uint32_t k = 0; k < s->count; k++)
        free(s->phase[k].messages);
    s->count = 0;
    return status;
}
