/* A bundle: some rays of one origin, marched side by side from end to end.
 *
 * A ray alone waits for itself: the next cell is known only when the exit of this one is. So the vector code
 * keeps eight rays in flight; each finds its exit eight faces at a time, then the light of all eight is
 * worked out at once. Each ray gets the bits and the counts of fs_march, whatever its neighbours.
 *
 * The exit of a cell depends on the ray's origin and direction alone, not on its light. So a ray crosses the
 * same cells whether or not hand-overs round its light; only where it ends may differ. One walk can therefore
 * serve both the ray that is handed from shard to shard and the same ray in the scene that is not cut
 * (fs_journey.whole), with a light of its own for each.
 */
#pragma once

#include "workloads/foam/march/eye.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/march/payload.h"

#include <stdbool.h>
#include <stdint.h>

/* Legs: what a ray did in one visit of a tracer, and where it went from there. */

/* The event counts of a visit and where the ray wants to go from there. Eight bytes, since a frame has
 * millions and each is read once, far from the last. A visit of many events is written as several legs, all
 * but the last of them marked FS_LEG_MORE. */
typedef struct fs_leg {
    uint16_t next; /* shard into which the ray crosses, or FS_LEG_ENDS, or FS_LEG_MORE */
    uint16_t faces;
    uint16_t front;
    uint8_t cells;
    uint8_t nearest; /* the highest bit: the depth was marked */
} fs_leg;
_Static_assert(sizeof(fs_leg) == 8, "eight legs to a cache line");

enum {
    FS_LEG_ENDS = 0xffff,
    FS_LEG_MORE = 0xfffe,
    FS_LEG_DEPTH = 0x80,
    FS_LEG_CELLS = 128, /* a visit that has come to so many events goes on in another leg */
    FS_LEG_FACES = 1 << 15,
    FS_LEG_NEAREST = 64,
    FS_LEG_CHUNK = 1 << 19, /* legs: 4 MiB, two huge pages */
    FS_LEG_STRIDE = 32,     /* from a ray's leg to its next */
};

/* The lowest bits of the members where a leg is taken for one number, which needs a little-endian host. */
enum {
    FS_LEG_FACES_AT = 16,
    FS_LEG_FRONT_AT = 32,
    FS_LEG_CELLS_AT = 48,
    FS_LEG_NEAREST_AT = 56,
    FS_LEG_DEPTH_AT = 63,
};

/* What rays are marched by; borrowed. */
typedef struct fs_journey {
    const fs_march_scene *scene;
    const fs_march_params *march;
    const fs_payload *payload; /* rounds at every hand-over; NULL: the scene is not cut into shards */
    bool round_at_end;         /* the finishing hand-over rounds too: framebuffer screen */
    bool columns;              /* the generator scans columns */
    bool whole;                /* beside it, the same rays in the scene that is not cut: the reference */
} fs_journey;

enum {
    FS_BUNDLE_RAYS = FS_LEG_STRIDE,
    FS_BUNDLE_LEGS = FS_LEG_CHUNK / FS_LEG_STRIDE, /* most of a ray */
};

typedef struct fs_bundle {
    uint32_t rays;                      /* 1 ... FS_BUNDLE_RAYS */
    float direction[FS_BUNDLE_RAYS][3]; /* unit */
    uint32_t cell[FS_BUNDLE_RAYS];      /* place in which the ray begins */
    fs_ray_state state[FS_BUNDLE_RAYS]; /* there, then at the end */
    uint32_t legs[FS_BUNDLE_RAYS];      /* written: one for each shard visit, more where they don't fit one */
    fs_leg *leg; /* [room][FS_BUNDLE_RAYS]; heap-owned, grows; NULL before the first use */
    uint8_t *
        lit; /* the same places: cells of a leg whose coefficients are loaded; of scenes with harmonics alone */
    uint32_t room;
    /* at the end of a journey with `whole`, else left alone */
    fs_ray_state whole[FS_BUNDLE_RAYS];
    uint32_t whole_cells[FS_BUNDLE_RAYS]; /* visited */
} fs_bundle;

/* Marches the rays of a bundle to their ends: sets state, legs and leg. False when a ray has more than
 * FS_BUNDLE_LEGS legs. A ray that visits more than step_limit cells ends the process with a defect message.
 * The eye is the journey's scene seen from the rays' origin. Thread-safe for bundles of one eye.
 * fs_bundle_avx2: on hosts with AVX2 alone (fs_host_has_avx2). */
typedef bool (*fs_bundle_fn)(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle);
bool fs_bundle_plain(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle);
bool fs_bundle_avx2(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle);
/* The fastest implementation on this CPU. */
fs_bundle_fn fs_bundle_best(void);
const char *fs_bundle_best_name(void); /* "avx2", "plain": for host.json */

void fs_bundle_open(fs_bundle *bundle); /* takes memory for the legs */
void fs_bundle_close(fs_bundle *bundle);

/* ---- for implementations ---- */

/* After each cell: where a visit has come to FS_LEG_CELLS cells, FS_LEG_FACES faces or FS_LEG_NEAREST new
 * candidates, what there is becomes a leg of its own, or several, and is taken off `seen`. False when there
 * is no room. */
bool fs_bundle_write_parts(fs_bundle *bundle, uint32_t ray, fs_march_counts *seen);
