/* Foams: ownership and identity. */
#include "workloads/scene/foam/foam_scene.h"

#include "workloads/scene/foam/scene_file.h"

#include <stdlib.h>

void fs_foam_free(fs_foam *foam) {
    if (foam == NULL)
        return;
    free(foam->x);
    free(foam->y);
    free(foam->z);
    free(foam->density);
    free(foam->rgb);
    free(foam->adjacency_end);
    free(foam->adjacency);
    free(foam->harmonics);
    *foam = (fs_foam){0};
}

void fs_foam_seal(fs_foam *foam) {
    fs_digest d;
    uint64_t shape[2] = {foam->sites, foam->faces};
    fs_digest_begin(&d);
    fs_digest_add(&d, shape, sizeof shape);
    fs_digest_add(&d, foam->x, foam->sites * sizeof *foam->x);
    fs_digest_add(&d, foam->y, foam->sites * sizeof *foam->y);
    fs_digest_add(&d, foam->z, foam->sites * sizeof *foam->z);
    fs_digest_add(&d, foam->density, foam->sites * sizeof *foam->density);
    fs_digest_add(&d, foam->rgb, (size_t)foam->sites * 3);
    fs_digest_add(&d, foam->adjacency_end, foam->sites * sizeof *foam->adjacency_end);
    fs_digest_add(&d, foam->adjacency, foam->faces * sizeof *foam->adjacency);
    fs_digest_end(&d, foam->digest);
}
