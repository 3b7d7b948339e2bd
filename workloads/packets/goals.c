#include "workloads/packets/goals.h"

#include "sim/base/csv.h"

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

/* A number below `nodes` that nobody has had; the place is that of the cell. */
static bool take_node(const char *cell, uint32_t nodes, bool *had, const char *what, uint32_t *out,
                      fs_error *err) {
    char *end = NULL;
    const unsigned long value = cell[0] >= '0' && cell[0] <= '9' ? strtoul(cell, &end, 10) : nodes;
    if (end == NULL || *end != '\0' || value >= nodes) {
        fs_fail(err, FS_INPUT, "%s: expected a node, 0 ... %" PRIu32 ", found \"%.40s\"", what, nodes - 1,
                cell);
        return false;
    }
    *out = (uint32_t)value;
    if (had[value])
        fs_fail(err, FS_INPUT, "%s: node %lu stands here for the second time", what, value);
    return err->status == FS_OK && (had[value] = true);
}

/* Lines "node,goal", in any order; comments and a line of names may stand among them. */
static fs_status read_permutation(fs_arena *arena, const char *file, fs_goals *out, fs_error *err) {
    uint32_t *goal = FS_NEW(arena, uint32_t, out->nodes), number = 0, count = 0;
    bool *from = FS_NEW(arena, bool, out->nodes), *to = FS_NEW(arena, bool, out->nodes);
    char line[128];
    FILE *in = fopen(file, "r");
    if (in == NULL)
        return fs_fail(err, FS_INPUT, "workload.permutation: can't read \"%s\"", file);
    while (err->status == FS_OK && fgets(line, sizeof line, in) != NULL) {
        char *at = line, *cell[2] = {"", ""};
        uint32_t node = 0, next = 0;
        number++;
        if (line[0] == '#' || strncmp(line, "node,", 5) == 0)
            continue;
        const size_t cells = fs_csv_record(&at, cell, 2);
        fs_error why = {0};
        if (take_node(cell[0], out->nodes, from, "node", &node, &why) &&
            take_node(cells > 1 ? cell[1] : "", out->nodes, to, "goal", &next, &why)) {
            goal[node] = next;
            count++;
        } else {
            fs_fail(err, FS_INPUT, "%s:%" PRIu32 ":%d: %s", file, number,
                    strncmp(why.text, "node:", 5) == 0 || cells < 2 ? 1 : (int)(cell[1] - line) + 1,
                    why.text);
        }
    }
    fclose(in);
    out->goal = goal;
    if (err->status == FS_OK && count < out->nodes)
        fs_fail(err, FS_INPUT, "%s: expected a line for each of %" PRIu32 " nodes, found %" PRIu32, file,
                out->nodes, count);
    return err->status;
}

fs_status fs_goals_make(fs_arena *arena, fs_goal_kind kind, fs_noc_sizes digits, const fs_int_list *hot,
                        double share, const char *file, fs_goals *out, fs_error *err) {
    uint32_t nodes = 1, side = 1;
    for (uint32_t d = 0; d < digits.count; d++)
        nodes *= digits.of[d];
    while (side * side < nodes)
        side++;
    *out = (fs_goals){.kind = kind, .nodes = nodes, .share = share};
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
        return read_permutation(arena, file, out, err);
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
    if (g->kind == FS_GOAL_ALL_TO_ALL)
        return g->nodes == 1 ? node : (uint32_t)((node + 1 + nth % (g->nodes - 1)) % g->nodes);
    if (g->kind == FS_GOAL_HOTSPOT && fs_rng_unit(rng) < g->share)
        return g->hot[fs_rng_below(rng, g->hots)];
    return fs_rng_below(rng, g->nodes);
}

double fs_goal_share(const fs_goals *g, uint32_t node, uint32_t to) {
    if (g->goal != NULL)
        return g->goal[node] == to ? 1 : 0;
    if (g->kind == FS_GOAL_ALL_TO_ALL && g->nodes > 1)
        return node == to ? 0 : 1.0 / (g->nodes - 1);
    double part = (1 - (g->kind == FS_GOAL_HOTSPOT ? g->share : 0)) / g->nodes;
    for (uint32_t h = 0; h < g->hots; h++)
        part += g->hot[h] == to ? g->share / g->hots : 0;
    return part;
}
