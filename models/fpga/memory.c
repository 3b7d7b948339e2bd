/* The memory controller: a bus of fixed latency and rate, a node cache before it, or a module with banks. */
#include "models/fpga/engine_internal.h"

uint64_t memory_bytes(const engine *e, const engine_access *access) {
    const uint64_t burst =
        e->module == NULL ? (uint64_t)e->machine->memory.burst : fs_dram_burst_bytes(e->module);
    const uint64_t from = e->module == NULL ? 0 : access->address % burst;
    return (from + access->bytes + burst - 1) / burst * burst;
}

uint64_t memory_bus_cycles(const engine *e, const engine_access *access) {
    return (memory_bytes(e, access) * e->bus_a + e->bus_b - 1) / e->bus_b;
}

/* Nodes alone are cached; a hit takes the cache's port. */
bool memory_cached(engine *e, engine_place *p, uint64_t now) {
    p->cached = e->cache != NULL && p->access.items > 0 && !p->access.leaf &&
                fs_fpga_cache_look(e->cache, p->access.address / e->itinerary->node_bytes);
    if (!p->cached)
        return false;
    const uint64_t port = (uint64_t)e->machine->cache.bytes_per_cycle;
    p->first = fs_most(now + (uint64_t)e->machine->cache.latency, e->cache_free);
    p->last = p->first + (p->access.bytes + port - 1) / port;
    e->cache_free = p->last;
    return true;
}

void memory_fill(engine *e, const engine_place *p) {
    if (e->cache != NULL && p->access.items > 0 && !p->access.leaf && !p->cached)
        fs_fpga_cache_fill(e->cache, p->access.address / e->itinerary->node_bytes);
}

void memory_offer(engine *e, uint32_t place, uint64_t now) {
    const engine_access *a = &e->place[place].access;
    const fs_dram_access access = {.address = a->address, .bytes = a->bytes, .write = a->write, .tag = place};
    fs_dram_offer(e->dram, fs_clock_edge(now, e->clocks.a, e->clocks.b), &access);
}

void memory_chosen(const engine *e, engine_place *p, const fs_dram_data *data) {
    const uint64_t overhead = (uint64_t)e->machine->memory.overhead;
    p->first = fs_clock_edge(data->first + overhead, e->clocks.b, e->clocks.a);
    p->last = fs_most(fs_clock_edge(data->last + overhead, e->clocks.b, e->clocks.a), p->first + 1);
}
