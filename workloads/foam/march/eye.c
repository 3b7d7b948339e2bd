/* The faces of the camera's cell, laid out for the vector loops that every ray begins with. */
#include "workloads/foam/march/eye.h"

#include "workloads/foam/march/bundle.h"

enum { BLOCKS_MIN = 2, LINE = 64 };
enum { PARALLEL_FROM = 10000 }; /* cells; below, waking the threads takes longer than the work */

static uint32_t blocks_of(uint32_t faces) {
    uint32_t blocks = (faces + FS_EYE_LANES - 1) / FS_EYE_LANES;
    return blocks < BLOCKS_MIN ? BLOCKS_MIN : blocks;
}

/* Of a cell with so many blocks, in steps: whole cache lines. */
static uint32_t steps_of(uint32_t blocks) {
    size_t bytes = sizeof(fs_eye_cell) + blocks * (sizeof(fs_eye_block) + FS_EYE_LANES * sizeof(uint32_t));
    return (uint32_t)((bytes + LINE - 1) / LINE * LINE / FS_EYE_STEP);
}

static fs_eye_cell *cell_at(const fs_eye *eye, uint32_t slot) {
    return (fs_eye_cell *)(void *)(eye->memory + (size_t)slot * FS_EYE_STEP);
}

static void lay_face(fs_eye_block *block, uint32_t lane, const fs_march_cell *p, const fs_march_cell *q,
                     const float o[3]) {
    float nx = q->x - p->x, ny = q->y - p->y, nz = q->z - p->z;
    float mx = (p->x + q->x) * 0.5f, my = (p->y + q->y) * 0.5f, mz = (p->z + q->z) * 0.5f;
    float num = ((mx - o[0]) * nx + (my - o[1]) * ny) + (mz - o[2]) * nz;
    block->x[lane] = nx;
    block->y[lane] = ny;
    block->z[lane] = nz;
    block->ahead[lane] = num > 0.0f ? num : __builtin_inff();
}

/* Memory beyond `used` is zero still. */
static void lay_cell(const fs_eye *eye, uint32_t place, uint32_t slot) {
    const fs_march_scene *scene = eye->scene;
    const fs_march_cell *p = &scene->cell[place];
    const uint32_t blocks = blocks_of(p->faces), *site = &scene->adjacency[p->list];
    const uint32_t first = slot + sizeof(fs_eye_cell) / FS_EYE_STEP,
                   block = sizeof(fs_eye_block) / FS_EYE_STEP, empty = sizeof(fs_eye_cell) / FS_EYE_STEP;
    fs_eye_cell *out = cell_at(eye, slot);
    *out = (fs_eye_cell){.density = p->density,
                         .rgb = (uint32_t)(p->rgb[0] | p->rgb[1] << 8 | p->rgb[2] << 16),
                         .counts = (uint64_t)p->faces << FS_LEG_FACES_AT | (uint64_t)1 << FS_LEG_CELLS_AT,
                         .shard = p->shard,
                         .blocks = blocks,
                         .third = blocks > 2 ? first + 2 * block : empty,
                         .fourth = blocks > 3 ? first + 3 * block : empty};
    uint32_t *neighbour = (uint32_t *)(void *)&out->block[blocks], face = 0;
    for (uint32_t lane = 0; lane < FS_EYE_LANES; lane++)
        for (uint32_t b = 0; b < blocks; b++, face++) {
            if (face < p->faces) {
                neighbour[face] = scene->place[site[face]];
                lay_face(&out->block[b], lane, p, &scene->cell[neighbour[face]], eye->origin);
            } else {
                out->block[b].ahead[lane] = __builtin_inff();
            }
        }
}

void fs_eye_open(fs_eye *eye, const fs_march_scene *scene, const float origin[3]) {
    uint64_t steps = steps_of(1);
#pragma omp parallel for schedule(static) reduction(+ : steps) if (scene->cells >= PARALLEL_FROM)
    for (uint32_t place = 0; place < scene->cells; place++)
        steps += steps_of(blocks_of(scene->cell[place].faces));
    FS_ASSERT(steps <= UINT32_MAX, "%llu words for what an eye can see", (unsigned long long)steps);
    *eye = (fs_eye){.scene = scene, .origin = {origin[0], origin[1], origin[2]}, .arena = fs_arena_create()};
    eye->slot = FS_NEW(eye->arena, _Atomic uint32_t, scene->cells);
    eye->memory = fs_arena_alloc(eye->arena, steps, FS_EYE_STEP);
    fs_prefer_huge_pages(eye->memory, steps * FS_EYE_STEP);
    eye->used = steps_of(1);
    for (uint32_t lane = 0; lane < FS_EYE_LANES; lane++)
        cell_at(eye, 0)->block[0].ahead[lane] = __builtin_inff();
}

void fs_eye_close(fs_eye *eye) {
    fs_arena_free(eye->arena);
    *eye = (fs_eye){0};
}

uint32_t fs_eye_enter(fs_eye *eye, uint32_t place) {
    uint32_t slot;
#pragma omp critical(fs_eye_enter)
    {
        slot = atomic_load_explicit(&eye->slot[place], memory_order_relaxed);
        if (slot == 0) {
            slot = eye->used;
            lay_cell(eye, place, slot);
            eye->used += steps_of(blocks_of(eye->scene->cell[place].faces));
            atomic_store_explicit(&eye->slot[place], slot, memory_order_release);
        }
    }
    return slot;
}
