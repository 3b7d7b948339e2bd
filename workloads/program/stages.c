/* Steps in their places: loops, stages, and timelines that run beside each other. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NESTED = 16, MOST_TIMELINES = 64, MOST_ROUNDS = 1000000000 };

/* ---- timelines ---- */

void fs_superstep_read_timelines(fs_superstep_reader *r, const fs_node *node) {
    if (!fs_superstep_mapping(r, node))
        return;
    if (node->count > MOST_TIMELINES) {
        fs_yaml_wrong(r->yaml, node, "expected at most %d, found %zu", MOST_TIMELINES, node->count);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        const fs_node *tiles = node->entries[i].value;
        const char *name = node->entries[i].key;
        fs_superstep_group g;
        if (!fs_superstep_tiles(r, tiles, &g))
            continue;
        g.name = name;
        *(fs_superstep_group *)fs_superstep_add(r->arena, &r->timelines, sizeof g) = g;
        for (uint32_t t = 0; t < g.count; t++) {
            if (r->timeline_of[g.tile[t]] != 0) {
                fs_yaml_wrong(r->yaml, tiles, "tile %" PRIu32 " is in another timeline already", g.tile[t]);
                break;
            }
            r->timeline_of[g.tile[t]] = (uint8_t)r->timelines.count;
        }
    }
}

/* ---- steps of a branch ---- */

/* A branch while it is read: its steps as they will stand. */
typedef struct branch {
    fs_superstep_list steps; /* of fs_device_step */
} branch;

static bool read_repeat(const fs_superstep_reader *r, const fs_node *item, uint32_t *times) {
    const fs_node *repeat = fs_yaml_get(r->yaml, item, "repeat", false);
    int64_t n = 1;
    const bool good = repeat == NULL || fs_yaml_int(r->yaml, repeat, FS_UNIT_NONE, 1, MOST_ROUNDS, &n);
    *times = (uint32_t)n;
    return good;
}

/* Puts a definition behind the steps of a branch. False, and reported, when the plan is full. */
static bool place(fs_superstep_reader *r, branch *b, const fs_node *at, uint32_t definition, uint32_t times) {
    if (r->step_of.count == FS_SUPERSTEPS_MOST)
        return fs_yaml_wrong(r->yaml, at, "expected at most %d steps with inner loops written out",
                             FS_SUPERSTEPS_MOST);
    const fs_superstep *d = (const fs_superstep *)r->definitions.item + definition;
    *(fs_device_step *)fs_superstep_add(r->arena, &b->steps, sizeof(fs_device_step)) =
        (fs_device_step){.name = d->name,
                         .runs = d->runs,
                         .transfers = d->transfers,
                         .transfer_count = d->transfer_count,
                         .sent_with = d->sent_with,
                         .meets = d->meets,
                         .beyond = d->beyond,
                         .beyond_bytes = d->beyond_bytes,
                         .times = times,
                         .only_active = false};
    *(uint32_t *)fs_superstep_add(r->arena, &r->step_of, sizeof(uint32_t)) = definition;
    return true;
}

static void read_step(fs_superstep_reader *r, branch *b, const fs_node *item) {
    static const char *const keys[] = {"name", "copy", "run", "exchange", "repeat", NULL};
    if (!fs_yaml_mapping(r->yaml, item, keys))
        return;
    const fs_node *copy = fs_yaml_get(r->yaml, item, "copy", false),
                  *run = fs_yaml_get(r->yaml, item, "run", false),
                  *exchange = fs_yaml_get(r->yaml, item, "exchange", false);
    fs_superstep step = {.name = ""};
    uint32_t times;
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, item, "name", true), &step.name);
    if (copy == NULL && run == NULL && exchange == NULL)
        fs_yaml_wrong(r->yaml, item, "expected `run` or `copy`, `exchange` or both");
    if (copy != NULL && run != NULL)
        fs_yaml_wrong(r->yaml, copy, "expected `run` or `copy`, found both: copies are a step of their own");
    else if (copy != NULL)
        fs_superstep_read_copies(r, copy, &step);
    else if (run != NULL)
        fs_superstep_read_run(r, run, &step);
    if (exchange != NULL)
        fs_superstep_read_exchange(r, exchange, &step);
    step.meets = exchange != NULL;
    if (!read_repeat(r, item, &times))
        return;
    *(fs_superstep *)fs_superstep_add(r->arena, &r->definitions, sizeof step) = step;
    place(r, b, item, r->definitions.count - 1, times);
}

static void read_steps(fs_superstep_reader *r, branch *b, const fs_node *list, int depth);

/* A loop without an exchange: tiles wait for nobody in it, so each of its steps runs as often in a row. */
static void repeat_each(const fs_superstep_reader *r, const fs_node *item, fs_device_step *body,
                        uint32_t length, uint32_t times) {
    for (uint32_t i = 0; i < length; i++)
        if ((uint64_t)body[i].times * times <= MOST_ROUNDS)
            body[i].times *= times;
        else {
            fs_yaml_wrong(r->yaml, item, "expected at most %d rounds of a step", MOST_ROUNDS);
            return;
        }
}

/* A loop within a loop: its steps are written out. */
static void write_out(fs_superstep_reader *r, branch *b, const fs_node *item, uint32_t from, uint32_t times) {
    const uint32_t length = b->steps.count - from, base = r->step_of.count - length;
    for (uint32_t k = 1; k < times; k++)
        for (uint32_t i = 0; i < length; i++) {
            const uint32_t definition = ((const uint32_t *)r->step_of.item)[base + i],
                           repeat = ((const fs_device_step *)b->steps.item)[from + i].times;
            if (!place(r, b, item, definition, repeat))
                return;
        }
}

static bool exchanges(const fs_device_step *body, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (fs_step_meets(&body[i]))
            return true;
    return false;
}

/* `whole`: the loop is the whole program. Then it makes the device's iterations, but for one that goes on from
 * its end to its beginning without an exchange between: tiles would meet where an iteration ends. */
static void read_loop(fs_superstep_reader *r, branch *b, const fs_node *item, const fs_node *inner, int depth,
                      bool whole) {
    static const char *const keys[] = {"repeat", "steps", NULL};
    const uint32_t from = b->steps.count;
    uint32_t times;
    if (depth == MOST_NESTED) {
        fs_yaml_wrong(r->yaml, item, "expected at most %d loops in each other", MOST_NESTED);
        return;
    }
    if (!fs_yaml_mapping(r->yaml, item, keys) || !read_repeat(r, item, &times))
        return;
    read_steps(r, b, inner, depth + 1);
    const uint32_t length = b->steps.count - from;
    if (times == 1 || length == 0 || !fs_yaml_good(r->yaml))
        return;
    fs_device_step *body = (fs_device_step *)b->steps.item + from, *last = &body[length - 1];
    const bool moves = exchanges(body, length);
    if (whole && (!moves || fs_step_meets(last)))
        r->iterations = times;
    else if (!moves)
        repeat_each(r, item, body, length, times);
    else if (depth > 0)
        write_out(r, b, item, from, times);
    else
        last->loop = length, last->turns = times;
    if (whole)
        r->passes = times;
}

static void read_steps(fs_superstep_reader *r, branch *b, const fs_node *list, int depth) {
    if (!fs_superstep_items(r, list, "steps", 1))
        return;
    for (size_t i = 0; i < list->count; i++) {
        const fs_node *item = list->items[i];
        if (!fs_superstep_mapping(r, item))
            continue;
        const fs_node *inner = fs_yaml_get(r->yaml, item, "steps", false);
        if (inner != NULL)
            read_loop(r, b, item, inner, depth, false);
        else
            read_step(r, b, item);
    }
}

/* ---- stages ---- */

static void put_stage(fs_superstep_reader *r, const fs_device_branch *branches, uint32_t count) {
    *(fs_device_stage *)fs_superstep_add(r->arena, &r->stages, sizeof(fs_device_stage)) =
        (fs_device_stage){.branches = branches, .branch_count = count};
}

/* The branch as a stage of its own, for all tiles; nothing when it has no step. */
static void close_branch(fs_superstep_reader *r, branch *b) {
    if (b->steps.count == 0)
        return;
    fs_device_branch *branches = FS_NEW(r->arena, fs_device_branch, 1);
    *branches = (fs_device_branch){.steps = b->steps.item, .step_count = b->steps.count};
    put_stage(r, branches, 1);
    *b = (branch){0};
}

/* The device groups that `on:` of a branch names: a timeline, or a list of them. */
static bool read_on(fs_superstep_reader *r, const fs_node *node, fs_device_branch *out) {
    const fs_superstep_group *timelines = r->timelines.item;
    const size_t count = node->kind == FS_NODE_LIST ? node->count : 1;
    uint32_t *groups = FS_NEW(r->arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        const fs_node *word = node->kind == FS_NODE_LIST ? node->items[i] : node;
        uint32_t t = 0;
        while (word->kind == FS_NODE_SCALAR && t < r->timelines.count &&
               strcmp(timelines[t].name, word->text) != 0)
            t++;
        if (word->kind != FS_NODE_SCALAR || t == r->timelines.count)
            return fs_yaml_wrong(r->yaml, word, "expected a name of `timelines`, found %s",
                                 fs_yaml_found(r->yaml, word));
        groups[i] = t + 1;
    }
    out->groups = groups;
    out->group_count = (uint32_t)count;
    return true;
}

static void read_beside(fs_superstep_reader *r, const fs_node *list) {
    static const char *const keys[] = {"on", "repeat", "steps", NULL};
    if (!fs_superstep_items(r, list, "branches", 1))
        return;
    fs_device_branch *branches = FS_NEW(r->arena, fs_device_branch, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const fs_node *item = list->items[i];
        branch b = {0};
        if (!fs_yaml_mapping(r->yaml, item, keys))
            continue;
        const fs_node *on = fs_yaml_get(r->yaml, item, "on", true),
                      *steps = fs_yaml_get(r->yaml, item, "steps", true);
        if (on == NULL || steps == NULL || !read_on(r, on, &branches[i]) ||
            !read_repeat(r, item, &branches[i].times))
            continue;
        read_steps(r, &b, steps, 0);
        branches[i].steps = b.steps.item;
        branches[i].step_count = b.steps.count;
    }
    put_stage(r, branches, (uint32_t)list->count);
}

void fs_superstep_read_stages(fs_superstep_reader *r, const fs_node *list) {
    static const char *const beside_keys[] = {"beside", NULL};
    branch plain = {0}; /* all that follows one another, to the next timelines */
    if (!fs_superstep_items(r, list, "steps", 1))
        return;
    for (size_t i = 0; i < list->count; i++) {
        const fs_node *item = list->items[i];
        if (!fs_superstep_mapping(r, item))
            continue;
        const fs_node *inner = fs_yaml_get(r->yaml, item, "steps", false),
                      *beside = fs_yaml_get(r->yaml, item, "beside", false);
        if (beside == NULL && inner == NULL) {
            read_step(r, &plain, item);
        } else if (beside == NULL) {
            read_loop(r, &plain, item, inner, 0, list->count == 1);
        } else {
            close_branch(r, &plain);
            if (fs_yaml_mapping(r->yaml, item, beside_keys))
                read_beside(r, beside);
        }
    }
    close_branch(r, &plain);
}

void fs_superstep_stage_of_all(fs_superstep_reader *r, uint32_t from, uint32_t to) {
    branch b = {0};
    for (uint32_t d = from; d < to; d++)
        place(r, &b, r->yaml->root, d, 1);
    close_branch(r, &b);
}
