/* What the readers, makers and the cache of foams share. Private to scene_*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_SCENE_FILE_H
#define FOAMSIM_WORKLOADS_FOAM_SCENE_FILE_H

#include "workloads/foam/foam_scene.h"

/* Fills foam->digest from its content. Every maker of a foam ends with it. */
void fs_foam_seal(fs_foam *foam);

/* fs_foam_read_ply, and the content digest that the file's own comment states ("" if it has none). A foam
 * whose digest differs from it was damaged or edited; the cache makes such a file again. */
fs_status fs_foam_read_ply_stated(const char *path, fs_foam *out, char stated[FS_DIGEST_HEX], fs_error *err);

#endif
