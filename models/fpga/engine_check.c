/* What must hold: of an experiment and an itinerary before a run, of the figures behind it. */
#include "models/fpga/engine_internal.h"
#include "sim/config/config.h"

#include <inttypes.h>

/* ---- an experiment ---- */

static void check_burst(const fs_fpga_params *m, const char *what, uint32_t bytes, fs_check *check) {
    if (m->memory.kind == FS_MEMORY_FIXED && bytes % (uint64_t)m->memory.burst != 0)
        fs_check_wrong(check, "machine.memory.burst",
                       "a %s has %" PRIu32 " bytes; expected a divisor of them, found %" PRId64, what, bytes,
                       m->memory.burst);
}

void fs_engine_check(const fs_fpga_params *m, uint32_t node_bytes, uint32_t primitive_bytes,
                     fs_engine_detail detail, fs_check *check) {
    const uint64_t ways = m->cache.kind == FS_CACHE_ASSOCIATIVE ? (uint64_t)m->cache.ways : 1;
    check_burst(m, "node", node_bytes, check);
    check_burst(m, "primitive", primitive_bytes, check);
    if (m->cache.kind != FS_CACHE_NONE && (uint64_t)m->cache.size < ways * node_bytes)
        fs_check_wrong(check, "machine.cache.size",
                       "a set of nodes takes %" PRIu64 " bytes; expected at least as many, found %" PRId64,
                       ways * node_bytes, m->cache.size);
    if (detail == FS_ENGINE_PHASE && (m->memory.kind != FS_MEMORY_FIXED || m->cache.kind != FS_CACHE_NONE))
        fs_check_wrong(check, "run.detail",
                       "phase is of parts without state, and this machine has %s; expected event or cycle",
                       m->cache.kind != FS_CACHE_NONE ? "a cache" : "a memory with banks");
}

/* ---- an itinerary ---- */

static fs_status bad(fs_error *err, uint64_t ray, const char *what) {
    return fs_fail(err, FS_BROKEN, "itinerary of ray %" PRIu64 ": %s", ray, what);
}

static fs_status check_ray(const fs_engine_itinerary *it, uint64_t ray, fs_error *err) {
    uint64_t held = 1; /* the root */
    if (it->first[ray] >= it->first[ray + 1])
        return bad(err, ray, "no request");
    for (uint64_t i = it->first[ray]; i < it->first[ray + 1]; i++) {
        const fs_engine_request *r = &it->request[i];
        if (r->bytes == 0 || r->items == 0)
            return bad(err, ray, "a request of no bytes or items");
        if (r->bytes > it->tree_bytes || r->address > it->tree_bytes - r->bytes)
            return bad(err, ray, "a request beyond the tree");
        if (held == 0)
            return bad(err, ray, "more entries are taken out of the queue than were put in");
        held--;
        if (r->lost > r->inserted || (r->leaf && r->inserted > 0))
            return bad(err, ray, "an answer loses more entries than it brings, or a leaf brings some");
        held += (uint64_t)r->inserted - r->lost;
        if (it->queue > 0 && (held > it->queue || (r->lost > 0 && held < it->queue)))
            return bad(err, ray, "entries are lost of a queue with room, or kept beyond it");
        if (it->queue == 0 && r->lost > 0)
            return bad(err, ray, "entries are lost of an unbounded queue");
    }
    if (!it->hit[ray] && held > 0)
        return bad(err, ray, "entries are left of a ray that hit nothing");
    return FS_OK;
}

fs_status fs_engine_itinerary_check(const fs_engine_itinerary *itinerary, fs_error *err) {
    for (uint64_t r = 0; r < itinerary->rays; r++)
        if (check_ray(itinerary, r, err))
            return err->status;
    return FS_OK;
}

/* ---- a run ---- */

typedef struct identity {
    const char *what;
    uint64_t one, other;
} identity;

static uint64_t units_awake(const fs_engine_results *r) {
    uint64_t sum = 0;
    for (uint32_t u = 0; u < r->units; u++)
        sum += r->unit[u].busy + r->unit[u].input + r->unit[u].output;
    return sum;
}

static uint64_t stages(const fs_engine_results *r) {
    uint64_t sum = 0;
    for (int s = 0; s < FS_REQUEST_STAGES; s++)
        sum += r->stage[s];
    return sum;
}

/* What requests that the cache did not answer, and spilled entries, move in whole bursts; by the module's own
 * count where there is one. */
static uint64_t moved(const engine *e) {
    const fs_engine_results *r = e->results;
    const uint64_t hits = r->cache_hits * e->itinerary->node_bytes,
                   entries = (r->spilled + r->refilled) * (uint64_t)e->machine->traversal.entry;
    if (e->module != NULL)
        return r->dram.bursts * fs_dram_burst_bytes(e->module);
    return r->bytes - hits + (e->machine->traversal.spill == FS_SPILL_DRAM ? entries : 0);
}

/* Sum of a part's cycles; an overflow of its idle cycles shows here too. */
static fs_status parts_add_up(const engine *e, fs_error *err) {
    const fs_engine_results *r = e->results;
    const struct {
        const char *name;
        const fs_part_use *use;
    } parts[] = {{"arbiter", &r->arbiter},    {"memory", &r->memory},   {"box pipeline", &r->box},
                 {"triangles", &r->triangle}, {"link in", &r->link_in}, {"link out", &r->link_out}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fs_part_use_sum(parts[i].use) != r->cycles || parts[i].use->idle > r->cycles)
            return fs_fail(err, FS_BROKEN, "%s: cycles do not add up to the run's %" PRIu64, parts[i].name,
                           r->cycles);
    for (uint32_t u = 0; u < r->units; u++)
        if (fs_part_use_sum(&r->unit[u]) != r->cycles * e->rays_of_unit ||
            r->unit[u].idle > r->cycles * e->rays_of_unit)
            return fs_fail(err, FS_BROKEN, "unit %" PRIu32 ": cycles do not add up to the run's %" PRIu64, u,
                           r->cycles);
    return FS_OK;
}

fs_status engine_identities(const engine *e, fs_error *err) {
    const fs_engine_results *r = e->results;
    const fs_engine_itinerary *it = e->itinerary;
    const uint64_t burst = (uint64_t)e->machine->memory.burst;
    const bool whole = e->module != NULL || burst == 1;
    const identity identities[] = {
        {"rays that ended and rays of the itinerary", r->rays, it->rays},
        {"requests answered and requests of the itinerary", r->requests, it->first[it->rays]},
        {"grants and accesses asked for", r->granted, r->requests + r->spill_accesses},
        {"grants of the arbiter and of units", r->arbiter.busy, r->granted},
        {"nodes and leaves, and requests", r->nodes + r->leaves, r->requests},
        {"stages of requests and cycles of units", stages(r), units_awake(r)},
        {"queue entries in, and out, lost or left", r->inserted, r->extracted + r->lost + r->left},
        {"entries spilled that came back or are left", r->refilled > r->spilled, false},
        {"bytes of memory and of requests", whole ? r->bus_bytes : 0, whole ? moved(e) : 0},
        {"bytes of memory below those of requests", !whole && r->bus_bytes < moved(e), false},
        {"looks into the cache and nodes", e->cache == NULL ? 0 : r->cache_hits + r->cache_misses,
         e->cache == NULL ? 0 : r->nodes},
        {"bytes of rays over the link", r->link_bytes_in, it->rays * it->ray_in},
        {"bytes of results over the link", r->link_bytes_out, it->rays * it->ray_out},
    };
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++)
        if (identities[i].one != identities[i].other)
            return fs_fail(err, FS_BROKEN, "%s differ: %" PRIu64 " and %" PRIu64, identities[i].what,
                           identities[i].one, identities[i].other);
    return parts_add_up(e, err);
}
