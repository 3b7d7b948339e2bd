/* Private to the scenes of primitives. */
#ifndef FOAMSIM_WORKLOADS_SCENE_PRIMITIVES_PRIVATE_H
#define FOAMSIM_WORKLOADS_SCENE_PRIMITIVES_PRIVATE_H

#include "workloads/scene/primitives/primitives.h"

/* A scene file. As fs_primitives_load. */
fs_status fs_primitives_read(const char *file, fs_arena *arena, fs_primitives *out, fs_error *err);

#endif
