/* A foam: Voronoi sites with colour, density and Delaunay adjacency, as read from a Radiant Foam PLY.
 *
 * Sites keep the order of their file; everything that speaks of "site i" means that order (ties go to the
 * lowest).
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_SCENE_H
#define FOAMSIM_WORKLOADS_FOAM_SCENE_H

#include "sim/base/digest.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_foam {
    uint32_t sites;
    uint64_t faces;             /* directed adjacencies, < 2^32 */
    float *x, *y, *z;           /* [sites] scene units */
    float *density;             /* [sites] extinction per scene unit, >= 0 */
    uint8_t *rgb;               /* [sites][3] */
    uint64_t *adjacency_end;    /* [sites] CSR end of each list, as in the file */
    uint32_t *adjacency;        /* [faces] neighbour sites, ascending within a list */
    char digest[FS_DIGEST_HEX]; /* of the content (positions, colours, densities, adjacency), not of the file
                                 */
} fs_foam;

/* First face of site i: adjacency_end[i - 1], 0 for i = 0. */
static inline uint64_t fs_foam_begin(const fs_foam *foam, uint32_t site) {
    return site == 0 ? 0 : foam->adjacency_end[site - 1];
}

void fs_foam_free(fs_foam *foam); /* heap members; NULL is allowed; the struct itself is the caller's */

/* Sites without adjacency: what generators and importers make and the mesher takes. */
typedef struct fs_sites {
    uint32_t count;
    float *x, *y, *z, *density;
    uint8_t *rgb; /* [count][3] */
    /* density rule: > 0 as it is; an importer may store opacity in (0, 1) here and set density_is_opacity,
     * then the density becomes -ln(1 - min(a, 0.995)) / w, w = half the mean distance to the Delaunay
     * neighbours (scenes/SOURCES.md, step 4) once the mesh is known. 0 is an empty site either way. */
    bool density_is_opacity;
    uint32_t merged; /* duplicate positions merged on import */
} fs_sites;
void fs_sites_free(fs_sites *sites);

/* ---- files (scene_ply.c) ---- */

/* Reads a Radiant Foam PLY (facts/scenes.md 1) and checks it: finite coordinates and densities, density >= 0,
 * no two equal sites, offsets ascending and ending at the number of adjacencies, neighbours in range, not the
 * site itself, symmetric. FS_INPUT names file, element and index. Degrees of spherical harmonics above 0 are
 * skipped. */
fs_status fs_foam_read_ply(const char *path, fs_foam *out, fs_error *err);
/* Writes binary_little_endian 1.0 with degree 0, atomically (temporary name, rename). */
fs_status fs_foam_write_ply(const char *path, const fs_foam *foam, fs_error *err);

/* ---- generation (scene_generate.c) ---- */

/* How the sites of a yard, grove or street are scattered (scene_trained.c); the other kinds know no such
 * knobs. Shares are percent of all sites; what is left goes to the ground. */
typedef struct fs_trained_params {
    double opacity;    /* extinction of all that is opaque, relative */
    double scatter;    /* thickness of the layer of sites on a surface of middling detail, scene units */
    double tail;       /* sites thin out as (1 + distance / thickness)^-(1 + tail) */
    double air;        /* share in free space */
    double vegetation; /* share in canopies */
    double background; /* share in the far background */
    double things;     /* share on things, all that is solid but ground and background */
    double deep;       /* spacing and depth of sites under the ground, where no ray comes; scene units */
} fs_trained_params;
extern const fs_trained_params fs_trained_defaults;

typedef struct fs_generate_params {
    int64_t kind;  /* index into fs_generate_kinds */
    int64_t cells; /* sites in all, 1,000 ... 5,000,000; exactly so many are made */
    int64_t seed;
    fs_trained_params trained;
} fs_generate_params;
extern const char *const fs_generate_kinds[]; /* "garden", "room", "uniform", "shell", ..., NULL */
bool fs_generate_is_trained(int64_t kind);    /* its sites are scattered by fs_trained_params */
extern const char *const fs_generate_summaries[];
fs_status fs_scene_generate(const fs_generate_params *params, fs_sites *out, fs_error *err);

/* ---- import (scene_import.c) ---- */

typedef struct fs_import_params {
    int64_t format;          /* 0 auto, 1 foam, 2 gaussians, 3 points */
    int64_t max_sites;       /* of occupied sites, a random subset; 0: all */
    int64_t sites_per_point; /* of a point cloud: a point becomes so many sites: 1 */
    double min_opacity;      /* Gaussians below are dropped: 0.1 */
    double point_opacity;    /* opacity given to points without density: 0.9 */
    int64_t density;         /* index into fs_import_densities */
    bool empty_sites;        /* add empty sites (SOURCES.md step 5): true */
    double scatter;          /* of them in free space: tried so many for each site, percent: 50 */
    int64_t seed;
    double transform[16]; /* of the file's frame into the scene's, rows [s R, t] and 0 0 0 1: R a rotation, s
                             > 0 */
    bool transform_given; /* false: the file's frame is the scene's */
} fs_import_params;
extern const char *const fs_import_formats[]; /* "auto", "foam", "gaussians", "points", NULL */
extern const char
    *const fs_import_densities[]; /* "cell": from the opacity once the cells are known (SOURCES.md
                                     step 4); "gaussian": from the Gaussian's own size; NULL */
/* Reads a Gaussian or point-cloud PLY and makes sites, empty ones included. FS_INPUT as for a foam. */
/* A foam needs no import: FS_INPUT. Says on stderr what was dropped, merged and added. */
fs_status fs_scene_import(const char *path, const fs_import_params *params, fs_sites *out, fs_error *err);
/* What kind of PLY it is, by its properties: 1 foam, 2 gaussians, 3 points; FS_INPUT otherwise. */
fs_status fs_scene_sniff(const char *path, int64_t *format, fs_error *err);

/* ---- meshing (scene_mesh.c; runs foamsim-delaunay) ---- */

/* Delaunay adjacency of the sites (neighbours ascending, infinite vertex left out) and densities: a whole
 * foam. Exactly equal positions are FS_INPUT. The sites are consumed (freed). */
fs_status fs_scene_mesh(fs_sites *sites, int threads, fs_foam *out, fs_error *err);

/* ---- one door for runs (scene_load.c) ---- */

/* The scene section of an experiment: a PLY file (a foam, Gaussians or points), or a generated scene when
 * `file` is empty. The table's rows: file, import.format, import.max_sites,
 * import.sites_per_point, import.min_opacity,
 * import.point_opacity, import.density, import.empty_sites, import.seed, import.transform, generate.kind,
 * generate.cells, generate.seed. */
typedef struct fs_scene_params {
    const char *file; /* absolute path, "" for a generated scene */
    fs_import_params import;
    fs_generate_params generate;
} fs_scene_params;
extern const fs_param_table fs_scene_table; /* "scene" */

/* The foam of a scene section, from the cache when its key (content digest of the input, parameters, model
 * version) is there, else made and stored (atomically; a damaged entry is remade). cache_dir NULL: no cache.
 */
fs_status fs_scene_load(const fs_scene_params *params, const char *cache_dir, int threads, fs_foam *out,
                        fs_error *err);

#endif
