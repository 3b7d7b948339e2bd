#include "workloads/foam/itinerary.h"

enum { LEGS_MAX = UINT16_MAX };

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
        p->chunk = it->chunks++;
        p->used = 0;
        got = true;
    }
    return got;
}

/* The ray that begins at `cell` with the given state; appends its legs. NULL, or what is wrong. */
static const char *march_ray(fs_itinerary *it, fs_leg_pen *p, fs_march_fn march, const float origin[3],
                             const float direction[3], uint32_t cell, fs_ray_state *state, uint32_t *first) {
    const fs_journey *j = &it->journey;
    const fs_march_scene *scene = j->scene;
    uint32_t begin = p->used;
    for (;;) {
        if (p->chunk == UINT32_MAX ||
            p->used == FS_LEG_CHUNK) { /* move what there is of this ray to a new chunk */
            fs_leg_pen old = *p;
            if (p->used - begin >= LEGS_MAX || !next_chunk(it, p))
                return "a ray visits more shards than can be counted (65,535)";
            for (uint32_t i = begin; i < old.used; i++)
                it->chunk[p->chunk][p->used++] = it->chunk[old.chunk][i];
            begin = 0;
        }
        uint32_t shard = scene->cell[cell].shard;
        fs_march_counts seen = {0};
        fs_march_exit exit = march(scene, j->march, origin, direction, scene->shard_start[shard],
                                   scene->shard_start[shard + 1], &cell, state, &seen);
        if (seen.cells > UINT16_MAX)
            return "a ray visits more cells of one shard than can be counted (65,535): use more shards";
        bool crosses = exit == FS_EXIT_CROSSED;
        it->chunk[p->chunk][p->used++] = (fs_leg){.faces = seen.faces,
                                                  .front = seen.front,
                                                  .cells = (uint16_t)seen.cells,
                                                  .nearest = (uint16_t)seen.nearest,
                                                  .next = crosses ? scene->cell[cell].shard : 0,
                                                  .crosses = crosses,
                                                  .depth_marks = (uint8_t)seen.depth_marks};
        if (crosses || j->round_at_end)
            fs_payload_round(j->payload, state);
        if (!crosses)
            break;
    }
    *first = p->chunk * FS_LEG_CHUNK + begin;
    return NULL;
}

fs_status fs_itinerary_march(fs_itinerary *it, const fs_camera *camera, uint32_t place,
                             fs_itinerary_view *out, fs_error *err) {
    const size_t pixels = (size_t)it->width * it->height;
    *out = (fs_itinerary_view){.camera = *camera,
                               .place = place,
                               .first = FS_NEW(it->arena, uint32_t, pixels),
                               .end = FS_NEW(it->arena, fs_ray_state, pixels)};
    const char *wrong = NULL;
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
                const char *sentence = march_ray(it, &p, march, camera->origin, direction, place,
                                                 &out->end[pixel], &out->first[pixel]);
                if (sentence != NULL) {
#pragma omp atomic write
                    wrong = sentence;
                }
            }
        }
    }
    return wrong == NULL ? FS_OK : fs_fail(err, FS_INPUT, "%s", wrong);
}

fs_status fs_itinerary_turn(fs_itinerary *it, const fs_itinerary_view *before, const fs_camera *after,
                            uint32_t x, uint32_t y, uint32_t done, uint32_t *first, fs_ray_state *end,
                            fs_error *err) {
    const fs_march_scene *scene = it->journey.scene;
    fs_march_fn march = fs_march_best();
    uint32_t cell = before->place;
    float direction[3];
    *end = (fs_ray_state){.T = 1.0f};
    fs_camera_direction(&before->camera, x, y, direction);
    for (uint32_t leg = 0; leg < done; leg++) {
        uint32_t shard = scene->cell[cell].shard;
        fs_march_counts seen = {0};
        march(scene, it->journey.march, before->camera.origin, direction, scene->shard_start[shard],
              scene->shard_start[shard + 1], &cell, end, &seen);
        fs_payload_round(it->journey.payload, end);
    }
    fs_camera_direction(after, x, y, direction);
    const char *wrong = march_ray(it, &it->turning, march, after->origin, direction, cell, end, first);
    return wrong == NULL ? FS_OK : fs_fail(err, FS_INPUT, "%s", wrong);
}
