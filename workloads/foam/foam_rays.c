/* Where a run's scene and rays come from: worked out, or read from a recording. */
#include "workloads/foam/foam_run.h"

#include "sim/base/host.h"
#include "sim/host/voice.h"
#include "workloads/foam/march/march.h"
#include "workloads/image/image.h"

#include <string.h>

/* ---- scene ---- */

/* Rays in flight that take another way when the camera changes are marched on from where they are then, which
 * depends on the traffic. */
static bool turns_rays(const fs_foam_run *r) {
    return r->params->change.iteration >= 0 && r->params->change.policy == FS_CHANGE_IMMEDIATE;
}

/* Coefficients as the scene has them and, rounded, as tiles do. */
static fs_status colour_scene(fs_foam_run *r, const fs_scene_params *scene, fs_error *err) {
    const uint32_t degree = (uint32_t)r->params->kernels.harmonics;
    const double arrays = r->params->kernels.store == FS_MARCH_F32 ? 1 : 2,
                 bytes = arrays * sizeof(float) * fs_harmonics_coefficients(degree) * r->foam.sites;
    if (bytes > 0.75 * (double)fs_host_memory_bytes())
        return fs_fail(
            err, FS_INPUT,
            "%s: the coefficients of %u cells would take about %.1f GB of the host, which has %.1f; expected "
            "a lower degree or a smaller scene",
            fs_config_where(r->of.run.config, "workload", "harmonics.degree"), r->foam.sites, 1e-9 * bytes,
            1e-9 * (double)fs_host_memory_bytes());
    if (fs_scene_harmonics(scene, degree, &r->foam, err))
        return err->status;
    fs_march_scene_colour(&r->scene, &r->foam, degree, r->params->kernels.store);
    return FS_OK;
}

static fs_status cut_scene(fs_foam_run *r, fs_error *err) {
    const fs_scene_params *scene = fs_config_section(r->of.run.config, "scene");
    double begin = fs_host_wall_seconds();
    if (fs_scene_load(scene, r->of.run.host->cache_dir, r->of.run.host->threads, &r->foam, err))
        return err->status;
    r->cost.scene_seconds = fs_host_wall_seconds() - begin;
    begin = fs_host_wall_seconds();
    fs_partition_params cut = r->params->partition;
    const fs_partitioner *partitioner = fs_partitioners[r->params->partition_kind];
    cut.exact = true;
    uint32_t *work = NULL;
    if (partitioner->wants_work != NULL && partitioner->wants_work(&cut) &&
        fs_partition_work(&r->foam, &r->camera[0], &r->params->march, r->of.run.arena, &work, err))
        return err->status;
    cut.work = work;
    if (fs_partition_make(partitioner, &r->foam, &cut, r->of.run.arena, &r->partition, err) ||
        fs_partition_check_record(&r->partition, err) ||
        fs_march_scene_make(&r->foam, &r->partition, &r->scene, err))
        return err->status;
    if (r->params->kernels.harmonics > 0 && colour_scene(r, scene, err))
        return err->status;
    r->cost.partition_seconds = fs_host_wall_seconds() - begin;
    r->marches = true;
    return FS_OK;
}

static void note_facts(fs_foam_run *r) {
    r->facts = (fs_foam_facts){.cells = r->foam.sites,
                               .faces = r->foam.faces,
                               .shards = r->partition.shards,
                               .cameras = r->cameras,
                               .degree = (uint32_t)r->params->kernels.harmonics};
    memcpy(r->facts.digest, r->foam.digest, sizeof r->foam.digest);
    for (uint32_t c = 0; c < r->cameras; c++)
        r->facts.entry[c] =
            r->scene.cell[fs_march_nearest(&r->scene, &r->partition, r->camera[c].origin)].shard;
}

static fs_foam_expected expected_of(const fs_foam_run *r) {
    return (fs_foam_expected){.shards = (uint32_t)r->params->partition.shards,
                              .cameras = r->cameras,
                              .width = r->camera[0].width,
                              .height = r->camera[0].height,
                              .degree = (uint32_t)r->params->kernels.harmonics};
}

void fs_foam_facts_of(fs_recorded *f, fs_foam_run *r) {
    const fs_foam_expected expected = expected_of(r);
    fs_foam_facts_sections(f, &expected, &r->facts, &r->partition);
}

fs_status fs_foam_make_scene(fs_foam_run *r, fs_error *err) {
    r->payload = fs_payloads[r->params->payload];
    if (r->params->change.iteration >= 0 && r->params->change.policy == FS_CHANGE_POSE_IN_PAYLOAD)
        r->payload.bytes += (uint32_t)r->params->pose_bytes;
    if (r->of.run.replay != NULL && (!turns_rays(r) || r->of.run.prices)) {
        fs_foam_facts_of(&(fs_recorded){.recording = r->of.run.replay, .arena = r->of.run.arena, .err = err},
                         r);
        return err->status;
    }
    if (cut_scene(r, err))
        return err->status;
    note_facts(r);
    for (uint32_t c = 0; c < r->cameras; c++)
        if (fs_payload_check_range(&r->payload, &r->foam, &r->camera[c], err))
            return err->status;
    return FS_OK;
}

/* ---- rays ---- */

static fs_journey journey_of(const fs_foam_run *r) {
    return (fs_journey){.scene = r->marches ? &r->scene : NULL,
                        .march = &r->params->march,
                        .payload = &r->payload,
                        .round_at_end = !r->setup.local_framebuffer,
                        .columns = r->setup.order == FS_ORDER_COLUMNS};
}

static void use_rays(fs_foam_run *r) {
    r->rays.itinerary.journey = journey_of(r);
    r->setup.recorded = &r->rays.itinerary;
    r->setup.recorded_view = r->rays.view;
}

static fs_status replay_rays(fs_foam_run *r, fs_error *err) {
    const fs_payload *round = r->setup.local_framebuffer ? NULL : &r->payload;
    const fs_foam_expected expected = expected_of(r);
    fs_foam_itinerary_read(
        &(fs_recorded){.recording = r->of.run.replay, .arena = r->of.run.arena, .err = err}, &expected,
        r->facts.entry, round, &r->rays, &r->reference);
    if (err->status != FS_OK)
        return err->status;
    for (uint32_t c = 0; c < r->cameras; c++) {
        fs_itinerary_view *view = &r->rays.view[c];
        view->camera = r->camera[c];
        view->shard = r->facts.entry[c];
        if (r->marches)
            view->place = fs_march_nearest(&r->scene, &r->partition, r->camera[c].origin);
    }
    use_rays(r);
    return FS_OK;
}

/* Where the march is to lay the reference beside the itineraries; NULL when the cache has it. */
static fs_reference *wanted_reference(fs_foam_run *r) {
    const bool found = fs_reference_find(&r->foam, &r->camera[0], &r->params->march,
                                         r->of.run.host->cache_dir, &r->reference);
    return found ? NULL : &r->reference;
}

void fs_foam_keep_reference(fs_foam_run *r, const fs_reference *made) {
    if (made != NULL)
        fs_reference_keep(&r->foam, &r->camera[0], &r->params->march, r->of.run.host->cache_dir, made);
}

static void rays_sections(fs_recorded *f, void *self) {
    fs_foam_run *r = self;
    fs_foam_facts_of(f, r);
    fs_foam_itinerary_write(f, &r->rays.itinerary, r->rays.view, r->cameras, &r->reference);
}

static fs_status write_rays(fs_foam_run *r, fs_error *err) {
    return fs_recorded_write(r->of.run.host->record, FS_RECORDING_ITINERARY, r->of.run.config, rays_sections,
                             r, err);
}

/* What harmonics come to: cells that load them, and the picture without them, which the cache may have. */
static fs_status note_colour(fs_foam_run *r, fs_error *err) {
    const fs_itinerary *it = &r->rays.itinerary;
    const size_t pixels = (size_t)it->width * it->height;
    fs_foam plain = r->foam;
    fs_march_scene uncoloured = r->scene;
    fs_reference picture;
    plain.harmonics_digest[0] = '\0';
    uncoloured.exact = uncoloured.stored = (fs_march_colours){0};
    if (!fs_reference_find(&plain, &r->camera[0], &r->params->march, r->of.run.host->cache_dir, &picture)) {
        if (fs_reference_render(&uncoloured, &r->partition, &r->camera[0], &r->params->march, &picture, err))
            return err->status;
        fs_reference_keep(&plain, &r->camera[0], &r->params->march, r->of.run.host->cache_dir, &picture);
    }
    r->facts.colour.psnr = fs_psnr_float(picture.rgb, r->reference.rgb, pixels);
    r->facts.colour.lit = 0;
    for (size_t p = 0; p < pixels; p++) {
        uint32_t leg = r->rays.view[0].first[p];
        for (; fs_itinerary_leg(it, leg)->next != FS_LEG_ENDS; leg += FS_LEG_STRIDE)
            r->facts.colour.lit += fs_itinerary_lit(it, leg);
        r->facts.colour.lit += fs_itinerary_lit(it, leg);
    }
    fs_reference_free(&picture);
    return FS_OK;
}

/* Marches every ray to its unrounded end, writes the recording if one is asked for, and goes on with the rounded
 * ends. */
static fs_status record_rays(fs_foam_run *r, fs_error *err) {
    fs_journey journey = journey_of(r);
    fs_reference *made = wanted_reference(r);
    journey.round_at_end = false;
    fs_itinerary_create(&r->rays.itinerary, r->of.run.arena, &journey, r->camera[0].width,
                        r->camera[0].height);
    for (uint32_t c = 0; c < r->cameras; c++) {
        const uint32_t place = fs_march_nearest(&r->scene, &r->partition, r->camera[c].origin);
        if (fs_itinerary_march(&r->rays.itinerary, &r->camera[c], place, &r->rays.view[c],
                               c == 0 ? made : NULL, err))
            return err->status;
    }
    fs_foam_keep_reference(r, made);
    if ((r->facts.degree > 0 && note_colour(r, err)) ||
        (r->of.run.host->record != NULL && !r->of.run.host->check_only && write_rays(r, err)))
        return err->status;
    for (uint32_t c = 0; c < r->cameras && !r->setup.local_framebuffer; c++)
        fs_foam_round_ends(&r->payload, &r->rays.view[c], (size_t)r->camera[c].width * r->camera[c].height);
    use_rays(r);
    return FS_OK;
}

/* Before a large picture is marched, a small one of the same view: what its rays visit is about what all will.
 * FS_INPUT where the host has not the memory. */
static fs_status look_ahead(const fs_foam_run *r, fs_error *err) {
    enum {
        ACROSS = 64,
        LARGE = 1 << 22,                                                           /* pixels */
        PIXEL_BYTES = sizeof(fs_pixel_hops) + sizeof(int32_t) + 4 * sizeof(float), /* of the framebuffer */
        REFERENCE_BYTES = 5 * sizeof(float),
        RAY_BYTES = sizeof(uint32_t) + sizeof(fs_ray_state),
    };
    const fs_camera *whole = &r->camera[0];
    const double pixels = (double)whole->width * whole->height, rays = pixels * r->cameras;
    if (rays < LARGE)
        return FS_OK;
    fs_camera small = *whole;
    small.width = small.height = ACROSS;
    small.scale_x *= (float)whole->width / ACROSS;
    small.scale_y *= (float)whole->height / ACROSS;
    const fs_journey journey = journey_of(r);
    fs_arena *scratch = fs_arena_create();
    fs_itinerary it;
    fs_itinerary_view view;
    fs_itinerary_create(&it, scratch, &journey, ACROSS, ACROSS);
    const double began = fs_host_cpu_seconds();
    const uint32_t place = fs_march_nearest(&r->scene, &r->partition, small.origin);
    fs_status status = fs_itinerary_march(&it, &small, place, &view, NULL, err);
    const double share = rays / (ACROSS * ACROSS), seconds = (fs_host_cpu_seconds() - began) * share;
    uint64_t legs = 0;
    for (uint32_t i = 0; i < ACROSS * ACROSS && status == FS_OK; i++) {
        uint32_t leg = view.first[i];
        while (legs++, fs_itinerary_leg(&it, leg)->next != FS_LEG_ENDS)
            leg += FS_LEG_STRIDE;
    }
    fs_arena_free(scratch);
    const double bytes =
        pixels * (PIXEL_BYTES + REFERENCE_BYTES) + rays * RAY_BYTES + (double)legs * share * sizeof(fs_leg);
    if (status == FS_OK && bytes > 0.75 * (double)fs_host_memory_bytes())
        return fs_fail(
            err, FS_INPUT,
            "%s: %.0f rays would take about %.1f GB of the host, which has %.1f; expected a smaller "
            "picture",
            fs_config_where(r->of.run.config, "workload", "camera.width"), rays, 1e-9 * bytes,
            1e-9 * (double)fs_host_memory_bytes());
    if (status == FS_OK)
        fs_say("%.0f rays take about %.1f GB of the host and at most %.0f s of a core to march", rays,
               1e-9 * bytes, seconds);
    return status;
}

fs_status fs_foam_make_rays(fs_foam_run *r, fs_error *err) {
    if (r->of.run.replay != NULL)
        return replay_rays(r, err);
    if (look_ahead(r, err))
        return err->status;
    if (r->facts.degree > 0 || (r->of.run.host->record != NULL && !r->of.run.host->check_only))
        return record_rays(r, err);
    r->setup.reference = wanted_reference(r);
    return FS_OK;
}
