/* Reference renders by digest: a file holds the head, the three arrays and the digest of both. */
#include "workloads/foam/reference.h"

#include "sim/base/alloc.h"
#include "sim/base/progress.h"
#include "sim/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct head {
    char magic[8];
    uint32_t byte_order; /* 0x01020304 as this host writes it */
    uint32_t width, height;
} head;

static head head_of(uint32_t width, uint32_t height) {
    return (head){{'f', 's', 'r', 'e', 'f', '1', '\n', 0}, 0x01020304u, width, height};
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
    fs_digest_end(&d, hex);
}

static void digest_of(const head *h, const fs_reference *r, char hex[FS_DIGEST_HEX]) {
    size_t pixels = (size_t)r->width * r->height;
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, h, sizeof *h);
    fs_digest_add(&d, r->rgb, 3 * pixels * sizeof *r->rgb);
    fs_digest_add(&d, r->depth, pixels * sizeof *r->depth);
    fs_digest_add(&d, r->cells, pixels * sizeof *r->cells);
    fs_digest_end(&d, hex);
}

/* False for anything but a whole entry of this size; then it is rendered again. */
static bool read_entry(const char *path, uint32_t width, uint32_t height, fs_reference *out) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t pixels = (size_t)width * height;
    head found, expected = head_of(width, height);
    char stored[FS_DIGEST_HEX], actual[FS_DIGEST_HEX];
    fs_reference_allocate(out, width, height);
    bool whole = fread(&found, sizeof found, 1, file) == 1 && memcmp(&found, &expected, sizeof found) == 0 &&
                 fread(out->rgb, sizeof *out->rgb, 3 * pixels, file) == 3 * pixels &&
                 fread(out->depth, sizeof *out->depth, pixels, file) == pixels &&
                 fread(out->cells, sizeof *out->cells, pixels, file) == pixels &&
                 fread(stored, sizeof stored, 1, file) == 1 && fgetc(file) == EOF;
    fclose(file);
    if (whole) {
        digest_of(&found, out, actual);
        whole = memcmp(stored, actual, sizeof actual) == 0;
    }
    if (!whole)
        fs_reference_free(out);
    return whole;
}

static bool write_all(FILE *file, const fs_reference *r) {
    size_t pixels = (size_t)r->width * r->height;
    head h = head_of(r->width, r->height);
    char hex[FS_DIGEST_HEX];
    digest_of(&h, r, hex);
    return fwrite(&h, sizeof h, 1, file) == 1 &&
           fwrite(r->rgb, sizeof *r->rgb, 3 * pixels, file) == 3 * pixels &&
           fwrite(r->depth, sizeof *r->depth, pixels, file) == pixels &&
           fwrite(r->cells, sizeof *r->cells, pixels, file) == pixels &&
           fwrite(hex, sizeof hex, 1, file) == 1;
}

static bool make_folders(const char *dir, fs_arena *arena) {
    char *path = fs_arena_strdup(arena, dir);
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* A cache that can't be written costs time, not the run: it is said, and that is all. */
static void write_entry(const char *dir, const char *path, const fs_reference *r, fs_arena *arena) {
    char *temporary = fs_arena_printf(arena, "%s.XXXXXX", path);
    int fd = make_folders(dir, arena) ? mkstemp(temporary) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    bool written = file != NULL && write_all(file, r);
    if (file != NULL)
        written = fclose(file) == 0 && written;
    else if (fd >= 0)
        close(fd);
    if (written && rename(temporary, path) == 0)
        return;
    fs_say("cache: the reference render is not kept: %s: %s", path, strerror(errno));
    if (fd >= 0)
        unlink(temporary);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

fs_status fs_reference_cached(const fs_march_scene *scene, const fs_partition *partition, const fs_foam *foam,
                              const fs_camera *camera, const fs_march_params *params, const char *cache_dir,
                              fs_reference *out, double *rendered_seconds, fs_error *err) {
    char key[FS_DIGEST_HEX];
    fs_arena *arena = fs_arena_create();
    key_of(foam, camera, params, key);
    const char *dir = cache_dir == NULL ? NULL : fs_arena_printf(arena, "%s/references", cache_dir);
    const char *path = dir == NULL ? NULL : fs_arena_printf(arena, "%s/%s", dir, key);
    fs_status status = FS_OK;
    *rendered_seconds = 0.0;
    if (path == NULL || !read_entry(path, camera->width, camera->height, out)) {
        double begin = seconds();
        status = fs_reference_render(scene, partition, camera, params, out, err);
        *rendered_seconds = seconds() - begin;
        if (!status && path != NULL)
            write_entry(dir, path, out, arena);
    }
    fs_arena_free(arena);
    return status;
}
