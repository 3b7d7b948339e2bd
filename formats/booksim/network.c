/* How routers are joined, and by which ways packets go. */
#include "formats/booksim/private.h"
#include "sim/yaml/words.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NODES = 1 << 20 };

/* A topology of the original: what it is here, and the routing functions of its own. */
typedef struct topology {
    const char *name, *here; /* NULL: refused, with the nearest */
    const char *nearest;
    const char *ways;   /* routing functions that are the same here; the first one is the nearest of others */
    const char *rule;   /* for a refusal */
    const char *others; /* that the original has */
} topology;

static const topology topologies[] = {
    {"mesh", "mesh", NULL, "dor dim_order", "foamsim's mesh routes by dimension order",
     "xy_yx adaptive_xy_yx dim_order_ni dim_order_pni romm romm_ni min_adapt planar_adapt limited_adapt "
     "valiant chaos"},
    {"torus", "torus", NULL, "dim_order",
     "foamsim's torus routes by dimension order, with two classes of channels",
     "dim_order_ni dim_order_bal min_adapt valiant valiant_ni chaos"},
    {"fattree", "fat_tree", NULL, "nca", "foamsim's fat tree goes up by chance", "anca"},
    {"flatfly", "flattened_butterfly", NULL, "ran_min", "foamsim's flattened butterfly takes the row first",
     "adaptive_xyyx xyyx valiant ugal ugal_pni ugal_xyyx"},
    {"anynet", "file", NULL, "min", "a graph has one way for each two nodes", ""},
    {"cmesh", NULL, "mesh, or flatfly for several nodes a router", NULL, NULL, NULL},
    {"fly", NULL, "fattree", NULL, NULL, NULL},
    {"qtree", NULL, "fattree", NULL, NULL, NULL},
    {"tree4", NULL, "fattree", NULL, NULL, NULL},
    {"dragonflynew", NULL, "machine.exchange.noc.topology dragonfly, whose channels are short", NULL, NULL,
     NULL},
};

/* Whether `words`, with blanks between, have that one. */
static bool has(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return length > 0;
    return false;
}

static const topology *topology_of(fs_booksim *b) {
    const char *names[sizeof topologies / sizeof *topologies + 1] = {NULL};
    const char *name = fs_booksim_word(b, "topology");
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        names[i] = topologies[i].name;
        if (strcmp(name, names[i]) != 0)
            continue;
        if (topologies[i].here != NULL)
            return &topologies[i];
        fs_booksim_refuse(b, "topology", "foamsim has no such network; the nearest is %s",
                          topologies[i].nearest);
        return NULL;
    }
    fs_booksim_refuse(b, "topology", "the original has no such topology%s", FS_MEANT(name, names));
    return NULL;
}

static void check_ways(fs_booksim *b, const topology *t) {
    const char *ways = fs_booksim_word(b, "routing_function");
    const char *nearest = fs_arena_printf(b->arena, "%.*s", (int)strcspn(t->ways, " "), t->ways);
    if (has(t->ways, ways))
        return;
    fs_booksim_refuse(b, "routing_function", "%s; %s is the nearest",
                      has(t->others, ways)
                          ? t->rule
                          : fs_arena_printf(b->arena, "the original has no routing function %s_%s",
                                            fs_shown(b->arena, ways), t->name),
                      nearest);
}

/* ---- sizes ---- */

static uint32_t power(int64_t k, int64_t n) {
    uint64_t all = 1;
    for (int64_t i = 0; i < n && all <= MOST_NODES; i++)
        all *= (uint64_t)k;
    return all <= MOST_NODES ? (uint32_t)all : 0;
}

/* Of a tree arity and levels, else the routers in each dimension. */
static void print_sizes(fs_booksim *b, bool tree, int64_t k, int64_t n) {
    fprintf(b->noc, "      size: [%" PRId64, k);
    for (int64_t i = 1; !tree && i < n; i++)
        fprintf(b->noc, ", %" PRId64, k);
    if (tree)
        fprintf(b->noc, ", %" PRId64, n);
    fputs("]\n", b->noc);
}

/* Routers in two dimensions with a square of nodes each. The original takes x and y for lengths of links. */
static void take_butterfly(fs_booksim *b, int64_t k, int64_t n) {
    const int64_t c = fs_booksim_whole(b, "c"), side = fs_booksim_whole(b, "xr");
    if (n != 2)
        fs_booksim_refuse(b, "n", "a flattened butterfly has two dimensions here; 2 is the nearest");
    if (side < 1 || side > 8 || fs_booksim_whole(b, "yr") != side || c != side * side)
        fs_booksim_refuse(b, "c", "expected c = xr x yr nodes a router in a square, 64 at most");
    if (fs_booksim_whole(b, "x") != k || fs_booksim_whole(b, "y") != k)
        fs_booksim_refuse(
            b, fs_booksim_whole(b, "x") != k ? "x" : "y",
            "expected as many routers in x and y as k, %" PRId64 ": links are as long as they are apart", k);
    if (fs_booksim_whole(b, "use_noc_latency") != 1)
        fs_booksim_refuse(
            b, "use_noc_latency",
            "links of a flattened butterfly take a cycle for each node that they pass; 1 is the nearest");
    if (b->longer > 0)
        fs_booksim_refuse(
            b, "routing_delay",
            "links of a flattened butterfly go by their lengths, so that they cannot stand for slower "
            "routers; a sum of delays of 3 is the nearest");
    fprintf(b->noc, "      concentration: %" PRId64 "\n", c);
    b->nodes *= (uint32_t)(c > 0 && c <= 64 ? c : 1);
}

/* Keys of other topologies change nothing. */
static void say_idle(fs_booksim *b, const topology *t) {
    static const char *const butterfly[] = {"c", "x", "y", "xr", "yr"};
    const bool digits = strncmp(fs_booksim_word(b, "traffic"), "tornado", 7) == 0 ||
                        strncmp(fs_booksim_word(b, "traffic"), "neighbor", 8) == 0;
    for (size_t i = 0; strcmp(t->name, "flatfly") != 0 && i < sizeof butterfly / sizeof *butterfly; i++)
        if (fs_booksim_of(b, butterfly[i])->line > 0 && !(digits && strcmp(butterfly[i], "xr") == 0))
            fs_booksim_say(b, FS_NOTE_IGNORED, butterfly[i], "counts with topology flatfly alone");
    if (strcmp(t->name, "anynet") != 0 && fs_booksim_of(b, "network_file")->line > 0)
        fs_booksim_say(b, FS_NOTE_IGNORED, "network_file", "counts with topology anynet alone");
}

fs_status fs_booksim_network(fs_booksim *b, fs_error *err) {
    const topology *t = topology_of(b);
    const int64_t k = fs_booksim_whole(b, "k"), n = fs_booksim_whole(b, "n");
    if (t == NULL)
        return FS_OK;
    check_ways(b, t);
    say_idle(b, t);
    fprintf(b->noc, "      topology: %s\n", t->here);
    if (strcmp(t->name, "anynet") == 0)
        return fs_booksim_anynet(b, err);
    const bool torus = strcmp(t->name, "torus") == 0, butterfly = strcmp(t->name, "flatfly") == 0;
    b->nodes = k > 0 && k <= 65536 && n > 0 && n <= 32 ? power(k, n) : 0;
    if (b->nodes == 0) {
        fs_booksim_refuse(b, "k", "expected k to the n routers or nodes, 1 to %d", MOST_NODES);
        return FS_OK;
    }
    print_sizes(b, strcmp(t->name, "fattree") == 0, k, n);
    if (butterfly)
        take_butterfly(b, k, n);
    const int64_t cycles = torus && fs_booksim_whole(b, "use_noc_latency") == 1 ? 2 : 1;
    if (!butterfly && (b->longer > 0 || (torus && cycles == 1)))
        fprintf(b->noc, "      link: %" PRId64 " cycles\n", cycles + (b->longer > 0 ? b->longer : 0));
    return FS_OK;
}
