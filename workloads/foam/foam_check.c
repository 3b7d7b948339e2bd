/* What an experiment of the foam must be like, as far as it can be known without the scene. Runs check
 * nothing of this again: no configuration that breaks a rule is ever loaded. */
#include "workloads/foam/foam_params.h"

#include "models/ipu/machine.h"
#include "models/ipu/tables/frames.h"
#include "models/overlay/overlay.h"
#include "sim/config/config.h"
#include "workloads/foam/foam.h"
#include "workloads/foam/march/payload.h"
#include "workloads/scene/foam/foam_scene.h"

#include <string.h>

/* ---- cameras ---- */

static void check_camera(const fs_config *config, const fs_camera_params *camera, const char *key,
                         fs_check *check) {
    fs_camera made;
    fs_error why = {0};
    if (fs_camera_make(camera, fs_config_where(config, "workload", key), &made, &why))
        fs_check_failed(check, "workload", &why);
}

fs_camera_params fs_foam_camera_of(const fs_camera_params *of, const fs_view *view) {
    fs_camera_params camera = *of;
    memcpy(camera.position, view->position, sizeof camera.position);
    camera.position_given = true;
    if (view->look_at_given)
        memcpy(camera.look_at, view->look_at, sizeof camera.look_at);
    camera.look_at_given = camera.look_at_given || view->look_at_given;
    return camera;
}

/* The views' cameras stand in for that of the workload. */
static void check_views(const fs_foam_params *p, const fs_view *views, size_t count, fs_check *check) {
    for (size_t i = 0; i < count; i++) {
        const fs_camera_params camera = fs_foam_camera_of(&p->camera, &views[i]);
        fs_camera made;
        fs_error why = {0};
        if (fs_camera_make(&camera, "camera", &made, &why))
            fs_check_wrong(check, "views", "view %zu: %s", i, why.text);
    }
}

static void check_change(const fs_config *config, const fs_foam_params *p, fs_check *check) {
    const fs_camera_change_params *change = &p->change;
    fs_camera_params second = p->camera;
    if (change->iteration < 0)
        return;
    if (!change->position_given || !change->look_at_given || second.world_to_camera_given) {
        fs_check_wrong(
            check, "workload.camera_change",
            "a camera change needs position and look_at, and a first camera described the same way");
        return;
    }
    memcpy(second.position, change->position, sizeof second.position);
    memcpy(second.look_at, change->look_at, sizeof second.look_at);
    check_camera(config, &second, "camera_change", check);
}

/* Frames of a path have their own order, pictures and ends. */
static void check_path(const fs_config *config, const fs_foam_params *p, size_t views, fs_check *check) {
    const fs_foam_run_params *run = fs_config_section(config, "run");
    if (run->path.in_flight == 0)
        return;
    if (views == 0 || views > FS_FRAMES_MOST)
        fs_check_wrong(
            check, "run.path.in_flight",
            "the frames of a path are the views of the section `views`; expected 1 to %d, found %zu",
            FS_FRAMES_MOST, views);
    if (run->stream || run->frames > 1)
        fs_check_wrong(
            check, run->stream ? "run.stream" : "run.frames",
            "run.path has a frame for each view; expected no other frames beside run.path.in_flight");
    if (p->change.iteration >= 0)
        fs_check_wrong(check, "workload.camera_change",
                       "run.path.in_flight moves the camera; expected one of the two");
    if (p->judged != FS_JUDGED_THIS || p->give_up > 0)
        fs_check_wrong(
            check, "workload.judging",
            "frames of run.path are taken as the visit finds them; expected no judging.visit: previous and "
            "no judging.give_up");
    const fs_machine_params *machine = fs_config_section(config, "machine");
    if (machine->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(
            check, "run.path.in_flight",
            "a decoupled run meets the host at its beginning and its end only; expected machine.execution: "
            "bsp, or 0");
}

static void check_cameras(const fs_config *config, const fs_foam_params *p, fs_check *check) {
    fs_arena *arena = fs_arena_create();
    const fs_view *views;
    size_t count = 0;
    fs_error why = {0};
    const char *instead = fs_workload_foam.camera.instead;
    if (fs_views_make(config, arena, &views, &count, &why))
        fs_check_failed(check, "views", &why);
    else if (count > 0 && fs_config_value(config, "workload", instead) != NULL)
        fs_check_wrong(check, fs_arena_printf(arena, "workload.%s", instead),
                       "views move the camera, which %s fixes: leave that out", instead);
    else if (count > 0)
        check_views(p, views, count, check);
    else
        check_camera(config, &p->camera, "camera", check);
    fs_arena_free(arena);
    check_change(config, p, check);
    check_path(config, p, count, check);
}

/* ---- shards and overlay ---- */

static void check_shards(const fs_config *config, const fs_foam_params *p, fs_check *check) {
    const fs_scene_params *scene = fs_config_section(config, "scene");
    const fs_partitioner *partitioner = fs_partitioners[p->partition_kind];
    const bool generated = scene->file[0] == '\0';
    fs_arena *arena = fs_arena_create();
    const char *why = partitioner->refuses == NULL ? NULL : partitioner->refuses(&p->partition, arena);
    if (why != NULL)
        fs_check_wrong(check, "workload.partition.shards", "%s", why);
    if (generated && p->partition.shards > scene->generate.cells)
        fs_check_wrong(check, "workload.partition.shards",
                       "%lld shards of a scene with %lld cells: fewer shards, or more cells",
                       (long long)p->partition.shards, (long long)scene->generate.cells);
    fs_arena_free(arena);
    fs_error unplanned = {0};
    if (fs_overlay_check_plan(config, (uint32_t)p->partition.shards, fs_payloads[p->payload].bytes,
                              &unplanned))
        fs_check_failed(check, "overlay", &unplanned);
}

/* ---- execution ---- */

static void check_execution(const fs_machine_params *machine, const fs_foam_params *p, fs_check *check) {
    const int64_t workers = fs_machine_workers(machine, FS_ROLE_GENERATOR);
    if (p->kernels.generator_workers > workers)
        fs_check_wrong(check, "workload.kernels.generator_workers",
                       "expected at most the %lld workers of a tile, found %lld", (long long)workers,
                       (long long)p->kernels.generator_workers);
    if (machine->execution != FS_EXECUTION_DECOUPLED)
        return;
    if (p->infinite_buffers)
        fs_check_wrong(check, "machine.execution",
                       "the lanes of a decoupled run have credits for their places; expected "
                       "workload.infinite_buffers: false, found true");
    if (p->judged != FS_JUDGED_THIS || p->give_up > 0)
        fs_check_wrong(check, "machine.execution",
                       "a decoupled run meets the host at its beginning and its end only; expected no "
                       "workload.judging.visit: previous and no workload.judging.give_up");
    if (p->change.iteration >= 0)
        fs_check_wrong(check, "machine.execution",
                       "a decoupled run meets the host at its beginning and its end only; expected no "
                       "workload.camera_change, found one");
}

void fs_foam_check_config(const fs_config *config, fs_check *check) {
    const fs_foam_params *p = fs_config_section(config, "workload");
    check_cameras(config, p, check);
    check_shards(config, p, check);
    check_execution(fs_config_section(config, "machine"), p, check);
}
