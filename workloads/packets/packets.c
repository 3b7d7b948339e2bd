/* The workload `fabric`: from a checked experiment to a run folder. */
#include "workloads/packets/packets.h"

#include "sim/base/numbers.h"
#include "sim/host/voice.h"
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <stdlib.h>

static bool on_progress(void *self, uint64_t cycles) {
    fs_progress_update(&((fs_packets_run *)self)->run.progress, cycles);
    return true;
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
                      p->permutation, &r->goals, err))
        return err->status;
    r->setup = (fs_flow_setup){.graph = r->graph,
                               .net = {.channels = (uint32_t)o->vcs,
                                       .buffer = (uint32_t)o->buffer,
                                       .reserve = p->network == FS_PACKETS_RESERVE,
                                       .free = o->routers == FS_NOC_FREE},
                               .goals = &r->goals,
                               .flits = (uint32_t)p->flits,
                               .load = p->load,
                               .window = p->source == FS_PACKETS_CLOSED ? (uint64_t)p->window : 0,
                               .warmup = (uint64_t)p->warmup,
                               .measure = (uint64_t)p->measure,
                               .drain = (uint64_t)p->drain,
                               .most = (uint64_t)p->max_packets,
                               .seed = (uint64_t)r->run.how->seed,
                               .progress = on_progress,
                               .self = r};
    r->outlook = fs_flow_look(&r->setup, r->run.arena);
    r->flow = FS_NEW(r->run.arena, fs_flow, 1);
    fs_run_say(&r->run, "fits: %s nodes, %s routers, %s links", fs_number_grouped(r->graph->ends),
               fs_number_grouped(r->graph->routers), fs_number_grouped(r->graph->links));
    return FS_OK;
}

/* What takes long is said first: flits that pass routers, packets that pile up above what the busiest link carries. */
static void say_time(const fs_packets_run *r) {
    static const double hop = 5e-8,
                        said_from = 10; /* host seconds on one core of a common PC: of a flit and router */
    const fs_flow_setup *s = &r->setup;
    const double bound = 1 / r->outlook.busiest, load = s->load < bound ? s->load : bound;
    const double cycles = (double)(s->warmup + s->measure), nodes = r->graph->ends;
    const double seconds = hop * load * nodes * r->outlook.routers * cycles,
                 behind = (s->load - load) * nodes * cycles / s->flits;
    if (r->params->source != FS_PACKETS_OPEN || s->load == FS_WORD_VALUE)
        return;
    if (behind > 0.1 * (double)s->most)
        fs_say("the busiest link saturates at %s flits a cycle and node: above it packets pile up, %s in the "
               "measurement and more while they drain; workload.max_packets ends the run at %s",
               fs_number_short(bound, 3), fs_number_grouped(behind), fs_number_grouped((double)s->most));
    if (seconds >= said_from)
        fs_say("the run takes about %s of an idle core", fs_number_seconds(seconds));
}

static fs_status simulate(void *self, fs_error *err) {
    fs_packets_run *r = self;
    say_time(r);
    fs_progress_begin(&r->run.progress, "cycles", r->setup.warmup + r->setup.measure);
    fs_status status = FS_OK;
    r->window = r->setup.measure;
    const bool flows = r->params->source == FS_PACKETS_OPEN || r->params->source == FS_PACKETS_CLOSED;
    if (!flows)
        status = fs_packets_loop(r, err);
    else if (r->params->source == FS_PACKETS_OPEN && r->params->load == FS_WORD_VALUE) {
        r->probes = FS_NEW(r->run.arena, fs_flow_probe, FS_FLOW_PROBES);
        status = fs_flow_find(&r->setup, FS_PACKETS_KNEE, r->outlook.latency, 1 / r->outlook.busiest,
                              &r->setup.load, r->probes, err);
    }
    if (status == FS_OK && flows)
        r->flow->film = fs_noc_film_create(r->run.arena, r->graph);
    if (status == FS_OK && flows)
        status = fs_flow_run(&r->setup, r->flow, err);
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
        free(r->flow->uses);
}

/* Host seconds on one core of a common PC: 0.1 us a flit and router. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, hop = 1e-7, routers = 10, nodes = 256;
    seconds[FS_LAYER_RUN] = process + hop * routers * nodes *
                                          point->number(point->self, "workload.load", 0.1) *
                                          (point->number(point->self, "workload.warmup", 3000) +
                                           point->number(point->self, "workload.measure", 10000));
}

/* What does not go with the machine's network. */
static void check_network(const fs_noc_options *o, const fs_packets_params *p, fs_check *check) {
    const int64_t most = o->header + (o->packet + o->width - 1) / o->width;
    const bool flows = p->source == FS_PACKETS_OPEN || p->source == FS_PACKETS_CLOSED;
    if (flows && p->flits > most)
        fs_check_wrong(check, "workload.flits",
                       "machine.exchange.noc.packet and header leave a packet %" PRId64
                       " flits; expected at most so many, found %" PRId64,
                       most, p->flits);
    if (!flows && o->vcs % 2 != 0)
        fs_check_wrong(check, "machine.exchange.noc.vcs",
                       "requests and answers have half of the channels each; expected an even number, found "
                       "%" PRId64,
                       o->vcs);
    if (p->source == FS_PACKETS_TRACE && p->trace.network[0] == '\0')
        fs_check_wrong(check, "workload.trace.network", "expected a file of calls, found none");
    fs_check_file(check, "workload.trace.network", p->trace.network, "docs/traffic.md has its columns.");
    if (p->source == FS_PACKETS_TRACE && (o->size.count != 2 || o->topology == FS_NOC_FAT_TREE))
        fs_check_wrong(check, "workload.trace.network",
                       "a trace names places by two numbers; expected a grid of two dimensions in "
                       "machine.exchange.noc.size, found %zu",
                       o->size_given ? o->size.count : 0);
}

static void check(const fs_config *config, fs_check *check) {
    const fs_machine_params *m = fs_config_section(config, "machine");
    const fs_packets_params *p = fs_config_section(config, "workload");
    if (m->exchange.kind == FS_FABRIC_NOC)
        check_network(&m->noc, p, check);
    if (m->exchange.kind != FS_FABRIC_NOC)
        fs_check_wrong(check, "machine.exchange.kind",
                       "packets need routers to go through; expected noc, found ports");
    if (p->pattern == FS_GOAL_PERMUTATION && p->permutation[0] == '\0')
        fs_check_wrong(check, "workload.permutation",
                       "expected a file with a line node,goal for each node, found none");
    fs_check_file(check, "workload.permutation", p->permutation, "docs/traffic.md says what stands in it.");
    if (p->source == FS_PACKETS_OPEN && !(p->load > 0) && p->load != FS_WORD_VALUE)
        fs_check_wrong(check, "workload.load", "no packets: expected more than 0, or find");
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_chip_table},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "pattern", .keys = "workload.pattern workload.hotspot workload.hotspot_share"},
    {.what = "load", .keys = "workload.load"},
    {.what = "flits of a packet", .keys = "workload.flits"},
    {.what = "nodes", .figures = "network.nodes"},
    {.what = "delivered packets", .figures = "packets.delivered", .unit = "delivered packet"},
};

const fs_workload fs_workload_fabric = {.abi = FS_ABI,
                                        .kind = "fabric",
                                        .summary =
                                            "packets straight on the network of a chip: latency against load",
                                        .rules = {.uses = uses, .check = check},
                                        .expect = expect,
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
