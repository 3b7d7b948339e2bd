/* Barriers. Internal: from the last tile ready to the last tile released, base + greatest release skew
 * (76 + 50 = 126 on a GC200, ipu.md 4). A tile's release skew is skew_row * row + skew_column * folded
 * column. External (the host takes part): one constant, 600 (ipu.md 4). */
#pragma once

#include "models/chip/geometry.h"

#include <stdint.h>

/* Steps that exchange nothing, one after the other: one barrier after all of them, or one after each. */
enum { FS_SYNC_LOCAL_MERGED, FS_SYNC_LOCAL_EACH };

typedef struct fs_sync_params {
    int64_t base;        /* cycles from the last tile ready to the first release: 76 (20 ... 126) */
    int64_t skew_row;    /* cycles a row: 1 */
    int64_t skew_column; /* cycles a folded column: 4 */
    int64_t external;    /* cycles: 600 */
    int64_t local;       /* FS_SYNC_LOCAL_*: of steps that exchange nothing */
} fs_sync_params;

uint32_t fs_sync_skew(const fs_sync_params *p, const fs_geometry_params *g, uint32_t tile); /* cycles */
uint32_t fs_sync_internal(const fs_sync_params *p, const fs_geometry_params *g);            /* cycles */
