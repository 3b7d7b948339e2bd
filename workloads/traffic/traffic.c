/* The workload `traffic`: from a checked experiment to a run folder. */
#include "workloads/traffic/traffic.h"

#include "models/overlay/device_plan.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "workloads/traffic/run.h"

#include <math.h>

/* A lane's message with its header is counted in 32 bits. */
static const uint32_t most_bytes = UINT32_MAX - (1u << 20);

/* ---- elaboration ---- */

static const char *where(const fs_traffic_run *r, const char *key) {
    return fs_config_where(r->of.run.config, "workload", key);
}

static uint64_t free_bytes(const fs_machine_params *machine, fs_role role, int64_t code) {
    const fs_memory_params *m = &machine->memory;
    int64_t left = fs_machine_sram(machine, role) - m->reserved - code - m->vertex_state;
    return left > 0 ? (uint64_t)left : 0;
}

static fs_status make_overlay(fs_traffic_run *r, fs_error *err) {
    const fs_role_code *code = &r->params->code;
    uint32_t shards = (uint32_t)r->params->tracers, *entry = FS_NEW(r->of.run.arena, uint32_t, 1);
    uint64_t *free_tracer = FS_NEW(r->of.run.arena, uint64_t, shards);
    for (uint32_t s = 0; s < shards; s++)
        free_tracer[s] = free_bytes(r->of.machine, FS_ROLE_TRACER, code->tracer);
    *entry = shards / 2;
    const fs_overlay_site site = {.config = r->of.run.config,
                                  .machine = r->of.machine,
                                  .shards = shards,
                                  .payload_bytes = (uint32_t)r->params->payload_bytes,
                                  .free_tracer = free_tracer,
                                  .free_router = free_bytes(r->of.machine, FS_ROLE_ROUTER, code->router),
                                  .free_generator =
                                      free_bytes(r->of.machine, FS_ROLE_GENERATOR, code->generator),
                                  .neighbour_start = FS_NEW(r->of.run.arena, uint32_t, (size_t)shards + 1),
                                  .neighbour = FS_NEW(r->of.run.arena, uint32_t, 1),
                                  .routing_code = (uint64_t)code->router,
                                  .entry = entry,
                                  .entries = 1};
    if (fs_overlay_plan(&site, r->of.run.arena, &r->overlay, err))
        return err->status;
    r->of.labels = fs_overlay_labels(&r->overlay);
    return fs_overlay_check(&r->overlay, err);
}

static fs_status make_pattern(fs_traffic_run *r, fs_error *err) {
    const fs_traffic_params *p = r->params;
    const size_t hots = p->hotspot_given ? p->hotspot.count : 1;
    const bool hotspot = p->pattern == FS_PATTERN_HOTSPOT;
    uint32_t *hot = FS_NEW(r->of.run.arena, uint32_t, hots + 1);
    for (size_t h = 0; h < hots; h++)
        hot[h] = p->hotspot_given ? (uint32_t)p->hotspot.item[h] : r->overlay.tracers / 2;
    if (hotspot && hots == 0)
        return fs_fail(err, FS_INPUT, "%s: expected at least one tracer, found none", where(r, "hotspot"));
    return fs_pattern_make((fs_pattern_kind)p->pattern, r->overlay.tracers, hot, (uint32_t)hots,
                           p->hotspot_share, where(r, hotspot ? "hotspot" : "pattern"), r->of.run.arena,
                           &r->pattern, err);
}

static fs_status make_lanes(fs_traffic_run *r, fs_error *err) {
    const fs_traffic_params *p = r->params;
    const uint32_t payload = (uint32_t)p->payload_bytes, most = most_bytes / payload;
    r->slots = FS_NEW(r->of.run.arena, uint32_t, r->overlay.lane_count);
    r->transfers = FS_NEW(r->of.run.arena, fs_transfer, r->overlay.lane_count);
    for (uint32_t l = 0; l < r->overlay.lane_count; l++) {
        const fs_lane *lane = &r->overlay.lanes[l];
        uint32_t slots = p->buffers == FS_TRAFFIC_OVERLAY ? fs_lane_capacity(lane, payload)
                         : p->buffers == FS_TRAFFIC_SLOTS ? (uint32_t)p->lane_slots
                                                          : UINT32_MAX;
        if (slots == 0)
            return fs_fail(err, FS_INPUT,
                           "%s: lane %u (tile %u to tile %u): its buffers of %u and %u bytes hold no ray of "
                           "%u bytes",
                           where(r, "buffers"), l, lane->src, lane->dst, lane->src_share, lane->dst_share,
                           payload);
        r->slots[l] = slots;
        r->transfers[l] = (fs_transfer){
            .src = lane->src, .dst = lane->dst, .bytes = (slots < most ? slots : most) * payload};
    }
    return FS_OK;
}

/* With buffers: overlay the lanes have to fit a tile beside its code. */
static fs_status make_ledger(fs_traffic_run *r, fs_error *err) {
    if (r->params->buffers != FS_TRAFFIC_OVERLAY)
        return FS_OK;
    const fs_memory_params *m = &r->of.machine->memory;
    const fs_overlay *o = &r->overlay;
    r->of.ledger = fs_ledger_create(r->of.run.arena, o->tiles, m);
    for (uint32_t t = 0; t < o->tiles; t++)
        fs_ledger_size(r->of.ledger, t, fs_machine_sram(r->of.machine, o->role[t]));
    for (uint32_t t = 0; t < o->tiles; t++) {
        uint64_t in = 0, out = 0;
        if (o->role[t] == FS_ROLE_SPARE)
            continue;
        for (uint32_t i = o->in_start[t]; i < o->in_start[t + 1]; i++)
            in += r->transfers[o->in_lane[i]].bytes;
        for (uint32_t i = o->out_start[t]; i < o->out_start[t + 1]; i++)
            out += r->transfers[o->out_lane[i]].bytes;
        uint64_t ends = fs_overlay_in_degree(o, t) + fs_overlay_out_degree(o, t);
        fs_ledger_add(r->of.ledger, t, "code and stacks",
                      fs_role_code_bytes(&r->params->code, (fs_role)o->role[t]));
        fs_ledger_add(r->of.ledger, t, "vertex state", (uint64_t)m->vertex_state);
        fs_ledger_add(r->of.ledger, t, "exchange code", ends * (uint64_t)m->exchange_code_per_message);
        fs_ledger_add(r->of.ledger, t, "in lanes", in);
        fs_ledger_add(r->of.ledger, t, "out lanes", out);
    }
    return fs_ledger_check(r->of.ledger, fs_books_role, &r->of.labels, err);
}

/* One program for every tile that may hold rays: a ray costs a worker so many issue slots. */
static const fs_program *make_program(fs_traffic_run *r) {
    r->event = (fs_event){.name = "ray", .doc = "a ray handled", .source = "workload.router_cycles"};
    r->event.op[FS_OP_INT] = (uint16_t)r->params->router_cycles;
    r->program = (fs_program){.name = "traffic",
                              .segments = 1,
                              .events = &r->event,
                              .event_count = 1,
                              .code_bytes = (uint64_t)r->params->code.router};
    return &r->program;
}

/* The cost of a hop for a ray alone on the chip. */
static fs_status look_out(fs_traffic_run *r, fs_error *err) {
    const fs_machine_params *m = r->of.machine;
    const fs_fabric *x = fs_device_fabric(r->of.device, 0);
    fs_hop_cost cost = {.fabric = x, .dynamic = !fs_fabric_plans(&m->exchange)};
    cost.fixed = (uint64_t)m->exchange.program_overhead + fs_sync_internal(&m->sync, &m->geometry);
    if (!m->host.fused)
        cost.fixed += (uint64_t)m->host.programs *
                      ((uint64_t)m->sync.external + fs_host_launch_cycles(&m->host, m->clock));
    if (r->params->router == FS_TRAFFIC_FIXED) {
        fs_priced_program priced;
        fs_tile_times times;
        fs_tile_params tile = m->tile;
        tile.workers = fs_machine_workers(m, FS_ROLE_ROUTER);
        tile.clock_permille = fs_machine_clock_permille(m, FS_ROLE_ROUTER);
        if (fs_program_price(&r->program, &tile, &priced, err))
            return err->status;
        const uint32_t one[FS_MAX_WORKERS][FS_MAX_EVENTS] = {{1}};
        fs_tile_times_closed(&priced, one[0], &times);
        cost.fixed += times.cycles;
    }
    if (cost.dynamic)
        cost.ray_cycles = fs_fabric_send_cycles(x, (uint64_t)r->params->payload_bytes);
    else
        cost.fixed += fs_fabric_plan_of(x).arrival;
    double begin = fs_host_wall_seconds();
    r->outlook = fs_outlook_make(&r->overlay, &r->pattern, &cost);
    r->outlook_seconds = fs_host_wall_seconds() - begin;
    return FS_OK;
}

static fs_status make_simulation(fs_traffic_run *r, fs_error *err) {
    const fs_traffic_params *p = r->params;
    const bool programs = p->router == FS_TRAFFIC_FIXED;
    const uint64_t most = most_bytes / (uint64_t)p->payload_bytes;
    const fs_traffic_setup setup = {.overlay = &r->overlay,
                                    .pattern = &r->pattern,
                                    .slots = r->slots,
                                    .seed = (uint64_t)r->of.run.how->seed,
                                    .load = p->load,
                                    .rate = p->rate,
                                    .burst = (uint32_t)p->burst,
                                    .warmup = (uint32_t)p->warmup,
                                    .measure = (uint32_t)p->measure,
                                    .drain = (uint32_t)p->drain,
                                    .max_rays = (uint64_t)p->max_rays < most ? (uint64_t)p->max_rays : most};
    r->rays = fs_traffic_rays_create(r->of.run.arena, &setup);
    const fs_program *program = programs ? make_program(r) : NULL;
    const fs_program *roles[FS_ROLE_COUNT] = {[FS_ROLE_TRACER] = program, [FS_ROLE_ROUTER] = program};
    const fs_device_programs run_by = fs_overlay_programs_by_role(&r->overlay, roles, r->of.run.arena);
    r->of.plan = fs_overlay_device_plan(&r->overlay, &run_by, r->transfers, &(fs_host_visit){.visit = true},
                                        r->of.run.arena);
    if (fs_chip_run_make(&r->of, err) || look_out(r, err))
        return err->status;
    r->latency = FS_NEW(r->of.run.arena, fs_latency, 1);
    fs_traffic_books_create(&r->books, r->of.run.arena, &r->overlay, r->rays, r->of.device, programs,
                            setup.warmup + setup.measure + setup.drain);
    return FS_OK;
}

/* ---- the device's client ---- */

/* Rays are dealt to the workers in turn. */
static void count_rays(const fs_traffic_run *r, uint32_t tile) {
    const uint32_t workers = (uint32_t)fs_machine_workers(r->of.machine, r->overlay.role[tile]);
    uint32_t held = fs_traffic_tiles(r->rays)[tile].held;
    uint32_t *counts = fs_device_counts(r->of.device, tile);
    for (uint32_t w = 0; w < workers; w++)
        counts[(size_t)w * FS_MAX_EVENTS] = held / workers + (w < held % workers);
    fs_device_done(r->of.device, tile);
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    fs_traffic_run *r = self;
    if (fs_traffic_compute(r->rays, at.iteration, &r->active, &r->active_count, err))
        return err->status;
    if (!r->books.programs)
        r->active_count = 0; /* tiles whose work takes no time have no program to be active in */
    for (uint32_t i = 0; i < r->active_count; i++)
        count_rays(r, r->active[i]);
    *active = r->active;
    *active_count = r->active_count;
    return FS_OK;
}

static fs_status on_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)at;
    (void)err;
    fs_traffic_run *r = self;
    *occupied = fs_traffic_exchange(r->rays, (uint32_t)r->params->payload_bytes);
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    *visit = (fs_host_visit){0};
    *stop = fs_traffic_over(((fs_traffic_run *)self)->rays, iteration);
    return FS_OK;
}

static void set_clock(fs_traffic_run *r, const fs_iteration *i) {
    fs_traffic_clock(r->rays, i->number, i->compute + i->sync + i->exchange + i->host);
}

static void on_settled(void *self, const fs_iteration *i) {
    fs_traffic_run *r = self;
    set_clock(r, i);
    r->books.note[i->number].times = *i;
}

static void on_finished(void *self, const fs_iteration *i) {
    fs_traffic_run *r = self;
    set_clock(r, i);
    fs_traffic_books_note(&r->books, i);
    fs_progress_update(&r->of.run.progress, i->number + 1);
}

static fs_status simulate(void *self, fs_error *err) {
    fs_traffic_run *r = self;
    const fs_device_client client = {.self = r,
                                     .compute = on_compute,
                                     .exchange = on_exchange,
                                     .decide = on_decide,
                                     .finished = on_finished,
                                     .settled = on_settled};
    fs_progress_begin(&r->of.run.progress, "iterations", (uint64_t)(r->params->warmup + r->params->measure));
    fs_status status = fs_device_run(r->of.device, &client, err);
    fs_progress_end(&r->of.run.progress);
    return status ? status : fs_traffic_check(r->rays, err);
}

/* ---- results ---- */

static void make_figures(fs_traffic_run *r) {
    const fs_fabric *x = fs_device_fabric(r->of.device, 0);
    double round =
        r->outlook.port_rays * (double)fs_fabric_port_cycles(x, (uint64_t)r->params->payload_bytes);
    if (r->books.programs)
        round +=
            r->outlook.tile_rays * (double)(r->params->router_cycles * r->of.machine->tile.cost[FS_OP_INT]);
    fs_traffic_books_figures(&r->books, &r->outlook, round, r->of.machine->clock, r->latency, &r->figures);
    fs_chip_run_figures(&r->of);
    r->figures.chip = r->of.chip;
    r->figures.joules_per_ray = r->figures.rays.delivered > 0
                                    ? r->figures.chip.power.energy.joules / (double)r->figures.rays.delivered
                                    : (double)NAN;
    r->figures.rays_per_second = (double)r->figures.rays.delivered / r->figures.chip.device.seconds;
}

static void describe(fs_traffic_run *r) {
    const fs_traffic_figures *f = &r->figures;
    char latency[128] = "no measured ray arrived";
    if (f->rays.measured_delivered > 0)
        snprintf(latency, sizeof latency,
                 "a ray takes %s cycles (99 %% at most %s cycles, alone %s cycles) over %.1f lanes",
                 fs_number_grouped(f->latency_mean), fs_number_grouped((double)f->latency_p99),
                 fs_number_grouped(f->latency_zero), f->hops_mean);
    fs_run_say(&r->of.run,
               "%s%s sources offer %s rays per 1,000 cycles each and deliver %s (%.0f %% of the %s at which "
               "the busiest port or tile saturates); %s; an iteration takes %s cycles; the busiest port is "
               "the %s port of tile %llu, a %s of level %llu",
               f->complete ? "" : "INCOMPLETE: ", fs_number_grouped(r->overlay.tracers),
               fs_number_short(f->offered, 4), fs_number_short(f->accepted, 4), 100.0 * f->bound_share,
               fs_number_short(f->bound, 4), latency, fs_number_grouped(f->cycles_mean), f->port_side,
               (unsigned long long)f->port_tile, f->port_role, (unsigned long long)f->port_level);
}

/* ---- the steps of a run ---- */

static fs_status elaborate(void *self, fs_error *err) {
    fs_traffic_run *r = self;
    r->of.machine = fs_config_section(r->of.run.config, "machine");
    r->params = fs_config_section(r->of.run.config, "workload");
    if (make_overlay(r, err) || make_pattern(r, err) || make_lanes(r, err) || make_ledger(r, err) ||
        make_simulation(r, err))
        return err->status;
    fs_run_say(&r->of.run, "fits: %u tracers, %u routers, %u lanes on %u tiles", r->overlay.tracers,
               r->overlay.routers, r->overlay.lane_count, r->overlay.tiles);
    return FS_OK;
}

static fs_status report(void *self, fs_error *err) {
    (void)err;
    fs_traffic_run *r = self;
    make_figures(r);
    describe(r);
    r->of.run.figures = &r->figures;
    r->of.run.ray_hops = r->figures.rays.hops;
    return FS_OK;
}

static void close_run(void *self) {
    fs_traffic_rays_free(((fs_traffic_run *)self)->rays);
}

/* Host seconds of a run on one core of a common PC, between trees (0.4e-6) and meshes under load (2e-6). */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, each = 1e-6; /* a tracer in an iteration with new rays */
    seconds[FS_LAYER_RUN] = process + each * point->number(point->self, "workload.tracers", 1024) *
                                          (point->number(point->self, "workload.warmup", 100) +
                                           point->number(point->self, "workload.measure", 1000));
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_chip_table},
    {.section = "overlay"},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "sources", .keys = "workload.tracers"},
    {.what = "pattern", .keys = "workload.pattern"},
    {.what = "hotspots", .keys = "workload.hotspot workload.hotspot_share"},
    {.what = "load", .keys = "workload.load"},
    {.what = "rays an iteration and source", .keys = "workload.rate workload.burst"},
    {.what = "bytes of a ray", .keys = "workload.payload_bytes"},
    {.what = "delivered rays", .figures = "rays.delivered", .unit = "delivered ray"},
};

const fs_workload fs_workload_traffic = {
    .abi = FS_ABI,
    .kind = "traffic",
    .summary = "synthetic rays without a scene, from every tracer to every tracer: latency against load",
    .rules = {.uses = uses, .check = fs_traffic_check_config, FS_OVERLAY_RULES},
    .expect = expect,
    .steps = {.size = sizeof(fs_traffic_run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = report,
              .conclude = fs_traffic_conclude,
              .write = fs_traffic_write,
              .close = close_run},
    .stats = &fs_traffic_stats,
    .host_stats = &fs_traffic_host_stats,
    .time = "device.seconds",
    .page = &fs_traffic_page,
    FS_WORK(work)};
