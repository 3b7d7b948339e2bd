/* What an overlay file says (docs/overlays-file.md), read and checked step by step. Private to
 * models/overlay.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/config/yaml.h"

/* Two tiles that a lane joins each way. */
typedef struct fs_file_pair {
    uint32_t a, b;
    uint32_t share; /* bytes that each end gives each of the two lanes; 0: its part of the tile's buffer */
} fs_file_pair;

typedef struct fs_file_text {
    fs_yaml *yaml;
    fs_arena *arena;
    uint32_t tiles;         /* of the machine */
    uint32_t payload_bytes; /* of a ray */
    uint8_t *role, *level;  /* [tiles] */
    bool *table;            /* [tiles] routes rays on */
    uint32_t *tracer_tile;  /* [tracers] in the order of writing */
    uint32_t tracers, generators, generator_tile, levels;
    fs_file_pair *pairs; /* [pair_count] in the order of writing */
    uint32_t pair_count;
} fs_file_text;

/* Each fills its part of the text; what is wrong is reported in text->yaml. */
void fs_overlay_file_read_tiles(fs_file_text *text);
void fs_overlay_file_read_lanes(fs_file_text *text);
/* Fills tables and choices of an overlay that is planned up to them: shortest ways, then what the file says
 * otherwise. */
void fs_overlay_file_read_routes(const fs_file_text *text, fs_overlay *overlay);
