/* What the readers, makers and the cache of foams share. Private to scene_*.c. */
#ifndef FOAMSIM_WORKLOADS_SCENE_FOAM_SCENE_FILE_H
#define FOAMSIM_WORKLOADS_SCENE_FOAM_SCENE_FILE_H

#include "workloads/scene/foam/foam_scene.h"

/* Fills foam->digest from its content. Every maker of a foam ends with it. */
void fs_foam_seal(fs_foam *foam);

/* The two halves of fs_scene_mesh: adjacency of the sites, which are consumed, with their densities as they are; then densities from
 * opacities where they are that, and the digest. */
fs_status fs_scene_connect(fs_sites *sites, int threads, fs_foam *out, fs_error *err);
void fs_scene_finish(fs_foam *foam, bool density_is_opacity);

/* The arrays of a foam whose numbers of sites and faces are set; heap. */
void fs_foam_allocate(fs_foam *foam);

/* ---- entries of the cache (scene_cache.c) ---- */

/* False when there is no such file, it is not whole or not of this format, or its numbers are no foam's
 * though its checks are right: then it must be made again. */
bool fs_foam_read_cached(const char *path, fs_foam *out);
/* A sealed foam, atomically (temporary name, rename). FS_IO when it can't be written. */
fs_status fs_foam_write_cached(const char *path, const fs_foam *foam, fs_error *err);

#endif
