/* Rungs: memory, pipelines, queue, units and arbiter for free, each by itself, and all together. */
#include "workloads/hierarchy/run.h"

enum { MEASURED, FREE_MEMORY, FREE_PIPELINES, ENDLESS_QUEUE, ENDLESS_UNITS, FREE_ARBITER, ALL };
static const int64_t endless_units = 256; /* more than rays of any queue of requests keep busy */

static const fs_rung rung_rows[FS_HIERARCHY_RUNGS] = {
    [MEASURED] = {.name = "measured", .kind = "measured", .detail = "The run as it is."},
    [FREE_MEMORY] =
        {.name = "free_memory",
         .kind = "bound",
         .detail = "The first byte comes a cycle after the grant, and the last one with it.",
         .sets = "machine.memory.kind=fixed machine.memory.latency=0ns machine.memory.bandwidth=10000GB/s "
                 "machine.memory.burst=1B"},
    [FREE_PIPELINES] =
        {.name = "free_pipelines",
         .kind = "bound",
         .detail = "Both pipelines have one stage.",
         .sets = "machine.intersection.box_depth=1cycles machine.intersection.triangle_depth=1cycles"},
    [ENDLESS_QUEUE] =
        {.name = "endless_queue",
         .kind = "estimate",
         .detail = "No queue loses an entry, so rays make all the requests that they should, mostly more.",
         .sets = "machine.traversal.queue=0"},
    [ENDLESS_UNITS] = {.name = "endless_units",
                       .kind = "bound",
                       .detail = "256 units, whatever area they take.",
                       .sets = "machine.traversal.units=256 machine.resources.check=ignore"},
    [FREE_ARBITER] = {.name = "free_arbiter",
                      .kind = "bound",
                      .detail = "As many memory requests are in flight as the units ask for.",
                      .sets = "machine.memory.in_flight=many"},
    [ALL] = {.name = "all",
             .kind = "bound",
             .detail = "Memory, pipelines, units and arbiter together, with the queue as it is."},
};

static void free_one(fs_fpga_params *m, int rung) {
    if (rung == FREE_MEMORY) {
        m->memory.kind = FS_MEMORY_FIXED;
        m->memory.latency = 0;
        m->memory.bandwidth = 10000000000000;
        m->memory.burst = 1;
    } else if (rung == FREE_PIPELINES) {
        m->intersection.box_depth = m->intersection.triangle_depth = 1;
    } else if (rung == ENDLESS_QUEUE) {
        m->traversal.queue = 0;
    } else if (rung == ENDLESS_UNITS) {
        m->traversal.units = endless_units;
        m->resources.check = FS_RESOURCES_IGNORE;
    } else if (rung == FREE_ARBITER) {
        m->memory.in_flight = FS_IN_FLIGHT_MANY;
    }
}

static bool has_state(const fs_fpga_params *m) {
    return m->memory.kind != FS_MEMORY_FIXED || m->cache.kind != FS_CACHE_NONE;
}

/* built: the device whose room and clocks are paid for; what is free takes none of its own. */
static fs_status serve(const fs_fpga_params *machine, const fs_fpga_params *built,
                       const fs_engine_itinerary *itinerary, uint64_t *cycles, double *joules,
                       fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_engine_results results;
    const fs_engine_detail detail = has_state(machine) ? FS_ENGINE_CYCLE : FS_ENGINE_PHASE;
    const fs_status status = fs_engine_run(machine, itinerary, detail, NULL, arena, &results, err);
    *cycles = results.cycles;
    *joules = status == FS_OK ? fs_fpga_power_of(built, &results).energy.joules : 0;
    fs_arena_free(arena);
    return status;
}

/* The other requests of rays whose queues lose nothing; where none was lost they are the same. */
static fs_status serve_endless(const fs_hierarchy_run *r, const fs_fpga_params *machine, uint64_t *cycles,
                               double *joules, bool *too_many, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_engine_itinerary itinerary;
    fs_unit_walks walks = {0};
    const uint64_t most = 4 * r->work.requests + (1 << 24);
    fs_status status = fs_hierarchy_walk_again(
        r->params, r->scene, 0, most, fs_config_where(r->run.config, "scene", ""), &walks, too_many, err);
    if (status == FS_OK && !*too_many) {
        fs_hierarchy_itinerary(r->params, &r->work.facts, &walks, 0, arena, &itinerary);
        status = serve(machine, r->machine, &itinerary, cycles, joules, err);
    }
    fs_unit_walks_free(&walks);
    fs_arena_free(arena);
    return status;
}

fs_status fs_hierarchy_ladder(fs_hierarchy_run *r, fs_error *err) {
    const uint64_t measured = r->engine.cycles;
    for (int i = 0; i < FS_HIERARCHY_RUNGS; i++) {
        bool left_out = false;
        fs_fpga_params other = *r->machine;
        uint64_t cycles = measured;
        double joules = r->figures.power.energy.joules;
        for (int k = FREE_MEMORY; i == ALL && k < ALL; k++)
            if (k != ENDLESS_QUEUE)
                free_one(&other, k);
        free_one(&other, i);
        if (i == ENDLESS_QUEUE && r->engine.lost > 0) {
            if (serve_endless(r, &other, &cycles, &joules, &left_out, err))
                return err->status;
            if (left_out)
                continue;
        } else if (i != MEASURED && i != ENDLESS_QUEUE &&
                   serve(&other, r->machine, &r->itinerary, &cycles, &joules, err)) {
            return err->status;
        }
        fs_rung *rung = &r->rungs[r->rung_count++];
        *rung = rung_rows[i];
        rung->joules = joules;
        fs_ladder_time(rung, (double)cycles, (double)measured, (double)r->machine->clock);
    }
    return FS_OK;
}
