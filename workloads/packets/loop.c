/* Sources stream and trace: who calls what, and the networks under them. */
#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "workloads/packets/agents.h"
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLANES = 4, KINDS = 2, SLICE = 16384 };

typedef struct loop {
    fs_packets_run *run;
    fs_agent_plane nets[MOST_PLANES];
    uint32_t planes, count;
    const uint32_t *node; /* [count] of processors */
    const uint32_t *to;   /* [tos] of a stream */
    uint32_t tos;
    uint64_t *at;       /* [count] calls so far */
    fs_noc_use *filmed; /* [links + ends] for the film */
    uint64_t bytes;     /* that come to an end with the run; 0: it goes on and on */
    double began;       /* host seconds; 0: how long it takes has been said */
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
        *call = (fs_call){.kind = FS_CALL_MULTICAST,
                          .to = l->to[0],
                          .bytes = (uint64_t)p->stream.bytes,
                          .group = l->to,
                          .members = l->tos};
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
    fs_noc_options o = r->machine->noc;
    fs_noc_params params = r->setup.net;
    params.kinds = KINDS;
    l->planes = (uint32_t)o.planes;
    for (uint32_t p = 0; p < l->planes; p++) {
        const fs_noc_graph *graph = r->graph;
        if (p % 2 == 1 && o.way != FS_NOC_BOTH_WAYS) {
            fs_noc_options turned = o;
            turned.way = o.way == FS_NOC_UPWARDS ? FS_NOC_DOWNWARDS : FS_NOC_UPWARDS;
            if ((graph = fs_noc_make(r->run.arena, &turned, err)) == NULL)
                return err->status;
        }
        fs_error why = {0};
        l->nets[p] = (fs_agent_plane){.net = fs_noc_net_create(graph, &params, &why),
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

/* Runs to a cycle, showing how far it is. */
static fs_status run_to(loop *l, fs_agents *agents, uint64_t until, fs_error *err) {
    const fs_packets_run *r = l->run;
    const uint64_t cycles = r->setup.warmup + r->setup.measure;
    while (!fs_agents_done(agents) && fs_agents_now(agents) < until) {
        const uint64_t now = fs_agents_now(agents), done = l->bytes > 0 ? fs_agents_moved(agents) : now;
        fs_noc_film *film = r->flow->film;
        if (film != NULL && now >= film->next)
            note(l, now);
        fs_agents_run(agents, fs_least(until, fs_least(film == NULL ? UINT64_MAX : film->next, now + SLICE)));
        fs_progress_update(&l->run->run.progress, done);
        say_time(l, (double)done, (double)(l->bytes > 0 ? l->bytes : cycles));
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted after %" PRIu64 " cycles", now);
        if (fs_agents_piled(agents))
            return fs_fail(err, FS_RUN,
                           "more than %" PRIu64 " calls are under way after %" PRIu64
                           " cycles: processors call more than the network carries (workload.max_packets)",
                           r->setup.most, now);
    }
    return FS_OK;
}

/* What multicasts put on the links beside the engine: they come to an end, so that there is no window. */
static void add_copied(const loop *l, const fs_agents *agents) {
    const fs_noc_graph *g = l->run->graph;
    for (uint32_t p = 0; p < l->planes; p++)
        for (uint32_t i = 0; i < g->links + g->ends; i++) {
            l->run->flow->uses[i].flits += fs_agents_copied(agents, p)[i];
            l->run->flow->sums.hops += fs_agents_copied(agents, p)[i];
        }
}

static fs_status run_agents(loop *l, fs_agent_program *program, fs_error *err) {
    fs_packets_run *r = l->run;
    const fs_noc_options *o = &r->machine->noc;
    const fs_agent_costs costs = {.width = (uint32_t)o->width,
                                  .packet = (uint64_t)o->packet,
                                  .header = (uint32_t)o->header,
                                  .issue = (uint64_t)o->issue,
                                  .other = (uint64_t)o->issue_other,
                                  .call = (uint64_t)o->call,
                                  .fixed = o->fixed,
                                  .most = r->setup.most};
    const bool endless = r->params->source == FS_PACKETS_STREAM && r->params->stream.transactions == 0;
    fs_flow *f = r->flow;
    f->uses = fs_calloc((size_t)r->graph->links + r->graph->ends, sizeof *f->uses);
    /* What multicasts copy is known at the end alone. */
    if (r->params->source != FS_PACKETS_STREAM || r->params->stream.op != FS_PACKETS_MULTICAST)
        f->film = fs_noc_film_create(r->run.arena, r->graph);
    l->filmed = FS_NEW(r->run.arena, fs_noc_use, (size_t)r->graph->links + r->graph->ends);
    fs_agents *agents = fs_agents_create(l->nets, l->planes, l->node, l->count, &costs, program, l);
    uint64_t moved = 0;
    fs_status status = FS_OK;
    if (endless) {
        status = run_to(l, agents, r->setup.warmup, err);
        add_uses(l, f->uses, true);
        moved = fs_agents_moved(agents);
    }
    if (status == FS_OK)
        status = run_to(l, agents, endless ? r->setup.warmup + r->setup.measure : UINT64_MAX, err);
    add_uses(l, f->uses, false);
    add_copied(l, agents);
    f->whole = endless || fs_agents_done(agents);
    f->cycles = fs_agents_now(agents);
    if (f->film != NULL) {
        note(l, f->cycles);
        fs_noc_film_end(f->film, f->cycles, l->filmed);
    }
    r->window = endless ? r->setup.measure : fs_most(1, fs_agents_end(agents));
    r->figures.stream_cycles = endless ? 0 : fs_agents_end(agents);
    r->figures.stream_bytes = fs_agents_moved(agents) - moved;
    fs_agents_free(agents);
    for (uint32_t p = 0; p < l->planes && status == FS_OK; p++) {
        const fs_noc_sums sums = fs_noc_sums_of(l->nets[p].net);
        f->sums.hops += sums.hops;
        f->taken += sums.taken;
        status = fs_noc_check(l->nets[p].net, err);
    }
    return status;
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

fs_status fs_packets_loop(fs_packets_run *r, fs_error *err) {
    loop l = {.run = r, .began = fs_host_wall_seconds()};
    const bool is_trace = r->params->source == FS_PACKETS_TRACE;
    fs_status status = FS_OK;
    if (is_trace) {
        l.node = r->trace.node;
        l.count = r->trace.count;
    } else {
        status = make_stream(&l, err);
    }
    l.bytes = is_trace ? r->trace.bytes : bytes_of(&l);
    l.at = FS_NEW(r->run.arena, uint64_t, l.count + 1);
    r->callers = l.count;
    if (l.bytes > 0)
        fs_progress_begin(&r->run.progress, "bytes", l.bytes);
    if (status == FS_OK)
        status = open_nets(&l, err);
    if (status == FS_OK)
        status = run_agents(&l, is_trace ? trace_call : stream_call, err);
    for (uint32_t p = 0; p < MOST_PLANES; p++)
        fs_noc_net_free(l.nets[p].net);
    return status;
}
