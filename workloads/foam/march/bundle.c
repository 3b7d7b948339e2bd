/* Memory and legs of bundles, and which implementation is used. */
#include "workloads/foam/march/bundle.h"

#include "sim/base/host.h"

#include <stdlib.h>

fs_bundle_fn fs_bundle_best(void) {
    return fs_host_has_avx2() ? fs_bundle_avx2 : fs_bundle_plain;
}

const char *fs_bundle_best_name(void) {
    return fs_host_has_avx2() ? "avx2" : "plain";
}

void fs_bundle_open(fs_bundle *b) {
    b->leg = fs_malloc((size_t)FS_LEG_CHUNK * sizeof *b->leg);
    b->lit = fs_malloc((size_t)FS_LEG_CHUNK * sizeof *b->lit);
}

void fs_bundle_close(fs_bundle *b) {
    free(b->leg);
    free(b->lit);
    b->leg = NULL;
    b->lit = NULL;
}

static uint32_t at_most(uint32_t value, uint32_t limit) {
    return value < limit ? value : limit;
}

static bool write_leg(fs_bundle *b, uint32_t ray, const fs_march_counts *seen, uint16_t next) {
    if (b->legs[ray] == FS_BUNDLE_LEGS)
        return false;
    b->leg[b->legs[ray]++ * FS_BUNDLE_RAYS + ray] =
        (fs_leg){.next = next,
                 .faces = (uint16_t)seen->faces,
                 .front = (uint16_t)seen->front,
                 .cells = (uint8_t)seen->cells,
                 .nearest = (uint8_t)(seen->nearest | seen->depth_marks * FS_LEG_DEPTH)};
    return true;
}

bool fs_bundle_write_parts(fs_bundle *b, uint32_t ray, fs_march_counts *seen) {
    const uint32_t lit = b->legs[ray]; /* has been noted there */
    while (seen->cells >= FS_LEG_CELLS || seen->faces >= FS_LEG_FACES || seen->nearest >= FS_LEG_NEAREST) {
        const fs_march_counts part = {.cells = seen->cells,
                                      .faces = at_most(seen->faces, UINT16_MAX),
                                      .front = at_most(seen->front, UINT16_MAX),
                                      .nearest = at_most(seen->nearest, FS_LEG_DEPTH - 1),
                                      .depth_marks = seen->depth_marks};
        if (!write_leg(b, ray, &part, FS_LEG_MORE))
            return false;
        if (b->legs[ray] - 1 > lit)
            b->lit[(b->legs[ray] - 1) * FS_BUNDLE_RAYS + ray] = 0;
        seen->cells = seen->depth_marks = 0;
        seen->faces -= part.faces;
        seen->front -= part.front;
        seen->nearest -= part.nearest;
    }
    return true;
}
