/* Sources stream, trace and tasks: who calls or sends what, and the networks under them. */
#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "workloads/packets/calls/agents.h"
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PLANES = FS_PACKETS_PLANES * FS_SPOTS_CHIPS, KINDS = 2, SLICE = 16384 };

typedef struct loop {
    fs_packets_run *run;
    fs_carrier_plane nets[MOST_PLANES]; /* of one chip after the other */
    uint32_t planes, count;
    const uint32_t *node; /* [count] of processors */
    const uint32_t *to;   /* [tos] of a stream */
    uint32_t tos;
    fs_group *group;   /* of a stream of multicasts */
    fs_agents *agents; /* one of the two */
    fs_tasks *tasks;
    const fs_carrier *carrier; /* of it */
    uint64_t *at;              /* [count] calls so far */
    fs_noc_use *filmed;        /* [links + ends] for the film */
    uint64_t bytes;            /* that come to an end with the run; 0: it goes on and on */
    double began;              /* host seconds; 0: how long it takes has been said */
} loop;

/* The calls of a stream: the i-th node begins with the i-th destination where each is called in turn. */
static bool stream_call(void *self, uint32_t agent, fs_call *call) {
    loop *l = self;
    const fs_packets_params *p = l->run->params;
    const uint64_t each = (uint64_t)p->stream.transactions, k = l->at[agent];
    const bool group = p->stream.op == FS_PACKETS_MULTICAST;
    if (each > 0 && k >= each * (group ? 1 : l->tos))
        return false;
    l->at[agent]++;
    if (group) {
        *call = (fs_call){
            .kind = FS_CALL_MULTICAST, .to = l->to[0], .bytes = (uint64_t)p->stream.bytes, .group = l->group};
        return true;
    }
    const bool round = p->stream.order == FS_PACKETS_ROUND || each == 0;
    const uint64_t to = round ? k + agent : k / each;
    *call = (fs_call){.kind = p->stream.op == FS_PACKETS_READ ? FS_CALL_READ : FS_CALL_WRITE,
                      .to = l->to[to % l->tos],
                      .bytes = (uint64_t)p->stream.bytes};
    return true;
}

static bool trace_call(void *self, uint32_t agent, fs_call *call) {
    loop *l = self;
    const fs_calls *t = &l->run->trace;
    const uint64_t k = t->first[agent] + l->at[agent];
    if (k >= t->first[agent + 1])
        return false;
    l->at[agent]++;
    *call = t->calls[k];
    return true;
}

/* A list of nodes, or all tiles. */
static const uint32_t *nodes_of(const fs_packets_run *r, const fs_int_list *list, bool given, const char *key,
                                uint32_t *count, fs_error *err) {
    const fs_noc_options *o = &r->machine->noc;
    const fs_int_list *from = given ? list : o->tiles_given ? &o->tiles : NULL;
    *count = from == NULL ? r->graph->ends : (uint32_t)from->count;
    uint32_t *node = FS_NEW(r->run.arena, uint32_t, *count + 1);
    for (uint32_t i = 0; i < *count; i++) {
        node[i] = from == NULL ? i : (uint32_t)from->item[i];
        if (node[i] >= r->graph->ends)
            return FS_FAIL_NULL(err, FS_INPUT, "%s: expected nodes, 0 ... %u, found %u",
                                given ? fs_config_where(r->run.config, "workload", key)
                                      : fs_config_where(r->run.config, "machine", "exchange.noc.tiles"),
                                r->graph->ends - 1, node[i]);
    }
    if (*count == 0)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: expected at least one node, found none",
                            fs_config_where(r->run.config, "workload", key));
    return node;
}

static fs_status open_nets(loop *l, fs_error *err) {
    fs_packets_run *r = l->run;
    const uint32_t planes = (uint32_t)r->machine->noc.planes,
                   chips = r->spots == NULL ? 1 : (uint32_t)fs_most(1, fs_spots_chips(r->spots));
    fs_noc_params params = r->setup.net;
    params.kinds = KINDS;
    l->planes = planes * chips;
    for (uint32_t p = 0; p < l->planes; p++) {
        const fs_noc_options plane = fs_noc_plane(&r->machine->noc, p % planes);
        if (r->plane[p % planes] == NULL)
            r->plane[p % planes] = p == 0 ? r->graph : fs_noc_make(r->run.arena, &plane, err);
        const fs_noc_graph *graph = r->plane[p % planes];
        fs_error why = {0};
        if (graph == NULL)
            return err->status;
        l->nets[p] = (fs_carrier_plane){.net = fs_noc_net_create(graph, &params, &why),
                                        .graph = graph,
                                        .channels = params.channels / KINDS};
        if (l->nets[p].net == NULL)
            return fs_fail(err, why.status, "machine.exchange.noc.vcs: %s", why.text);
    }
    return FS_OK;
}

/* Uses of all networks since they were in `before`, added up link by link. */
static void add_uses(const loop *l, fs_noc_use *into, bool minus) {
    const fs_noc_graph *g = l->run->graph;
    for (uint32_t p = 0; p < l->planes; p++) {
        const fs_noc_use *uses = fs_noc_uses(l->nets[p].net);
        for (uint32_t i = 0; i < g->links + g->ends; i++) {
            const fs_noc_use *u = &uses[i];
            const uint64_t sign = minus ? UINT64_MAX : 1;
            into[i].flits += sign * u->flits;
            into[i].no_credit += sign * u->no_credit;
            into[i].no_channel += sign * u->no_channel;
            into[i].lost += sign * u->lost;
        }
    }
}

/* The film of all networks together, up to a cycle. */
static void note(const loop *l, uint64_t now) {
    const fs_noc_graph *g = l->run->graph;
    memset(l->filmed, 0, (g->links + (size_t)g->ends) * sizeof *l->filmed);
    add_uses(l, l->filmed, false);
    fs_noc_film_note(l->run->flow->film, now, l->filmed);
}

/* How long it takes, once a second has shown it. */
static void say_time(loop *l, double done, double all) {
    static const double said_from = 60; /* host seconds */
    const double spent = fs_host_wall_seconds() - l->began;
    if (!(l->began > 0) || spent < 1 || !(done > 0))
        return;
    l->began = 0;
    if (spent / done * all >= said_from)
        fs_say("the run takes about %s of an idle core, by its first second",
               fs_number_seconds(spent / done * all));
}

static bool is_done(const loop *l) {
    return l->tasks != NULL ? fs_tasks_are_done(l->tasks) : fs_agents_done(l->agents);
}

/* Runs to a cycle, showing how far it is. */
static fs_status run_to(loop *l, uint64_t until, fs_error *err) {
    const fs_packets_run *r = l->run;
    const uint64_t cycles = r->setup.warmup + r->setup.measure;
    while (!is_done(l) && fs_carrier_now(l->carrier) < until) {
        const uint64_t now = fs_carrier_now(l->carrier),
                       done = l->bytes > 0 ? fs_carrier_moved(l->carrier) : now;
        fs_noc_film *film = r->flow->film;
        if (film != NULL && now >= film->next)
            note(l, now);
        const uint64_t to = fs_least(until, fs_least(film == NULL ? UINT64_MAX : film->next, now + SLICE));
        if (l->tasks == NULL)
            fs_agents_run(l->agents, to);
        else if (fs_tasks_run(l->tasks, to, err))
            return err->status;
        fs_progress_update(&l->run->run.progress, done);
        say_time(l, (double)done, (double)(l->bytes > 0 ? l->bytes : cycles));
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted after %" PRIu64 " cycles", now);
        if (l->tasks == NULL && fs_agents_piled(l->agents))
            return fs_fail(err, FS_RUN,
                           "more than %" PRIu64 " calls are under way after %" PRIu64
                           " cycles: processors call more than the network carries (workload.max_packets)",
                           r->setup.most, now);
    }
    return FS_OK;
}

/* What multicasts put on the links beside the engine: they come to an end, so that there is no window. */
static void add_copied(const loop *l) {
    const fs_noc_graph *g = l->run->graph;
    for (uint32_t p = 0; p < l->planes; p++)
        for (uint32_t i = 0; i < g->links + g->ends; i++) {
            l->run->flow->uses[i].flits += fs_carrier_copied(l->carrier, p)[i];
            l->run->flow->sums.hops += fs_carrier_copied(l->carrier, p)[i];
        }
}

static fs_carrier_costs costs_of(const fs_noc_options *o) {
    return (fs_carrier_costs){.width = (uint32_t)o->width,
                              .packet = (uint64_t)o->packet,
                              .header = (uint32_t)o->header,
                              .fixed = o->fixed};
}

static void open_agents(loop *l, fs_agent_program *program) {
    const fs_packets_run *r = l->run;
    const fs_noc_options *o = &r->machine->noc;
    const bool trace = r->source == FS_PACKETS_TRACE,
               stamps = trace && r->params->trace.timing == FS_PACKETS_STAMPS;
    const fs_agent_costs costs = {
        .carrier = costs_of(o),
        .issue = stamps ? 0 : (uint64_t)o->issue,
        .other = stamps ? 0 : (uint64_t)(trace ? o->issue : o->issue_other), /* a trace has its own */
        .stamp = trace ? r->trace.stamp : 0,
        .call = (uint64_t)o->call,
        .most = r->setup.most,
        .edge = {r->params->edge.pace, r->params->edge.latency, r->params->edge.each},
        .edges = r->source == FS_PACKETS_TRACE ? r->trace.edges : 0};
    l->agents = fs_agents_create(l->nets, l->planes, l->node, l->count, &costs, program, l);
    l->carrier = fs_agents_carrier(l->agents);
}

/* The cycle at which what runs was over. */
static uint64_t end_of(const loop *l) {
    return l->tasks != NULL ? fs_tasks_what(l->tasks).end : fs_agents_end(l->agents);
}

/* The flits of all networks, and that none was lost. */
static fs_status sum_up(const loop *l, fs_error *err) {
    fs_flow *f = l->run->flow;
    for (uint32_t p = 0; p < l->planes; p++) {
        const fs_noc_sums sums = fs_noc_sums_of(l->nets[p].net);
        f->sums.hops += sums.hops;
        f->taken += sums.taken;
        if (fs_noc_check(l->nets[p].net, err))
            break;
    }
    return err->status;
}

/* Agents or tasks, to their end or through the measured cycles. */
static fs_status run_all(loop *l, fs_error *err) {
    fs_packets_run *r = l->run;
    const bool endless = r->source == FS_PACKETS_STREAM && r->params->stream.transactions == 0;
    fs_flow *f = r->flow;
    f->uses = fs_calloc((size_t)r->graph->links + r->graph->ends, sizeof *f->uses);
    /* What multicasts copy is known at the end alone. */
    if (r->source != FS_PACKETS_STREAM || r->params->stream.op != FS_PACKETS_MULTICAST)
        f->film = fs_noc_film_create(r->run.arena, r->graph);
    l->filmed = FS_NEW(r->run.arena, fs_noc_use, (size_t)r->graph->links + r->graph->ends);
    uint64_t moved = 0;
    fs_status status = FS_OK;
    if (endless) {
        status = run_to(l, r->setup.warmup, err);
        add_uses(l, f->uses, true);
        moved = fs_carrier_moved(l->carrier);
    }
    if (status == FS_OK)
        status = run_to(l, endless ? r->setup.warmup + r->setup.measure : UINT64_MAX, err);
    add_uses(l, f->uses, false);
    add_copied(l);
    f->whole = endless || is_done(l);
    f->cycles = fs_carrier_now(l->carrier);
    if (r->source == FS_PACKETS_TRACE || r->source == FS_PACKETS_TASKS) /* a film's frame may end behind it */
        f->cycles = l->tasks != NULL ? end_of(l) : fs_agents_over(l->agents);
    if (f->film != NULL) {
        note(l, fs_carrier_now(l->carrier));
        fs_noc_film_end(f->film, fs_carrier_now(l->carrier), l->filmed);
    }
    r->window = endless ? r->setup.measure : fs_most(1, end_of(l));
    r->figures.stream_cycles = endless ? 0 : end_of(l);
    r->figures.stream_bytes = fs_carrier_moved(l->carrier) - moved;
    return status == FS_OK ? sum_up(l, err) : status;
}

/* ---- streams ---- */

/* On a torus a range may go round the edge. */
static bool lies_between(int64_t at, int64_t from, int64_t to, bool wraps) {
    return from <= to ? at >= from && at <= to : wraps && (at >= from || at <= to);
}

/* Destinations are those inside the rectangle, but for one sender. */
static fs_status cut_out(loop *l, fs_error *err) {
    const fs_packets_run *r = l->run;
    const fs_noc_sizes size = fs_noc_digits(r->run.arena, &r->machine->noc, r->graph->ends);
    const fs_int_list *corner = &r->params->stream.rectangle;
    const char *where = fs_config_where(r->run.config, "workload", "stream.rectangle");
    if (corner->count != 4 || size.count != 2)
        return fs_fail(err, FS_INPUT,
                       "%s: expected column and row of two corners, on a grid of two dimensions; found %zu "
                       "numbers, on %u",
                       where, corner->count, size.count);
    const bool wraps = r->machine->noc.topology == FS_NOC_TORUS;
    uint32_t *to = FS_NEW(r->run.arena, uint32_t, l->tos), count = 0;
    for (uint32_t i = 0; i < l->tos; i++) {
        const int64_t x = l->to[i] % size.of[0], y = l->to[i] / size.of[0], *c = corner->item;
        if (lies_between(x, c[0], c[2], wraps) && lies_between(y, c[1], c[3], wraps) &&
            !(l->count == 1 && l->to[i] == l->node[0]))
            to[count++] = l->to[i];
    }
    if (count == 0)
        return fs_fail(err, FS_INPUT, "%s: expected a rectangle with destinations in it, found none%s", where,
                       wraps ? "" : "; only a torus has one that goes round an edge");
    l->to = to;
    l->tos = count;
    return FS_OK;
}

static fs_status make_stream(loop *l, fs_error *err) {
    const fs_packets_params *p = l->run->params;
    l->node = nodes_of(l->run, &p->stream.from, p->stream.from_given, "stream.from", &l->count, err);
    if (l->node == NULL)
        return err->status;
    l->to = nodes_of(l->run, &p->stream.to, p->stream.to_given, "stream.to", &l->tos, err);
    if (l->to == NULL)
        return err->status;
    if (p->stream.op == FS_PACKETS_MULTICAST && p->stream.transactions == 0)
        return fs_fail(err, FS_INPUT, "%s: multicasts come to an end; expected at least 1, found 0",
                       fs_config_where(l->run->run.config, "workload", "stream.transactions"));
    return p->stream.rectangle_given ? cut_out(l, err) : FS_OK;
}

/* Data that all calls of a stream move; 0: it goes on and on. */
static uint64_t bytes_of(const loop *l) {
    const fs_packets_params *p = l->run->params;
    const double all = (double)p->stream.bytes * (double)p->stream.transactions * l->count * l->tos;
    return all < 1e19 ? (uint64_t)all : UINT64_MAX;
}

/* Who calls: a stream's nodes, a trace's processors; of tasks nobody. */
static fs_status make_callers(loop *l, fs_error *err) {
    const fs_packets_run *r = l->run;
    if (r->source == FS_PACKETS_STREAM) {
        if (make_stream(l, err))
            return err->status;
        l->group = fs_arena_alloc(r->run.arena, 1, sizeof *l->group + l->tos * sizeof *l->group->node);
        l->group->members = l->tos;
        memcpy(l->group->node, l->to, l->tos * sizeof *l->to);
        l->bytes = bytes_of(l);
        return FS_OK;
    }
    l->node = r->trace.node;
    l->count = r->trace.count;
    l->bytes = r->source == FS_PACKETS_TRACE ? r->trace.bytes : fs_spots_load_of(r->spots, UINT32_MAX).bytes;
    return FS_OK;
}

fs_status fs_packets_loop(fs_packets_run *r, fs_error *err) {
    loop *l = FS_NEW(r->run.arena, loop, 1);
    fs_task_source source = {.self = NULL};
    l->run = r;
    l->began = fs_host_wall_seconds();
    fs_status status = make_callers(l, err);
    l->at = FS_NEW(r->run.arena, uint64_t, l->count + 1);
    r->callers = r->source == FS_PACKETS_TASKS ? (uint32_t)fs_least(r->tasks.tasks, UINT32_MAX) : l->count;
    if (l->bytes > 0)
        fs_progress_begin(&r->run.progress, "bytes", l->bytes);
    if (status == FS_OK)
        status = open_nets(l, err);
    if (status == FS_OK && r->source == FS_PACKETS_TASKS)
        status = fs_packets_tasks(r, &source, err);
    if (status == FS_OK && r->source == FS_PACKETS_TASKS) {
        const fs_carrier_costs costs = costs_of(&r->machine->noc);
        l->tasks = fs_tasks_create(&source, r->spots, l->nets, l->planes, (uint32_t)r->machine->noc.planes,
                                   &costs, r->setup.most);
        l->carrier = fs_tasks_carrier(l->tasks);
    } else if (status == FS_OK) {
        open_agents(l, r->source == FS_PACKETS_TRACE ? trace_call : stream_call);
    }
    if (status == FS_OK)
        status = run_all(l, err);
    if (status == FS_OK)
        fs_packets_trace_of(r, l->agents, l->tasks);
    fs_agents_free(l->agents);
    fs_tasks_free(l->tasks);
    if (source.close != NULL)
        source.close(source.self);
    for (uint32_t p = 0; p < l->planes; p++)
        fs_noc_net_free(l->nets[p].net);
    return status;
}
