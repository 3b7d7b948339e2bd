/* Files of other tools: read for a run, and what came of them as figures. */
#include "workloads/packets/calls/first_order.h"
#include "workloads/packets/run.h"

#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"

#include <math.h>

/* ---- reading ---- */

static const char *path_of(const fs_packets_params *p) {
    return p->file[0] != '\0' ? p->file : p->trace.network;
}

static const fs_format *format_of(const fs_packets_run *r, fs_error *err) {
    const fs_packets_params *p = r->params;
    const char *path = path_of(p);
    if (p->format[0] != '\0') {
        const fs_format *f = fs_format_named(p->format);
        return f != NULL ? f
                         : FS_FAIL_NULL(err, FS_INPUT,
                                        "%s: \"%s\" is no format; `foamsim import --help` lists them",
                                        fs_config_where(r->run.config, "workload", "format"), p->format);
    }
    const fs_format *f = fs_format_of(path);
    if (f == NULL && p->file[0] == '\0')
        f = fs_format_named("trace-table");
    return f != NULL
               ? f
               : FS_FAIL_NULL(
                     err, FS_INPUT,
                     "%s: the bytes of %s are of no format that foamsim knows; name it by workload.format",
                     fs_config_where(r->run.config, "workload", "file"), path);
}

static fs_format_asked asked_of(const fs_packets_run *r) {
    const fs_packets_params *p = r->params;
    return (fs_format_asked){.clock = r->machine->clock,
                             .lenient = p->lenient,
                             .topology = p->trace.topology,
                             .region = p->netrace.region == FS_WORD_VALUE ? -1 : p->netrace.region,
                             .from = (uint64_t)p->netrace.from,
                             .to = (uint64_t)p->netrace.to,
                             .gaps = p->netrace.gaps};
}

/* Which end points hear multicasts; NULL: all. */
static const bool *tiles_of(const fs_packets_run *r) {
    const fs_noc_options *o = &r->machine->noc;
    bool *tile = FS_NEW(r->run.arena, bool, r->graph->ends);
    for (size_t i = 0; i < o->tiles.count && o->tiles_given; i++)
        if (o->tiles.item[i] < r->graph->ends)
            tile[o->tiles.item[i]] = true;
    return o->tiles_given ? tile : NULL;
}

/* What was set aside, for who runs it. */
static void say_notes(const fs_packets_run *r) {
    for (size_t i = 0; i < r->notes.count; i++) {
        const fs_note *n = &r->notes.item[i];
        if (n->kind == FS_NOTE_NEAR)
            fs_say("%s: %s (%s): %s", path_of(r->params), n->what, fs_number_grouped((double)n->count),
                   n->words);
    }
}

fs_status fs_packets_tasks(fs_packets_run *r, fs_task_source *out, fs_error *err) {
    return r->format->tasks(r->run.arena, path_of(r->params), &r->asked, out, NULL, err);
}

static fs_status look_at_tasks(fs_packets_run *r, fs_error *err) {
    fs_task_source source = {.self = NULL};
    if (r->format->tasks(r->run.arena, path_of(r->params), &r->asked, &source, &r->notes, err))
        return err->status;
    fs_error why = {0};
    if (fs_tasks_look(&source, r->spots, &r->tasks, &why))
        fs_fail(err, why.status, "%s%s%s", fs_begins(why.text, "task ") ? path_of(r->params) : "",
                fs_begins(why.text, "task ") ? ": " : "", why.text);
    else if (r->tasks.tasks == 0)
        fs_fail(err, FS_INPUT, "%s: expected tasks, found none", path_of(r->params));
    r->published = source.published;
    if (source.close != NULL)
        source.close(source.self);
    return err->status;
}

fs_status fs_packets_read(fs_packets_run *r, fs_error *err) {
    const fs_noc_options *o = &r->machine->noc;
    r->notes.arena = r->run.arena;
    if ((r->format = format_of(r, err)) == NULL)
        return err->status;
    if (r->format->calls == NULL && r->format->tasks == NULL)
        return fs_fail(err, FS_INPUT,
                       "%s: %s says what the machine is as well; `foamsim import %s -o EXPERIMENT.yaml` "
                       "makes an experiment of it",
                       fs_config_where(r->run.config, "workload", "file"), r->format->what,
                       path_of(r->params));
    r->source = r->format->calls != NULL ? FS_PACKETS_TRACE : FS_PACKETS_TASKS;
    r->asked = asked_of(r);
    for (uint32_t p = 0; p < (uint32_t)o->planes; p++) {
        const fs_noc_options plane = fs_noc_plane(o, p);
        if ((r->plane[p] = p == 0 ? r->graph : fs_noc_make(r->run.arena, &plane, err)) == NULL)
            return err->status;
    }
    const fs_spots_network network = {.graph = r->plane,
                                      .planes = (uint32_t)o->planes,
                                      .channels = (uint32_t)fs_most(1, (uint64_t)o->vcs / 2),
                                      .wraps = o->topology == FS_NOC_TORUS,
                                      .packet = (uint64_t)o->packet,
                                      .tile = tiles_of(r)};
    const fs_calls_asked how = {.issue = (uint64_t)o->issue,
                                .stamp =
                                    r->params->trace.stamp == FS_WORD_VALUE ? -1 : r->params->trace.stamp,
                                .stamps = r->params->trace.timing == FS_PACKETS_STAMPS};
    r->spots = fs_spots_create(r->run.arena, &network, err);
    if (r->spots == NULL)
        return err->status;
    const fs_status status = r->source == FS_PACKETS_TASKS
                                 ? look_at_tasks(r, err)
                                 : fs_calls_read(r->run.arena, path_of(r->params), r->format, &r->asked, &how,
                                                 r->spots, &r->trace, &r->notes, err);
    if (status == FS_OK)
        say_notes(r);
    return status;
}

/* ---- figures ---- */

/* Means over the processors that are asked for, of those that have the two times. */
typedef struct mean {
    double sum, count;
} mean;

static void add_span(mean *m, uint64_t from, uint64_t to) {
    if (from == UINT64_MAX || to == UINT64_MAX || to < from)
        return;
    m->sum += (double)(to - from);
    m->count++;
}

static double mean_of(mean m) {
    return m.count > 0 ? m.sum / m.count : (double)NAN;
}

static bool is_asked(const fs_packets_params *p, const fs_caller *c) {
    return (p->trace.chip == FS_WORD_VALUE || (uint64_t)p->trace.chip == c->chip) &&
           (p->trace.processor[0] == '\0' || strcmp(p->trace.processor, c->name) == 0);
}

/* Times of processors, simulated and recorded, of those that were recorded. */
static void take_times(const fs_packets_run *r, const fs_agents *agents, fs_packets_trace *t) {
    mean reads = {0}, reads_recorded = {0}, sent = {0}, sent_recorded = {0};
    const fs_agent_times *times = fs_agents_times(agents);
    uint64_t waits = 0;
    t->waits = t->waits_recorded = t->longest = t->longest_recorded = 0;
    for (uint32_t i = 0; i < r->trace.count; i++) {
        const fs_caller *c = &r->trace.caller[i];
        const fs_agent_times *was = &c->recorded, *is = &times[i];
        if (!is_asked(r->params, c))
            continue;
        add_span(&reads_recorded, was->read, was->waited);
        add_span(&sent_recorded, was->sent, was->done);
        if (was->read != UINT64_MAX && was->waited != UINT64_MAX)
            add_span(&reads, is->read, is->waited);
        if (was->sent != UINT64_MAX && was->done != UINT64_MAX)
            add_span(&sent, is->sent, is->done);
        waits += was->waits;
        t->waits_recorded += (double)was->waiting;
        t->longest_recorded = fmax(t->longest_recorded, (double)was->longest);
        t->waits += was->waits > 0 ? (double)is->waiting : 0;
        t->longest = was->waits > 0 ? fmax(t->longest, (double)is->longest) : t->longest;
    }
    t->reads = mean_of(reads);
    t->reads_recorded = mean_of(reads_recorded);
    t->sent = mean_of(sent);
    t->sent_recorded = mean_of(sent_recorded);
    if (waits == 0)
        t->waits = t->waits_recorded = t->longest = t->longest_recorded = (double)NAN;
    t->recorded = r->trace.span.apart ? (double)NAN : (double)(r->trace.span.last - r->trace.span.least);
}

static void take_edges(const fs_packets_run *r, const fs_agents *agents, fs_packets_trace *t) {
    const uint64_t *held = fs_agents_edges(agents);
    uint64_t most = 0;
    for (uint32_t e = 0; held != NULL && e < r->trace.edges; e++)
        most = fs_most(most, held[e]);
    t->sends = (double)r->trace.sends;
    t->send_bytes = (double)r->trace.edge_bytes;
    t->send_hops = (double)r->trace.edge_hops;
    t->edge_share = held == NULL
                        ? (double)NAN
                        : (double)most / (double)fs_most(1, fs_carrier_now(fs_agents_carrier(agents)));
}

/* Chips with processors that call. */
static uint32_t chips_of(const fs_calls *trace) {
    bool seen[256] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        count += !seen[trace->caller[i].chip % 256];
        seen[trace->caller[i].chip % 256] = true;
    }
    return count;
}

void fs_packets_trace_of(fs_packets_run *r, const fs_agents *agents, const fs_tasks *tasks) {
    const double none = (double)NAN;
    fs_packets_trace t;
    for (double *d = (double *)&t; d < (double *)(&t + 1); d++)
        *d = none;
    if (r->spots != NULL) {
        const fs_spots_load load = fs_spots_load_of(r->spots, UINT32_MAX);
        t.packets = (double)load.packets;
        t.bytes = (double)load.bytes;
        t.hops = (double)load.hops;
        t.link = ceil((double)load.busiest / (double)r->machine->noc.width);
        t.port = ceil((double)load.port / (double)r->machine->noc.width);
        t.calls = r->source == FS_PACKETS_TRACE ? (double)r->trace.alone : none;
        t.transfers = (double)load.transfers;
        t.chips = r->source == FS_PACKETS_TRACE ? chips_of(&r->trace) : fs_spots_chips(r->spots);
    }
    if (r->spots != NULL)
        t.first_order = r->tasks.waits > 0 || r->trace.sends > 0
                            ? none
                            : fs_estimate_first_order(r->spots, (uint32_t)r->machine->noc.width);
    if (r->spots != NULL && agents != NULL) {
        take_times(r, agents, &t);
        take_edges(r, agents, &t);
    }
    if (r->published > 0)
        t.published = r->published;
    if (tasks != NULL) {
        const fs_tasks_done done = fs_tasks_what(tasks);
        t.held = (double)done.held;
        t.latency = fs_ratio(done.latency, (double)done.sends);
        t.slack = fs_ratio(done.slack, (double)(done.sends - done.held));
    }
    r->figures.trace = t;
}
