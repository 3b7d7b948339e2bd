/* COLMAP's cameras and images, as text and as bytes. */
#include "workloads/image/camera_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARAMS = 12 };

/* By number; those whose first numbers are f cx cy or fx fy cx cy. The others are a distortion. */
typedef struct lens_model {
    const char *name;
    int params, focals;
} lens_model;
static const lens_model models[] = {{"SIMPLE_PINHOLE", 3, 1},
                                    {"PINHOLE", 4, 2},
                                    {"SIMPLE_RADIAL", 4, 1},
                                    {"RADIAL", 5, 1},
                                    {"OPENCV", 8, 2},
                                    {"OPENCV_FISHEYE", 8, 2},
                                    {"FULL_OPENCV", 12, 2},
                                    {"FOV", 5, 2},
                                    {"SIMPLE_RADIAL_FISHEYE", 4, 1},
                                    {"RADIAL_FISHEYE", 5, 1},
                                    {"THIN_PRISM_FISHEYE", 12, 2}};
enum { MODELS = sizeof models / sizeof models[0] };

typedef struct lens {
    uint64_t id;
    fs_camera_params params; /* without a place */
    bool distorted;
} lens;

/* What is read of either form. */
typedef struct pose {
    double q[4], t[3];
    uint64_t camera;
    const char *name;
} pose;

typedef struct reader {
    const char *path; /* of the present file */
    char *at, *begin, *end;
    size_t line;
    lens *lens;
    size_t lenses, images, room;
    fs_named_camera *image;
    fs_arena *arena;
    fs_error *err;
} reader;

static const char *where(const reader *r) {
    return r->line > 0 ? fs_arena_printf(r->arena, "%s:%zu", r->path, r->line)
                       : fs_arena_printf(r->arena, "%s: byte %td", r->path, r->at - r->begin);
}

static fs_status wrong(const reader *r, const char *what) {
    return fs_fail(r->err, FS_INPUT, "%s: %s", where(r), what);
}

static bool finite(const double *v, int count) {
    for (int i = 0; i < count; i++)
        if (!(v[i] - v[i] == 0))
            return false;
    return true;
}

/* ---- both forms ---- */

static fs_status set_lens(reader *r, lens *l, const lens_model *model, uint64_t width, uint64_t height,
                          const double params[MOST_PARAMS]) {
    const int two = model->focals == 2;
    if (width < 1 || width > 65535 || height < 1 || height > 65535)
        return wrong(r, "expected a picture of 1 to 65535 pixels a side");
    if (!finite(params, model->params) || !(params[0] > 0) || (two && !(params[1] > 0)))
        return wrong(r, "expected focal lengths above 0 and finite numbers");
    l->params = (fs_camera_params){.width = (int64_t)width,
                                   .height = (int64_t)height,
                                   .intrinsics_fx = params[0],
                                   .intrinsics_fy = params[two],
                                   .intrinsics_cx = params[1 + two],
                                   .intrinsics_cy = params[2 + two]};
    for (int i = 3 + two; i < model->params; i++)
        l->distorted = l->distorted || params[i] != 0;
    return FS_OK;
}

/* Rotation of a quaternion, of any length but 0. */
static bool set_rotation(const double q[4], double m[16]) {
    double length = 0, n[4];
    for (int i = 0; i < 4; i++)
        length += q[i] * q[i];
    length = __builtin_sqrt(length);
    if (!(length > 1e-12) || !finite(&length, 1))
        return false;
    for (int i = 0; i < 4; i++)
        n[i] = q[i] / length;
    const double w = n[0], x = n[1], y = n[2], z = n[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++)
        m[4 * (i / 3) + i % 3] = rows[i];
    return true;
}

static int by_id(const void *a, const void *b) {
    const lens *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Images look for their lenses. */
static fs_status sort_lenses(const reader *r) {
    if (r->lenses > 0)
        qsort(r->lens, r->lenses, sizeof *r->lens, by_id);
    for (size_t i = 1; i < r->lenses; i++)
        if (r->lens[i].id == r->lens[i - 1].id)
            return fs_fail(r->err, FS_INPUT, "%s: two cameras %" PRIu64, r->path, r->lens[i].id);
    return FS_OK;
}

static fs_status add_image(reader *r, const pose *p) {
    const lens key = {.id = p->camera},
               *l = r->lenses > 0 ? bsearch(&key, r->lens, r->lenses, sizeof key, by_id) : NULL;
    if (l == NULL)
        return fs_fail(r->err, FS_INPUT, "%s: image \"%s\" has camera %" PRIu64 ", which does not exist",
                       where(r), p->name, p->camera);
    if (r->images == r->room) {
        r->room = r->room == 0 ? 64 : 2 * r->room;
        fs_named_camera *more = FS_NEW(r->arena, fs_named_camera, r->room);
        if (r->images > 0)
            memcpy(more, r->image, r->images * sizeof *more);
        r->image = more;
    }
    fs_named_camera *c = &r->image[r->images++];
    *c = (fs_named_camera){.name = p->name, .params = l->params, .distorted = l->distorted};
    c->params.world_to_camera_given = true;
    if (!set_rotation(p->q, c->params.world_to_camera))
        return wrong(r, "the quaternion is no rotation: expected four finite numbers, not all 0");
    for (int i = 0; i < 3; i++)
        c->params.world_to_camera[4 * i + 3] = p->t[i];
    c->params.world_to_camera[15] = 1;
    if (r->images > FS_MOST_CAMERAS)
        return wrong(r, "more than 100000 images");
    return fs_cameras_check(c, where(r), r->err);
}

static fs_status open_file(reader *r, const char *folder, const char *name) {
    size_t size = 0;
    r->path = fs_arena_printf(r->arena, "%s/%s", folder, name);
    r->begin = r->at = fs_cameras_bytes(r->path, r->arena, &size, r->err);
    r->end = r->begin + size;
    r->line = 0;
    return r->begin != NULL ? FS_OK : r->err->status;
}

/* ---- text ---- */

/* The next line, cut off with a 0; NULL behind the last. */
static char *next_line(reader *r) {
    if (r->at >= r->end)
        return NULL;
    char *line = r->at, *stop = memchr(line, '\n', (size_t)(r->end - line));
    r->at = stop != NULL ? stop + 1 : r->end;
    if (stop != NULL)
        *stop = '\0';
    r->line++;
    const size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = '\0';
    return line;
}

static bool is_comment(const char *line) {
    line += strspn(line, " \t");
    return *line == '#';
}

static bool is_blank(const char *line) {
    return line[strspn(line, " \t")] == '\0';
}

/* So many numbers; *text goes behind them. */
static bool numbers(const char **text, double *out, int count) {
    for (int i = 0; i < count; i++) {
        char *stop;
        out[i] = strtod(*text, &stop);
        if (stop == *text || !finite(&out[i], 1))
            return false;
        *text = stop;
    }
    return true;
}

static bool whole(double number) {
    return number >= 0 && number < 4294967296.0 && number == (double)(uint64_t)number;
}

static fs_status text_camera(reader *r, const char *line, lens *out) {
    char name[32];
    int behind = 0;
    double id, size[2], params[MOST_PARAMS];
    const char *at = line;
    if (!numbers(&at, &id, 1) || !whole(id) || sscanf(at, " %31s%n", name, &behind) != 1)
        return wrong(r, "expected CAMERA_ID MODEL WIDTH HEIGHT PARAMS");
    const lens_model *model = models;
    while (model < models + MODELS && strcmp(model->name, name) != 0)
        model++;
    if (model == models + MODELS)
        return fs_fail(r->err, FS_INPUT, "%s: no camera model \"%s\"", where(r), name);
    at += behind;
    if (!numbers(&at, size, 2) || !whole(size[0]) || !whole(size[1]) ||
        !numbers(&at, params, model->params) || !is_blank(at))
        return fs_fail(r->err, FS_INPUT, "%s: expected WIDTH HEIGHT and the %d numbers of a %s", where(r),
                       model->params, model->name);
    out->id = (uint64_t)id;
    return set_lens(r, out, model, (uint64_t)size[0], (uint64_t)size[1], params);
}

static fs_status text_cameras(reader *r) {
    size_t lines = 1;
    for (const char *c = r->begin; c < r->end && lines < FS_MOST_CAMERAS; c++)
        lines += *c == '\n';
    r->lens = FS_NEW(r->arena, lens, lines);
    for (const char *line = next_line(r); line != NULL; line = next_line(r)) {
        if (is_comment(line) || is_blank(line))
            continue;
        if (r->lenses == lines)
            return wrong(r, "more than 100000 cameras");
        if (text_camera(r, line, &r->lens[r->lenses++]))
            return r->err->status;
    }
    return FS_OK;
}

/* Two lines an image; the second, its points, may be empty. */
static fs_status text_images(reader *r) {
    for (const char *line = next_line(r); line != NULL; line = next_line(r)) {
        if (is_comment(line) || is_blank(line))
            continue;
        double id, camera;
        pose p;
        const char *at = line;
        if (!numbers(&at, &id, 1) || !numbers(&at, p.q, 4) || !numbers(&at, p.t, 3) ||
            !numbers(&at, &camera, 1) || !whole(camera) || is_blank(at))
            return wrong(r, "expected IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME");
        p.camera = (uint64_t)camera;
        p.name = at + strspn(at, " \t");
        if (add_image(r, &p))
            return r->err->status;
        next_line(r);
    }
    return FS_OK;
}

/* ---- bytes ---- */

static bool take(reader *r, void *out, size_t bytes) {
    if ((size_t)(r->end - r->at) < bytes)
        return false;
    memcpy(out, r->at, bytes);
    r->at += bytes;
    return true;
}

static fs_status binary_cameras(reader *r) {
    uint64_t count;
    if (!take(r, &count, sizeof count) || count > FS_MOST_CAMERAS)
        return wrong(r, "expected the number of cameras, at most 100000");
    r->lens = FS_NEW(r->arena, lens, count);
    for (; r->lenses < count; r->lenses++) {
        int32_t id, model;
        uint64_t size[2];
        double params[MOST_PARAMS];
        if (!take(r, &id, sizeof id) || !take(r, &model, sizeof model) || !take(r, size, sizeof size))
            return wrong(r, "the file ends within a camera");
        if (model < 0 || model >= MODELS)
            return fs_fail(r->err, FS_INPUT, "%s: no camera model of number %" PRId32, where(r), model);
        if (!take(r, params, (size_t)models[model].params * sizeof *params))
            return wrong(r, "the file ends within a camera");
        r->lens[r->lenses].id = (uint32_t)id;
        if (set_lens(r, &r->lens[r->lenses], &models[model], size[0], size[1], params))
            return r->err->status;
    }
    return FS_OK;
}

static fs_status binary_images(reader *r) {
    enum { POINT = 24 }; /* bytes: x, y and the number of the point in the scene */
    uint64_t count, points;
    if (!take(r, &count, sizeof count) || count > FS_MOST_CAMERAS)
        return wrong(r, "expected the number of images, at most 100000");
    for (uint64_t i = 0; i < count; i++) {
        uint32_t id, camera;
        pose p;
        if (!take(r, &id, sizeof id) || !take(r, p.q, sizeof p.q) || !take(r, p.t, sizeof p.t) ||
            !take(r, &camera, sizeof camera))
            return wrong(r, "the file ends within an image");
        p.camera = camera;
        p.name = r->at;
        const char *stop = memchr(r->at, '\0', (size_t)(r->end - r->at));
        if (stop == NULL)
            return wrong(r, "the file ends within a name");
        if (!finite(p.t, 3) || add_image(r, &p))
            return r->err->status != FS_OK ? r->err->status : wrong(r, "expected finite numbers");
        r->at += stop - r->at + 1;
        if (!take(r, &points, sizeof points) || points > (size_t)(r->end - r->at) / POINT)
            return wrong(r, "the file ends within the points of an image");
        r->at += points * POINT;
    }
    return FS_OK;
}

fs_status fs_cameras_colmap(const char *folder, fs_arena *arena, fs_camera_list *out, fs_error *err) {
    reader r = {.arena = arena, .err = err};
    const bool text = access(fs_arena_printf(arena, "%s/cameras.txt", folder), F_OK) == 0;
    if (!text && access(fs_arena_printf(arena, "%s/cameras.bin", folder), F_OK) != 0)
        return fs_fail(err, FS_INPUT,
                       "%s: expected cameras.txt and images.txt, or cameras.bin and images.bin, in it",
                       folder);
    if (open_file(&r, folder, text ? "cameras.txt" : "cameras.bin") ||
        (text ? text_cameras(&r) : binary_cameras(&r)) || sort_lenses(&r) ||
        open_file(&r, folder, text ? "images.txt" : "images.bin") ||
        (text ? text_images(&r) : binary_images(&r)))
        return err->status;
    if (r.images == 0)
        return fs_fail(err, FS_INPUT, "%s: expected images, found none", r.path);
    *out = (fs_camera_list){r.image, r.images};
    return FS_OK;
}
