#include "tests/support/foam/scene_case.h"

#include <string.h>

fs_import_params scene_usual_import(void) {
    return (fs_import_params){.min_opacity = 0.1,
                              .point_opacity = 0.9,
                              .empty_sites = true,
                              .scatter = 50,
                              .seed = 1,
                              .grow.cameras = ""};
}

bool scene_same_sites(const fs_sites *a, const fs_sites *b) {
    size_t n = a->count;
    return a->count == b->count && memcmp(a->x, b->x, n * 4) == 0 && memcmp(a->y, b->y, n * 4) == 0 &&
           memcmp(a->z, b->z, n * 4) == 0 && memcmp(a->density, b->density, n * 4) == 0 &&
           memcmp(a->rgb, b->rgb, n * 3) == 0;
}
