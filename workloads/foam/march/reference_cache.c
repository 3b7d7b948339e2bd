/* Reference renders by digest of what shapes them: a file holds the head, the three arrays and a check of
 * all. */
#include "sim/base/version.h"
#include "workloads/foam/march/reference.h"

#include "sim/base/alloc.h"
#include "sim/base/check.h"
#include "sim/host/file.h"
#include "sim/host/voice.h"

#include <stdio.h>
#include <string.h>

typedef struct head {
    char magic[8];
    uint32_t byte_order; /* 0x01020304 as this host writes it */
    uint32_t width, height;
} head;

static head head_of(uint32_t width, uint32_t height) {
    return (head){{'f', 's', 'r', 'e', 'f', '2', '\n', 0}, 0x01020304u, width, height};
}

/* All that shapes the picture; the partition does not. */
static void key_of(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                   char hex[FS_DIGEST_HEX]) {
    const uint32_t model[4] = {FS_MODEL_VERSION, camera->width, camera->height, params->hull_opaque};
    const float lens[16] = {camera->origin[0],  camera->origin[1],  camera->origin[2], camera->forward[0],
                            camera->forward[1], camera->forward[2], camera->right[0],  camera->right[1],
                            camera->right[2],   camera->down[0],    camera->down[1],   camera->down[2],
                            camera->scale_x,    camera->offset_x,   camera->scale_y,   camera->offset_y};
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, foam->digest, strlen(foam->digest));
    fs_digest_add(&d, model, sizeof model);
    fs_digest_add(&d, lens, sizeof lens);
    fs_digest_add(&d, &params->threshold, sizeof params->threshold);
    fs_digest_add(&d, foam->harmonics_digest, strlen(foam->harmonics_digest));
    fs_digest_end(&d, hex);
}

static uint64_t check_of(const head *h, const fs_reference *r) {
    const size_t pixels = (size_t)r->width * r->height;
    uint64_t check = fs_check64(0, h, sizeof *h);
    check = fs_check64(check, r->rgb, 3 * pixels * sizeof *r->rgb);
    check = fs_check64(check, r->depth, pixels * sizeof *r->depth);
    return fs_check64(check, r->cells, pixels * sizeof *r->cells);
}

/* False for anything but a whole entry of this size; then it is rendered again. */
static bool read_entry(const char *path, uint32_t width, uint32_t height, fs_reference *out) {
    FILE *file = fs_file_regular(path);
    if (file == NULL)
        return false;
    size_t pixels = (size_t)width * height;
    head found, expected = head_of(width, height);
    uint64_t check;
    fs_reference_allocate(out, width, height);
    bool whole = fread(&found, sizeof found, 1, file) == 1 && memcmp(&found, &expected, sizeof found) == 0 &&
                 fread(out->rgb, sizeof *out->rgb, 3 * pixels, file) == 3 * pixels &&
                 fread(out->depth, sizeof *out->depth, pixels, file) == pixels &&
                 fread(out->cells, sizeof *out->cells, pixels, file) == pixels &&
                 fread(&check, sizeof check, 1, file) == 1 && fgetc(file) == EOF;
    fclose(file);
    whole = whole && check_of(&found, out) == check;
    if (!whole)
        fs_reference_free(out);
    return whole;
}

static void write_all(FILE *file, const fs_reference *r) {
    size_t pixels = (size_t)r->width * r->height;
    const head h = head_of(r->width, r->height);
    const uint64_t check = check_of(&h, r);
    fwrite(&h, sizeof h, 1, file);
    fwrite(r->rgb, sizeof *r->rgb, 3 * pixels, file);
    fwrite(r->depth, sizeof *r->depth, pixels, file);
    fwrite(r->cells, sizeof *r->cells, pixels, file);
    fwrite(&check, sizeof check, 1, file);
}

/* An entry that cannot be written costs time and no run: a line is printed. */
static void write_entry(const char *dir, const char *path, const fs_reference *r) {
    fs_aside aside;
    fs_error failed = {0};
    fs_file_clear_irregular(path);
    if (fs_dir_make(dir, &failed) == FS_OK && fs_aside_open(&aside, path, &failed) == FS_OK) {
        write_all(aside.file, r);
        fs_aside_commit(&aside, FS_LIGHT, &failed);
    }
    if (failed.status)
        fs_say("cache: the reference render is not kept: %s", failed.text);
}

/* The path of an entry; *dir: the folder that it is in. */
static const char *path_of(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                           const char *cache_dir, fs_arena *arena, const char **dir) {
    char key[FS_DIGEST_HEX];
    key_of(foam, camera, params, key);
    *dir = fs_arena_printf(arena, "%s/references", cache_dir);
    return fs_arena_printf(arena, "%s/%s", *dir, key);
}

bool fs_reference_find(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                       const char *cache_dir, fs_reference *out) {
    if (cache_dir == NULL)
        return false;
    fs_arena *arena = fs_arena_create();
    const char *dir, *path = path_of(foam, camera, params, cache_dir, arena, &dir);
    const bool found = read_entry(path, camera->width, camera->height, out);
    fs_arena_free(arena);
    return found;
}

void fs_reference_keep(const fs_foam *foam, const fs_camera *camera, const fs_march_params *params,
                       const char *cache_dir, const fs_reference *reference) {
    if (cache_dir == NULL)
        return;
    fs_arena *arena = fs_arena_create();
    const char *dir, *path = path_of(foam, camera, params, cache_dir, arena, &dir);
    write_entry(dir, path, reference);
    fs_arena_free(arena);
}
