#include "models/ipu/tables/notes.h"

/* Tiles that run a program in some step, ascending. */
static void find_used(fs_books_notes *n, fs_arena *arena) {
    const uint32_t tiles = n->plan->tiles;
    bool *runs = FS_NEW(arena, bool, tiles);
    for (uint32_t s = 0; s < n->steps; s++) {
        const fs_device_step *step = fs_plan_step(n->plan, s);
        for (uint32_t t = 0; step->runs != NULL && t < tiles; t++)
            runs[t] = runs[t] || step->runs[t] != 0;
    }
    n->tile_of = FS_NEW(arena, uint32_t, tiles);
    for (uint32_t t = 0; t < tiles; t++)
        if (runs[t])
            n->tile_of[n->used++] = t;
}

void fs_books_notes_create(fs_books_notes *n, fs_arena *arena, const fs_device_plan *plan,
                           const fs_machine_params *machine, const fs_device *device,
                           const fs_books_labels *labels, uint64_t iterations) {
    FS_ASSERT(iterations <= FS_BOOKS_ITERATIONS, "more iterations than can be noted");
    *n = (fs_books_notes){.device = device,
                          .plan = plan,
                          .machine = machine,
                          .labels = *labels,
                          .room = iterations,
                          .steps = fs_plan_steps(plan)};
    find_used(n, arena);
    n->iteration = FS_NEW(arena, fs_iteration, iterations + 1);
    if (iterations * n->steps <= FS_BOOKS_STEP_ROWS)
        n->step = FS_NEW(arena, fs_step_times, iterations * n->steps + 1);
    if (iterations * n->used <= FS_BOOKS_TILE_CELLS) {
        n->cycles = FS_NEW(arena, uint32_t, iterations * n->used + 1);
        n->before = FS_NEW(arena, uint64_t, n->used + 1);
    }
}

void fs_books_notes_settle(fs_books_notes *n, const fs_iteration *iteration) {
    const uint64_t k = iteration->number;
    n->iteration[k] = *iteration;
    for (uint32_t s = 0; n->step != NULL && s < n->steps; s++)
        n->step[k * n->steps + s] = fs_device_step_times(n->device, s);
}

void fs_books_notes_add(fs_books_notes *n, const fs_iteration *iteration) {
    FS_ASSERT(n->iterations == iteration->number && n->iterations < n->room,
              "iterations are noted in their order");
    const uint64_t k = n->iterations++;
    fs_books_notes_settle(n, iteration);
    if (n->cycles == NULL)
        return;
    const fs_device_totals so_far = fs_device_totals_of(n->device);
    for (uint32_t u = 0; u < n->used; u++) {
        const uint64_t all = so_far.compute[n->tile_of[u]];
        n->cycles[k * n->used + u] = (uint32_t)(all - n->before[u]);
        n->before[u] = all;
    }
}

void fs_books_notes_close(fs_books_notes *n, const fs_ledger *ledger) {
    n->totals = fs_device_totals_of(n->device);
    n->ledger = ledger;
    n->iteration_rows = (fs_books_iteration_rows){
        .first = n->iteration, .stride = sizeof *n->iteration, .labels = &n->labels, .paced = n->used > 0};
    n->tile_rows = (fs_books_tile_rows){.machine = n->machine,
                                        .labels = &n->labels,
                                        .totals = n->totals,
                                        .ledger = ledger,
                                        .tiles = n->plan->tiles,
                                        .paced = n->used > 0};
}
