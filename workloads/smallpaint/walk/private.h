/* What paths share with core.h: their beginning, their entries and the light of these. */
#pragma once

#include "workloads/optics/random.h"
#include "workloads/smallpaint/walk/paths.h"

/* A path at its beginning. */
typedef struct fs_paint_start {
    fs_path_random random;
    fs_vec3f direction;
} fs_paint_start;

/* The path of a pixel in a sample. */
fs_paint_start fs_paint_begin(const fs_paint_rules *rules, uint32_t column, uint32_t row, uint64_t sample);

/* What a hit leaves on the path's stack. */
typedef enum fs_paint_entry_kind { FS_ENTRY_LIGHT, FS_ENTRY_DIFFUSE, FS_ENTRY_WEIGHT } fs_paint_entry_kind;
typedef struct fs_paint_entry {
    uint32_t kind;     /* fs_paint_entry_kind */
    uint32_t material; /* that of a light or diffuse hit; materials of the scene: the sky */
    float weight;
} fs_paint_entry;

/* Pops all entries, from the last. */
void fs_paint_accumulate(const fs_primitives *scene, const fs_paint_entry *entry, uint32_t entries,
                         float out[3]);
