/* Under which camera rays are made: a second one in the middle of a run, or frame after frame of a path. */
#include "workloads/foam/kernels/simulation_internal.h"

/* ---- a second camera ---- */

/* A ray that is under way takes up the itinerary of its pixel under the new camera. */
static fs_status turn_ray(fs_foam_simulation *sim, fs_eye *eye, const fs_handle *handle, fs_error *err) {
    if (handle->ray == FS_RAY_CONSUMED || (handle->ray & FS_RAY_ENDED) != 0)
        return FS_OK;
    const uint32_t id = handle->ray & FS_RAY_ID;
    fs_ray *ray = &sim->pool.ray[id];
    fs_course *course = &sim->pool.course[id];
    uint32_t visits = 0;
    for (uint32_t leg = ray->first; leg < course->leg; leg += FS_LEG_STRIDE)
        visits += fs_itinerary_leg(&sim->itinerary, leg)->next != FS_LEG_MORE;
    ray->tracer_visits = (uint16_t)(ray->tracer_visits + fs_legs_between(ray->first, course->leg));
    if (fs_itinerary_turn(&sim->itinerary, &sim->view[ray->pose], &sim->setup.camera[sim->pose], eye, ray->x,
                          ray->y, visits, &ray->first, &sim->turned_end[id], err))
        return err->status;
    course->leg = ray->first;
    ray->turned = 1;
    return FS_OK;
}

/* Rays in flight carry only their pixel: from now on every tile works their direction out from the new
 * camera. */
static fs_status turn_rays(fs_foam_simulation *sim, fs_error *err) {
    const fs_generator *g = &sim->generator;
    sim->turned_end = FS_NEW(sim->itinerary.arena, fs_ray_state, sim->pool.wrap);
    fs_eye eye;
    fs_eye_open(&eye, sim->itinerary.journey.scene, sim->setup.camera[sim->pose].origin);
    fs_status status = FS_OK;
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++)
        for (uint32_t i = 0; i < sim->lanes[l].in_extent && status == FS_OK; i++)
            status = turn_ray(sim, &eye, &sim->lanes[l].in[i], err);
    for (uint32_t i = 0; i < g->ring_count && status == FS_OK; i++)
        status = turn_ray(sim, &eye, &g->ring[(g->ring_first + i) % g->ring_size], err);
    fs_eye_close(&eye);
    return status;
}

fs_status fs_poses_change(fs_foam_simulation *sim, uint64_t iteration, fs_error *err) {
    if (!sim->change_pending || iteration < sim->setup.change_iteration)
        return FS_OK;
    if (sim->setup.change_policy == FS_CHANGE_DRAIN && sim->pool.in_flight > 0) {
        sim->generator.paused = true;
        return FS_OK;
    }
    sim->generator.paused = false;
    sim->change_pending = false;
    sim->pose = 1;
    return sim->setup.change_policy == FS_CHANGE_IMMEDIATE ? turn_rays(sim, err) : FS_OK;
}

/* ---- a path ---- */

void fs_poses_begin(fs_foam_simulation *sim, fs_arena *arena) {
    const fs_foam_setup *s = &sim->setup;
    sim->change_pending = s->in_flight == 0 && s->cameras > 1;
    if (s->in_flight == 0)
        return;
    sim->granted = s->in_flight < s->frames ? s->in_flight : s->frames;
    fs_framebuffer_part(&sim->framebuffer, arena);
}

/* The host looks at the oldest frame that it has not taken, takes it if enough of its pixels are there, and goes on
 * to the next; each that it looks at is read, and each that it takes brings the next camera. */
bool fs_poses_take(fs_foam_simulation *sim, uint64_t iteration, fs_foam_visit *visit) {
    fs_framebuffer *fb = &sim->framebuffer;
    const fs_generator *g = &sim->generator;
    const double enough = sim->setup.coverage * ((double)fb->width * (double)fb->height);
    const uint32_t begun = g->frame + (g->batch > 0), before = sim->granted;
    uint32_t looked = 0;
    while (sim->taken < begun) {
        looked++;
        if ((double)fb->written[sim->taken] < enough)
            break;
        fb->done[sim->taken++] = iteration + 1;
    }
    sim->granted = sim->taken + sim->setup.in_flight;
    sim->granted = sim->granted < fb->frames ? sim->granted : fb->frames;
    if (!sim->setup.local_framebuffer && looked > 1)
        visit->bytes_to_host *= looked;
    if (sim->granted > before + 1)
        visit->bytes_to_device *= sim->granted - before;
    return sim->taken == fb->frames;
}
