/* Bundles as their definition reads, one ray after another, and which implementation is used. */
#include "workloads/foam/march/bundle.h"

#include "workloads/foam/march/march_step.h"

#include <stdlib.h>

fs_bundle_fn fs_bundle_best(void) {
    return fs_march_has_avx2() ? fs_bundle_avx2 : fs_bundle_plain;
}

const char *fs_bundle_best_name(void) {
    return fs_march_has_avx2() ? "avx2" : "plain";
}

void fs_bundle_open(fs_bundle *b) {
    b->leg = fs_malloc((size_t)FS_LEG_CHUNK * sizeof *b->leg);
}

void fs_bundle_close(fs_bundle *b) {
    free(b->leg);
    b->leg = NULL;
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
    while (seen->cells >= FS_LEG_CELLS || seen->faces >= FS_LEG_FACES || seen->nearest >= FS_LEG_NEAREST) {
        const fs_march_counts part = {.cells = seen->cells,
                                      .faces = at_most(seen->faces, UINT16_MAX),
                                      .front = at_most(seen->front, UINT16_MAX),
                                      .nearest = at_most(seen->nearest, FS_LEG_DEPTH - 1),
                                      .depth_marks = seen->depth_marks};
        if (!write_leg(b, ray, &part, FS_LEG_MORE))
            return false;
        seen->cells = seen->depth_marks = 0;
        seen->faces -= part.faces;
        seen->front -= part.front;
        seen->nearest -= part.nearest;
    }
    return true;
}

/* Cell by cell, so that a leg is cut where fs_bundle_write_parts says. */
static bool march_ray(const fs_journey *j, const float origin[3], fs_bundle *b, uint32_t ray) {
    const fs_march_cell *cell = j->scene->cell;
    fs_march_counts seen = {0};
    fs_march_exit how = FS_EXIT_CROSSED;
    uint32_t at = b->cell[ray];
    b->legs[ray] = 0;
    for (int64_t steps = 1; how == FS_EXIT_CROSSED; steps++) {
        const uint32_t shard = cell[at].shard;
        if (steps > j->march->step_limit)
            fs_march_lost(j->march);
        how = fs_march(j->scene, j->march, origin, b->direction[ray], at, at + 1, &at, &b->state[ray], &seen);
        const uint32_t next = how == FS_EXIT_CROSSED ? cell[at].shard : FS_LEG_ENDS;
        if (!fs_bundle_write_parts(b, ray, &seen))
            return false;
        if (how == FS_EXIT_CROSSED && (next == shard || j->payload == NULL))
            continue;
        if (!write_leg(b, ray, &seen, (uint16_t)next))
            return false;
        seen = (fs_march_counts){0};
        if (j->payload != NULL && (how == FS_EXIT_CROSSED || j->round_at_end))
            fs_payload_round(j->payload, &b->state[ray]);
    }
    return true;
}

/* The reference's walk, by itself. */
static void march_whole(const fs_journey *j, const float origin[3], fs_bundle *b, uint32_t ray) {
    fs_march_counts seen = {0};
    uint32_t at = b->cell[ray];
    b->whole[ray] = b->state[ray];
    fs_march(j->scene, j->march, origin, b->direction[ray], 0, j->scene->cells, &at, &b->whole[ray], &seen);
    b->whole_cells[ray] = seen.cells;
}

bool fs_bundle_plain(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle) {
    for (uint32_t ray = 0; ray < bundle->rays; ray++) {
        if (journey->whole)
            march_whole(journey, eye->origin, bundle, ray);
        if (!march_ray(journey, eye->origin, bundle, ray))
            return false;
    }
    return true;
}
