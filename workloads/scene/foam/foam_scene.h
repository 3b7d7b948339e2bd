/* A foam: Voronoi sites with colour, density and Delaunay adjacency, as read from a Radiant Foam PLY.
 *
 * Sites keep the order of their file; everything that speaks of "site i" means that order (ties go to the
 * lowest).
 */
#pragma once

#include "sim/base/digest.h"
#include "sim/base/error.h"
#include "sim/config/param.h"
#include "workloads/scene/clouds/import.h"
#include "workloads/scene/sites/sites.h"
#include "workloads/scene/stage/generate.h"

#include <stdint.h>

typedef struct fs_foam {
    uint32_t sites;
    uint64_t faces;          /* directed adjacencies, < 2^32 */
    float *x, *y, *z;        /* [sites] scene units */
    float *density;          /* [sites] extinction per scene unit, >= 0 */
    uint8_t *rgb;            /* [sites][3] */
    uint64_t *adjacency_end; /* [sites] CSR end of each list, as in the file */
    uint32_t *adjacency;     /* [faces] neighbour sites, ascending within a list */
    char digest
        [FS_DIGEST_HEX]; /* of the content (positions, colours, densities, adjacency), not of the file */
    uint32_t degree;     /* of the harmonics that it has (harmonics.h); 0: one colour a site */
    float *harmonics; /* [sites][3 ((degree + 1)^2 - 1)], function by function, red green blue; else NULL */
    char harmonics_digest[FS_DIGEST_HEX]; /* of them; "" without */
} fs_foam;

/* Most degree, and functions above degree 0 at it: what trainers write (scenes.md 1). */
enum { FS_HARMONICS_DEGREE = 3, FS_HARMONICS_MOST = 15 };

/* First face of site i: adjacency_end[i - 1], 0 for i = 0. */
static inline uint64_t fs_foam_begin(const fs_foam *foam, uint32_t site) {
    return site == 0 ? 0 : foam->adjacency_end[site - 1];
}

void fs_foam_free(fs_foam *foam); /* heap members; NULL is allowed; the struct itself is the caller's */

/* ---- files (scene_ply.c) ---- */

/* Reads a Radiant Foam PLY (scenes.md 1) and checks it: finite coordinates and densities, density >= 0,
 * no two equal sites, offsets ascending and ending at the number of adjacencies, neighbours in range, not the
 * site itself, symmetric. FS_INPUT names file, element and index. Spherical harmonics are left out. */
fs_status fs_foam_read_ply(const char *path, fs_foam *out, fs_error *err);
/* The coefficients of color_sh_* up to a degree of 1 to 3, of a file that has been read: sets degree and harmonics.
 * FS_INPUT where the file has fewer, or one that is not finite. */
fs_status fs_foam_read_harmonics(const char *path, uint32_t degree, fs_foam *foam, fs_error *err);
/* Writes binary_little_endian 1.0 with the foam's degree, atomically (temporary name, rename). */
fs_status fs_foam_write_ply(const char *path, const fs_foam *foam, fs_error *err);

/* ---- meshing (scene_mesh.c; runs foamsim-delaunay) ---- */

/* Delaunay adjacency of the sites (neighbours ascending, infinite vertex left out) and densities: a whole
 * foam. Exactly equal positions are FS_INPUT. The sites are consumed (freed). */
fs_status fs_scene_mesh(fs_sites *sites, int threads, fs_foam *out, fs_error *err);

/* ---- one door for runs (scene_load.c) ---- */

/* The scene section of an experiment: a PLY file (a foam, Gaussians or points), or a generated scene when
 * `file` is empty. */
typedef struct fs_scene_params {
    const char *file; /* absolute path, "" for a generated scene */
    fs_import_params import;
    fs_generate_params generate;
} fs_scene_params;
extern const fs_param_table fs_foam_scene_table; /* "scene" */

/* What names a scene in the cache: the digest of every row that shapes it, of the content of its file, and of
 * the version of the code that makes foams. FS_IO / FS_INPUT when the file can't be read. */
fs_status fs_scene_key(const fs_scene_params *params, char key[FS_DIGEST_HEX], fs_error *err);

/* The foam of a scene section, from the cache when its key (content digest of the input, parameters, model
 * version) is there, else made and stored (atomically; a damaged entry is remade). cache_dir NULL: no cache.
 */
fs_status fs_scene_load(const fs_scene_params *params, const char *cache_dir, int threads, fs_foam *out,
                        fs_error *err);
