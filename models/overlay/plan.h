/* What the kinds share when they plan: tiles for roles, pairs of lanes, and the split of a tile's SRAM over
 * its lanes. For kinds: those of models/overlay
 * and those of plug-ins.
 *
 * A plan function begins, gives roles, joins tiles, shares out and finishes; then ports are numbered, and it
 * fills in routes and choices.
 */
#pragma once

#include "models/overlay/overlay.h"

#include <stdint.h>

enum {
    FS_PLAN_WORD = 4,      /* bytes; exchange granularity, ipu.md 4 */
    FS_PLAN_FROM_END = 12, /* the generator's place: tile 1460 of 1472, ipu.md 7 */
};

/* The keys of the one generator that every kind has. */
typedef struct fs_plan_generator {
    int64_t buffer; /* bytes for its lanes, as those of fs_plan_buffers */
    int64_t ring;   /* rays that its backlog ring holds */
    int64_t tile;   /* -1: max(first free tile, tiles - 12) */
    int64_t chips;  /* fs_chips_placement */
} fs_plan_generator;

/* Rows for a fs_plan_generator that is the member `generator` of struct S. */
#define FS_PLAN_GENERATOR_ROWS(S)                                                                            \
    FS_PARAM_INT("generator_buffer", S, generator.buffer, BYTES, "auto", 0, 1e9,                             \
                 "SRAM of the generator for its lanes, shared equally among them; 0 B: what is left; auto: " \
                 "115,200 B, the paper's, where they are right (docs/overlays.md)",                          \
                 TRAFFIC, .from = {"ipu.md 7", 'R'}, .word = "auto"),                                        \
        FS_PARAM_INT("generator_ring", S, generator.ring, NONE, "5760", 0, 1e9,                              \
                     "rays that the generator's backlog ring holds", TRAFFIC,                                \
                     .from = {"ipu.md 7, generator schedule", 'R'}),                                         \
        FS_PARAM_INT("generator_tile", S, generator.tile, NONE, "-1", -1, 1e9,                               \
                     "logical tile of the generator; -1: the larger of the first free tile and tiles - 12",  \
                     TRAFFIC, .from = {"ipu.md 7 (tile 1460)", 'R'}),                                        \
        FS_PARAM_ENUM(                                                                                       \
            "chips", S, generator.chips, "subtree", fs_overlay_placements,                                   \
            "with several chips, which tiles lie on which: subtree, runs of shards with the "                \
            "routers above them, routers of several chips on the first; spread, these on theirs in "         \
            "turn; filled, tiles as on one large chip, chip after chip",                                     \
            TRAFFIC, .only = FS_MACHINE_SEVERAL_CHIPS)

/* Rows for the members router_buffer and tracer_buffer of struct S; how a tile of each role shares its bytes
 * out among its lanes, in words. */
#define FS_PLAN_BUFFER_ROWS(S, router, tracer)                                                               \
    FS_PARAM_INT(                                                                                            \
        "router_buffer", S, router_buffer, BYTES, "auto", 0, 1e9,                                            \
        "SRAM of a router for its lanes, " router                                                            \
        "; 0 B: what is left; auto: 576,000 B, the paper's, where they are right (docs/overlays.md)",        \
        TRAFFIC, .from = {"ipu.md 7; RF section 5.5", 'P'}, .word = "auto"),                                 \
        FS_PARAM_INT(                                                                                        \
            "tracer_buffer", S, tracer_buffer, BYTES, "auto", 0, 1e9,                                        \
            "SRAM of a tracer for its lanes, " tracer                                                        \
            "; 0 B: what is left; auto: 115,200 B, the paper's, where they are right (docs/overlays.md)",    \
            TRAFFIC, .from = {"ipu.md 7; RF section 5.5", 'P'}, .word = "auto")

/* Bytes that a tile gives all its lanes together; 0: what is left of its SRAM; FS_WORD_VALUE (auto): the
 * paper's, 576,000 of a router and 115,200 of others (RF section 5.5), on a tile of the paper's 624 KiB. On
 * any other tile a static exchange, which moves whole buffers, has the same or what is left where that is
 * less; a dynamic one, which moves what they hold, has all that is left. */
typedef struct fs_plan_buffers {
    int64_t tracer, router, generator;
} fs_plan_buffers;

typedef struct fs_plan {
    const char *kind; /* for messages */
    const fs_overlay_site *site;
    fs_arena *arena;
    fs_overlay *overlay;
    uint32_t *degree; /* [tiles] ports given so far */
    uint32_t room;    /* lanes that overlay->lanes has memory for */
} fs_plan;

/* How messages name a key: "file:12:7: overlay.widths". */
const char *fs_overlay_plan_key(const fs_overlay_site *site, fs_arena *arena, const char *key);

/* The generator's tile when tiles 0 ... `first_free` - 1 are taken by site->shards tracers and the rest
 * routers. FS_INPUT when the machine has no tile left or `wanted` is taken. */
fs_status fs_overlay_plan_place_generator(const char *kind, const fs_overlay_site *site, uint64_t first_free,
                                          int64_t wanted, fs_arena *arena, uint32_t *tile, fs_error *err);

/* An overlay of all the machine's tiles, all spare, with room for `pairs` joins. */
fs_plan fs_overlay_plan_begin(const char *kind, const fs_overlay_site *site, uint32_t pairs, fs_arena *arena,
                              fs_overlay *out);
/* Tracer i on tile i. */
void fs_overlay_plan_tracers(fs_plan *plan);
void fs_overlay_plan_generate(fs_plan *plan, uint32_t tile, const fs_plan_generator *generator,
                              uint32_t levels);
/* The two lanes between a and b, at the next free port of each. */
void fs_overlay_plan_join(fs_plan *plan, uint32_t a, uint32_t b);
/* Gives a tile a routing table of zeros; all tables have to be asked for before fs_overlay_plan_finish. */
void fs_overlay_plan_table_at(fs_plan *plan, uint32_t tile);
/* Counts roles, shares out SRAM and indexes the lanes. A lane end that has a share keeps it; the others of a
 * tile get equal shares of what the tile's buffer has beside it, in whole words. FS_INPUT when a tile has too
 * many lanes, what is left is unknown, or a share holds no ray. */
fs_status fs_overlay_plan_finish(fs_plan *plan, const fs_plan_buffers *buffers, fs_error *err);

/* The routing table of a tile after fs_overlay_plan_finish: [tracers] ports. */
static inline uint8_t *fs_overlay_plan_table(const fs_overlay *o, uint32_t tile) {
    return o->route + o->route_start[tile];
}
/* After fs_overlay_plan_finish: lanes from each tile to the tile `goal` by way of tiles with tables, since neither
 * the generator nor a tile without a table passes rays on; UINT32_MAX: there is no way. queue: [tiles],
 * scratch. */
void fs_overlay_plan_hops(const fs_overlay *o, uint32_t goal, uint32_t *hops, uint32_t *queue);
/* After fs_overlay_plan_finish: fills the tables with shortest ways, by the lowest port that leads nearer where
 * there are several; a goal without a way keeps port 0. run: NULL, or [tiles * FS_MAX_PORTS] zeros, which receive
 * for each port how many from there on lead nearer to every goal that it serves; 0: it serves none. */
void fs_overlay_plan_ways(const fs_overlay *o, fs_arena *arena, uint8_t *run);
/* After fs_overlay_plan_finish: a route that names this port may take `choices` ports from there on. */
void fs_overlay_plan_choices(fs_overlay *overlay, uint32_t tile, uint32_t port, uint32_t choices);
