/* All rays marched once: their legs from shard to shard, in blocks as kernels read them. */
#include "workloads/foam/march/itinerary.h"

#include <string.h>

static const fs_leg_pen no_chunk = {.chunk = UINT32_MAX};

void fs_itinerary_create(fs_itinerary *it, fs_arena *arena, const fs_journey *journey, uint32_t width,
                         uint32_t height) {
    *it = (fs_itinerary){
        .journey = *journey, .width = width, .height = height, .turning = no_chunk, .arena = arena};
    it->chunk_max = UINT32_MAX / FS_LEG_CHUNK;
    it->chunk = FS_NEW(arena, fs_leg *, it->chunk_max);
    if (journey->scene->exact.degree > 0)
        it->lit = FS_NEW(arena, uint8_t *, it->chunk_max);
}

/* A fresh chunk for a pen; false when numbers of legs have run out. */
static bool next_chunk(fs_itinerary *it, fs_leg_pen *p) {
    bool got = false;
#pragma omp critical(fs_itinerary_chunk)
    if (it->chunks < it->chunk_max) {
        it->chunk[it->chunks] = FS_NEW(it->arena, fs_leg, FS_LEG_CHUNK);
        fs_prefer_huge_pages(it->chunk[it->chunks], FS_LEG_CHUNK * sizeof(fs_leg));
        if (it->lit != NULL)
            it->lit[it->chunks] = FS_NEW(it->arena, uint8_t, FS_LEG_CHUNK);
        *p = (fs_leg_pen){.chunk = it->chunks++};
        got = true;
    }
    return got;
}

/* Lays the legs of a bundle down as a block; writes the numbers of the first ones. */
static bool lay_block(fs_itinerary *it, fs_leg_pen *p, const fs_bundle *b, uint32_t *first) {
    uint32_t longest = 0;
    for (uint32_t ray = 0; ray < b->rays; ray++)
        longest = b->legs[ray] > longest ? b->legs[ray] : longest;
    const uint32_t legs = longest * FS_LEG_STRIDE;
    if ((p->chunk == UINT32_MAX || p->used + legs > FS_LEG_CHUNK) && !next_chunk(it, p))
        return false;
    memcpy(&it->chunk[p->chunk][p->used], b->leg, legs * sizeof *b->leg);
    if (it->lit != NULL)
        memcpy(&it->lit[p->chunk][p->used], b->lit, legs * sizeof *b->lit);
    for (uint32_t ray = 0; ray < b->rays; ray++)
        first[ray] = p->chunk * FS_LEG_CHUNK + p->used + ray;
    p->used += legs;
    return true;
}

static fs_status fail_too_long(fs_error *err) {
    return fs_fail(err, FS_INPUT,
                   "the rays of this picture visit too many shards to be noted (%u in one chunk)",
                   FS_LEG_CHUNK);
}

/* What the threads of one march share. */
typedef struct excursion {
    fs_itinerary *it;
    fs_journey journey;
    fs_bundle_fn march;
    fs_eye eye;
    fs_itinerary_view *view;
    const fs_reference *reference; /* NULL: not wanted */
} excursion;

/* The rays of a scan line from number `begin` on that a bundle has room for. */
static bool march_some(excursion *e, fs_leg_pen *p, fs_bundle *b, uint32_t line, uint32_t begin) {
    const fs_itinerary *it = e->it;
    const bool columns = e->journey.columns;
    const uint32_t left = (columns ? it->height : it->width) - begin;
    uint32_t first[FS_BUNDLE_RAYS];
    b->rays = left < FS_BUNDLE_RAYS ? left : FS_BUNDLE_RAYS;
    for (uint32_t ray = 0; ray < b->rays; ray++) {
        uint32_t along = begin + ray;
        fs_camera_direction(&e->view->camera, columns ? line : along, columns ? along : line,
                            b->direction[ray]);
        b->cell[ray] = e->view->place;
        b->state[ray] = (fs_ray_state){.T = 1.0f};
    }
    if (!e->march(&e->journey, &e->eye, b) || !lay_block(e->it, p, b, first))
        return false;
    const size_t step = columns ? it->width : 1;
    size_t pixel = columns ? (size_t)begin * it->width + line : (size_t)line * it->width + begin;
    for (uint32_t ray = 0; ray < b->rays; ray++, pixel += step) {
        e->view->first[pixel] = first[ray];
        e->view->end[pixel] = b->state[ray];
        if (e->reference != NULL)
            fs_reference_set(e->reference, pixel, &b->whole[ray], b->whole_cells[ray]);
    }
    return true;
}

fs_status fs_itinerary_march(fs_itinerary *it, const fs_camera *camera, uint32_t place,
                             fs_itinerary_view *out, fs_reference *reference, fs_error *err) {
    const size_t pixels = (size_t)it->width * it->height;
    const uint32_t lines = it->journey.columns ? it->width : it->height;
    const uint32_t rays = it->journey.columns ? it->height : it->width;
    excursion e = {
        .it = it, .journey = it->journey, .march = fs_bundle_best(), .view = out, .reference = reference};
    bool too_long = false;
    *out = (fs_itinerary_view){.camera = *camera,
                               .place = place,
                               .shard = it->journey.scene->cell[place].shard,
                               .first = FS_NEW(it->arena, uint32_t, pixels),
                               .end = FS_NEW(it->arena, fs_ray_state, pixels)};
    e.journey.whole = reference != NULL;
    if (reference != NULL)
        fs_reference_allocate(reference, it->width, it->height);
    fs_eye_open(&e.eye, it->journey.scene, camera->origin);
#pragma omp parallel
    {
        fs_leg_pen p = no_chunk;
        fs_bundle b;
        fs_bundle_open(&b);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t line = 0; line < lines; line++)
            for (uint32_t begin = 0; begin < rays; begin += FS_BUNDLE_RAYS)
                if (!march_some(&e, &p, &b, line, begin)) {
#pragma omp atomic write
                    too_long = true;
                }
        fs_bundle_close(&b);
    }
    fs_eye_close(&e.eye);
    if (too_long)
        fs_reference_free(reference);
    return too_long ? fail_too_long(err) : FS_OK;
}

fs_status fs_itinerary_turn(fs_itinerary *it, const fs_itinerary_view *before, const fs_camera *after,
                            fs_eye *eye, uint32_t x, uint32_t y, uint32_t visits, uint32_t *first,
                            fs_ray_state *end, fs_error *err) {
    const fs_march_scene *scene = it->journey.scene;
    fs_bundle b = {.rays = 1, .cell = {before->place}, .state = {{.T = 1.0f}}};
    float direction[3];
    fs_bundle_open(&b);
    fs_camera_direction(&before->camera, x, y, direction);
    for (uint32_t visit = 0; visit < visits; visit++) {
        uint32_t shard = scene->cell[b.cell[0]].shard;
        fs_march_counts seen = {0};
        fs_march(scene, it->journey.march, before->camera.origin, direction, scene->shard_start[shard],
                 scene->shard_start[shard + 1], &b.cell[0], &b.state[0], &seen);
        fs_payload_round(it->journey.payload, &b.state[0]);
    }
    fs_camera_direction(after, x, y, b.direction[0]);
    bool fits = fs_bundle_plain(&it->journey, eye, &b) && lay_block(it, &it->turning, &b, first);
    *end = b.state[0];
    fs_bundle_close(&b);
    return fits ? FS_OK : fail_too_long(err);
}
