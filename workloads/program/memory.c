/* What a program's tiles are called, and what it needs of their SRAM. */
#include "workloads/program/supersteps.h"

fs_books_labels fs_supersteps_labels(const fs_supersteps *p, fs_arena *arena) {
    const char **names = FS_NEW(arena, const char *, p->kernel_count + 1);
    names[0] = "spare";
    for (uint32_t k = 0; k < p->kernel_count; k++)
        names[k + 1] = p->kernels[k].name;
    uint8_t *role = FS_NEW(arena, uint8_t, p->plan.tiles);
    for (uint32_t s = 0; s < p->step_count; s++)
        for (uint32_t t = 0; p->steps[s].runs != NULL && t < p->plan.tiles; t++)
            if (role[t] == 0)
                role[t] = p->steps[s].runs[t];
    return (fs_books_labels){.roles = names, .role_count = p->kernel_count + 1, .role = role};
}

/* Ends of transfers at each tile, over all steps. */
static uint64_t *count_ends(const fs_supersteps *p, fs_arena *arena) {
    uint64_t *ends = FS_NEW(arena, uint64_t, p->plan.tiles);
    for (uint32_t s = 0; s < p->step_count; s++)
        for (uint32_t i = 0; i < p->steps[s].transfer_count; i++) {
            ends[p->steps[s].transfers[i].src] +=
                p->steps[s].sent_with == NULL || p->steps[s].sent_with[i] == i; /* a multicast is sent once */
            ends[p->steps[s].transfers[i].dst]++;
        }
    return ends;
}

static bool is_part(const fs_superstep_call *call, uint32_t kernel) {
    for (uint32_t i = 0; i < call->part_count; i++)
        if (call->parts[i] == kernel)
            return true;
    return false;
}

/* Marks the tiles that run the kernel by itself, or beside others, and says on which it is new. */
static void mark(const fs_supersteps *p, uint32_t kernel, bool beside, uint32_t *seen, uint64_t *bytes) {
    for (uint32_t s = 0; s < p->step_count; s++)
        for (uint32_t c = 0; c < p->steps[s].call_count; c++) {
            const fs_superstep_call *call = &p->steps[s].calls[c];
            if (beside ? !is_part(call, kernel) : call->kernel != kernel)
                continue;
            for (uint32_t i = 0; i < call->tiles; i++) {
                bytes[call->tile[i]] +=
                    beside && seen[call->tile[i]] != kernel + 1 ? p->kernels[kernel].code_bytes : 0;
                seen[call->tile[i]] = kernel + 1;
            }
        }
}

/* Bytes of code that each tile has beside that of the plan's programs: of kernels that only run there together with
 * others. */
static uint64_t *count_parts(const fs_supersteps *p, fs_arena *arena) {
    uint64_t *bytes = FS_NEW(arena, uint64_t, p->plan.tiles);
    uint32_t *seen = FS_NEW(arena, uint32_t, p->plan.tiles); /* 1 + the last kernel that was marked */
    for (uint32_t k = 0; k < p->kernel_count; k++)
        for (int beside = 0; beside < 2 && p->kernels[k].code_bytes > 0; beside++)
            mark(p, k, beside == 1, seen, bytes);
    return bytes;
}

fs_ledger *fs_supersteps_ledger(const fs_supersteps *p, const fs_memory_params *memory,
                                const fs_books_labels *labels, fs_arena *arena, fs_error *err) {
    fs_ledger *ledger = fs_ledger_create(arena, p->plan.tiles, memory);
    const uint64_t *ends = count_ends(p, arena), *parts = count_parts(p, arena);
    for (uint32_t t = 0; t < p->plan.tiles; t++) {
        const uint64_t code = fs_plan_code_bytes(&p->plan, t) + parts[t];
        if (code > 0)
            fs_ledger_add(ledger, t, "code and stacks", code);
        if (ends[t] > 0)
            fs_ledger_add(ledger, t, "exchange code", ends[t] * (uint64_t)memory->exchange_code_per_message);
    }
    for (uint32_t m = 0; m < p->memory_count; m++)
        for (uint32_t i = 0; i < p->memory[m].tiles; i++)
            fs_ledger_add(ledger, p->memory[m].tile[i], p->memory[m].name, p->memory[m].bytes);
    return fs_ledger_check(ledger, fs_books_role, labels, err) ? NULL : ledger;
}
