/* Scenes in tests: what imports are asked for, and whether two are the same. */
#pragma once

#include "workloads/scene/foam/foam_scene.h"

/* The defaults of the scene section. */
fs_import_params scene_usual_import(void);
/* Bit for bit, in the same order. */
bool scene_same_sites(const fs_sites *a, const fs_sites *b);
