/* The lists of the program, for main and for tests: nobody else includes it. */
#ifndef FOAMSIM_REGISTRY_REGISTRY_H
#define FOAMSIM_REGISTRY_REGISTRY_H

#include "models/overlay/overlay.h"

extern const fs_overlay_kind *fs_overlay_kinds[]; /* NULL-terminated */

#endif
