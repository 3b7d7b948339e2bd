/* What a synthetic scene is made of before it becomes sites: solids with painted surfaces, canopies of
 * leaves, a light, and a rule for the empty cells of free space. Private to workloads/scene/stage; generate.h
 * is the door.
 *
 * A surface is represented as a trained foam represents it: by pairs of sites, an empty one in front and an
 * opaque one behind, whose common face lies on the surface. Further empty sites, ever fewer, lead from there
 * into free space, so that cells grow with the distance from what is seen.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/rng.h"
#include "sim/host/progress.h"
#include "workloads/scene/sites/sites.h"
#include "workloads/scene/stage/generate.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- paint (paint.c) ---- */

typedef enum fs_paint {
    FS_PAINT_PLAIN,   /* the tint with a little unevenness */
    FS_PAINT_LAWN,    /* grass, a round brick patio, a path of slabs, daisies */
    FS_PAINT_WOOD,    /* grain along the solid's own x */
    FS_PAINT_CERAMIC, /* white glaze with blue bands and diamonds */
    FS_PAINT_LEAF,    /* the tint in lighter and darker leaves */
    FS_PAINT_BARK,
    FS_PAINT_STONE,
    FS_PAINT_BALL,    /* tint and white segments */
    FS_PAINT_SKY,     /* hills under a clouded sky; its own light */
    FS_PAINT_BOARDS,  /* floor boards and a rug */
    FS_PAINT_WALL,    /* plaster with a skirting board */
    FS_PAINT_SCENERY, /* a picture of hills and a sun; for frames on walls */
    FS_PAINT_WINDOW,  /* bright panes in a white frame, in the solid's y and z */
    FS_PAINT_GLOW,    /* the tint as its own light */
} fs_paint;

/* Smooth noise in [0, 1], one lattice cell a unit; sums of octaves of it in [0, 1]. */
double fs_noise(fs_v3 p);
double fs_noise_octaves(fs_v3 p, int octaves);

/* Linear colour of a point. `local` is the point in the solid's own frame, `height` receives how far the
 * surface stands out there (grass), `glows` whether the colour is light already. */
fs_v3 fs_stage_colour(fs_paint paint, fs_v3 tint, fs_v3 p, fs_v3 local, fs_rng *rng, double *height,
                      bool *glows);
fs_v3 fs_stage_hex(unsigned rgb);                  /* 0xrrggbb to linear */
void fs_stage_store(fs_v3 linear, uint8_t rgb[3]); /* linear to 8 bits */

/* ---- solids (solid.c) ---- */

typedef enum fs_shape {
    FS_BOX,       /* size: half extents */
    FS_ELLIPSOID, /* size: radii */
    FS_LATHE,     /* profile: closed polygon of (radius, height) turned about ez */
    FS_GROUND,    /* the half space z < 0; sampled in a disc, size: (radius, radius of half density, -) */
    FS_DOME, /* outside of a sphere about the origin, sampled up to a height, size: (radius, height, -) */
} fs_shape;

enum { FS_PROFILE_MAX = 16 };

typedef struct fs_solid {
    fs_shape shape;
    fs_paint paint;
    fs_v3 tint;       /* linear colour */
    fs_v3 at;         /* centre; foot of a lathe */
    fs_v3 ex, ey, ez; /* own frame, orthonormal */
    fs_v3 size;
    unsigned faces; /* box: faces that get sites, bits -x +x -y +y -z +z */
    unsigned points;
    double profile[FS_PROFILE_MAX][2];
    double detail; /* samples per area, relative to the others */
    /* worked out by fs_stage_add */
    double area;  /* of what is sampled (ground: weighted by density) */
    double thin;  /* half the least thickness: bounds how far inner sites lie under the surface */
    double reach; /* radius of a ball about `middle` that holds the solid */
    fs_v3 middle;
} fs_solid;

/* `...`: place, size and the rest, by name. */
#define FS_SOLID(sh, pa, ti, ...) ((fs_solid){.shape = sh, .paint = pa, .tint = ti, __VA_ARGS__})

typedef struct fs_surface_point {
    fs_v3 p, n, local;
    double spread; /* local spacing over the mean spacing of the solid */
} fs_surface_point;

void fs_solid_measure(fs_solid *solid); /* fills the worked-out members */
/* A point for (u, v) in [0, 1)^2: uniform by area (ground: denser near the middle). False: outside of the
 * sampled part, take another. */
bool fs_solid_sample(const fs_solid *solid, double u, double v, fs_surface_point *out);
double fs_solid_distance(const fs_solid *solid, fs_v3 p); /* signed, negative inside; a bound, not exact */

/* ---- the stage (stage.c) ---- */

/* Leaves in an ellipsoid, dense near its surface, half of the sites empty. */
typedef struct fs_canopy {
    fs_v3 at, radii;
    fs_v3 tint;
    double detail; /* sites per volume of the leafy rim, relative to the other canopies */
    double shade;  /* share of light that a ray through the middle keeps */
} fs_canopy;
#define FS_CANOPY(...) ((fs_canopy){__VA_ARGS__})

typedef struct fs_light {
    fs_v3 sun;        /* direction to the sun, unit; position of the lamp if `lamp` */
    fs_v3 sun_colour; /* of a lamp: at distance 1 */
    fs_v3 sky_colour; /* from above */
    fs_v3 ground_colour;
    bool lamp;
} fs_light;

/* Where empty cells of free space go: density falls with the distance from the middle as 1 / (1 + (r /
 * core)^3) within a half ball, or evenly in a box. */
typedef struct fs_free_space {
    bool box;
    double core, radius; /* half ball above the ground */
    fs_v3 lo, hi;        /* box */
} fs_free_space;

typedef struct fs_stage {
    fs_solid *solid;
    uint32_t solids;
    fs_canopy *canopy;
    uint32_t canopies;
    fs_light light;
    fs_free_space space;
    double canopy_share, space_share, backing_share; /* of all sites; surfaces take the rest */
    fs_rng rng;
} fs_stage;

/* Adds a copy; the frame defaults to the axes where ez is zero, faces to all, detail to 1. */
void fs_stage_add(fs_stage *stage, fs_solid solid);
void fs_stage_add_canopy(fs_stage *stage, fs_canopy canopy);
/* A round rod from a to b. */
void fs_stage_add_rod(fs_stage *stage, fs_v3 a, fs_v3 b, double radius_a, double radius_b, fs_paint paint,
                      unsigned rgb, double detail);
/* A polygon of (radius, height) turned about the upright through `at`. */
void fs_stage_add_lathe(fs_stage *stage, fs_v3 at, fs_paint paint, unsigned rgb, double detail,
                        unsigned points, const double profile[][2]);
fs_v3 fs_stage_polar(double angle, double radius, double height); /* about the z axis */
/* A box turned by `yaw` radians about z. */
void fs_stage_add_box(fs_stage *stage, fs_v3 centre, fs_v3 half, double yaw, fs_paint paint, unsigned rgb,
                      double detail);
/* Plants on the ground at (at.x, at.y); size: radius; sizes vary by draws from rng. */
void fs_stage_add_bush(fs_stage *stage, fs_v3 at, double size, double detail, unsigned rgb, fs_rng *rng);
void fs_stage_add_tree(fs_stage *stage, fs_v3 at, double high, unsigned rgb, fs_rng *rng);
extern const unsigned fs_stage_greens[5];
void fs_stage_free(fs_stage *stage);

/* Exactly `cells` sites of the stage. */
void fs_stage_sites(const fs_stage *stage, uint32_t cells, fs_sites *out);

fs_v3 fs_free_point(const fs_free_space *space, fs_rng *rng); /* by the density of fs_free_space */

/* ---- space and light (light.c) ---- */

/* Distance to the nearest solid, exact only where it is less than `enough`. */
double fs_stage_distance(const fs_stage *stage, fs_v3 p, double enough);
/* How deep a point lies in canopies: distance from the middle in radii, least over the canopies but one; at
 * most 2. */
double fs_stage_canopy_depth(const fs_stage *stage, fs_v3 p, const fs_canopy *but);
/* The colour of a surface point in the stage's light; `height` as in fs_stage_colour. */
void fs_stage_paint(const fs_stage *stage, const fs_solid *solid, const fs_surface_point *at, fs_rng *rng,
                    double *height, uint8_t rgb[3]);
/* The colour of a leaf at p, `depth` (0 ... 1) under the canopy's surface of normal n. */
void fs_stage_paint_leaf(const fs_stage *stage, const fs_canopy *c, fs_v3 p, fs_v3 n, double depth,
                         fs_rng *rng, uint8_t rgb[3]);

/* ---- layouts ---- */

void fs_stage_garden(fs_stage *stage, uint64_t seed); /* garden.c */
void fs_stage_room(fs_stage *stage, uint64_t seed);   /* room.c */
void fs_stage_yard(fs_stage *stage, uint64_t seed);   /* yard.c */
void fs_stage_grove(fs_stage *stage, uint64_t seed);  /* grove.c */
void fs_stage_street(fs_stage *stage, uint64_t seed); /* street.c */

/* Exactly `cells` sites of the stage, scattered as training scatters them (trained.c). */
void fs_stage_trained_sites(const fs_stage *stage, const fs_trained_params *params, uint32_t cells,
                            fs_sites *out);

/* Sites that fall one after the other from one stream of random numbers, on all threads.
 *
 * How many numbers an attempt draws depends on what stands in its way, so where the n-th begins is known only
 * when all before it are made. But numbers are drawn by their place in the stream, and what an attempt does
 * depends on the place where it begins and on nothing else. A thread begins somewhere in the stream as if an
 * attempt began there. It may be wrong at first; from the first place on where one of its attempts and one of
 * the true ones begin together they are the same attempts for ever. That takes a few. So threads take
 * stretches of the stream, and joining them in their order makes only those few anew: the same sites as
 * without threads, bit by bit.
 */
/* Draws at least one number and pushes one site or none; depends on rng and on what self points to, which
 * stays as it is. Any thread. */
typedef void (*fs_attempt)(const void *self, fs_rng *rng, fs_sites *out);

/* Attempts from `rng` on until `out` has `cells` sites. progress: of sites, begun; NULL: none. */
void fs_scatter(fs_attempt attempt, const void *self, fs_rng rng, uint32_t cells, fs_sites *out,
                fs_progress *progress);
