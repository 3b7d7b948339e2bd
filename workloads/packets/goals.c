#include "workloads/packets/flow.h"

#include "sim/base/arith.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const fs_goal_names[] = {[FS_GOAL_UNIFORM] = "uniform",
                                     [FS_GOAL_HOTSPOT] = "hotspot",
                                     [FS_GOAL_NEIGHBOUR] = "neighbour",
                                     [FS_GOAL_TORNADO] = "tornado",
                                     [FS_GOAL_BIT_COMPLEMENT] = "bit_complement",
                                     [FS_GOAL_BIT_REVERSAL] = "bit_reversal",
                                     [FS_GOAL_TRANSPOSE] = "transpose",
                                     [FS_GOAL_PERMUTATION] = "permutation",
                                     [FS_GOAL_ALL_TO_ALL] = "all_to_all",
                                     [FS_GOAL_TABLE] = "table",
                                     NULL};

static uint32_t moved(uint32_t node, fs_noc_sizes digits, bool tornado) {
    uint32_t to = 0, step = 1;
    for (uint32_t d = 0; d < digits.count; d++) {
        const uint32_t k = digits.of[d], by = tornado ? (k + 1) / 2 - 1 : 1;
        to += (node / step % k + by) % k * step;
        step *= k;
    }
    return to;
}

static uint32_t reversed(uint32_t node, uint32_t nodes) {
    uint32_t to = 0;
    for (uint32_t bit = 1; bit < nodes; bit *= 2)
        to = to << 1 | (node & bit) / bit;
    return to;
}

static uint32_t goal_of(fs_goal_kind kind, uint32_t node, uint32_t nodes, uint32_t side,
                        fs_noc_sizes digits) {
    switch (kind) {
    case FS_GOAL_BIT_COMPLEMENT:
        return nodes - 1 - node;
    case FS_GOAL_BIT_REVERSAL:
        return reversed(node, nodes);
    case FS_GOAL_TRANSPOSE:
        return node % side * side + node / side;
    default:
        return moved(node, digits, kind == FS_GOAL_TORNADO);
    }
}

static fs_status take_hotspots(fs_arena *arena, const fs_int_list *hot, fs_goals *out, fs_error *err) {
    uint32_t *list = FS_NEW(arena, uint32_t, hot->count + 1);
    out->hots = (uint32_t)hot->count;
    for (size_t i = 0; i < hot->count; i++) {
        list[i] = (uint32_t)hot->item[i];
        if (list[i] >= out->nodes)
            return fs_fail(err, FS_INPUT, "workload.hotspot: expected nodes, 0 ... %u, found %u",
                           out->nodes - 1, list[i]);
    }
    out->hot = list;
    return hot->count > 0
               ? FS_OK
               : fs_fail(err, FS_INPUT, "workload.hotspot: expected at least one node, found none");
}

/* ---- files ---- */

/* A table of nodes while it is read. */
typedef struct table {
    const char *file;
    fs_csv_lines text;
    uint32_t nodes;
    char *cell[4]; /* of a line */
    size_t cells;
} table;

static fs_status open_table(fs_arena *arena, const char *file, uint32_t nodes, table *out, fs_error *err) {
    char *text = fs_file_table(arena, file, err);
    if (text == NULL)
        return err->status;
    *out = (table){.file = file, .text = fs_csv_begin(text), .nodes = nodes};
    return FS_OK;
}

/* The next line but comments and one of names; false at the end. */
static bool next_line(table *t) {
    do
        t->cells = fs_csv_record(&t->text, t->cell, FS_COUNT(t->cell));
    while (t->cells > 0 && (t->cell[0][0] == '#' || strcmp(t->cell[0], "node") == 0));
    return t->cells > 0;
}

/* An error in a cell, at its place: "FILE:LINE:COLUMN: what is wrong". */
__attribute__((format(printf, 4, 5))) static bool wrong(const table *t, size_t cell, fs_error *err,
                                                        const char *format, ...) {
    char words[256];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    fs_fail(err, FS_INPUT, "%s:%" PRIu64 ":%zu: %s", t->file, t->text.line,
            fs_csv_column_of(&t->text, t->cell[cell < t->cells ? cell : t->cells - 1]), words);
    return false;
}

/* The node that a cell names. */
static bool take_node(const table *t, size_t cell, const char *what, uint32_t *out, fs_error *err) {
    const char *text = cell < t->cells ? t->cell[cell] : "";
    char *end = NULL;
    const unsigned long value = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : t->nodes;
    *out = (uint32_t)value;
    return (end != NULL && *end == '\0' && value < t->nodes) ||
           wrong(t, cell, err, "%s: expected a node, 0 ... %" PRIu32 ", found \"%.40s\"%s", what,
                 t->nodes - 1, text, strchr(text, ';') == NULL ? "" : "; commas separate cells");
}

/* Lines "node,goal", in any order; comments and a line of names may stand among them. */
static fs_status read_permutation(fs_arena *arena, const char *file, fs_goals *out, fs_error *err) {
    uint32_t *goal = FS_NEW(arena, uint32_t, out->nodes), count = 0;
    bool *from = FS_NEW(arena, bool, out->nodes), *to = FS_NEW(arena, bool, out->nodes);
    table t;
    if (open_table(arena, file, out->nodes, &t, err))
        return err->status;
    while (next_line(&t)) {
        uint32_t node, next;
        if (!take_node(&t, 0, "node", &node, err) || !take_node(&t, 1, "goal", &next, err) ||
            (from[node] && !wrong(&t, 0, err, "node: node %u stands here for the second time", node)) ||
            (to[next] && !wrong(&t, 1, err,
                                "goal: node %u stands here for the second time; workload.pattern table takes "
                                "goals of several nodes",
                                next)))
            return err->status;
        from[node] = to[next] = true;
        goal[node] = next;
        count++;
    }
    out->goal = goal;
    return count == out->nodes
               ? FS_OK
               : fs_fail(err, FS_INPUT, "%s: expected a line for each of %" PRIu32 " nodes, found %" PRIu32,
                         file, out->nodes, count);
}

/* A line of a table: who sends where, how much. */
typedef struct flow_line {
    uint32_t node, to;
    double rate;
} flow_line;

static bool take_rate(const table *t, double *out, fs_error *err) {
    const char *text = t->cells > 2 ? t->cell[2] : "1";
    char *end = NULL;
    *out = strspn(text, "0123456789.eE+-") == strlen(text) && text[0] != '\0' ? strtod(text, &end) : -1;
    return (end != NULL && *end == '\0' && *out >= 0 && *out <= 1e12) ||
           wrong(t, 2, err, "rate: expected a number, 0 ... 1e12, found \"%.40s\"", text);
}

/* The lines by their nodes, with the part of each among its node's, and the weights of the nodes. */
static fs_status sort_lines(fs_arena *arena, const table *t, const flow_line *lines, size_t count,
                            fs_goals *out, fs_error *err) {
    uint32_t *first = FS_NEW(arena, uint32_t, out->nodes + 1), *to = FS_NEW(arena, uint32_t, count + 1);
    double *part = FS_NEW(arena, double, count + 1), *weight = FS_NEW(arena, double, out->nodes), all = 0;
    for (size_t i = 0; i < count; i++) {
        first[lines[i].node + 1]++;
        weight[lines[i].node] += lines[i].rate;
        all += lines[i].rate;
    }
    if (!(all > 0))
        return fs_fail(err, FS_INPUT, "%s: expected a line node,goal,rate with a rate above 0, found none",
                       t->file);
    for (uint32_t n = 0; n < out->nodes; n++)
        first[n + 1] += first[n];
    uint32_t *at = FS_NEW(arena, uint32_t, out->nodes + 1);
    memcpy(at, first, out->nodes * sizeof *at);
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = at[lines[i].node]++;
        to[place] = lines[i].to;
        part[place] = fs_ratio(lines[i].rate, weight[lines[i].node]);
    }
    for (uint32_t n = 0; n < out->nodes; n++) {
        weight[n] *= out->nodes / all;
        out->most_weight = n == 0 || weight[n] > out->most_weight ? weight[n] : out->most_weight;
    }
    out->first = first;
    out->to = to;
    out->part = part;
    out->weight = weight;
    return FS_OK;
}

static fs_status read_flows(fs_arena *arena, const char *file, fs_goals *out, fs_error *err) {
    table t;
    if (open_table(arena, file, out->nodes, &t, err))
        return err->status;
    flow_line *lines = NULL;
    size_t count = 0;
    while (err->status == FS_OK && next_line(&t)) {
        lines = fs_grow(lines, count, sizeof *lines);
        flow_line *l = &lines[count++];
        if (take_node(&t, 0, "node", &l->node, err) && take_node(&t, 1, "goal", &l->to, err))
            take_rate(&t, &l->rate, err);
    }
    if (err->status == FS_OK)
        sort_lines(arena, &t, lines, count, out, err);
    free(lines);
    return err->status;
}

/* ---- patterns ---- */

fs_status fs_goals_make(fs_arena *arena, fs_goal_kind kind, fs_noc_sizes digits, const fs_int_list *hot,
                        double share, fs_goal_files files, fs_goals *out, fs_error *err) {
    uint32_t nodes = 1, side = 1;
    for (uint32_t d = 0; d < digits.count; d++)
        nodes *= digits.of[d];
    while (side * side < nodes)
        side++;
    *out = (fs_goals){.kind = kind, .nodes = nodes, .share = share, .most_weight = 1};
    if (kind == FS_GOAL_TRANSPOSE && side * side != nodes)
        return fs_fail(
            err, FS_INPUT,
            "workload.pattern: transpose needs a square of nodes; %u are none, the nearest are %u and %u",
            nodes, (side - 1) * (side - 1), side * side);
    if (kind == FS_GOAL_BIT_REVERSAL && (nodes & (nodes - 1)) != 0)
        return fs_fail(err, FS_INPUT,
                       "workload.pattern: bit_reversal needs a power of two of nodes, found %u", nodes);
    if (kind == FS_GOAL_UNIFORM || kind == FS_GOAL_ALL_TO_ALL)
        return FS_OK;
    if (kind == FS_GOAL_PERMUTATION)
        return read_permutation(arena, files.permutation, out, err);
    if (kind == FS_GOAL_TABLE)
        return read_flows(arena, files.table, out, err);
    if (kind == FS_GOAL_HOTSPOT)
        return take_hotspots(arena, hot, out, err);
    uint32_t *goal = FS_NEW(arena, uint32_t, nodes);
    for (uint32_t i = 0; i < nodes; i++)
        goal[i] = goal_of(kind, i, nodes, side, digits);
    out->goal = goal;
    return FS_OK;
}

uint32_t fs_goal_draw(const fs_goals *g, uint32_t node, uint64_t nth, fs_rng *rng) {
    if (g->goal != NULL)
        return g->goal[node];
    if (g->first != NULL) {
        double left = fs_rng_unit(rng);
        uint32_t i = g->first[node];
        while (i + 1 < g->first[node + 1] && left >= g->part[i])
            left -= g->part[i++];
        return g->to[i];
    }
    if (g->kind == FS_GOAL_ALL_TO_ALL)
        return g->nodes == 1 ? node : (uint32_t)((node + 1 + nth % (g->nodes - 1)) % g->nodes);
    if (g->kind == FS_GOAL_HOTSPOT && fs_rng_unit(rng) < g->share)
        return g->hot[fs_rng_below(rng, g->hots)];
    return fs_rng_below(rng, g->nodes);
}

double fs_goal_weight(const fs_goals *g, uint32_t node) {
    return g->weight == NULL ? 1 : g->weight[node];
}

bool fs_goals_anywhere(const fs_goals *g) {
    return g->goal == NULL && g->first == NULL;
}

double fs_goal_even(const fs_goals *g, uint32_t node, uint32_t to) {
    if (g->kind == FS_GOAL_ALL_TO_ALL && g->nodes > 1)
        return node == to ? 0 : 1.0 / (g->nodes - 1);
    return (1 - (g->kind == FS_GOAL_HOTSPOT ? g->share : 0)) / g->nodes;
}
