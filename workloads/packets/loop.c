/* Sources stream and trace: who calls what, and the networks under them. */
#include "sim/base/arith.h"
#include "sim/base/csv.h"
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
    uint64_t *at;          /* [count] calls so far */
    const fs_call *calls;  /* of a trace, by processor */
    const uint32_t *first; /* [count + 1] */
    fs_noc_use *filmed;    /* [links + ends] for the film */
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
    const uint64_t k = l->first[agent] + l->at[agent];
    if (k >= l->first[agent + 1])
        return false;
    l->at[agent]++;
    *call = l->calls[k];
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

/* Runs to a cycle, showing how far it is. */
static void run_to(const loop *l, fs_agents *agents, uint64_t until) {
    while (!fs_agents_done(agents) && fs_agents_now(agents) < until) {
        const uint64_t now = fs_agents_now(agents);
        fs_noc_film *film = l->run->flow->film;
        if (film != NULL && now >= film->next)
            note(l, now);
        fs_agents_run(agents, fs_least(until, fs_least(film == NULL ? UINT64_MAX : film->next, now + SLICE)));
        fs_progress_update(&l->run->run.progress, fs_agents_now(agents));
    }
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
                                  .fixed = o->fixed};
    const bool endless = r->params->source == FS_PACKETS_STREAM && r->params->stream.transactions == 0;
    fs_flow *f = r->flow;
    f->uses = fs_calloc((size_t)r->graph->links + r->graph->ends, sizeof *f->uses);
    /* What multicasts copy is known at the end alone. */
    if (r->params->source != FS_PACKETS_STREAM || r->params->stream.op != FS_PACKETS_MULTICAST)
        f->film = fs_noc_film_create(r->run.arena, r->graph);
    l->filmed = FS_NEW(r->run.arena, fs_noc_use, (size_t)r->graph->links + r->graph->ends);
    fs_agents *agents = fs_agents_create(l->nets, l->planes, l->node, l->count, &costs, program, l);
    uint64_t moved = 0;
    if (endless) {
        run_to(l, agents, r->setup.warmup);
        add_uses(l, f->uses, true);
        moved = fs_agents_moved(agents);
    }
    run_to(l, agents, endless ? r->setup.warmup + r->setup.measure : UINT64_MAX);
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
    fs_status status = FS_OK;
    for (uint32_t p = 0; p < l->planes && status == FS_OK; p++) {
        const fs_noc_sums sums = fs_noc_sums_of(l->nets[p].net);
        f->sums.hops += sums.hops;
        f->taken += sums.taken;
        status = fs_noc_check(l->nets[p].net, err);
    }
    return status;
}

/* ---- traces ---- */

/* proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle: a line for each event of a processor; READ, WRITE and READ_BARRIER_END,
 * WRITE_BARRIER_END count, the others give the time between. Events of one processor stand in their order. */
enum { PROC, SX, SY, EVENT, NOC, VC, DX, DY, BYTES, CYCLE, FIELDS, MOST_LINE = 256, MOST_AGENTS = 4096 };

typedef struct processor {
    char name[24];
    uint32_t node, count, room;
    uint64_t latest;
    fs_call *calls;
} processor;

typedef struct trace {
    processor *of; /* [count] */
    uint32_t count;
} trace;

static processor *processor_of(trace *t, const char *name, uint32_t node) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->of[i].node == node && strcmp(t->of[i].name, name) == 0)
            return &t->of[i];
    t->of = fs_grow(t->of, t->count, sizeof *t->of);
    processor *p = &t->of[t->count++];
    *p = (processor){.node = node};
    snprintf(p->name, sizeof p->name, "%.20s", name);
    return p;
}

static uint32_t split(char *line, char *field[FIELDS]) {
    uint32_t count = 0;
    for (char *at = line; count < FIELDS; at++) {
        field[count++] = at;
        at += strcspn(at, ",\r\n");
        const bool more = *at == ',';
        *at = '\0';
        if (!more)
            break;
    }
    return count;
}

/* A number of 0 ... most in a field; else the sentence. */
static bool number_of(char *const *field, uint32_t which, uint64_t most, uint64_t *out, fs_error *err) {
    static const char *const names[] = {"proc", "sx", "sy", "event", "noc",
                                        "vc",   "dx", "dy", "bytes", "cycle"};
    char *end = field[which];
    *out = field[which][0] >= '0' && field[which][0] <= '9' ? strtoull(field[which], &end, 10) : 0;
    if (end != field[which] && *end == '\0' && *out <= most)
        return true;
    fs_fail(err, FS_INPUT, "%d: %s: expected a number, 0 ... %" PRIu64 ", found \"%.40s\"",
            (int)(field[which] - field[0]) + 1, names[which], most, field[which]);
    return false;
}

/* One event; false: a field is no number, or a place lies off the grid. */
static bool take_event(const fs_packets_run *r, trace *t, char *field[FIELDS], fs_error *err) {
    const fs_noc_options *o = &r->machine->noc;
    const uint64_t columns = (uint64_t)o->size.item[0], rows = (uint64_t)o->size.item[1];
    const uint64_t most = (uint64_t)1 << 40;
    uint64_t sx, sy, dx = 0, dy = 0, bytes = 0, cycle;
    const bool read = strncmp(field[EVENT], "READ", 4) == 0,
               ends = strstr(field[EVENT], "BARRIER_END") != NULL;
    const bool begins = strstr(field[EVENT], "BARRIER_START") != NULL;
    const bool moves = !ends && !begins && (read || strncmp(field[EVENT], "WRITE", 5) == 0);
    if (!number_of(field, SX, columns - 1, &sx, err) || !number_of(field, SY, rows - 1, &sy, err) ||
        !number_of(field, CYCLE, most, &cycle, err))
        return false;
    if (moves && (!number_of(field, DX, columns - 1, &dx, err) || !number_of(field, DY, rows - 1, &dy, err) ||
                  !number_of(field, BYTES, most, &bytes, err)))
        return false;
    processor *p = processor_of(t, field[PROC], (uint32_t)(sy * columns + sx));
    /* What lies between a barrier's two events is the waiting that is simulated. */
    const uint64_t gap = ends || cycle < p->latest ? 0 : cycle - p->latest, issue = (uint64_t)o->issue;
    if (p->count > 0 && !moves &&
        !ends) /* the time to it is the next call's; one out of its order says nothing */
        return true;
    p->latest = fs_most(p->latest, cycle);
    p->calls = fs_grow(p->calls, p->count, sizeof *p->calls);
    p->calls[p->count++] = (fs_call){.kind = ends || !moves ? FS_CALL_WAIT
                                             : read         ? FS_CALL_READ
                                                            : FS_CALL_WRITE,
                                     .to = (uint32_t)(dy * columns + dx),
                                     .plane = strcmp(field[NOC], "NOC_1") == 0 ? 1 : 0,
                                     .bytes = bytes,
                                     .gap = gap > issue ? gap - issue : 0}; /* a call's own time is in it */
    return true;
}

static fs_status read_trace(loop *l, trace *t, fs_error *err) {
    const fs_packets_run *r = l->run;
    const char *path = r->params->trace.network;
    FILE *in = fopen(path, "r");
    char line[MOST_LINE], *field[FIELDS];
    uint32_t number = 0;
    if (in == NULL)
        return fs_fail(err, FS_INPUT, "%s: can't read \"%s\"",
                       fs_config_where(r->run.config, "workload", "trace.network"), path);
    while (fgets(line, sizeof line, in) != NULL) {
        number++;
        if (line[0] == '#' || strncmp(line, "proc,", 5) == 0)
            continue;
        fs_error why = {0};
        const uint32_t count = split(line, field);
        if (count == FIELDS && take_event(r, t, field, &why))
            continue;
        fclose(in);
        return count == FIELDS
                   ? fs_fail(err, FS_INPUT, "%s:%u:%s", path, number, why.text)
                   : fs_fail(err, FS_INPUT,
                             "%s:%u:1: expected proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle, found %u fields",
                             path, number, count);
    }
    fclose(in);
    return t->count > 0 ? FS_OK : fs_fail(err, FS_INPUT, "%s: no event in it", path);
}

static fs_status make_trace(loop *l, fs_error *err) {
    trace t = {0};
    const fs_status status = read_trace(l, &t, err);
    fs_arena *arena = l->run->run.arena;
    uint32_t all = 0, *node = FS_NEW(arena, uint32_t, t.count + 1),
             *first = FS_NEW(arena, uint32_t, t.count + 1);
    for (uint32_t i = 0; i < t.count; i++)
        all += t.of[i].count;
    fs_call *calls = FS_NEW(arena, fs_call, all + 1);
    all = 0;
    for (uint32_t i = 0; i < t.count; i++) {
        node[i] = t.of[i].node;
        first[i] = all;
        memcpy(calls + all, t.of[i].calls, t.of[i].count * sizeof *calls);
        all += t.of[i].count;
        free(t.of[i].calls);
    }
    first[t.count] = all;
    free(t.of);
    l->node = node;
    l->count = t.count;
    l->calls = calls;
    l->first = first;
    return status;
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
    uint32_t *to = FS_NEW(r->run.arena, uint32_t, l->tos), count = 0;
    for (uint32_t i = 0; i < l->tos; i++) {
        const int64_t x = l->to[i] % size.of[0], y = l->to[i] / size.of[0], *c = corner->item;
        if (x >= c[0] && x <= c[2] && y >= c[1] && y <= c[3] && !(l->count == 1 && l->to[i] == l->node[0]))
            to[count++] = l->to[i];
    }
    if (count == 0)
        return fs_fail(err, FS_INPUT, "%s: expected a rectangle with destinations in it, found none", where);
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

fs_status fs_packets_loop(fs_packets_run *r, fs_error *err) {
    loop l = {.run = r};
    const bool is_trace = r->params->source == FS_PACKETS_TRACE;
    fs_status status = is_trace ? make_trace(&l, err) : make_stream(&l, err);
    l.at = FS_NEW(r->run.arena, uint64_t, l.count + 1);
    r->callers = l.count;
    if (status == FS_OK)
        status = open_nets(&l, err);
    if (status == FS_OK)
        status = run_agents(&l, is_trace ? trace_call : stream_call, err);
    for (uint32_t p = 0; p < MOST_PLANES; p++)
        fs_noc_net_free(l.nets[p].net);
    return status;
}
