/* Occurrences of events in many rows (paths, or workers in samples), column by column in as few bytes as the
 * greatest of a column needs: what recordings hold. Only events that do not follow from others are kept:
 *
 *     HIT = DIFFUSE + SPECULAR + REFRACTIVE      SEGMENT = HIT + ESCAPE      NODE = SEGMENT + 2 INNER
 *     SHEAR = EDGE_EXIT + RANGE_EXIT + TRIANGLE  LEAF = SHEAR + SPHERE + DISC      CAMERA = END
 */
#pragma once

#include "sim/workload/recorded.h"
#include "workloads/paths/walk/walk.h"

enum { FS_WALK_KEPT = 17 };

typedef struct fs_walk_counts {
    uint64_t rows;
    struct {
        uint8_t width; /* B of a row: 0 (zeros throughout), 1, 2, 4 */
        void *data;    /* [rows]; heap */
    } column[FS_WALK_KEPT];
} fs_walk_counts;

void fs_walk_counts_create(fs_walk_counts *counts, uint64_t rows); /* zeros */
void fs_walk_counts_free(fs_walk_counts *counts);

/* Rows [first, first + count) in and out. */
void fs_walk_counts_keep(fs_walk_counts *counts, uint64_t first, uint64_t count,
                         uint32_t (*rows)[FS_WALK_EVENTS]);
void fs_walk_counts_rows(const fs_walk_counts *counts, uint64_t first, uint64_t count,
                         uint32_t (*rows)[FS_WALK_EVENTS]);
/* Of rows [first, first + count): each event's occurrences at `price` [FS_WALK_EVENTS], summed. */
void fs_walk_counts_price(const fs_walk_counts *counts, uint64_t first, uint64_t count, const uint32_t *price,
                          uint64_t *slots);
/* The same rows event by event, at most FS_WALK_CHUNK of them: [events][count]. */
enum { FS_WALK_CHUNK = 512 }; /* rows that stay in the first cache */
typedef uint32_t fs_walk_columns[FS_WALK_EVENTS][FS_WALK_CHUNK];
void fs_walk_counts_columns(const fs_walk_counts *counts, uint64_t first, uint64_t count,
                            fs_walk_columns out);
/* Sums over rows [first, first + count). */
void fs_walk_counts_sum(const fs_walk_counts *counts, uint64_t first, uint64_t count,
                        uint64_t sum[FS_WALK_EVENTS]);

/* Sections `widths` and one for each column that is not all zeros. Reading gives heap. */
void fs_walk_counts_sections(fs_recorded *file, uint64_t rows, fs_walk_counts *counts);
