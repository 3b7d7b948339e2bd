/* Where packets go. Patterns that foamsim has by name keep it; the others are written out as a file of goals. */
#include "formats/booksim/private.h"
#include "sim/base/arith.h"
#include "sim/base/rng.h"
#include "sim/yaml/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 1 << 22, /* of a file of goals */
    MOST_HOT = 4096,      /* places of a list of hotspots */
    MOST_WEIGHT = 1000000
};

/* The lines of a node in a file of goals, "node,goal" or "node,goal,rate". */
typedef void goals_of(const fs_booksim *b, const void *self, uint32_t node, FILE *out);

/* A pattern of the original. */
typedef struct pattern {
    const char *name, *here; /* what it is called here; NULL: `take` writes it, */
    bool (*take)(fs_booksim *b, const char **list, size_t count);
    goals_of *goals; /* or these do; all NULL: foamsim has none */
    int lines;       /* of them a node: 1, a permutation, or a table */
    int bits;        /* the number of a node's bits is whole: 1, even: 2, or does not matter */
} pattern;

#define REFUSE(b, ...) fs_booksim_refuse(b, "traffic", __VA_ARGS__)

static bool name_it(fs_booksim *b, const char *name) {
    fprintf(b->workload, "  pattern: %s\n", name);
    return true;
}

/* A pattern that is written out as a file of goals, `permutation` or `table`, so many lines a node. */
static bool write_goals(fs_booksim *b, const char *kind, uint64_t lines, goals_of *goals, const void *self) {
    if (lines * b->nodes > MOST_LINES)
        return REFUSE(b, "is a %s with more than 4,194,304 lines", kind);
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    for (uint32_t i = 0; i < b->nodes; i++)
        goals(b, self, i, out);
    fs_memory_close(&memory);
    const char *name = fs_arena_printf(b->arena, "%s-goals.csv", b->stem);
    b->file[b->files++] = (fs_format_file){name, fs_arena_strdup(b->arena, memory.text)};
    free(memory.text);
    fprintf(b->workload, "  pattern: %s\n  %s: %s\n", kind, kind, fs_booksim_quoted(b, name));
    return true;
}

/* ---- patterns of one goal a node ---- */

static void shuffle(const fs_booksim *b, const void *self, uint32_t i, FILE *out) {
    (void)self;
    fprintf(out, "%u,%u\n", i, (i * 2 & (b->nodes - 1)) | (i * 2 >= b->nodes));
}

static void drawn(const fs_booksim *b, const void *goal, uint32_t i, FILE *out) {
    (void)b;
    fprintf(out, "%u,%u\n", i, ((const uint32_t *)goal)[i]);
}

static bool take_random(fs_booksim *b, const char **list, size_t count) {
    int64_t seed = 0;
    if (!fs_booksim_number(count > 0 ? list[0] : fs_booksim_word(b, "perm_seed"), &seed))
        seed = 0;
    fs_rng rng = fs_rng_stream((uint64_t)seed, "booksim/randperm");
    uint32_t *goal = FS_NEW(b->arena, uint32_t, b->nodes);
    for (uint32_t i = 0; i < b->nodes; i++) {
        const uint32_t k = fs_rng_below(&rng, i + 1);
        goal[i] = goal[k];
        goal[k] = i;
    }
    return write_goals(b, "permutation", 1, drawn, goal) &&
           !fs_booksim_say(b, FS_NOTE_NEAR, "traffic",
                           "another generator draws another permutation with that seed");
}

/* Digits of a node's number, and how far each moves on. */
typedef struct digits {
    uint64_t base, by;
} digits;

static void moved(const fs_booksim *b, const void *self, uint32_t i, FILE *out) {
    const digits *d = self;
    uint64_t to = 0;
    for (uint64_t at = 1; at < b->nodes; at *= d->base)
        to += (i / at % d->base + d->by) % d->base * at;
    fprintf(out, "%u,%" PRIu64 "\n", i, to);
}

/* Every digit of a node's number, of base xr k, moves on. */
static bool take_digits(fs_booksim *b, const char **list, size_t count, bool tornado) {
    static const char *const keys[] = {"k", "n", "xr"};
    int64_t of[3];
    bool given = false;
    for (size_t i = 0; i < 3; i++) {
        of[i] = fs_booksim_whole(b, keys[i]);
        if (i < count && !fs_booksim_number(list[i], &of[i]))
            return REFUSE(b, "expected whole numbers k, n and xr in braces");
        given |= of[i] != fs_booksim_whole(b, keys[i]);
    }
    uint64_t all = 1;
    const uint64_t base =
        of[0] > 0 && of[2] > 0 && of[0] <= 65536 && of[2] <= 64 ? (uint64_t)(of[0] * of[2]) : 0;
    for (int64_t d = 0; d < of[1] && base > 1 && all <= b->nodes; d++)
        all *= base;
    if (base == 0 || all != b->nodes)
        return REFUSE(b,
                      "moves every digit of a node's number, of base xr k; expected as many nodes as n such "
                      "digits have");
    const bool plain = of[2] == 1 && !fs_booksim_is(b, "topology", "anynet");
    if (!given && (plain || fs_booksim_is(b, "topology", "flatfly")))
        return name_it(b, tornado ? "tornado" : "neighbour");
    return write_goals(b, "permutation", 1, moved, &(digits){base, tornado ? (base + 1) / 2 - 1 : 1});
}

static bool take_tornado(fs_booksim *b, const char **list, size_t count) {
    return take_digits(b, list, count, true);
}

static bool take_neighbor(fs_booksim *b, const char **list, size_t count) {
    return take_digits(b, list, count, false);
}

/* ---- patterns with several goals a node ---- */

/* "{a,b},{c,d}" instead of "{{a,b},{c,d}}": the original takes the first node, and the second for its weight. */
static bool lacks_braces(const char **list, size_t count) {
    bool nested = false;
    for (size_t i = 0; i < count; i++)
        nested |= list[i][0] == '{';
    return count > 1 && !nested;
}

static bool take_nodes(fs_booksim *b, const char *text, int64_t *node, size_t *count) {
    const char **list = fs_booksim_list(b, text, count);
    bool good = *count > 0 && *count <= MOST_HOT;
    for (size_t i = 0; good && i < *count; i++)
        good = fs_booksim_number(list[i], &node[i]) && node[i] < b->nodes;
    if (!good)
        REFUSE(b, "expected nodes, 0 ... %u", b->nodes - 1);
    return good;
}

/* Weights of hotspots, the last one for those that have none. */
static bool take_weights(fs_booksim *b, const char *text, size_t hots, int64_t *weight, int64_t *sum) {
    size_t count = 0;
    const char **list = text == NULL ? NULL : fs_booksim_list(b, text, &count);
    uint64_t common = 0;
    for (size_t i = 0; i < hots; i++) {
        weight[i] = 1;
        if (count > 0 && (!fs_booksim_number(list[i < count ? i : count - 1], &weight[i]) || weight[i] < 1 ||
                          weight[i] > MOST_WEIGHT)) {
            REFUSE(b, "expected weights, 1 to %d", MOST_WEIGHT);
            return false;
        }
        common = i == 0 ? (uint64_t)weight[i] : fs_common_divisor(common, (uint64_t)weight[i]);
    }
    for (size_t i = 0; i < hots; i++)
        *sum += weight[i] /= (int64_t)common;
    return true;
}

static bool take_hotspot(fs_booksim *b, const char **list, size_t count) {
    int64_t *node = FS_NEW(b->arena, int64_t, MOST_HOT), *weight = FS_NEW(b->arena, int64_t, MOST_HOT),
            sum = 0;
    size_t hots = 0;
    if (lacks_braces(list, count))
        return fs_booksim_refuse(
            b, "traffic",
            "the original reads node %s alone, with the weight %s; several nodes take two pairs of "
            "braces, hotspot({{%s,%s},{1,1}})",
            fs_shown(b->arena, list[0]), fs_shown(b->arena, list[1]), fs_shown(b->arena, list[0]),
            fs_shown(b->arena, list[1]));
    if (!take_nodes(b, count > 0 ? list[0] : "-1", node, &hots) ||
        !take_weights(b, count > 1 ? list[1] : NULL, hots, weight, &sum))
        return false;
    for (size_t i = 0; i < hots; i++)
        if (node[i] < 0) {
            node[i] = b->nodes / 2;
            fs_booksim_say(b, FS_NOTE_NEAR, "traffic", "the original draws a node; here it is node %u",
                           b->nodes / 2);
        }
    if (sum > MOST_HOT)
        return REFUSE(b, "the weights' sum is above 4096 once divided by what they have in common");
    fputs("  pattern: hotspot\n  hotspot_share: 1\n  hotspot: [", b->workload);
    for (size_t i = 0; i < hots; i++)
        for (int64_t k = 0; k < weight[i]; k++)
            fprintf(b->workload, "%s%" PRId64, i + (size_t)k == 0 ? "" : ", ", node[i]);
    fputs("]\n", b->workload);
    return true;
}

/* Uniform, but never to some nodes. */
static void others(const fs_booksim *b, const void *out_of, uint32_t i, FILE *out) {
    for (uint32_t to = 0; to < b->nodes; to++)
        if (!((const bool *)out_of)[to])
            fprintf(out, "%u,%u\n", i, to);
}

static bool take_background(fs_booksim *b, const char **list, size_t count) {
    int64_t *node = FS_NEW(b->arena, int64_t, MOST_HOT);
    bool *out_of = FS_NEW(b->arena, bool, b->nodes);
    size_t outs = 0, left = b->nodes;
    if (lacks_braces(list, count))
        return REFUSE(b, "the original reads the first node alone; several take two pairs of braces, "
                         "background({{0,1}})");
    if (!take_nodes(b, count > 0 ? list[0] : "", node, &outs))
        return false;
    for (size_t i = 0; i < outs; i++) {
        if (node[i] < 0)
            return REFUSE(b, "expected nodes, 0 ... %u", b->nodes - 1);
        left -= !out_of[node[i]];
        out_of[node[i]] = true;
    }
    return left == 0 ? REFUSE(b, "leaves no node to send to") : write_goals(b, "table", left, others, out_of);
}

/* Two of three packets to the node itself, the third to the next one. */
static void diagonal(const fs_booksim *b, const void *self, uint32_t i, FILE *out) {
    (void)self;
    fprintf(out, "%u,%u,2\n%u,%u,1\n", i, i, i, (i + 1) % b->nodes);
}

/* To either half alike, at the node's place in its own. */
static void asymmetric(const fs_booksim *b, const void *self, uint32_t i, FILE *out) {
    const uint32_t half = b->nodes / 2;
    (void)self;
    fprintf(out, "%u,%u\n%u,%u\n", i, i % half, i, i % half + half);
}

static const pattern patterns[] = {
    {.name = "uniform", .here = "uniform"},
    {.name = "bitcomp", .here = "bit_complement", .bits = 1},
    {.name = "bitrev", .here = "bit_reversal", .bits = 1},
    {.name = "transpose", .here = "transpose", .bits = 2}, /* of a square of nodes row and column */
    {.name = "shuffle", .goals = shuffle, .lines = 1, .bits = 1},
    {.name = "randperm", .take = take_random},
    {.name = "tornado", .take = take_tornado},
    {.name = "neighbor", .take = take_neighbor},
    {.name = "hotspot", .take = take_hotspot},
    {.name = "background", .take = take_background},
    {.name = "diagonal", .goals = diagonal, .lines = 2},
    {.name = "asymmetric", .goals = asymmetric, .lines = 2},
    {.name = "taper64"},
    {.name = "bad_dragon"},
    {.name = "badperm_yarc"},
};

/* Elements behind the pattern's name; a comma without braces would be lost. */
static bool take_inside(fs_booksim *b, const char *inside, const char ***list, size_t *count) {
    *list = inside == NULL ? NULL : fs_booksim_list(b, inside, count);
    if (inside == NULL || inside[0] == '{' || strchr(inside, ',') == NULL)
        return true;
    return REFUSE(b,
                  "the original reads what stands before the first comma alone; expected a list in braces");
}

static bool take(fs_booksim *b, const pattern *p, const char **list, size_t count) {
    const bool whole = (b->nodes & (b->nodes - 1)) == 0, even = whole && __builtin_ctz(b->nodes) % 2 == 0;
    if ((p->bits == 1 && !whole) || (p->bits == 2 && !even))
        return REFUSE(b, "expected %s power of two of nodes, found %u", p->bits == 2 ? "an even" : "a",
                      b->nodes);
    if (p->goals == asymmetric && b->nodes < 2)
        return REFUSE(b, "asymmetric needs two nodes");
    return p->here != NULL   ? name_it(b, p->here)
           : p->take != NULL ? p->take(b, list, count)
           : p->goals != NULL
               ? write_goals(b, p->lines == 1 ? "permutation" : "table", (uint64_t)p->lines, p->goals, NULL)
               : REFUSE(b, "foamsim has no such pattern; workload.pattern table, lines "
                           "node,goal,rate, is the nearest");
}

bool fs_booksim_traffic(fs_booksim *b) {
    const char *names[FS_COUNT(patterns) + 1] = {NULL}, *text = fs_booksim_word(b, "traffic");
    size_t name, count = 0;
    const char **list, *inside = fs_booksim_inside(b, text, &name);
    const char *called = fs_arena_printf(b->arena, "%.*s", (int)name, text);
    if (text[0] == '{')
        return REFUSE(b, "this has a pattern for each of several classes, and packets have one class");
    if (!take_inside(b, inside, &list, &count))
        return false;
    for (size_t i = 0; i < FS_COUNT(patterns); i++) {
        names[i] = patterns[i].name;
        if (strcmp(called, names[i]) == 0)
            return b->nodes > 0 && take(b, &patterns[i], list, count);
    }
    return REFUSE(b, "the original has no such pattern%s", FS_MEANT(called, names));
}
