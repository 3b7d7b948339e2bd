/* A run of the traversal engine: what follows from its parameters, the detail's work, what is left to count. */
#include "models/fpga/engine_internal.h"

#include <inttypes.h>

const char *const fs_request_stages[] = {"unit", "grant", "memory", "bus", "pipeline", "spill", NULL};

const char *engine_where(const engine *e, const char *section, const char *key) {
    return e->listener != NULL && e->listener->config != NULL
               ? fs_config_where(e->listener->config, section, key)
               : fs_arena_printf(e->arena, "%s.%s", section, key);
}

/* ---- before ---- */

static fs_status fits(const engine *e, fs_error *err) {
    const fs_fpga_params *m = e->machine;
    const fs_engine_itinerary *it = e->itinerary;
    const uint64_t places = (uint64_t)(m->traversal.units * m->traversal.rays),
                   spilled = m->traversal.spill == FS_SPILL_DRAM
                                 ? places * (uint64_t)(m->traversal.spill_entries * m->traversal.entry)
                                 : 0;
    if (it->tree_bytes > (uint64_t)m->memory.size || spilled > (uint64_t)m->memory.size - it->tree_bytes)
        return fs_fail(err, FS_INPUT,
                       "%s: nodes and primitives take %" PRIu64 " bytes and spilled entries %" PRIu64
                       "; expected at most %" PRId64 " bytes of memory",
                       engine_where(e, "machine", "memory.size"), it->tree_bytes, spilled, m->memory.size);
    if (m->cache.kind != FS_CACHE_NONE) {
        const uint64_t line =
            (uint64_t)(m->cache.kind == FS_CACHE_DIRECT ? 1 : m->cache.ways) * it->node_bytes;
        if ((uint64_t)m->cache.size < line)
            return fs_fail(err, FS_INPUT,
                           "%s: a set of nodes takes %" PRIu64 " bytes; expected at least as "
                           "many, found %" PRId64,
                           engine_where(e, "machine", "cache.size"), line, m->cache.size);
    }
    if (m->memory.kind == FS_MEMORY_FIXED && it->node_bytes % (uint64_t)m->memory.burst != 0)
        return fs_fail(err, FS_INPUT,
                       "%s: a node has %" PRIu32 " bytes; expected a divisor of them, found %" PRId64,
                       engine_where(e, "machine", "memory.burst"), it->node_bytes, m->memory.burst);
    return FS_OK;
}

/* The link counts in whole cycles of a byte's fraction: no sum may leave 64 bits. */
static fs_status link_counts(const engine *e, fs_error *err) {
    const fs_fpga_params *m = e->machine;
    const fs_engine_itinerary *it = e->itinerary;
    fs_link_lane lane;
    fs_link_lane_init(&lane, &m->link, (uint64_t)m->clock, true);
    const uint64_t each = it->ray_in > it->ray_out ? it->ray_in : it->ray_out,
                   packed = (uint64_t)(m->link.payload + m->link.header) * 2,
                   all = it->tree_bytes > it->rays * each ? it->tree_bytes : it->rays * each;
    if (m->link.kind != FS_LINK_NONE && all >= UINT64_MAX / packed / (lane.cycles + 1))
        return fs_fail(err, FS_INPUT,
                       "%s: %" PRId64 " Hz and the link's %" PRIu64
                       " B/s have too small a common divisor for %" PRIu64
                       " bytes over the link; expected rounder clocks, or fewer rays",
                       engine_where(e, "machine", "clock"), m->clock, fs_link_bandwidth(&m->link), all);
    return FS_OK;
}

static fs_status phase_applies(const engine *e, fs_error *err) {
    const fs_fpga_params *m = e->machine;
    if (m->memory.kind != FS_MEMORY_FIXED)
        return fs_fail(err, FS_INPUT,
                       "%s: phase is of parts without state, and machine.memory.kind has banks; "
                       "expected event or cycle, or memory of kind fixed",
                       engine_where(e, "run", "detail"));
    if (m->cache.kind != FS_CACHE_NONE)
        return fs_fail(err, FS_INPUT,
                       "%s: phase is of parts without state, and there is a machine.cache; expected "
                       "event or cycle, or no cache",
                       engine_where(e, "run", "detail"));
    return FS_OK;
}

static void create_memory(engine *e) {
    const fs_fpga_params *m = e->machine;
    e->module = fs_engine_memory_kind(m);
    e->clocks = (fs_clock_pair){1, 1};
    if (e->module != NULL) {
        const bool meet = fs_clock_pair_of((uint64_t)m->clock, e->module->clock, &e->clocks);
        FS_ASSERT(meet, "clocks without a common tick passed the table's check");
        e->dram = fs_dram_create(e->arena, e->module, m->memory.scheduler, e->places);
    }
    e->latency = fs_most(fs_clock_cycles(m->memory.latency, (uint64_t)m->clock), 1);
    fs_clock_pair bus;
    fs_clock_pair_of((uint64_t)m->clock, (uint64_t)m->memory.bandwidth, &bus);
    e->bus_a = bus.b; /* clock / divisor: bytes take clock / bandwidth cycles each */
    e->bus_b = bus.a;
    if (m->cache.kind != FS_CACHE_NONE) {
        e->cache = FS_NEW(e->arena, fs_node_cache, 1);
        fs_fpga_cache_init(e->cache, e->arena, (uint64_t)m->cache.size / e->itinerary->node_bytes,
                           m->cache.kind == FS_CACHE_DIRECT ? 1 : (uint32_t)m->cache.ways);
    }
}

static void create(engine *e) {
    const fs_fpga_params *m = e->machine;
    fs_engine_results *r = e->results;
    e->rays_of_unit = (uint32_t)m->traversal.rays;
    e->places = (uint32_t)m->traversal.units * e->rays_of_unit;
    e->place = FS_NEW(e->arena, engine_place, e->places);
    e->request = (uint64_t)m->traversal.request;
    e->answer = (uint64_t)m->traversal.answer;
    fs_pipeline_init(&e->box, m->intersection.box_depth, m->intersection.box_interval);
    fs_pipeline_init(&e->triangle, m->intersection.triangle_depth, m->intersection.triangle_interval);
    fs_arbiter_init(&e->arbiter, m->intersection.arbiter, e->places);
    *r = (fs_engine_results){.units = (uint32_t)m->traversal.units,
                             .places = e->places,
                             .unit = FS_NEW(e->arena, fs_part_use, (size_t)m->traversal.units),
                             .occupancy = FS_NEW(e->arena, uint64_t, FS_ENGINE_OCCUPANCIES),
                             .series = FS_NEW(e->arena, fs_series, 1)};
    fs_series_init(r->series, FS_ENGINE_LINES);
    create_memory(e);
    communication_start(e);
}

/* ---- behind ---- */

static void fill_idle(fs_part_use *use, uint64_t cycles) {
    use->idle = cycles - use->busy - use->input - use->output;
}

static void link_use(const fs_link_lane *lane, uint64_t cycles, fs_part_use *use) {
    *use = (fs_part_use){.busy = lane->busy, .output = lane->reads ? lane->stood : 0};
    fill_idle(use, cycles);
}

static void collect(engine *e) {
    fs_engine_results *r = e->results;
    r->cycles = e->over;
    r->box = e->box.use;
    r->triangle = e->triangle.use;
    r->boxes = e->box.items;
    r->triangles = e->triangle.items;
    for (uint32_t u = 0; u < r->units; u++)
        fill_idle(&r->unit[u], r->cycles * e->rays_of_unit);
    fill_idle(&r->arbiter, r->cycles);
    fill_idle(&r->memory, r->cycles);
    fill_idle(&r->box, r->cycles);
    fill_idle(&r->triangle, r->cycles);
    link_use(&e->rays_in, r->cycles, &r->link_in);
    link_use(&e->results_out, r->cycles, &r->link_out);
    r->link_bytes_in = e->rays_in.sent;
    r->link_bytes_out = e->results_out.sent;
    if (e->cache != NULL) {
        r->cache_hits = e->cache->hits;
        r->cache_misses = e->cache->misses;
    }
    if (e->module != NULL) {
        r->dram = fs_dram_use_of(e->dram);
        r->banks = fs_dram_banks(e->dram);
        r->bank_count = e->module->channels * e->module->ranks * e->module->banks;
    }
    fs_link_lane upload;
    fs_link_lane_init(&upload, &e->machine->link, (uint64_t)e->machine->clock, true);
    r->upload_cycles = fs_link_send(&upload, 0, e->itinerary->tree_bytes);
}

fs_status fs_engine_run(const fs_fpga_params *machine, const fs_engine_itinerary *itinerary,
                        fs_engine_detail detail, const fs_engine_listener *listener, fs_arena *arena,
                        fs_engine_results *results, fs_error *err) {
    engine e = {.machine = machine,
                .itinerary = itinerary,
                .listener = listener,
                .arena = arena,
                .results = results,
                .err = err};
    if (fits(&e, err) || link_counts(&e, err) || (detail == FS_ENGINE_PHASE && phase_applies(&e, err)))
        return err->status;
    create(&e);
    if (detail == FS_ENGINE_PHASE)
        engine_phase(&e);
    else if (detail == FS_ENGINE_EVENT)
        engine_event(&e);
    else
        engine_cycle(&e);
    if (e.failed)
        return err->status;
    collect(&e);
    return engine_identities(&e, err);
}
