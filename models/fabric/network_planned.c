/* Phases of a network that are known in advance: the same messages in every round (docs/design/fabric.md).
 *
 * Such a phase is simulated once, on a network of its own that begins as a fixed stream says, so that it depends on nothing
 * that was before; rounds count what it did. Fabrics with the same messages share a plan. */
#include "models/fabric/network_internal.h"
#include "sim/host/signals.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 5 }; /* bytes out, in, busy out, in, waiting */

struct fs_network_plan {
    uint64_t cycles; /* to the last arrival */
    fs_fabric_traffic traffic;
    fs_noc_packets packets;
    fs_fabric_floors floors;
    fs_noc_use *use;       /* [links + ends] */
    uint64_t *port[PORTS]; /* [tiles] */
};

static const fs_network_fabric *network_of(const fs_fabric *f) {
    return (const fs_network_fabric *)f;
}

bool fs_network_is_planned(const fs_fabric *f) {
    return network_of(f)->whole;
}

static const fs_network_plan *plan_of(const fs_fabric *f) {
    FS_ASSERT(network_of(f)->plan != NULL, "a phase of a network that is not planned");
    return network_of(f)->plan;
}

/* ---- one phase ---- */

static uint32_t *whole_of(const fs_network_fabric *x, fs_arena *arena) {
    uint32_t *whole = FS_NEW(arena, uint32_t, x->count + 1);
    for (uint32_t i = 0; i < x->count; i++)
        whole[i] = x->transfers[i].bytes;
    return whole;
}

static fs_status run_to_end(fs_fabric *f, const uint32_t *whole, const fs_port_counters *counters,
                            uint64_t *cycles, fs_error *err) {
    const fs_network_fabric *x = network_of(f);
    uint32_t left = f->kind->open(f, 0, whole), count;
    while (left > 0) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted while a phase of the network was planned");
        const uint64_t now = fs_noc_now(x->network->net);
        const fs_fabric_event *e = f->kind->step(f, &count);
        for (uint32_t i = 0; i < count; i++)
            left -= e[i].arrived;
        *cycles = now - x->begun;
    }
    f->kind->close(f, counters);
    return fs_network_check(f, err);
}

/* On a copy of the fabric, whose network is its own. */
static fs_status simulate(const fs_network_fabric *x, fs_network_plan *plan, fs_error *err) {
    const fs_fabric_network *shared = &x->network->of;
    fs_arena *arena = fs_arena_create();
    fs_network_fabric alone = *x;
    alone.network =
        fs_network_create(arena, &x->fabric.chip, shared->graph, shared->end_of, x->transfers, x->count, err);
    FS_ASSERT(alone.network != NULL, "a network that was made before: %s", err->text);
    fs_noc_rest(alone.network->net, fs_rng_stream(0, "network/planned"), 0);
    const fs_port_counters counters = {plan->port[0], plan->port[1], plan->port[2], plan->port[3],
                                       plan->port[4]};
    run_to_end(&alone.fabric, whole_of(x, arena), &counters, &plan->cycles, err);
    plan->traffic = alone.network->of.traffic;
    plan->packets = alone.network->of.packets;
    plan->floors = alone.network->of.floors;
    memcpy(plan->use, fs_noc_uses(alone.network->net),
           (shared->graph->links + shared->graph->ends) * sizeof *plan->use);
    fs_arena_free(arena);
    return err->status;
}

/* ---- plans of several ---- */

static bool is_same(const fs_network_fabric *a, const fs_network_fabric *b) {
    return a->count == b->count && memcmp(a->transfers, b->transfers, a->count * sizeof *a->transfers) == 0;
}

static fs_network_plan *new_plan(fs_network *n, uint32_t tiles) {
    const size_t uses = n->of.graph->links + n->of.graph->ends;
    fs_network_plan *plan = FS_NEW(n->arena, fs_network_plan, 1);
    plan->use = FS_NEW(n->arena, fs_noc_use, uses);
    for (int p = 0; p < PORTS; p++)
        plan->port[p] = FS_NEW(n->arena, uint64_t, tiles);
    return plan;
}

/* Where rounds will be counted. */
static void make_counts(fs_network *n) {
    const size_t uses = n->of.graph->links + n->of.graph->ends;
    if (n->planned_uses != NULL)
        return;
    n->planned_uses = FS_NEW(n->arena, fs_noc_use, uses);
    n->all_uses = FS_NEW(n->arena, fs_noc_use, uses);
}

/* Those to simulate, [*count]; others get the plan of one of them. */
static fs_network_fabric **without_plans(fs_fabric *const *fabrics, uint32_t count, uint32_t *open) {
    fs_network_fabric **list = fs_malloc((count + 1) * sizeof *list);
    *open = 0;
    for (uint32_t i = 0; i < count; i++) {
        fs_network_fabric *x = (fs_network_fabric *)fabrics[i];
        for (uint32_t k = 0; x->whole && x->plan == NULL && k < i; k++)
            if (is_same(x, network_of(fabrics[k])))
                x->plan = network_of(fabrics[k])->plan;
        if (x->whole)
            make_counts(x->network);
        if (!x->whole || x->plan != NULL)
            continue;
        x->plan = new_plan(x->network, x->fabric.chip.tiles);
        list[(*open)++] = x;
    }
    return list;
}

fs_status fs_network_make_plans(fs_fabric *const *fabrics, uint32_t count, fs_error *err) {
    uint32_t open;
    fs_network_fabric **list = without_plans(fabrics, count, &open);
    fs_error *wrong = fs_calloc(open + 1, sizeof *wrong);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t i = 0; i < open; i++)
        simulate(list[i], list[i]->plan, &wrong[i]);
    for (uint32_t i = 0; i < open && err->status == FS_OK; i++)
        *err = wrong[i];
    free(wrong);
    free(list);
    return err->status;
}

fs_exchange_plan fs_network_plan_of(const fs_fabric *f) {
    const fs_network_plan *p = plan_of(f);
    const uint64_t bound = f->chip.noc->routers == FS_NOC_FREE ? p->floors.free : p->floors.endless;
    return (fs_exchange_plan){.bound = bound,
                              .length = p->cycles,
                              .arrival = p->cycles,
                              .efficiency = p->cycles > 0 ? (double)bound / (double)p->cycles : 1};
}

/* ---- rounds ---- */

static void count_packets(fs_noc_packets *all, const fs_noc_packets *of, uint64_t times) {
    all->count += times * of->count;
    all->latency += times * of->latency;
    all->queue += times * of->queue;
    all->serial += times * of->serial;
    all->routers += times * of->routers;
    all->longest = of->longest > all->longest ? of->longest : all->longest;
    all->most_routers = of->most_routers > all->most_routers ? of->most_routers : all->most_routers;
    for (int r = 0; r < FS_NOC_WAYS; r++)
        all->by_routers[r] += times * of->by_routers[r];
}

static void count_traffic(fs_network *n, const fs_network_plan *p, uint64_t times) {
    fs_fabric_traffic *all = &n->of.traffic;
    all->messages += times * p->traffic.messages;
    all->packets += times * p->traffic.packets;
    all->flits += times * p->traffic.flits;
    all->header_flits += times * p->traffic.header_flits;
    all->bytes += times * p->traffic.bytes;
    all->hops += times * p->traffic.hops;
    n->sent += times * p->traffic.flits;
    n->hops += times * p->traffic.hops;
    n->planned += times * p->traffic.flits;
    n->planned_hops += times * p->traffic.hops;
    n->of.floors.cycles += times * p->floors.cycles;
    n->of.floors.endless += times * p->floors.endless;
    n->of.floors.free += times * p->floors.free;
    n->of.floors.twice += times * p->floors.twice;
}

void fs_network_count_planned(const fs_fabric *f, uint64_t phases, const fs_port_counters *c) {
    const fs_network_plan *p = plan_of(f);
    fs_network *n = network_of(f)->network;
    uint64_t *const of[PORTS] = {c->bytes_out, c->bytes_in, c->busy_out, c->busy_in, c->waiting_out};
    count_traffic(n, p, phases);
    count_packets(&n->of.packets, &p->packets, phases);
    for (uint32_t l = 0; l < n->of.graph->links + n->of.graph->ends; l++)
        fs_network_add_use(&n->planned_uses[l], &p->use[l], phases);
    for (int k = 0; k < PORTS; k++)
        for (uint32_t t = 0; t < f->chip.tiles; t++)
            fs_port_count(of[k], t, phases * p->port[k][t]);
}
