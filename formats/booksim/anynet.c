/* A graph as the original's `anynet` reads it: lines "router R", then "router S [latency]" and "node N [latency]", or "node
 * N router R". Links go both ways; a latency holds for the way as it is written, of a node for both. Packets take the ways
 * of the original: from each router the first one that Dijkstra finds by latencies, over routers in ascending order. */
#include "formats/booksim/private.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/yaml/paths.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, LONGEST = 4096, NOWHERE = -1 };

/* A link out of a router, in the order of the routers that they lead to. */
typedef struct edge {
    uint32_t to;
    int32_t latency;
} edge;

typedef struct graph {
    fs_booksim *b;
    const char *path;
    char *at;
    uint32_t line, column; /* of the word read last */
    const char *begin;     /* of its line */
    fs_error *err;
    edge *out[MOST];
    uint32_t outs[MOST];
    int32_t router[MOST]; /* of a node; NOWHERE: none */
    int32_t latency[MOST];
    bool known[MOST]; /* routers that are named */
    uint32_t routers, nodes;
} graph;

__attribute__((format(printf, 2, 3))) static bool wrong(graph *g, const char *format, ...) {
    const char *words;
    FS_VARIADIC(args, format, words = fs_arena_vprintf(g->b->arena, format, args));
    fs_fail(g->err, FS_INPUT, "%s:%u:%u: %s", g->path, g->line, g->column, words);
    return false;
}

/* ---- words of a line ---- */

/* The next word of the line; NULL at its end. */
static char *next_word(graph *g) {
    g->at += strspn(g->at, " \t\r");
    g->column = (uint32_t)(g->at - g->begin) + 1;
    if (*g->at == '\0' || *g->at == '\n')
        return NULL;
    const size_t length = strcspn(g->at, " \t\r\n");
    char *word = fs_arena_printf(g->b->arena, "%.*s", (int)length, g->at);
    g->at += length;
    return word;
}

/* A number behind a word; `what` says of what. */
static bool take_number(graph *g, const char *what, int64_t least, int64_t most, int64_t *out) {
    const char *word = next_word(g);
    if (word != NULL && fs_booksim_number(word, out) && *out >= least && *out <= most)
        return true;
    return wrong(g, "%s: expected a whole number, %" PRId64 " to %" PRId64 ", found %s", what, least, most,
                 word == NULL ? "the end of the line" : fs_quoted(g->b->arena, word));
}

/* A latency, where the next word is a number. */
static bool take_latency(graph *g, int64_t *out) {
    const char *ahead = g->at + strspn(g->at, " \t\r");
    *out = 0;
    return *ahead == '\0' || *ahead == '\n' || isalpha((unsigned char)*ahead) ||
           take_number(g, "latency", 1, LONGEST, out);
}

/* ---- what lines say ---- */

static void know(graph *g, uint32_t router) {
    g->known[router] = true;
    g->routers = router >= g->routers ? router + 1 : g->routers;
}

static edge *edge_of(graph *g, uint32_t from, uint32_t to, bool *is_new) {
    uint32_t i = 0;
    while (i < g->outs[from] && g->out[from][i].to < to)
        i++;
    *is_new = i == g->outs[from] || g->out[from][i].to != to;
    if (!*is_new)
        return &g->out[from][i];
    g->out[from] = fs_arena_grow(g->b->arena, g->out[from], g->outs[from], sizeof(edge));
    memmove(&g->out[from][i + 1], &g->out[from][i], (g->outs[from] - i) * sizeof(edge));
    g->outs[from]++;
    g->out[from][i] = (edge){to, 1};
    return &g->out[from][i];
}

static bool join(graph *g, uint32_t from, uint32_t to, int64_t latency) {
    bool is_new;
    if (from == to)
        return wrong(g, "router %u: expected a link to another router, found one to itself", from);
    know(g, from);
    know(g, to);
    edge_of(g, to, from, &is_new);
    edge_of(g, from, to, &is_new)->latency = latency > 0 ? (int32_t)latency : 1;
    return true;
}

static bool place(graph *g, uint32_t node, uint32_t router, int64_t latency) {
    know(g, router);
    if (g->router[node] != NOWHERE && g->router[node] != (int32_t)router)
        return wrong(g, "node %u: expected one router, found %u beside %d", node, router, g->router[node]);
    g->router[node] = (int32_t)router;
    g->nodes = node >= g->nodes ? node + 1 : g->nodes;
    if (latency > 0)
        fs_notes_add(
            g->b->notes,
            (fs_note){.kind = FS_NOTE_NEAR,
                      .what = fs_arena_printf(g->b->arena, "node %u with a latency", node),
                      .words =
                          "cycles of both ways of the node, as documented; the original at 28f4329 reads "
                          "a link to a router of that number",
                      .file = g->path,
                      .line = g->line,
                      .column = g->column});
    g->latency[node] = latency > 0 ? (int32_t)latency : 1;
    return true;
}

/* What stands behind the head of a line, until its end. */
static bool take_body(graph *g, bool head_is_router, uint32_t head) {
    const char *word;
    while ((word = next_word(g)) != NULL) {
        const bool router = strcmp(word, "router") == 0;
        int64_t id = 0, latency = 0;
        if (!router && (!head_is_router || strcmp(word, "node") != 0))
            return wrong(g, "expected %s, found %s", head_is_router ? "router or node" : "router",
                         fs_quoted(g->b->arena, word));
        if (!take_number(g, word, 0, MOST - 1, &id) || !take_latency(g, &latency))
            return false;
        if (!(router && head_is_router ? join(g, head, (uint32_t)id, latency)
              : head_is_router         ? place(g, (uint32_t)id, head, latency)
                                       : place(g, head, (uint32_t)id, latency)))
            return false;
    }
    return true;
}

static bool take_line(graph *g) {
    const char *word = next_word(g);
    int64_t head = 0;
    if (word == NULL)
        return true;
    const bool router = strcmp(word, "router") == 0;
    if (!router && strcmp(word, "node") != 0)
        return wrong(g, "expected a line that begins with router or node, found %s",
                     fs_quoted(g->b->arena, word));
    if (!take_number(g, word, 0, MOST - 1, &head))
        return false;
    if (router)
        know(g, (uint32_t)head);
    return take_body(g, router, (uint32_t)head);
}

static bool read_lines(graph *g) {
    for (g->line = 1; *g->at != '\0'; g->line++) {
        g->begin = g->at;
        if (!take_line(g))
            return false;
        g->at += strcspn(g->at, "\n");
        g->at += *g->at == '\n';
    }
    g->line = g->column = 1;
    for (uint32_t r = 0; r < g->routers; r++)
        if (!g->known[r])
            return wrong(g, "expected routers 0 to %u without gaps, found no router %u", g->routers - 1, r);
    for (uint32_t n = 0; n < g->nodes; n++)
        if (g->router[n] == NOWHERE)
            return wrong(g, "expected nodes 0 to %u without gaps, found no node %u", g->nodes - 1, n);
    return g->nodes > 0 || wrong(g, "expected nodes, found none");
}

/* ---- ways ---- */

typedef struct search {
    int64_t far[MOST];
    uint32_t first[MOST]; /* the neighbour by which a router is come to */
    bool done[MOST];
} search;

/* From one router to all, by the least latency; among equal ones the least router first, the first way found stays. */
static bool find_ways(graph *g, uint32_t from, search *s) {
    for (uint32_t r = 0; r < g->routers; r++) {
        s->far[r] = INT64_MAX;
        s->done[r] = false;
    }
    s->far[from] = 0;
    for (uint32_t i = 0; i < g->routers; i++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t r = 0; r < g->routers; r++)
            if (!s->done[r] && s->far[r] != INT64_MAX && (best == UINT32_MAX || s->far[r] < s->far[best]))
                best = r;
        if (best == UINT32_MAX)
            return wrong(g, "no links lead from router %u to all others", from);
        s->done[best] = true;
        for (uint32_t o = 0; o < g->outs[best]; o++) {
            const edge *e = &g->out[best][o];
            if (s->far[best] + e->latency >= s->far[e->to])
                continue;
            s->far[e->to] = s->far[best] + e->latency;
            s->first[e->to] = best == from ? e->to : s->first[best];
        }
    }
    return true;
}

/* The nodes that packets come to by a neighbour, as a way in YAML. */
static void write_way(const graph *g, const search *s, uint32_t from, uint32_t via, FILE *out) {
    const char *before = "      - { to: [";
    for (uint32_t n = 0; n < g->nodes; n++) {
        const uint32_t at = (uint32_t)g->router[n];
        if (at == from || s->first[at] != via)
            continue;
        fprintf(out, "%s%u", before, n);
        before = ", ";
    }
    if (before[0] == ',')
        fprintf(out, "], via: %u }\n", via);
}

static bool write_routes(graph *g, FILE *out) {
    search *s = fs_calloc(1, sizeof *s);
    bool good = true;
    if (g->routers > 1)
        fputs("routes:\n", out);
    for (uint32_t r = 0; r < g->routers && g->routers > 1 && good; r++) {
        if (fs_interrupted())
            good = fs_fail(g->err, FS_RUN, "%s: interrupted at the ways from router %u", g->path, r) == FS_OK;
        good = good && find_ways(g, r, s);
        fprintf(out, "  - routers: %u\n    ways:\n", r);
        for (uint32_t o = 0; good && o < g->outs[r]; o++)
            write_way(g, s, r, g->out[r][o].to, out);
    }
    free(s);
    return good;
}

static bool write_graph(graph *g, FILE *out) {
    fprintf(out, "# A graph of routers, from %s.\nrouters: %u\n", fs_shown(g->b->arena, g->path), g->routers);
    if (g->routers > 1)
        fputs("links:\n", out);
    for (uint32_t r = 0; r < g->routers; r++)
        for (uint32_t o = 0; o < g->outs[r]; o++)
            fprintf(out, "  - { from: %u, to: %u, latency: %" PRId64 " cycles, one_way: true }\n", r,
                    g->out[r][o].to, g->out[r][o].latency + g->b->longer);
    fputs("ends:\n", out);
    for (uint32_t n = 0; n < g->nodes; n++)
        fprintf(out, "  - { routers: %d, latency: %d cycles }\n", g->router[n], g->latency[n]);
    return write_routes(g, out);
}

fs_status fs_booksim_anynet(fs_booksim *b, fs_error *err) {
    const char *name = fs_booksim_word(b, "network_file");
    if (name[0] == '\0') {
        fs_booksim_refuse(b, "network_file", "topology anynet is read from a file; expected its name");
        return FS_OK;
    }
    graph *g = FS_NEW(b->arena, graph, 1);
    *g = (graph){.b = b, .path = fs_path_join(b->arena, fs_path_dir(b->arena, b->path), name), .err = err};
    memset(g->router, 0xff, sizeof g->router);
    g->at = fs_file_table(b->arena, g->path, err);
    if (g->at == NULL || !read_lines(g))
        return err->status;
    fs_memory text;
    const bool good = write_graph(g, fs_memory_open(&text));
    fs_memory_close(&text);
    const char *file = fs_arena_printf(b->arena, "%s-graph.yaml", b->stem);
    b->file[b->files++] = (fs_format_file){file, fs_arena_strdup(b->arena, text.text)};
    free(text.text);
    b->nodes = g->nodes;
    fprintf(b->noc, "      file: %s\n", fs_booksim_quoted(b, file));
    return good ? FS_OK : err->status;
}
