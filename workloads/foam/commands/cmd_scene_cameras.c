/* foamsim scene cameras: cameras of COLMAP or a transforms.json, as lines of an experiment or of a sweep. */
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/image/camera_file.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    fs_scene_input input;
    const char *name;
    int64_t step, pixels; /* pixels 0: as in the file */
    bool axis, pinhole;
} request;

/* The picture with other pixels: focal lengths and centre in them. */
static fs_camera_params scaled(fs_camera_params c, int64_t width) {
    if (width == 0)
        return c;
    const double height = (double)c.height * (double)width / (double)c.width;
    const int64_t rows = height < 1 ? 1 : height > 65535 ? 65535 : (int64_t)(height + 0.5);
    const double across = (double)width / (double)c.width, down = (double)rows / (double)c.height;
    c.intrinsics_fx *= across;
    c.intrinsics_cx *= across;
    c.intrinsics_fy *= down;
    c.intrinsics_cy *= down;
    c.width = width;
    c.height = rows;
    return c;
}

static void print_camera(const fs_camera_params *c) {
    const double *m = c->world_to_camera;
    printf("camera: { width: %lld, height: %lld, world_to_camera: [", (long long)c->width,
           (long long)c->height);
    for (int i = 0; i < 4; i++)
        printf("%s[%.12g, %.12g, %.12g, %.12g]", i > 0 ? ", " : "", m[4 * i], m[4 * i + 1], m[4 * i + 2],
               m[4 * i + 3]);
    printf("], intrinsics: { fx: %.12g, fy: %.12g, cx: %.12g, cy: %.12g } }", c->intrinsics_fx,
           c->intrinsics_fy, c->intrinsics_cx, c->intrinsics_cy);
}

/* A name in single quotes, on one line. */
static void print_name(const char *name) {
    putchar('\'');
    for (; *name != '\0'; name++) {
        if (*name == '\'')
            putchar('\'');
        putchar((unsigned char)*name < ' ' || *name == 127 ? '?' : *name);
    }
    putchar('\'');
}

static void print_one(const request *r, const fs_named_camera *c) {
    const fs_camera_params p = scaled(c->params, r->pixels);
    printf(r->axis ? "    - { name: " : "# ");
    print_name(c->name);
    printf(r->axis ? ", set: { workload: { " : "\n");
    print_camera(&p);
    printf(r->axis ? " } } }\n" : "\n");
}

static fs_status print_all(const request *r, const fs_camera_list *list, fs_error *err) {
    int64_t found = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->camera[i].distorted && !r->pinhole)
            return fs_fail(
                err, FS_INPUT,
                "%s: the lens of \"%s\" has a distortion, and cameras here are pinholes: undistort "
                "the pictures first (colmap image_undistorter), or take it for one with --pinhole",
                r->input.file, list->camera[i].name);
    for (size_t i = 0; i < list->count; i++) {
        const fs_named_camera *c = &list->camera[i];
        if (r->name != NULL && strstr(c->name, r->name) == NULL)
            continue;
        if (r->axis && found == 0)
            printf("- points:\n");
        if (found++ % r->step == 0)
            print_one(r, c);
    }
    return found > 0 ? FS_OK
                     : fs_fail(err, FS_INPUT, "--name: none of %zu pictures has \"%s\" in its name",
                               list->count, r->name);
}

static fs_status run(void *self, fs_error *err) {
    const request *r = self;
    fs_camera_list list = {0};
    return fs_cameras_read(r->input.file, r->input.arena, &list, err) ? err->status
                                                                      : print_all(r, &list, err);
}

fs_status fs_cmd_scene_cameras(fs_command_line *call, fs_error *err) {
    request r = {.step = 1};
    const fs_option options[] = {
        FS_OPTION("name", 'n', "TEXT", "only pictures whose name has it", &r.name),
        FS_OPTION_INT("every", 'e', "N", "only every N-th of those, from the first on (1)", &r.step, 1,
                      FS_MOST_CAMERAS),
        FS_OPTION_INT("width", 'w', "PIXELS",
                      "pictures of that width, in the same proportion (as in the file)", &r.pixels, 1, 65535),
        FS_FLAG("axis", 'a', "as an axis of a sweep: a point each", &r.axis),
        FS_FLAG("pinhole", 'p', "take lenses with a distortion for pinholes", &r.pinhole),
    };
    static const char usage[] =
        "scene cameras FOLDER | transforms.json [options]\n"
        "Prints the cameras of a captured scene: COLMAP's (a folder with cameras and images, .txt or .bin), "
        "or\n"
        "those of a transforms.json. Each is a line to paste below an experiment's workload.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 1, 0, run};
    return fs_cmd_input_run(&word, &r, call, err);
}
