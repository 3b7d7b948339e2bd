/* What all tiles did in all steps, compactly: for prices, and for recordings of activity.
 *
 *     fs_travelled_begin(&activity, tiles, workers);
 *     fs_travelled_add(&activity, &step);                     // of each step
 *     fs_travelled_rows(&activity, k, rows);                  // of the k-th active tile of all steps
 *     fs_travelled_free(&activity);
 */
#pragma once

#include "sim/workload/recorded.h"
#include "workloads/treelets/traffic/travel.h"

typedef struct fs_travelled_step {
    uint64_t first_tile, first_move; /* in the lists below; the next step's are one past the last */
    uint64_t ended, in_flight, waiting, deepest; /* as in fs_travel_step */
} fs_travelled_step;

typedef struct fs_travelled {
    uint32_t tiles, workers;
    uint64_t steps, active, moves, bytes; /* active: tiles in steps */
    fs_travelled_step *step;              /* [steps + 1] the last one ends the lists */
    uint32_t *tile;                       /* [active] ascending in a step */
    uint64_t *at;                         /* [active + 1] its rows in `row` */
    uint8_t *row;                         /* [bytes] worker by worker: which events occurred, and how often */
    fs_travel_move *move;                 /* [moves] as in fs_travel_step */
    struct {
        size_t step, tile, row, move;
    } room;
} fs_travelled; /* heap */

void fs_travelled_begin(fs_travelled *activity, uint32_t tiles, uint32_t workers);
void fs_travelled_add(fs_travelled *activity, const fs_travel_step *step);
void fs_travelled_free(fs_travelled *activity);

/* rows[workers]. False: the bytes are no rows, which only a damaged recording's are. Any thread. */
bool fs_travelled_rows(const fs_travelled *activity, uint64_t k, uint32_t (*rows)[FS_TRAVEL_EVENTS]);

/* Sections of a recording. Reading gives heap in either outcome; tiles and workers are set before. */
void fs_travelled_sections(fs_recorded *file, fs_travelled *activity);
