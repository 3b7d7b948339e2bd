#include "workloads/foam/itinerary.h"

static const fs_leg_pen no_chunk = {.chunk = UINT32_MAX};

void fs_itinerary_create(fs_itinerary *it, fs_arena *arena, const fs_journey *journey, uint32_t width,
                         uint32_t height) {
    *it = (fs_itinerary){
        .journey = *journey, .width = width, .height = height, .turning = no_chunk, .arena = arena};
    it->chunk_max = UINT32_MAX / FS_LEG_CHUNK;
    it->chunk = FS_NEW(arena, fs_leg *, it->chunk_max);
}

/* A fresh chunk for a pen; false when numbers of legs have run out. */
static bool next_chunk(fs_itinerary *it, fs_leg_pen *p) {
    bool got = false;
#pragma omp critical(fs_itinerary_chunk)
    if (it->chunks < it->chunk_max) {
        it->chunk[it->chunks] = FS_NEW(it->arena, fs_leg, FS_LEG_CHUNK);
        fs_prefer_huge_pages(it->chunk[it->chunks], FS_LEG_CHUNK * sizeof(fs_leg));
        p->chunk = it->chunks++;
        p->base = 0;
        got = true;
    }
    return got;
}

/* A block that has outgrown its chunk moves to a fresh one. False when it fills a chunk by itself. */
static bool move_block(fs_itinerary *it, fs_leg_pen *p) {
    fs_leg_pen old = *p;
    if ((old.chunk != UINT32_MAX && old.base == 0) || !next_chunk(it, p))
        return false;
    for (uint32_t leg = 0; leg < old.longest * FS_LEG_STRIDE && old.base + leg < FS_LEG_CHUNK; leg++)
        it->chunk[p->chunk][leg] = it->chunk[old.chunk][old.base + leg];
    for (uint32_t ray = 0; ray < p->rays; ray++)
        *p->first[ray] = p->chunk * FS_LEG_CHUNK + ray;
    return true;
}

/* The next ray of a pen: in the same block, or, when that is full, in a new one behind it. */
static bool begin_ray(fs_itinerary *it, fs_leg_pen *p, uint32_t *first) {
    if (p->rays == FS_LEG_STRIDE) {
        p->base += p->longest * FS_LEG_STRIDE;
        p->rays = p->longest = 0;
    }
    if ((p->chunk == UINT32_MAX || p->base + FS_LEG_STRIDE > FS_LEG_CHUNK) && !move_block(it, p))
        return false;
    p->first[p->rays++] = first;
    *first = p->chunk * FS_LEG_CHUNK + p->base + p->rays - 1;
    return true;
}

/* Leg number `leg` of the pen's last ray; NULL when there is no room for it anywhere. */
static fs_leg *leg_at(fs_itinerary *it, fs_leg_pen *p, uint32_t leg) {
    if (p->base + (leg + 1) * FS_LEG_STRIDE > FS_LEG_CHUNK &&
        ((leg + 1) * FS_LEG_STRIDE > FS_LEG_CHUNK || !move_block(it, p)))
        return NULL;
    if (leg >= p->longest)
        p->longest = leg + 1;
    return &it->chunk[p->chunk][p->base + leg * FS_LEG_STRIDE + p->rays - 1];
}

static uint32_t at_most(uint32_t value, uint32_t limit) {
    return value < limit ? value : limit;
}

/* The part of a visit's counts that fits one leg; takes it off them. False when something is left. */
static bool write_part(fs_leg *at, fs_march_counts *seen) {
    const fs_leg part = {.faces = (uint16_t)at_most(seen->faces, UINT16_MAX),
                         .front = (uint16_t)at_most(seen->front, UINT16_MAX),
                         .cells = (uint8_t)at_most(seen->cells, UINT8_MAX),
                         .nearest = (uint8_t)at_most(seen->nearest, FS_LEG_DEPTH - 1)};
    seen->faces -= part.faces;
    seen->front -= part.front;
    seen->cells -= part.cells;
    seen->nearest -= part.nearest;
    *at = part;
    return (seen->faces | seen->front | seen->cells | seen->nearest) == 0;
}

/* Writes a visit down as leg *leg of the pen's last ray, in as many legs as its counts need: nearly always
 * one. */
static inline bool write_visit(fs_itinerary *it, fs_leg_pen *p, uint32_t *leg, fs_march_counts *seen,
                               uint16_t next) {
    fs_leg *at = leg_at(it, p, (*leg)++);
    if (at == NULL)
        return false;
    if (seen->cells > UINT8_MAX || seen->nearest >= FS_LEG_DEPTH || seen->faces > UINT16_MAX) {
        while (!write_part(at, seen)) {
            at->next = FS_LEG_MORE;
            at = leg_at(it, p, (*leg)++);
            if (at == NULL)
                return false;
        }
        at->nearest = (uint8_t)(at->nearest | seen->depth_marks * FS_LEG_DEPTH);
    } else {
        at->faces = (uint16_t)seen->faces;
        at->front = (uint16_t)seen->front;
        at->cells = (uint8_t)seen->cells;
        at->nearest = (uint8_t)(seen->nearest | seen->depth_marks * FS_LEG_DEPTH);
    }
    at->next = next;
    return true;
}

/* The ray that begins at `cell` with the given state; writes its legs. False when they are too many. */
static bool march_ray(fs_itinerary *it, fs_leg_pen *p, fs_march_fn march, const float origin[3],
                      const float direction[3], uint32_t cell, fs_ray_state *state, uint32_t *first) {
    const fs_journey *j = &it->journey;
    const fs_march_scene *scene = j->scene;
    uint32_t leg = 0, shard = scene->cell[cell].shard;
    if (!begin_ray(it, p, first))
        return false;
    for (bool crosses = true; crosses;) {
        fs_march_counts seen = {0};
        crosses = march(scene, j->march, origin, direction, scene->shard_start[shard],
                        scene->shard_start[shard + 1], &cell, state, &seen) == FS_EXIT_CROSSED;
        shard = crosses ? scene->cell[cell].shard : FS_LEG_ENDS;
        if (!write_visit(it, p, &leg, &seen, (uint16_t)shard))
            return false;
        if (crosses || j->round_at_end)
            fs_payload_round(j->payload, state);
    }
    return true;
}

static fs_status fail_too_long(fs_error *err) {
    return fs_fail(err, FS_INPUT,
                   "the rays of this picture visit too many shards to be noted (%u in one chunk)",
                   FS_LEG_CHUNK);
}

fs_status fs_itinerary_march(fs_itinerary *it, const fs_camera *camera, uint32_t place,
                             fs_itinerary_view *out, fs_error *err) {
    const size_t pixels = (size_t)it->width * it->height;
    *out = (fs_itinerary_view){.camera = *camera,
                               .place = place,
                               .shard = it->journey.scene->cell[place].shard,
                               .first = FS_NEW(it->arena, uint32_t, pixels),
                               .end = FS_NEW(it->arena, fs_ray_state, pixels)};
    const bool columns = it->journey.columns;
    bool too_long = false;
    fs_march_fn march = fs_march_best();
#pragma omp parallel
    {
        fs_leg_pen p = no_chunk;
#pragma omp for schedule(dynamic, 1)
        for (uint32_t line = 0; line < (columns ? it->width : it->height); line++) {
            for (uint32_t i = 0; i < (columns ? it->height : it->width); i++) {
                uint32_t x = columns ? line : i, y = columns ? i : line;
                size_t pixel = (size_t)y * it->width + x;
                float direction[3];
                fs_camera_direction(camera, x, y, direction);
                out->end[pixel] = (fs_ray_state){.T = 1.0f};
                if (!march_ray(it, &p, march, camera->origin, direction, place, &out->end[pixel],
                               &out->first[pixel])) {
#pragma omp atomic write
                    too_long = true;
                }
            }
        }
    }
    return too_long ? fail_too_long(err) : FS_OK;
}

fs_status fs_itinerary_turn(fs_itinerary *it, const fs_itinerary_view *before, const fs_camera *after,
                            uint32_t x, uint32_t y, uint32_t visits, uint32_t *first, fs_ray_state *end,
                            fs_error *err) {
    const fs_march_scene *scene = it->journey.scene;
    fs_march_fn march = fs_march_best();
    uint32_t cell = before->place;
    float direction[3];
    *end = (fs_ray_state){.T = 1.0f};
    fs_camera_direction(&before->camera, x, y, direction);
    for (uint32_t visit = 0; visit < visits; visit++) {
        uint32_t shard = scene->cell[cell].shard;
        fs_march_counts seen = {0};
        march(scene, it->journey.march, before->camera.origin, direction, scene->shard_start[shard],
              scene->shard_start[shard + 1], &cell, end, &seen);
        fs_payload_round(it->journey.payload, end);
    }
    fs_camera_direction(after, x, y, direction);
    bool fits = march_ray(it, &it->turning, march, after->origin, direction, cell, end, first);
    return fits ? FS_OK : fail_too_long(err);
}
