/* What the readers, makers and the cache of foams share. Private to scene_*.c. */
#pragma once

#include "workloads/scene/foam/foam_scene.h"

/* Fills foam->digest from its content. Every maker of a foam ends with it. */
void fs_foam_seal(fs_foam *foam);

/* The two halves of fs_scene_mesh: adjacency of the sites, which are consumed, with their densities as they are; then densities from
 * opacities where they are that, and the digest. */
fs_status fs_scene_connect(fs_sites *sites, int threads, fs_foam *out, fs_error *err);
void fs_scene_finish(fs_foam *foam, bool density_is_opacity);

/* ---- meshing, round after round (scene_mesh.c) ---- */

/* foamsim-delaunay at work, which has the sites of a round at hand in the next one. */
typedef struct fs_mesher fs_mesher;
#define FS_MESHER_FRESH UINT32_MAX

/* NULL where it cannot be run: FS_RUN. */
fs_mesher *fs_mesher_start(int threads, fs_error *err);
/* Adjacency of sites, which are consumed, no two of them in one place: the one that they have whatever was before. `before`, [sites]:
 * the number that a site had in the round before, FS_MESHER_FRESH of one that is new; NULL where all are. A site of the round before
 * that has no number goes. After an error the mesher is of no more use. */
fs_status fs_mesher_connect(fs_mesher *mesher, fs_sites *sites, const uint32_t *before, fs_foam *out,
                            fs_error *err);
void fs_mesher_end(fs_mesher *mesher); /* NULL is allowed */

/* The arrays of a foam whose numbers of sites and faces are set; heap. */
void fs_foam_allocate(fs_foam *foam);

/* ---- entries of the cache (scene_cache.c) ---- */

/* False when there is no such file, it is not whole or not of this format, or its numbers are no foam's
 * though its checks are right: then it must be made again. */
bool fs_foam_read_cached(const char *path, fs_foam *out);
/* A sealed foam, atomically (temporary name, rename). FS_IO when it can't be written. */
fs_status fs_foam_write_cached(const char *path, const fs_foam *foam, fs_error *err);
