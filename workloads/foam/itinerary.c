#include "workloads/foam/itinerary.h"

static const fs_leg_pen no_chunk = {.chunk = UINT32_MAX, .used = FS_LEG_CHUNK};

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
        p->used = 0;
        got = true;
    }
    return got;
}

/* Room for one more leg of the ray whose legs begin at `begin`: what there is of it moves to a fresh chunk
 * when the old one is full. False when no chunk can hold it. */
static bool make_room(fs_itinerary *it, fs_leg_pen *p, uint32_t *begin) {
    if (p->chunk != UINT32_MAX && p->used < FS_LEG_CHUNK)
        return true;
    fs_leg_pen old = *p;
    if (*begin == 0 || !next_chunk(it, p))
        return false;
    for (uint32_t i = *begin; i < old.used; i++)
        it->chunk[p->chunk][p->used++] = it->chunk[old.chunk][i];
    *begin = 0;
    return true;
}

static uint32_t at_most(uint32_t value, uint32_t limit) {
    return value < limit ? value : limit;
}

/* Writes a visit down, in as many legs as its counts need. */
static bool write_visit(fs_itinerary *it, fs_leg_pen *p, uint32_t *begin, fs_march_counts seen,
                        uint16_t next) {
    for (bool more = true; more;) {
        if (!make_room(it, p, begin))
            return false;
        fs_leg leg = {.faces = (uint16_t)at_most(seen.faces, UINT16_MAX),
                      .front = (uint16_t)at_most(seen.front, UINT16_MAX),
                      .cells = (uint8_t)at_most(seen.cells, UINT8_MAX),
                      .nearest = (uint8_t)at_most(seen.nearest, FS_LEG_DEPTH - 1)};
        seen.faces -= leg.faces;
        seen.front -= leg.front;
        seen.cells -= leg.cells;
        seen.nearest -= leg.nearest;
        more = (seen.faces | seen.front | seen.cells | seen.nearest) != 0;
        leg.next = more ? FS_LEG_MORE : next;
        if (!more && seen.depth_marks > 0)
            leg.nearest |= FS_LEG_DEPTH;
        it->chunk[p->chunk][p->used++] = leg;
    }
    return true;
}

/* Writes a visit down whose counts fit one leg: nearly all. */
static inline bool write_short_visit(fs_itinerary *it, fs_leg_pen *p, uint32_t *begin,
                                     const fs_march_counts *seen, uint16_t next) {
    if (seen->cells > UINT8_MAX || seen->nearest >= FS_LEG_DEPTH || seen->faces > UINT16_MAX ||
        p->used >= FS_LEG_CHUNK)
        return write_visit(it, p, begin, *seen, next);
    it->chunk[p->chunk][p->used++] =
        (fs_leg){.next = next,
                 .faces = (uint16_t)seen->faces,
                 .front = (uint16_t)seen->front,
                 .cells = (uint8_t)seen->cells,
                 .nearest = (uint8_t)(seen->nearest | seen->depth_marks * FS_LEG_DEPTH)};
    return true;
}

/* The ray that begins at `cell` with the given state; appends its legs. False when they are too many. */
static bool march_ray(fs_itinerary *it, fs_leg_pen *p, fs_march_fn march, const float origin[3],
                      const float direction[3], uint32_t cell, fs_ray_state *state, uint32_t *first) {
    const fs_journey *j = &it->journey;
    const fs_march_scene *scene = j->scene;
    uint32_t begin = p->used, shard = scene->cell[cell].shard;
    for (bool crosses = true; crosses;) {
        fs_march_counts seen = {0};
        crosses = march(scene, j->march, origin, direction, scene->shard_start[shard],
                        scene->shard_start[shard + 1], &cell, state, &seen) == FS_EXIT_CROSSED;
        shard = crosses ? scene->cell[cell].shard : FS_LEG_ENDS;
        if (!write_short_visit(it, p, &begin, &seen, (uint16_t)shard))
            return false;
        if (crosses || j->round_at_end)
            fs_payload_round(j->payload, state);
    }
    *first = p->chunk * FS_LEG_CHUNK + begin;
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
                               .first = FS_NEW(it->arena, uint32_t, pixels),
                               .end = FS_NEW(it->arena, fs_ray_state, pixels)};
    bool too_long = false;
    fs_march_fn march = fs_march_best();
#pragma omp parallel
    {
        fs_leg_pen p = no_chunk;
#pragma omp for schedule(dynamic, 1)
        for (uint32_t y = 0; y < it->height; y++) {
            for (uint32_t x = 0; x < it->width; x++) {
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
