/* The engine against the rules of models/noc/net.h as they are written there: a network of flits in buffers that looks at every
 * port, channel and input in every cycle. Drawn networks of all kinds, channels, buffers, latencies, messages of two kinds and packets that
 * keep their order: each packet is offered, sent and taken in the same cycles, and each link has the same use. */
#include "models/noc/net.h"
#include "sim/base/rng.h"
#include "tests/support/network.h"
#include "tests/support/test.h"

#include <string.h>

enum {
    NETWORKS = 250,
    SEED = 34,
    LONGEST = 70,
    MOST = 16,
    PORTS = FS_NOC_MOST_PORTS,
    DELAY = 32,
    AT_ONCE = 512,
    PACKETS = 4000
};

typedef struct packet {
    fs_noc_header header;
    fs_noc_hop hop; /* at the router where its head stands */
    uint32_t flits, sent;
    uint64_t injected, arrived;
    bool fixed;
} packet;

typedef struct flit {
    packet *of;
    bool head, tail;
} flit;

/* An input channel: flits that have come, and the output channel of the packet whose flits are at the front. */
typedef struct input {
    flit buffer[256];
    uint32_t count, pointer; /* pointer: rule 2, over channels of the router's outputs */
    uint32_t port, channel;  /* of the router's outputs; channel NONE: none is given */
    bool standing;           /* the head at the front knows its hop */
} input;

typedef struct output {
    bool taken[MOST];
    uint32_t credits[MOST], pointer[MOST]; /* pointer: rule 2, over channels of the router's inputs */
    uint32_t turn;                         /* rule 3, over inputs */
} output;

typedef struct port {
    input channel[MOST];
    uint32_t channel_turn, output_turn; /* rule 3 */
} port;

/* What comes in a cycle. */
typedef struct coming {
    struct {
        uint32_t in, channel;
        flit flit;
    } flits[AT_ONCE];
    struct {
        uint32_t out, channel; /* out: from graph->out_at[routers] on of ways in */
    } credits[AT_ONCE];
    struct {
        uint32_t out, channel, end;
        flit flit;
    } taken[AT_ONCE];
    uint32_t flit_count, credit_count, taken_count;
} coming;

typedef struct plain {
    const fs_noc_graph *g;
    uint32_t channels, depth, of_kind;
    port *in;
    output *out;     /* those of routers, then the ways in of end points */
    fs_noc_use *use; /* [outputs] */
    packet **queue[1024];
    uint32_t queued[1024], first[1024], latest[1024], channel[1024];
    coming *wheel;
    uint64_t now, left; /* packets that have not arrived */
} plain;

static coming *at(plain *p, uint64_t cycle) {
    return &p->wheel[cycle % DELAY];
}

static uint32_t outs(const plain *p) {
    return p->g->out_at[p->g->routers];
}

/* The end point of a way out, the link of another: the latency. */
static uint32_t latency_out(const plain *p, uint32_t out) {
    const uint32_t l = p->g->out_of[out];
    return l == FS_NOC_NONE ? p->g->end[p->g->end_out[out]].latency : p->g->link[l].latency;
}

static void give_credit(plain *p, uint32_t out, uint32_t channel, uint64_t cycle) {
    coming *c = at(p, cycle);
    c->credits[c->credit_count].out = out;
    c->credits[c->credit_count++].channel = channel;
}

static void send_flit(plain *p, uint32_t in, uint32_t channel, flit f, uint64_t cycle) {
    coming *c = at(p, cycle);
    c->flits[c->flit_count].in = in;
    c->flits[c->flit_count].channel = channel;
    c->flits[c->flit_count++].flit = f;
}

/* 1. What arrives; 5. an end point takes what comes. */
static void take(plain *p) {
    coming *c = at(p, p->now);
    for (uint32_t k = 0; k < c->credit_count; k++)
        p->out[c->credits[k].out].credits[c->credits[k].channel]++;
    for (uint32_t k = 0; k < c->flit_count; k++) {
        input *i = &p->in[c->flits[k].in].channel[c->flits[k].channel];
        assert_true(i->count < p->depth);
        i->buffer[i->count++] = c->flits[k].flit;
    }
    for (uint32_t k = 0; k < c->taken_count; k++) {
        give_credit(p, c->taken[k].out, c->taken[k].channel,
                    p->now + p->g->end[c->taken[k].end].latency + 1u);
        if (!c->taken[k].flit.tail)
            continue;
        c->taken[k].flit.of->arrived = p->now;
        p->left--;
    }
    c->credit_count = c->flit_count = c->taken_count = 0;
}

/* 5. A source has one packet under way, and a flit a cycle. */
static void send(plain *p, uint32_t e) {
    if (p->first[e] == p->queued[e])
        return;
    packet *of = p->queue[e][p->first[e]];
    output *way = &p->out[outs(p) + e];
    const uint32_t from = of->header.kind * p->of_kind;
    for (uint32_t k = 1; of->sent == 0 && k <= p->of_kind && p->channel[e] == FS_NOC_NONE; k++)
        if (way->credits[from + (p->latest[e] + k) % p->of_kind] > 0)
            p->channel[e] = from + (p->latest[e] + k) % p->of_kind;
    const uint32_t v = p->channel[e];
    if (v == FS_NOC_NONE || way->credits[v] == 0)
        return;
    if (of->sent == 0)
        of->injected = p->now;
    way->credits[v]--;
    of->sent++;
    p->latest[e] = v % p->of_kind;
    const fs_noc_end *end = &p->g->end[e];
    send_flit(p, p->g->in_at[end->router] + end->in_port, v, (flit){of, of->sent == 1, of->sent == of->flits},
              p->now + 1 + end->latency);
    if (of->sent < of->flits)
        return;
    p->channel[e] = FS_NOC_NONE;
    p->first[e]++;
}

/* A place from a pointer on, around. */
static uint32_t from(uint32_t place, uint32_t pointer, uint32_t of) {
    return (place + of - pointer) % of;
}

/* 2. What each waiting head picks, of what is free before the cycle; NONE: nothing. */
static uint32_t pick(plain *p, uint32_t router, input *i, uint32_t *out) {
    packet *of = i->buffer[0].of;
    if (!i->standing)
        of->hop = p->g->rule(p->g, router, p->of_kind, &of->header);
    i->standing = true;
    i->port = of->hop.port;
    *out = p->g->out_at[router] + of->hop.port;
    const uint32_t n = p->g->out_at[router + 1] - p->g->out_at[router],
                   first = of->hop.first + of->header.kind * p->of_kind,
                   count = of->fixed && p->g->out_of[*out] != FS_NOC_NONE ? 1 : of->hop.count;
    uint32_t best = FS_NOC_NONE;
    for (uint32_t v = first; v < first + count; v++) {
        const uint32_t far = from(of->hop.port * p->channels + v, i->pointer, n * p->channels);
        if (!p->out[*out].taken[v] && (best == FS_NOC_NONE || far < from(of->hop.port * p->channels + best,
                                                                         i->pointer, n * p->channels)))
            best = v;
    }
    return best;
}

typedef struct grant {
    uint32_t in, channel; /* NONE: nobody picked it */
} grant;

/* 2. Which input each output channel is given to. */
static void choose(plain *p, uint32_t router, grant (*grants)[MOST]) {
    const fs_noc_graph *g = p->g;
    const uint32_t ins = g->in_at[router + 1] - g->in_at[router];
    for (uint32_t k = 0; k < ins; k++)
        for (uint32_t v = 0; v < p->channels; v++) {
            input *i = &p->in[g->in_at[router] + k].channel[v];
            if (i->count == 0 || !i->buffer[0].head || i->channel != FS_NOC_NONE)
                continue;
            uint32_t out;
            const uint32_t w = pick(p, router, i, &out);
            p->use[out].no_channel++;
            if (w == FS_NOC_NONE)
                continue;
            grant *best = &grants[out - g->out_at[router]][w];
            const uint32_t pointer = p->out[out].pointer[w], of = ins * p->channels;
            if (best->in == FS_NOC_NONE || from(k * p->channels + v, pointer, of) <
                                               from(best->in * p->channels + best->channel, pointer, of))
                *best = (grant){k, v};
        }
}

static void give(plain *p, uint32_t router, grant (*grants)[MOST]) {
    const fs_noc_graph *g = p->g;
    const uint32_t ins = g->in_at[router + 1] - g->in_at[router],
                   n = g->out_at[router + 1] - g->out_at[router];
    for (uint32_t o = 0; o < n; o++)
        for (uint32_t w = 0; w < p->channels; w++) {
            const grant won = grants[o][w];
            if (won.in == FS_NOC_NONE)
                continue;
            const uint32_t out = g->out_at[router] + o;
            input *i = &p->in[g->in_at[router] + won.in].channel[won.channel];
            p->use[out].no_channel--;
            p->out[out].taken[w] = true;
            p->out[out].pointer[w] = (won.in * p->channels + won.channel + 1) % (ins * p->channels);
            i->pointer = (o * p->channels + w + 1) % (n * p->channels);
            i->channel = w;
            p->use[out].no_credit += p->out[out].credits[w] == 0;
        }
}

static bool ready(const plain *p, uint32_t router, const input *i) {
    return i->count > 0 && i->channel != FS_NOC_NONE &&
           p->out[p->g->out_at[router] + i->port].credits[i->channel] > 0;
}

/* 3. The candidate of an input port: its channel; NONE: nothing is ready. */
static uint32_t candidate(plain *p, uint32_t router, uint32_t in) {
    const port *x = &p->in[in];
    const uint32_t n = p->g->out_at[router + 1] - p->g->out_at[router];
    uint32_t best = FS_NOC_NONE, count = 0;
    for (uint32_t v = 0; v < p->channels; v++) {
        if (!ready(p, router, &x->channel[v]))
            continue;
        count++;
        if (best == FS_NOC_NONE) {
            best = v;
            continue;
        }
        const uint32_t a = from(x->channel[v].port, x->output_turn, n),
                       b = from(x->channel[best].port, x->output_turn, n);
        if (a < b ||
            (a == b && from(v, x->channel_turn, p->channels) < from(best, x->channel_turn, p->channels)))
            best = v;
    }
    if (best != FS_NOC_NONE)
        p->use[p->g->out_at[router] + x->channel[best].port].lost += count - 1;
    return best;
}

/* 4. A flit that won leaves, and its credit goes back. */
static void leave(plain *p, uint32_t router, uint32_t in, uint32_t v) {
    const fs_noc_graph *g = p->g;
    input *i = &p->in[in].channel[v];
    const flit f = i->buffer[0];
    const uint32_t out = g->out_at[router] + i->port, w = i->channel, l = g->out_of[out], came = g->into[in];
    memmove(i->buffer, i->buffer + 1, --i->count * sizeof *i->buffer);
    p->out[out].credits[w]--;
    p->use[out].flits++;
    if (l != FS_NOC_NONE) {
        send_flit(p, g->in_at[g->link[l].to] + g->link[l].to_port, w, f, p->now + 2 + latency_out(p, out));
    } else {
        coming *c = at(p, p->now + 2 + latency_out(p, out));
        c->taken[c->taken_count].out = out;
        c->taken[c->taken_count].channel = w;
        c->taken[c->taken_count].end = g->end_out[out];
        c->taken[c->taken_count++].flit = f;
    }
    if (came != FS_NOC_NONE)
        give_credit(p, g->out_at[g->link[came].from] + g->link[came].from_port, v,
                    p->now + 2 + g->link[came].latency);
    else
        give_credit(p, outs(p) + g->end_in[in], v, p->now + 2 + g->end[g->end_in[in]].latency);
    p->in[in].channel_turn = (v + 1) % p->channels;
    p->in[in].output_turn = (i->port + 1) % (g->out_at[router + 1] - g->out_at[router]);
    if (!f.tail)
        return;
    p->out[out].taken[w] = false;
    i->channel = FS_NOC_NONE;
    i->standing = false;
}

/* 3. Each output picks one of the candidates that ask for it. */
static void arbitrate(plain *p, uint32_t router) {
    const fs_noc_graph *g = p->g;
    const uint32_t ins = g->in_at[router + 1] - g->in_at[router],
                   n = g->out_at[router + 1] - g->out_at[router];
    uint32_t asks[PORTS], winner[PORTS];
    for (uint32_t k = 0; k < ins; k++)
        for (uint32_t v = 0; v < p->channels; v++) {
            const input *i = &p->in[g->in_at[router] + k].channel[v];
            if (i->count > 0 && i->channel != FS_NOC_NONE && !ready(p, router, i))
                p->use[g->out_at[router] + i->port].no_credit++;
        }
    for (uint32_t k = 0; k < ins; k++)
        asks[k] = candidate(p, router, g->in_at[router] + k);
    for (uint32_t o = 0; o < n; o++) {
        output *to = &p->out[g->out_at[router] + o];
        winner[o] = FS_NOC_NONE;
        for (uint32_t k = 0; k < ins; k++) {
            if (asks[k] == FS_NOC_NONE || p->in[g->in_at[router] + k].channel[asks[k]].port != o)
                continue;
            p->use[g->out_at[router] + o].lost += winner[o] != FS_NOC_NONE;
            if (winner[o] == FS_NOC_NONE || from(k, to->turn, ins) < from(winner[o], to->turn, ins))
                winner[o] = k;
        }
    }
    for (uint32_t o = 0; o < n; o++)
        if (winner[o] != FS_NOC_NONE) {
            p->out[g->out_at[router] + o].turn = (winner[o] + 1) % ins;
            leave(p, router, g->in_at[router] + winner[o], asks[winner[o]]);
        }
}

static void cycle(plain *p) {
    static grant grants[PORTS][MOST];
    take(p);
    for (uint32_t e = 0; e < p->g->ends; e++)
        send(p, e);
    for (uint32_t r = 0; r < p->g->routers; r++) {
        memset(grants, 0xff, sizeof grants);
        choose(p, r, grants);
        arbitrate(p, r);
        give(p, r, grants);
    }
    p->now++;
}

/* ---- both ---- */

typedef struct both {
    const fs_noc_graph *g;
    fs_noc_net *net;
    plain p;
    packet packets[PACKETS];
    uint32_t count;
} both;

static void offer(both *b, fs_rng *rng, uint32_t kinds, bool fixes) {
    const uint32_t src = fs_rng_below(rng, b->g->ends), dst = fs_rng_below(rng, b->g->ends),
                   kind = fs_rng_below(rng, kinds),
                   flits = 1 + fs_rng_below(rng, fs_rng_below(rng, 2) == 0 ? 4 : LONGEST);
    const bool fixed = fixes && fs_rng_below(rng, 3) == 0;
    fs_noc_offer(b->net, src, dst, flits, kind | (fixed ? FS_NOC_FIXED : 0), b->count);
    packet *of = &b->packets[b->count];
    *of = (packet){.header = {.src = src, .dst = dst, .number = b->count, .kind = (uint8_t)kind},
                   .flits = flits,
                   .fixed = fixed};
    b->p.queue[src][b->p.queued[src]++] = of;
    b->p.left++;
    b->count++;
}

static void begin(both *b, fs_arena *arena, const fs_noc_graph *g, const fs_noc_params *params) {
    fs_error err = {0};
    const uint32_t kinds = params->kinds;
    assert_true(g->in_at[g->routers] <= AT_ONCE && g->out_at[g->routers] + g->ends <= AT_ONCE);
    for (uint32_t l = 0; l < g->links; l++)
        assert_true(g->link[l].latency + 2 < DELAY);
    b->g = g;
    b->count = 0;
    b->net = fs_noc_net_create(g, params, &err);
    assert_non_null(b->net);
    b->p = (plain){.g = g,
                   .channels = params->channels,
                   .depth = params->buffer,
                   .of_kind = params->channels / kinds,
                   .in = FS_NEW(arena, port, g->in_at[g->routers]),
                   .out = FS_NEW(arena, output, g->out_at[g->routers] + g->ends),
                   .use = FS_NEW(arena, fs_noc_use, g->out_at[g->routers]),
                   .wheel = FS_NEW(arena, coming, DELAY)};
    for (uint32_t o = 0; o < g->out_at[g->routers] + g->ends; o++)
        for (uint32_t v = 0; v < params->channels; v++)
            b->p.out[o].credits[v] = params->buffer;
    for (uint32_t i = 0; i < g->in_at[g->routers]; i++)
        for (uint32_t v = 0; v < params->channels; v++)
            b->p.in[i].channel[v].channel = FS_NOC_NONE;
    for (uint32_t e = 0; e < g->ends; e++) {
        b->p.queue[e] = FS_NEW(arena, packet *, PACKETS);
        b->p.channel[e] = FS_NOC_NONE;
    }
}

/* Of both, also in the middle. */
static void check_use(const both *b, const char *what) {
    const fs_noc_use *uses = fs_noc_uses(b->net);
    for (uint32_t l = 0; l < b->g->links + b->g->ends; l++) {
        const uint32_t out = l < b->g->links ? b->g->out_at[b->g->link[l].from] + b->g->link[l].from_port
                                             : b->g->out_at[b->g->end[l - b->g->links].router] +
                                                   b->g->end[l - b->g->links].out_port;
        const fs_noc_use *is = &uses[l], *should = &b->p.use[out];
        if (is->flits != should->flits || is->no_channel != should->no_channel || is->lost != should->lost ||
            (b->p.left == 0 && is->no_credit != should->no_credit))
            fail_msg("%s: link %u of cycle %lu: %lu flits, %lu without a channel, %lu lost, %lu without a "
                     "credit; expected %lu, %lu, "
                     "%lu, %lu",
                     what, l, (unsigned long)b->p.now, (unsigned long)is->flits,
                     (unsigned long)is->no_channel, (unsigned long)is->lost, (unsigned long)is->no_credit,
                     (unsigned long)should->flits, (unsigned long)should->no_channel,
                     (unsigned long)should->lost, (unsigned long)should->no_credit);
    }
}

static void run(both *b, fs_rng *rng, uint32_t packets, uint32_t kinds, const char *what) {
    const bool burst = fs_rng_below(rng, 2) == 0, fixes = fs_rng_below(rng, 2) == 0;
    while (b->count < packets || b->p.left > 0 || !fs_noc_is_idle(b->net)) {
        while (b->count < packets && (burst || fs_rng_below(rng, 4) == 0))
            offer(b, rng, kinds, fixes);
        uint32_t count;
        const fs_noc_arrival *a = fs_noc_step(b->net, &count);
        cycle(&b->p);
        for (uint32_t k = 0; k < count; k++) {
            const packet *of = &b->packets[a[k].tag];
            if (of->arrived != a[k].arrived || of->injected != a[k].injected)
                fail_msg("%s: packet %u: sent in cycle %lu, taken in %lu, expected %lu, %lu", what, a[k].tag,
                         (unsigned long)a[k].injected, (unsigned long)a[k].arrived,
                         (unsigned long)of->injected, (unsigned long)of->arrived);
        }
        if (b->p.now % 61 == 0)
            check_use(b, what);
    }
    check_use(b, what);
}

static const fs_noc_graph *draw(fs_arena *arena, fs_rng *rng) {
    static const struct {
        fs_noc_options options;
        const char *sizes[4];
    } kinds[] = {
        {{.topology = FS_NOC_MESH}, {"4 4", "5 2", "3 2 2", "7"}},
        {{.topology = FS_NOC_TORUS}, {"4 4", "5 2", "3 3 2", "7"}},
        {{.topology = FS_NOC_TORUS, .way = FS_NOC_UPWARDS}, {"4 4", "5 3", "3 3 2", "7"}},
        {{.topology = FS_NOC_RUCHE, .express = 3}, {"8 2", "7 3", "12", "9 2"}},
        {{.topology = FS_NOC_FAT_TREE}, {"2 3", "4 2", "3 2", "2 4"}},
        {{.topology = FS_NOC_FLATTENED_BUTTERFLY, .concentration = 4}, {"2 2", "3 2", "4 2", "3 3"}},
        {{.topology = FS_NOC_DRAGONFLY, .concentration = 2}, {"2 3 1", "3 4 1", "4 5 1", "2 5 2"}},
    };
    const uint32_t k = fs_rng_below(rng, sizeof kinds / sizeof *kinds);
    fs_noc_options options = kinds[k].options;
    options.link = 1 + fs_rng_below(rng, 3);
    return make_network(arena, options, kinds[k].sizes[fs_rng_below(rng, 4)]);
}

TEST(every_packet_and_link_is_as_the_rules_say) {
    static both b;
    fs_rng rng = fs_rng_stream(test_seed(SEED), "test/noc/plain");
    uint64_t packets = 0, hops = 0;
    for (uint32_t i = 0; i < NETWORKS; i++) {
        fs_arena *arena = test_arena();
        const fs_noc_graph *g = draw(arena, &rng);
        const uint32_t kinds = 1 + fs_rng_below(&rng, 2), least = kinds * g->classes;
        fs_noc_params params = {.kinds = kinds, .buffer = 1 + fs_rng_below(&rng, 10)};
        params.channels = (least + fs_rng_below(&rng, MOST + 1 - least)) / least * least;
        begin(&b, arena, g, &params);
        const char *what = fs_arena_printf(arena, "%s of %u routers, %u channels of %u, %u kinds", g->kind,
                                           g->routers, params.channels, params.buffer, kinds);
        run(&b, &rng, 20 + fs_rng_below(&rng, 200), kinds, what);
        packets += b.count;
        hops += fs_noc_sums_of(b.net).hops;
        fs_noc_net_free(b.net);
    }
    print_message("%lu packets, %lu flits over links\n", (unsigned long)packets, (unsigned long)hops);
}

RUN_TESTS(NULL, NULL)
