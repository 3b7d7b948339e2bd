/* A file of rays: a line each. */
#include "sim/host/file.h"
#include "workloads/hierarchy/work.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 6, MOST = 100000000, LINE = 4096 };
static const double farthest = 1e15; /* coordinates beyond it leave no digits for a scene */

typedef struct ray_file {
    const char *path;
    FILE *file;
    uint64_t line;
    fs_unit_walk_ray *ray; /* heap */
    uint32_t rays;
} ray_file;

static fs_status wrong(const ray_file *f, size_t column, const char *found, fs_error *err) {
    return fs_fail(err, FS_INPUT,
                   "%s:%" PRIu64
                   ":%zu: expected six numbers, origin and direction of a ray, of at most 1e15, "
                   "found \"%.*s\"",
                   f->path, f->line, column + 1, (int)strcspn(found, " \t\r\n"), found);
}

static fs_status read_ray(ray_file *f, const char *text, fs_error *err) {
    double number[NUMBERS], square = 0;
    const char *at = text;
    for (int i = 0; i < NUMBERS; i++) {
        char *end;
        at += strspn(at, " \t");
        number[i] = strtod(at, &end);
        if (end == at || strchr(" \t\r\n", *end) == NULL || !(fabs(number[i]) <= farthest))
            return wrong(f, (size_t)(at - text), at, err);
        at = end;
    }
    at += strspn(at, " \t\r\n");
    if (at[0] != '\0' && at[0] != '#')
        return wrong(f, (size_t)(at - text), at, err);
    for (int a = 0; a < 3; a++)
        square += number[3 + a] * number[3 + a];
    if (!(square > 1e-30))
        return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": expected a direction with a length, found none",
                       f->path, f->line);
    f->ray = fs_grow(f->ray, f->rays, sizeof *f->ray);
    fs_unit_walk_ray *ray = &f->ray[f->rays++];
    for (int a = 0; a < 3; a++) {
        ray->origin[a] = (float)number[a];
        ray->direction[a] = (float)(number[3 + a] / sqrt(square));
    }
    return FS_OK;
}

static fs_status read_lines(ray_file *f, fs_error *err) {
    char text[LINE];
    while (fgets(text, sizeof text, f->file) != NULL) {
        f->line++;
        const size_t length = strlen(text);
        if (length + 1 == sizeof text && text[length - 1] != '\n')
            return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": expected lines of at most %d characters", f->path,
                           f->line, LINE - 2);
        const char first = text[strspn(text, " \t\r\n")];
        if (first == '\0' || first == '#')
            continue;
        if (f->rays == MOST)
            return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": expected at most %d rays", f->path, f->line, MOST);
        if (read_ray(f, text, err))
            return err->status;
    }
    if (ferror(f->file))
        return fs_fail(err, FS_IO, "%s: %s", f->path, strerror(errno));
    if (f->rays == 0)
        return fs_fail(err, FS_INPUT, "%s: expected rays, found none", f->path);
    return FS_OK;
}

fs_status fs_hierarchy_rays_read(const char *path, fs_arena *arena, fs_hierarchy_rays *out, fs_error *err) {
    ray_file f = {.path = path, .file = fs_file_regular(path)};
    if (f.file == NULL)
        return fs_fail(err, errno == EINVAL || errno == EISDIR || errno == ENOENT ? FS_INPUT : FS_IO,
                       "%s: %s", path, fs_file_reason());
    const fs_status status = read_lines(&f, err);
    if (status == FS_OK && f.ray != NULL) {
        *out = (fs_hierarchy_rays){.rays = f.rays, .ray = FS_NEW(arena, fs_unit_walk_ray, f.rays)};
        memcpy(out->ray, f.ray, f.rays * sizeof *f.ray);
    }
    free(f.ray);
    fclose(f.file);
    return status;
}
