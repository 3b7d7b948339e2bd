/* The workload `fabric`: from a checked experiment to a run folder. */
#include "workloads/packets/packets.h"

#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <stdlib.h>

static bool on_progress(void *self, uint64_t cycles) {
    fs_progress_update(&((fs_packets_run *)self)->run.progress, cycles);
    return !fs_interrupted();
}

/* ---- elaborate ---- */

/* The sizes of packets with their parts of all; NULL: all have one size. */
static const fs_flow_size *sizes_of(fs_arena *arena, const fs_packets_params *p) {
    fs_flow_size *sizes = FS_NEW(arena, fs_flow_size, p->sizes.count + 1);
    double all = 0;
    if (!p->sizes_given)
        return NULL;
    for (size_t i = 0; i < p->sizes.count; i++)
        all += p->shares_given ? (double)p->shares.item[i] : 1;
    for (size_t i = 0; i < p->sizes.count; i++)
        sizes[i] = (fs_flow_size){.flits = (uint32_t)p->sizes.item[i],
                                  .part = (p->shares_given ? (double)p->shares.item[i] : 1) / all};
    return sizes;
}

static bool finds(const fs_packets_params *p) {
    return p->source == FS_PACKETS_OPEN && p->load == FS_WORD_VALUE;
}

static fs_flow_setup setup_of(fs_packets_run *r) {
    const fs_noc_options *o = &r->machine->noc;
    const fs_packets_params *p = r->params;
    return (fs_flow_setup){.graph = r->graph,
                           .net = {.channels = (uint32_t)o->vcs,
                                   .buffer = (uint32_t)o->buffer,
                                   .reserve = p->network == FS_PACKETS_RESERVE,
                                   .free = o->routers == FS_NOC_FREE},
                           .goals = &r->goals,
                           .flits = (uint32_t)p->flits,
                           .sizes = sizes_of(r->run.arena, p),
                           .size_count = (uint32_t)p->sizes.count,
                           .load = p->load,
                           .on = p->burst.on,
                           .off = p->burst.off,
                           .window = p->source == FS_PACKETS_CLOSED ? (uint64_t)p->window : 0,
                           .warmup = (uint64_t)p->warmup,
                           .measure = (uint64_t)p->measure,
                           .drain = (uint64_t)p->drain,
                           .most = (uint64_t)p->max_packets,
                           .seed = (uint64_t)r->run.how->seed,
                           .progress = on_progress,
                           .self = r};
}

/* What nodes can make: a packet a cycle, and a window of packets that the run does not give up for. */
static fs_status check_made(const fs_packets_run *r, fs_error *err) {
    const fs_flow_setup *s = &r->setup;
    const double makes = 1 / fs_flow_most_packets(s);
    if (r->params->source == FS_PACKETS_OPEN && s->load > makes)
        return fs_fail(err, FS_INPUT,
                       "%s: a node makes one packet a cycle at most; expected at most %s flits, found %s",
                       fs_config_where(r->run.config, "workload", "load"), fs_number_short(makes, 3),
                       fs_number_short(s->load, 3));
    if (s->window > s->most / s->goals->nodes)
        return fs_fail(
            err, FS_INPUT,
            "%s: %u nodes with as many packets each are more than workload.max_packets; expected at most "
            "%" PRIu64 ", found %" PRIu64,
            fs_config_where(r->run.config, "workload", "window"), s->goals->nodes, s->most / s->goals->nodes,
            s->window);
    return FS_OK;
}

static fs_status elaborate(void *self, fs_error *err) {
    fs_packets_run *r = self;
    r->machine = fs_config_section(r->run.config, "machine");
    r->params = fs_config_section(r->run.config, "workload");
    const fs_noc_options *o = &r->machine->noc;
    const fs_packets_params *p = r->params;
    r->graph = fs_noc_make(r->run.arena, o, err);
    if (r->graph == NULL)
        return err->status;
    r->digits = fs_noc_digits(r->run.arena, o, r->graph->ends);
    const int64_t middle = r->graph->ends / 2;
    const fs_int_list hot = p->hotspot_given ? p->hotspot : (fs_int_list){&middle, 1};
    if (fs_goals_make(r->run.arena, (fs_goal_kind)p->pattern, r->digits, &hot, p->hotspot_share,
                      (fs_goal_files){.permutation = p->permutation, .table = p->table}, &r->goals, err))
        return err->status;
    r->setup = setup_of(r);
    if (check_made(r, err))
        return err->status;
    r->outlook =
        fs_flow_look(&r->setup, fs_noc_is_grid(o) ? r->digits : (fs_noc_sizes){.count = 0}, r->run.arena);
    r->flow = FS_NEW(r->run.arena, fs_flow, 1);
    r->source = p->source;
    if ((p->file[0] != '\0' || p->source == FS_PACKETS_TRACE) && fs_packets_read(r, err))
        return err->status;
    fs_run_say(&r->run, "fits: %s nodes, %s routers, %s links", fs_number_grouped(r->graph->ends),
               fs_number_grouped(r->graph->routers), fs_number_grouped(r->graph->links));
    return fs_interrupted() ? fs_fail(err, FS_RUN, "interrupted") : FS_OK;
}

/* ---- what takes long is said first ---- */

/* A short run that measures what the host takes. */
typedef struct sample {
    double until; /* host seconds */
} sample;

static bool goes_on(void *self, uint64_t cycles) {
    (void)cycles;
    return !fs_interrupted() && fs_host_wall_seconds() < ((const sample *)self)->until;
}

/* Half a second of the flow itself: cycles that were made in it, flits that passed routers, host seconds. */
static fs_flow look_at_flow(const fs_packets_run *r, double load, double *seconds) {
    const double begin = fs_host_wall_seconds();
    sample until = {.until = begin + 0.5};
    fs_flow_setup s = r->setup;
    fs_flow f = {.film = NULL};
    fs_error why = {0};
    s.load = load;
    s.progress = goes_on;
    s.self = &until;
    fs_flow_run(&s, &f, &why);
    *seconds = fs_host_wall_seconds() - begin;
    fs_error_clear(&why);
    fs_flow_free(&f);
    return f;
}

/* Host seconds of a flow, where these are many by a first guess: of an open loop by the flits that will pass routers,
 * as its network fills slowly; of a closed one, which is full from the beginning, by its cycles. */
static double seconds_of(const fs_packets_run *r) {
    static const double guess = 5e-8, sampled_from = 10; /* host seconds: of a flit and router; in all */
    const fs_flow_setup *s = &r->setup;
    const double bound = 1 / r->outlook.busiest, cycles = (double)(s->warmup + s->measure);
    const double load = finds(r->params)                    ? bound / 2
                        : s->window == 0 && s->load < bound ? s->load
                                                            : bound,
                 runs = finds(r->params) ? FS_FLOW_PROBES + 1 : 1;
    const double hops = runs * load * r->graph->ends * r->outlook.routers * cycles;
    double seconds = 0;
    if (hops * guess < sampled_from)
        return 0;
    const fs_flow f = look_at_flow(r, load, &seconds);
    return s->window > 0 ? seconds * cycles / (double)fs_most(1, f.cycles)
                         : seconds * hops / (double)fs_most(1, f.sums.hops);
}

/* Packets that pile up above what the busiest link carries; how long it takes; a sample that stands for all nodes. */
static void say_time(const fs_packets_run *r) {
    static const double said_from = 60; /* host seconds */
    const fs_flow_setup *s = &r->setup;
    const fs_flow_outlook *o = &r->outlook;
    const double bound = 1 / o->busiest, nodes = r->graph->ends, cycles = (double)(s->warmup + s->measure);
    const double behind = (s->load - bound) * nodes * cycles / fs_flow_mean_flits(s);
    if (o->sampled > 0)
        fs_say("packets to %s of %s nodes stand for all in latency.zero_load and hops.expected%s",
               fs_number_grouped(o->sampled), fs_number_grouped(nodes),
               o->busiest_sampled ? ", and in load.bound" : "");
    if (!fs_packets_flow(r->params))
        return;
    if (s->window == 0 && behind > 0.1 * (double)s->most)
        fs_say("the busiest link saturates at %s flits a cycle and node: above it packets pile up, %s in the "
               "measurement and more while they drain; workload.max_packets ends the run at %s",
               fs_number_short(bound, 3), fs_number_grouped(behind), fs_number_grouped((double)s->most));
    const double seconds = seconds_of(r);
    if (seconds >= said_from)
        fs_say("the run takes about %s of an idle core, by a sample of half a second",
               fs_number_seconds(seconds));
}

/* ---- simulate ---- */

static fs_status run_flow(fs_packets_run *r, fs_error *err) {
    if (finds(r->params)) {
        r->knee = FS_NEW(r->run.arena, fs_flow_knee, 1);
        if (fs_flow_find(&r->setup, FS_PACKETS_KNEE, r->outlook.latency, 1 / r->outlook.busiest, r->knee,
                         err))
            return err->status;
        r->setup.load = r->knee->load;
    }
    r->flow->film = fs_noc_film_create(r->run.arena, r->graph);
    return fs_flow_run(&r->setup, r->flow, err);
}

static fs_status simulate(void *self, fs_error *err) {
    fs_packets_run *r = self;
    say_time(r);
    r->window = r->setup.measure;
    fs_progress_begin(&r->run.progress, "cycles", r->setup.warmup + r->setup.measure);
    const fs_status status = fs_packets_flow(r->params) ? run_flow(r, err) : fs_packets_loop(r, err);
    fs_progress_end(&r->run.progress);
    return status;
}

static fs_status report(void *self, fs_error *err) {
    (void)err;
    fs_packets_run *r = self;
    fs_packets_figures_of(r);
    const fs_packets_figures *f = &r->figures;
    r->run.figures = f;
    r->run.device_seconds = f->seconds;
    r->run.ray_hops = f->flit_hops;
    char latency[160] = "no measured packet arrived";
    if (r->source == FS_PACKETS_TASKS) {
        fs_run_say(&r->run,
                   "%s tasks move %s in %s cycles; the busiest link carries flits in %s of the cycles",
                   fs_number_grouped((double)r->tasks.tasks), fs_number_bytes((double)f->stream_bytes),
                   fs_number_grouped((double)r->window), FS_PERCENT(f->links.busiest_share));
        return FS_OK;
    }
    if (r->callers > 0) {
        fs_run_say(&r->run,
                   "%s calling %s %s in %s cycles, %s bytes a cycle each; the busiest link carries flits "
                   "in %s of the cycles",
                   fs_number_grouped(r->callers), fs_plural(r->callers, "node moves", "nodes move"),
                   fs_number_bytes((double)f->stream_bytes), fs_number_grouped((double)r->window),
                   fs_number_short(f->stream_rate, 3), FS_PERCENT(f->links.busiest_share));
        return FS_OK;
    }
    if (f->delivered > 0)
        snprintf(latency, sizeof latency,
                 "a packet takes %s cycles (99 %% at most %s cycles, alone %s cycles) over %s routers",
                 fs_number_short(f->latency, 4), fs_number_grouped((double)f->p99),
                 fs_number_short(f->alone, 4), fs_number_short(f->hops, 3));
    fs_run_say(
        &r->run,
        "%s%s nodes offer %s flits a cycle each and get %s through (%s of the %s at which the busiest link "
        "saturates); %s; the busiest link carries flits in %s of the cycles",
        f->complete ? "" : "INCOMPLETE: ", fs_number_grouped(f->nodes), fs_number_short(f->offered, 3),
        fs_number_short(f->accepted, 3), FS_PERCENT(f->bound_share), fs_number_short(f->bound, 3), latency,
        FS_PERCENT(f->links.busiest_share));
    return FS_OK;
}

static void close_run(void *self) {
    fs_packets_run *r = self;
    if (r->flow != NULL)
        fs_flow_free(r->flow);
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_chip_table},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "pattern",
     .keys = "workload.pattern workload.hotspot workload.hotspot_share workload.permutation workload.table"},
    {.what = "load", .keys = "workload.load"},
    {.what = "flits of a packet", .keys = "workload.flits workload.sizes workload.shares"},
    {.what = "nodes", .figures = "network.nodes"},
    {.what = "delivered packets", .figures = "packets.delivered", .unit = "delivered packet"},
};

const fs_workload fs_workload_fabric = {.abi = FS_ABI,
                                        .kind = "fabric",
                                        .summary =
                                            "packets straight on the network of a chip: latency against load",
                                        .rules = {.uses = uses, .check = fs_packets_check},
                                        .expect = fs_packets_expect,
                                        .steps = {.size = sizeof(fs_packets_run),
                                                  .elaborate = elaborate,
                                                  .simulate = simulate,
                                                  .figures = report,
                                                  .conclude = fs_packets_conclude,
                                                  .write = fs_packets_write,
                                                  .close = close_run},
                                        .stats = &fs_fabric_stats,
                                        .time = "device.seconds",
                                        .page = &fs_packets_page,
                                        FS_WORK(work)};
