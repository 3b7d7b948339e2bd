/* foamsim scene contact: six views of a scene whose up nobody knows, each with the lines to paste. */
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/results/results.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/march/reference.h"
#include "workloads/image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VIEWS = 6, ACROSS = 3, FOV = 50, FOV_INSIDE = 80, GAP = 4 };

/* View i takes axis i / 2 for up, downwards where i is odd. */
static const char *const ups[VIEWS] = {"+x", "-x", "+y", "-y", "+z", "-z"};

typedef struct request {
    fs_scene_input input;
    const char *size;
    bool inside;
} request;

typedef struct sheet {
    uint32_t width, height; /* of a view */
    uint32_t across, down;  /* of the sheet, pixels */
    uint8_t *rgb;           /* [down][across][3] */
    bool inside;            /* the cameras stand in the middle and look out */
} sheet;

/* ---- cameras ---- */

/* The box between the quantiles `share` and 1 - `share` of the sites that can be seen, on each axis. */
typedef struct box {
    double centre[3], radius; /* radius: half the diagonal, scene units */
} box;

static box box_between(float *const value[3], uint32_t count, double share) {
    box b = {.radius = 0};
    double square = 0;
    for (int a = 0; a < 3; a++) {
        const double low = fs_quantile(value[a], count, share),
                     high = fs_quantile(value[a], count, 1 - share);
        b.centre[a] = (low + high) / 2;
        square += (high - low) * (high - low) / 4;
    }
    b.radius = square > 0 ? __builtin_sqrt(square) : 1;
    return b;
}

/* What the pictures frame: all of an object. A captured scene has its sky and far hills around it, which hide
 * all from outside: of such a scene its middle. The boxes of a ball, a cylinder or a shell differ by a factor
 * of 2 to 4, those of a scene with a background by more than FAR. */
static box find_box(const fs_foam *foam) {
    enum { FAR = 5 };
    const float *axis[3] = {foam->x, foam->y, foam->z};
    float *value[3];
    uint32_t count = 0;
    for (int a = 0; a < 3; a++) {
        value[a] = fs_calloc(foam->sites, sizeof *value[a]);
        count = 0;
        for (uint32_t i = 0; i < foam->sites; i++)
            if (foam->density[i] > 0)
                value[a][count++] = axis[a][i];
        if (count == 0) /* nothing can be seen: the box of all */
            memcpy(value[a], axis[a], sizeof *value[a] * (count = foam->sites));
    }
    const box middle = box_between(value, count, 0.3), most = box_between(value, count, 0.01);
    for (int a = 0; a < 3; a++)
        free(value[a]);
    return most.radius > FAR * middle.radius ? middle : most;
}

/* From 30 degrees beside an axis and 25 above the ground, as far as the box fills the picture; inside, the same
 * direction from the middle. A rounded place is a place that can be pasted. */
static fs_camera_params camera_of(const box *seen, int view, const sheet *s) {
    const int up = view / 2, side = (up + 1) % 3, front = (up + 2) % 3;
    const double radius = seen->radius, way = 1.2 * radius / fs_tan(0.5 * FOV * FS_DEGREE),
                 sign = view % 2 ? -1 : 1;
    const double level = way * fs_cos(25 * FS_DEGREE), round = radius / 1000;
    fs_camera_params c = {.width = s->width,
                          .height = s->height,
                          .fov_y = s->inside ? FOV_INSIDE : FOV,
                          .position_given = true,
                          .look_at_given = true,
                          .up_given = true};
    memcpy(c.look_at, seen->centre, sizeof c.look_at);
    memcpy(c.position, seen->centre, sizeof c.position);
    c.up[up] = sign;
    c.position[up] += sign * way * fs_sin(25 * FS_DEGREE);
    c.position[side] += level * fs_sin(30 * FS_DEGREE);
    c.position[front] -= level * fs_cos(30 * FS_DEGREE);
    for (int a = 0; a < 3 && s->inside; a++) {
        c.look_at[a] = 2 * seen->centre[a] - c.position[a];
        c.position[a] = seen->centre[a];
    }
    for (int a = 0; a < 3; a++) {
        c.position[a] = round * __builtin_round(c.position[a] / round);
        c.look_at[a] = round * __builtin_round(c.look_at[a] / round);
    }
    return c;
}

/* What is printed is what was drawn. */
static void as_printed(double v[3]) {
    char text[64];
    for (int a = 0; a < 3; a++) {
        snprintf(text, sizeof text, "%.6g", v[a]);
        v[a] = strtod(text, NULL) + 0.0; /* no -0 */
    }
}

static void print_camera(int view, const fs_camera_params *c) {
    printf("# view %d: up is %s\n"
           "camera: { position: [%.6g, %.6g, %.6g], look_at: [%.6g, %.6g, %.6g], up: [%g, %g, %g], "
           "fov_y: %g deg }\n",
           view + 1, ups[view], c->position[0], c->position[1], c->position[2], c->look_at[0], c->look_at[1],
           c->look_at[2], c->up[0] + 0.0, c->up[1] + 0.0, c->up[2] + 0.0, c->fov_y);
}

/* ---- the sheet ---- */

static void set_pixel(const sheet *s, uint32_t x, uint32_t y, uint8_t grey) {
    memset(s->rgb + 3 * ((size_t)y * s->across + x), grey, 3);
}

/* The axis that is up in white letters on a black field, in the corner: of 5 x 7 dots, each a hundredth of the
 * view's height. */
static void mark(const sheet *s, uint32_t left, uint32_t top, const char *axis) {
    enum { ACROSS_DOTS = 5, DOWN_DOTS = 7 };
    static const struct {
        char letter;
        uint8_t row[DOWN_DOTS]; /* bit 4 is the left dot */
    } font[] = {{'+', {0, 4, 4, 31, 4, 4, 0}},
                {'-', {0, 0, 0, 31, 0, 0, 0}},
                {'x', {0, 0, 17, 10, 4, 10, 17}},
                {'y', {0, 0, 17, 17, 15, 1, 14}},
                {'z', {0, 0, 31, 2, 4, 8, 31}}};
    const uint32_t dot = s->height < 200 ? 1 : s->height / 100, wide = ACROSS_DOTS + 1;
    for (uint32_t y = 0; y < (DOWN_DOTS + 2) * dot && y < s->height; y++)
        for (uint32_t x = 0; x < (2 * wide + 1) * dot && x < s->width; x++) {
            const uint32_t column = x / dot, row = y / dot;
            bool white = false;
            for (size_t i = 0; i < sizeof font / sizeof *font && column > 0 && row > 0 && row <= DOWN_DOTS;
                 i++)
                white |= font[i].letter == axis[(column - 1) / wide] && (column - 1) % wide < ACROSS_DOTS &&
                         (font[i].row[row - 1] >> (ACROSS_DOTS - 1 - (column - 1) % wide) & 1) != 0;
            set_pixel(s, left + x, top + y, white ? 255 : 0);
        }
}

static void place(const sheet *s, const fs_reference *picture, int view) {
    const uint32_t left = (uint32_t)(view % ACROSS) * (s->width + GAP),
                   top = (uint32_t)(view / ACROSS) * (s->height + GAP);
    for (uint32_t y = 0; y < s->height; y++)
        fs_image_rgb8(picture->rgb + 3 * (size_t)y * s->width, s->width,
                      s->rgb + 3 * ((size_t)(top + y) * s->across + left));
    mark(s, left, top, ups[view]);
}

static fs_status draw(const fs_march_scene *scene, const fs_partition *partition, const fs_foam *foam,
                      const sheet *s, fs_error *err) {
    const fs_march_params rules = {.threshold = 0.01, .step_limit = 1000000};
    const box seen = find_box(foam);
    for (int view = 0; view < VIEWS; view++) {
        fs_camera_params at = camera_of(&seen, view, s);
        fs_camera camera;
        fs_reference picture;
        as_printed(at.position);
        as_printed(at.look_at);
        if (fs_camera_make(&at, "camera", &camera, err) ||
            fs_reference_render(scene, partition, &camera, &rules, &picture, err))
            return err->status;
        place(s, &picture, view);
        print_camera(view, &at);
        fs_reference_free(&picture);
    }
    return FS_OK;
}

static fs_status run(void *self, fs_error *err) {
    request *r = self;
    const fs_foam *foam = &r->input.foam;
    fs_camera_params size = {.width = 400, .height = 300};
    if ((r->size != NULL && fs_cmd_option_size(r->size, &size, err)) || fs_cmd_input_open(&r->input, err))
        return err->status;
    if (size.width > 4000 || size.height > 4000)
        return fs_fail(err, FS_INPUT, "--size: expected at most 4000 pixels a side, found %s", r->size);
    fs_partition partition;
    fs_march_scene scene;
    const fs_partition_params params = {.shards = fs_cmd_shards(foam->sites)};
    if (fs_partition_make(&fs_partitioner_kd, foam, &params, r->input.arena, &partition, err) ||
        fs_march_scene_make(foam, &partition, &scene, err))
        return err->status;
    sheet s = {.width = (uint32_t)size.width, .height = (uint32_t)size.height, .inside = r->inside};
    s.across = ACROSS * s.width + (ACROSS - 1) * GAP;
    s.down = VIEWS / ACROSS * s.height + (VIEWS / ACROSS - 1) * GAP;
    s.rgb = fs_malloc(3 * (size_t)s.across * s.down);
    memset(s.rgb, 255, 3 * (size_t)s.across * s.down);
    fs_status status = draw(&scene, &partition, foam, &s, err);
    if (status == FS_OK)
        status = fs_png_write_alone(r->input.out, FS_PICTURE_RGB(s.rgb, s.across, s.down), err);
    free(s.rgb);
    fs_march_scene_free(&scene);
    return status;
}

fs_status fs_cmd_scene_contact(fs_command_line *call, fs_error *err) {
    request r = {0};
    const fs_option options[] = {
        FS_OPTION("out", 'o', "FILE.png", "the sheet", &r.input.out),
        FS_OPTION("size", 's', "WxH", "pixels of a view (400x300)", &r.size),
        FS_FLAG("inside", 0, "from the middle outwards: of a room that is closed on all sides", &r.inside),
    };
    static const char usage[] =
        "scene contact FILE -o SHEET.png [options]\n"
        "Draws six views of a scene (PLY, scene YAML or scene name), each with another axis up, and prints\n"
        "the camera of each: the one that stands upright is the one to paste into an experiment.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 1, FS_SCENE_HOST, run};
    return fs_cmd_input_run(&word, &r, call, err);
}
