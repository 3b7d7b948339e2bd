/* Plans: the usual one, numbers of steps, code bytes, and what has to hold. */
#include "models/ipu/plan.h"

#include <inttypes.h>

fs_device_plan fs_plan_of_step(fs_arena *arena, uint32_t tiles, const fs_device_programs *programs,
                               const fs_device_step *exchange, uint32_t host_tile,
                               const fs_host_visit *first) {
    fs_device_stage *stage = FS_NEW(arena, fs_device_stage, 1);
    fs_device_branch *branch = FS_NEW(arena, fs_device_branch, 1);
    fs_device_step *step = FS_NEW(arena, fs_device_step, 1);
    *step = *exchange;
    step->runs = programs->of_tile;
    *branch = (fs_device_branch){.steps = step, .step_count = 1};
    *stage = (fs_device_stage){.branches = branch, .branch_count = 1};
    return (fs_device_plan){.tiles = tiles,
                            .program = programs->program,
                            .programs = programs->count,
                            .stages = stage,
                            .stage_count = 1,
                            .host_tile = host_tile,
                            .first = *first};
}

uint32_t fs_plan_steps(const fs_device_plan *plan) {
    uint32_t steps = 0;
    for (const fs_device_stage *s = plan->stages; s < plan->stages + plan->stage_count; s++)
        for (const fs_device_branch *b = s->branches; b < s->branches + s->branch_count; b++)
            steps += b->step_count;
    return steps;
}

const fs_device_step *fs_plan_step(const fs_device_plan *plan, uint32_t step) {
    for (const fs_device_stage *s = plan->stages; s < plan->stages + plan->stage_count; s++)
        for (const fs_device_branch *b = s->branches; b < s->branches + s->branch_count; b++) {
            if (step < b->step_count)
                return &b->steps[step];
            step -= b->step_count;
        }
    FS_ASSERT(false, "the plan has no such step");
    return NULL;
}

uint64_t fs_plan_code_bytes(const fs_device_plan *plan, uint32_t tile) {
    bool counted[UINT8_MAX + 1] = {false};
    uint64_t bytes = 0;
    for (uint32_t i = 0, steps = fs_plan_steps(plan); i < steps; i++) {
        const uint8_t *runs = fs_plan_step(plan, i)->runs;
        const uint8_t program = runs != NULL ? runs[tile] : 0;
        if (program == 0 || counted[program])
            continue;
        counted[program] = true;
        bytes += plan->program[program - 1]->code_bytes;
    }
    return bytes;
}

/* ---- what has to hold ---- */

static uint32_t group_of(const fs_device_plan *plan, uint32_t tile) {
    return plan->group_of != NULL ? plan->group_of[tile] : 0;
}

static const char *name_of(const fs_device_step *step) {
    return step->name != NULL ? step->name : "nameless";
}

static bool in_branch(const fs_device_branch *b, uint32_t group) {
    for (uint32_t i = 0; b->groups != NULL && i < b->group_count; i++)
        if (b->groups[i] == group)
            return true;
    return b->groups == NULL;
}

static fs_status check_tiles(const fs_device_plan *plan, uint32_t machine_tiles, fs_error *err) {
    if (plan->tiles != machine_tiles)
        return fs_fail(err, FS_INPUT, "device: a plan of %" PRIu32 " tiles, the machine has %" PRIu32,
                       plan->tiles, machine_tiles);
    if (plan->host_tile >= plan->tiles)
        return fs_fail(err, FS_INPUT, "device: the host's tile is %" PRIu32 " of %" PRIu32, plan->host_tile,
                       plan->tiles);
    for (uint32_t t = 0; t < plan->tiles; t++)
        if (group_of(plan, t) >= fs_plan_groups(plan))
            return fs_fail(err, FS_INPUT, "device: tile %" PRIu32 " is in group %" PRIu32 " of %" PRIu32, t,
                           group_of(plan, t), fs_plan_groups(plan));
    return FS_OK;
}

/* Transfers that are sent together are one message. */
static fs_status check_multicast(const fs_device_step *step, uint32_t i, fs_error *err) {
    const uint32_t lead = step->sent_with[i];
    const fs_transfer *a = &step->transfers[lead <= i ? lead : i], *b = &step->transfers[i];
    const bool one_copy = step->copy_of == NULL || (lead <= i && step->copy_of[lead] == step->copy_of[i]);
    if (lead > i || step->sent_with[lead] != lead || a->src != b->src || a->bytes != b->bytes || !one_copy)
        return fs_fail(err, FS_INPUT,
                       "device: step \"%s\": transfer %" PRIu32 " from tile %" PRIu32
                       " can't be sent with transfer %" PRIu32
                       ": transfers that are sent together have one sender, one number of bytes and one copy",
                       name_of(step), i, b->src, lead);
    return FS_OK;
}

static fs_status check_transfers(const fs_device_plan *plan, const fs_device_branch *b,
                                 const fs_device_step *step, fs_error *err) {
    for (uint32_t i = 0; i < step->transfer_count; i++) {
        const fs_transfer *t = &step->transfers[i];
        if (t->src >= plan->tiles || t->dst >= plan->tiles || !in_branch(b, group_of(plan, t->src)) ||
            !in_branch(b, group_of(plan, t->dst)))
            return fs_fail(err, FS_INPUT,
                           "device: step \"%s\": transfer %" PRIu32 " from tile %" PRIu32 " to %" PRIu32
                           " leaves the tiles of its branch",
                           name_of(step), i, t->src, t->dst);
        if (step->copy_of != NULL && step->copy_of[i] >= step->copies)
            return fs_fail(err, FS_INPUT,
                           "device: step \"%s\": transfer %" PRIu32 " is in copy %" PRIu32 " of %" PRIu32,
                           name_of(step), i, step->copy_of[i], step->copies);
        if (step->pair_of != NULL && step->pair_of[i] >= step->pairs)
            return fs_fail(err, FS_INPUT,
                           "device: step \"%s\": transfer %" PRIu32 " is in pair %" PRIu32 " of %" PRIu32,
                           name_of(step), i, step->pair_of[i], step->pairs);
        if (step->sent_with != NULL && check_multicast(step, i, err))
            return err->status;
    }
    return FS_OK;
}

static fs_status check_step(const fs_device_plan *plan, const fs_device_branch *b, const fs_device_step *step,
                            fs_error *err) {
    for (uint32_t t = 0; step->runs != NULL && t < plan->tiles; t++) {
        if (step->runs[t] > plan->programs)
            return fs_fail(err, FS_INPUT,
                           "device: step \"%s\": tile %" PRIu32 " runs program %d, the plan has %" PRIu32,
                           name_of(step), t, step->runs[t] - 1, plan->programs);
        if (step->runs[t] > 0 && !in_branch(b, group_of(plan, t)))
            return fs_fail(err, FS_INPUT,
                           "device: step \"%s\": tile %" PRIu32 " runs a program and is not in its branch",
                           name_of(step), t);
    }
    return check_transfers(plan, b, step, err);
}

/* Loops follow one another, and in each tiles meet. */
static fs_status check_loops(const fs_device_branch *b, fs_error *err) {
    for (uint32_t i = 0, free = 0; i < b->step_count; i++) {
        const uint32_t loop = b->steps[i].loop;
        bool moves = loop == 0;
        FS_ASSERT(loop <= i + 1 - free, "step %u ends a loop of %u steps", i, loop);
        for (uint32_t s = i + 1 - loop; s <= i && loop > 0; s++)
            moves = moves || fs_step_meets(&b->steps[s]);
        if (!moves)
            return fs_fail(err, FS_INPUT, "device: step \"%s\" ends a loop without an exchange",
                           name_of(&b->steps[i]));
        free = loop > 0 ? i + 1 : free;
    }
    return FS_OK;
}

static fs_status check_stage(const fs_device_plan *plan, const fs_device_stage *s, fs_error *err) {
    FS_ASSERT(s->branch_count > 0, "a stage without branches");
    for (uint32_t g = 0; g < fs_plan_groups(plan); g++) {
        uint32_t branches = 0;
        for (uint32_t b = 0; b < s->branch_count; b++)
            branches += in_branch(&s->branches[b], g);
        if (branches > 1)
            return fs_fail(err, FS_INPUT,
                           "device: stage %td: group %" PRIu32 " is in %" PRIu32 " branches; expected one",
                           s - plan->stages, g, branches);
    }
    for (const fs_device_branch *b = s->branches; b < s->branches + s->branch_count; b++) {
        FS_ASSERT(b->step_count > 0, "a branch without steps");
        for (uint32_t i = 0; b->groups != NULL && i < b->group_count; i++)
            if (b->groups[i] >= fs_plan_groups(plan))
                return fs_fail(err, FS_INPUT,
                               "device: stage %td: a branch of group %" PRIu32 ", the plan has %" PRIu32,
                               s - plan->stages, b->groups[i], fs_plan_groups(plan));
        if (check_loops(b, err))
            return err->status;
        FS_ASSERT(b->alike == NULL || !plan->at_exchanges, "repetitions alike, barriers at exchanges");
        uint32_t exchanges = 0;
        for (uint32_t i = 0; i < b->step_count; i++) {
            exchanges += !fs_step_is_local(&b->steps[i]);
            if (check_step(plan, b, &b->steps[i], err))
                return err->status;
        }
        if (b->alike != NULL && exchanges == 0)
            return fs_fail(err, FS_INPUT,
                           "device: stage %td: repetitions alike in a branch without an exchange",
                           s - plan->stages);
    }
    return FS_OK;
}

fs_status fs_plan_check(const fs_device_plan *plan, uint32_t machine_tiles, fs_error *err) {
    FS_ASSERT(plan->stage_count > 0 && plan->programs <= UINT8_MAX && fs_plan_groups(plan) <= UINT8_MAX,
              "a plan of %u stages, %u programs", plan->stage_count, plan->programs);
    fs_status status = check_tiles(plan, machine_tiles, err);
    for (uint32_t i = 0; i < plan->stage_count && status == FS_OK; i++)
        status = check_stage(plan, &plan->stages[i], err);
    return status;
}
