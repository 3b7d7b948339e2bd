/* foamsim scene render: the unpartitioned, full-precision picture, and how long the host takes for it. */
#include "sim/base/host.h"
#include "sim/workload/workload.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/march/bundle.h"
#include "workloads/foam/march/reference.h"
#include "workloads/image/image.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    fs_scene_input input;
    const char *experiment, *position, *look_at, *up, *fov, *size, *depth;
} request;

/* Options over the experiment's camera, or over the defaults. */
static fs_status read_camera(const request *r, fs_foam_params *params, fs_error *err) {
    fs_camera_params *c = &params->camera;
    if ((r->position != NULL && fs_cmd_option_vec3("position", r->position, c->position, err)) ||
        (r->look_at != NULL && fs_cmd_option_vec3("look-at", r->look_at, c->look_at, err)) ||
        (r->up != NULL && fs_cmd_option_vec3("up", r->up, c->up, err)) ||
        fs_option_real("fov", r->fov, 0.001, 179.0, &c->fov_y, err) ||
        (r->size != NULL && fs_cmd_option_size(r->size, c, err)))
        return err->status;
    c->position_given = c->position_given || r->position != NULL;
    c->look_at_given = c->look_at_given || r->look_at != NULL;
    c->up_given = c->up_given || r->up != NULL;
    return FS_OK;
}

static fs_status base_params(const request *r, fs_foam_params *params, const fs_scene_params **scene,
                             fs_error *err) {
    fs_params_default(r->input.arena, &fs_foam_table, params);
    *scene = NULL;
    if (r->experiment == NULL)
        return FS_OK;
    fs_config *config =
        fs_experiment_load(r->input.cli->registry, r->input.arena, r->experiment, NULL, 0, err);
    if (config == NULL)
        return err->status;
    if (strcmp(fs_config_kind(config, "workload"), "foam") != 0)
        return fs_fail(err, FS_INPUT, "%s: its workload is %s, only foam has a camera", r->experiment,
                       fs_config_kind(config, "workload"));
    *params = *(const fs_foam_params *)fs_config_section(config, "workload");
    *scene = fs_config_section(config, "scene");
    return FS_OK;
}

static fs_status write_pictures(const request *r, const fs_reference *picture, fs_error *err) {
    size_t pixels = (size_t)picture->width * picture->height;
    uint8_t *rgb = fs_arena_alloc(r->input.arena, 3 * pixels, sizeof *rgb);
    fs_image_rgb8(picture->rgb, pixels, rgb);
    fs_status status =
        fs_png_write_alone(r->input.out, FS_PICTURE_RGB(rgb, picture->width, picture->height), err);
    if (status || r->depth == NULL)
        return status;
    uint16_t *grey = fs_arena_alloc(r->input.arena, pixels, sizeof *grey);
    float near, far;
    fs_depth_grey16(picture->depth, picture->width, picture->height, grey, &near, &far);
    printf("%-22s %g ... %g\n", "depth", (double)near, (double)far);
    return fs_png_write_alone(r->depth, FS_PICTURE_GREY(grey, picture->width, picture->height), err);
}

static void print_figures(const fs_foam *foam, const fs_reference *picture, double seconds, int threads) {
    size_t pixels = (size_t)picture->width * picture->height;
    uint64_t cells = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < pixels; i++) {
        cells += picture->cells[i];
        most = picture->cells[i] > most ? picture->cells[i] : most;
    }
    printf("%-22s %u\n%-22s %.2f\n", "cells", foam->sites, "faces per cell",
           (double)foam->faces / (double)foam->sites);
    printf("%-22s %.1f (at most %u)\n", "cells per ray", (double)cells / (double)pixels, most);
    printf("%-22s %.3f (%d threads, %s)\n", "seconds", seconds, threads, fs_bundle_best_name());
    printf("%-22s %.3f\n", "million rays per second", 1e-6 * (double)pixels / seconds);
    printf("%-22s %.1f\n", "ns per cell and thread", 1e9 * seconds * threads / (double)cells);
}

static fs_status render(const request *r, const fs_camera *camera, const fs_march_params *march,
                        fs_error *err) {
    const fs_foam *foam = &r->input.foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_reference picture;
    const fs_partition_params params = {.shards = fs_cmd_shards(foam->sites)};
    fs_status status = fs_partition_make(&fs_partitioner_kd, foam, &params, r->input.arena, &partition, err);
    if (status || (status = fs_march_scene_make(foam, &partition, &scene, err)))
        return status;
    const double begin = fs_host_wall_seconds();
    status = fs_reference_render(&scene, &partition, camera, march, &picture, err);
    if (!status) {
        print_figures(foam, &picture, fs_host_wall_seconds() - begin, r->input.host.threads);
        status = write_pictures(r, &picture, err);
        fs_reference_free(&picture);
    }
    fs_march_scene_free(&scene);
    return status;
}

static fs_status run(void *self, fs_error *err) {
    request *r = self;
    fs_scene_input *input = &r->input;
    fs_foam_params params;
    fs_camera camera;
    const fs_scene_params *scene;
    const char *where = r->experiment != NULL ? r->experiment : "camera";
    if (input->file == NULL && r->experiment == NULL)
        return fs_fail(err, FS_INPUT,
                       "scene render: which scene? Name a FILE or an experiment with --camera");
    if (base_params(r, &params, &scene, err) || read_camera(r, &params, err) ||
        fs_camera_make(&params.camera, where, &camera, err))
        return err->status;
    if (input->file != NULL
            ? fs_cmd_input_open(input, err)
            : fs_scene_load(scene, input->host.cache_dir, input->host.threads, &input->foam, err))
        return err->status;
    return render(r, &camera, &params.march, err);
}

fs_status fs_cmd_scene_render(fs_command_line *call, fs_error *err) {
    request r = {0};
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE.png", "the picture", &r.input.out),
        FS_OPTION("depth", 'd', "FILE.png", "the depth as 16-bit grey, near is bright", &r.depth),
        FS_OPTION("camera", 'c', "FILE.yaml",
                  "camera, rules of the march and, without FILE, scene of an experiment", &r.experiment),
        FS_OPTION("position", 'p', "X,Y,Z", "where the camera is", &r.position),
        FS_OPTION("look-at", 'l', "X,Y,Z", "what it looks at", &r.look_at),
        FS_OPTION("up", 'u', "X,Y,Z", "what is up (0,0,1)", &r.up),
        FS_OPTION("fov", 'f', "DEGREES", "vertical field of view (50)", &r.fov),
        FS_OPTION("size", 's', "WxH", "pixels (640x480)", &r.size),
    };
    static const char usage[] =
        "scene render [FILE] --position X,Y,Z --look-at X,Y,Z | --camera EXPERIMENT.yaml -o "
        "OUT.png [options]\n"
        "Renders a scene (PLY, scene YAML or scene name) without tiles: the picture that "
        "runs are compared with.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 0, FS_SCENE_HOST, run};
    return fs_cmd_input_run(&word, &r, call, err);
}
