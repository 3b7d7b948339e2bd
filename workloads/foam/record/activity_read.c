/* Activity recordings: reading. A packed section can claim any size and any number, so each is held against
 * what the configuration and the sections before it leave room for, sizes before memory is asked for. */
#include "sim/workload/recorded.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/record/activity.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 14, ALIGNMENT = 64 };

/* Items of a section that has as many of them as its size says, at most `most`. */
static fs_status count_items(const fs_recording *r, const char *name, size_t size, size_t most, size_t *count,
                             fs_error *err) {
    const size_t bytes = fs_recording_bytes(r, name);
    *count = 0;
    if (bytes == SIZE_MAX || bytes % size != 0)
        return fs_recording_damaged(r, err, "section %s is %s", name, bytes == SIZE_MAX ? "missing" : "cut");
    *count = bytes / size;
    if (*count > most)
        return fs_recording_damaged(r, err, "section %s has %zu items, at most %zu are possible", name,
                                    *count, most);
    return FS_OK;
}

/* ---- iterations ---- */

static fs_status check_iterations(const fs_recording *r, const fs_foam_setup *setup, const fs_activity *a,
                                  size_t *actives, fs_error *err) {
    const uint64_t pixels = (uint64_t)setup->camera->width * setup->camera->height;
    *actives = 0;
    for (size_t k = 0; k < a->iterations; k++) {
        const fs_activity_iteration *i = &a->iteration[k];
        unsigned char injecting;
        memcpy(&injecting, (const char *)i + offsetof(fs_activity_iteration, step.injecting), 1);
        if (i->active > setup->overlay->tiles || i->written > pixels || injecting > 1)
            return fs_recording_damaged(r, err, "iteration %zu has numbers that cannot be", k);
        *actives += i->active;
    }
    return FS_OK;
}

/* The tiles of each iteration ascend; how often each program runs follows. */
static fs_status check_active(const fs_recording *r, const fs_overlay *o, const uint8_t *group_of,
                              fs_activity *a, uint64_t *calls, fs_error *err) {
    const uint32_t *tile = a->active;
    for (size_t k = 0; k < a->iterations; tile += a->iteration[k++].active)
        for (uint32_t t = 0; t < a->iteration[k].active; t++) {
            if (tile[t] >= o->tiles || group_of[tile[t]] == 0)
                return fs_recording_damaged(r, err, "iteration %zu names a tile that is not there", k);
            if (t > 0 && tile[t] <= tile[t - 1])
                return fs_recording_damaged(r, err, "the tiles of iteration %zu do not ascend", k);
            calls[group_of[tile[t]] - 1]++;
            a->moves += o->out_start[tile[t] + 1] - o->out_start[tile[t]];
        }
    return FS_OK;
}

static fs_status read_iterations(const fs_recording *r, const fs_foam_setup *setup,
                                 const fs_device_programs *programs, fs_arena *arena, fs_activity *a,
                                 uint64_t *calls, fs_error *err) {
    size_t iterations;
    if (count_items(r, "iterations", sizeof *a->iteration, setup->max_iterations, &iterations, err) ||
        FS_RECORDED_TAKE(r, "iterations", iterations, arena, &a->iteration, err))
        return err->status;
    a->iterations = iterations;
    if (iterations == 0)
        return fs_recording_damaged(r, err, "it has no iteration");
    if (check_iterations(r, setup, a, &a->actives, err) ||
        FS_RECORDED_TAKE(r, "active", a->actives, arena, &a->active, err) ||
        FS_RECORDED_TAKE(r, "held", a->actives, arena, &a->held, err))
        return err->status;
    return check_active(r, setup->overlay, programs->of_tile, a, calls, err);
}

/* ---- counts ---- */

static size_t plane_bytes(const fs_activity *a, const fs_activity_plane *plane) {
    return ((size_t)a->calls[plane->group] * (plane->wide ? 2 : 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Planes lie one after the other; bytes: of all of them. */
static fs_status check_planes(const fs_recording *r, fs_activity *a, size_t *bytes, fs_error *err) {
    *bytes = 0;
    for (size_t p = 0; p < a->planes; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        if (plane->group >= a->groups || (p > 0 && plane->group < plane[-1].group) ||
            plane->event >= FS_MAX_EVENTS || plane->worker >= a->workers || plane->wide > 1 ||
            (plane->shift != 0 && plane->shift != 16) || plane->at != *bytes)
            return fs_recording_damaged(r, err, "plane %zu of its counts does not fit the planes before it",
                                        p);
        *bytes += plane_bytes(a, plane);
        a->plane_start[plane->group + 1] = p + 1;
    }
    for (size_t g = 0; g < a->groups; g++) /* groups without a plane */
        if (a->plane_start[g + 1] < a->plane_start[g])
            a->plane_start[g + 1] = a->plane_start[g];
    return FS_OK;
}

/* calls: how often the tiles of each program are active. */
static fs_status read_counts(const fs_recording *r, fs_arena *arena, fs_activity *a, const uint64_t *calls,
                             fs_error *err) {
    if (FS_RECORDED_TAKE(r, "calls", a->groups, arena, &a->calls, err))
        return err->status;
    for (uint32_t g = 0; g < a->groups; g++)
        if (a->calls[g] != calls[g])
            return fs_recording_damaged(r, err, "program %u has %llu calls, its tiles are active %llu times",
                                        g, (unsigned long long)a->calls[g], (unsigned long long)calls[g]);
    const size_t most = 2 * (size_t)a->groups * a->workers * FS_MAX_EVENTS;
    a->plane_start = FS_NEW(arena, size_t, a->groups + 1);
    size_t bytes;
    if (count_items(r, "planes", sizeof *a->plane, most, &a->planes, err) ||
        FS_RECORDED_TAKE(r, "planes", a->planes, arena, &a->plane, err) || check_planes(r, a, &bytes, err) ||
        fs_recording_expect(r, "counts", bytes, err))
        return err->status;
    void *counts = NULL;
    if (posix_memalign(&counts, ALIGNMENT, bytes > 0 ? bytes : ALIGNMENT) != 0)
        return fs_fail(err, FS_MEMORY, "%s: no memory for its counts", fs_recording_path(r));
    fs_prefer_huge_pages(counts, bytes);
    a->counts = counts;
    return fs_recording_read(r, "counts", a->counts, bytes, err);
}

/* ---- the end of the run ---- */

static fs_status check_end(const fs_recording *r, const fs_foam_setup *setup, const fs_activity *a,
                           fs_error *err) {
    const fs_activity_end *end = &a->end;
    if (end->width != setup->camera->width || end->height != setup->camera->height ||
        end->frames != setup->frames)
        return fs_recording_damaged(r, err, "it holds %u frames of %u x %u pixels, its key %u of %u x %u",
                                    end->frames, end->width, end->height, setup->frames, setup->camera->width,
                                    setup->camera->height);
    for (int p = 0; p < FS_PARTS; p++)
        if (end->part_end[p] > a->iterations || (p > 0 && end->part_end[p] < end->part_end[p - 1]))
            return fs_recording_damaged(r, err, "its parts do not follow each other within %llu iterations",
                                        (unsigned long long)a->iterations);
    if (end->part_end[FS_PARTS - 1] != a->iterations)
        return fs_recording_damaged(r, err, "its last part ends at iteration %llu of %llu",
                                    (unsigned long long)end->part_end[FS_PARTS - 1],
                                    (unsigned long long)a->iterations);
    return FS_OK;
}

static fs_status read_lanes(const fs_recording *r, const fs_overlay *o, fs_arena *arena, fs_activity *a,
                            fs_error *err) {
    static const char *const names[FS_PARTS] = {"lanes_injection", "lanes_steady", "lanes_drain"};
    fs_status status = FS_RECORDED_TAKE(r, "lanes", o->lane_count, arena, &a->lane, err);
    for (int p = 0; p < FS_PARTS && status == FS_OK; p++)
        status = FS_RECORDED_TAKE(r, names[p], o->lane_count, arena, &a->lane_part[p], err);
    return status;
}

static fs_status check_frames(const fs_recording *r, const fs_activity *a, fs_error *err) {
    const size_t frames = a->end.frames, pixels = (size_t)a->end.width * a->end.height;
    const uint64_t *written = a->frame, *last = written + frames, *done = last + frames;
    for (size_t f = 0; f < frames; f++)
        if (written[f] > pixels || (last[f] != UINT64_MAX && last[f] >= a->iterations) ||
            (done[f] != UINT64_MAX && (done[f] == 0 || done[f] > a->iterations)))
            return fs_recording_damaged(r, err, "frame %zu ends where no iteration is", f);
    return FS_OK;
}

static bool possible(const fs_pixel_hops *h, uint64_t iterations) {
    if (h->alive < 0)
        return true; /* never written */
    return (uint64_t)h->alive <= iterations && h->waiting >= 0 && h->waiting <= h->alive &&
           h->tracer_visits >= 0 && h->router_visits >= 0 && h->misrouted >= 0 && h->delivery_hops >= 0;
}

static fs_status check_hops(const fs_recording *r, const fs_activity *a, fs_error *err) {
    for (size_t p = 0; p < (size_t)a->end.width * a->end.height; p++)
        if (!possible(&a->hops[p], a->iterations))
            return fs_recording_damaged(r, err, "the ray of pixel (%zu, %zu) has hops that cannot be",
                                        p % a->end.width, p / a->end.width);
    return FS_OK;
}

static fs_status read_pixels(const fs_recording *r, bool pictures, fs_arena *arena, fs_activity *a,
                             fs_error *err) {
    const size_t pixels = (size_t)a->end.width * a->end.height;
    if (FS_RECORDED_TAKE(r, "frames", 3 * (size_t)a->end.frames, arena, &a->frame, err) ||
        check_frames(r, a, err) || FS_RECORDED_TAKE(r, "hops", pixels, arena, &a->hops, err) ||
        check_hops(r, a, err))
        return err->status;
    if (pictures && (fs_recorded_take(r, "image", pixels, 3, NULL, (void **)&a->rgb8, err) ||
                     FS_RECORDED_TAKE(r, "depth", pixels, NULL, &a->depth16, err)))
        return err->status;
    return FS_OK;
}

/* The reason why the recorded run failed, if it did. */
static fs_status read_unfinished(const fs_recording *r, fs_arena *arena, fs_activity *a, fs_error *err) {
    size_t bytes = fs_recording_bytes(r, "unfinished");
    if (bytes == SIZE_MAX)
        return FS_OK;
    if (count_items(r, "unfinished", 1, MOST_WORDS, &bytes, err))
        return err->status;
    char *why = FS_NEW(arena, char, bytes + 1);
    a->unfinished = why;
    if (fs_recording_read(r, "unfinished", why, bytes, err))
        return err->status;
    for (size_t i = 0; i < bytes; i++) /* it goes to a terminal */
        if ((unsigned char)why[i] < ' ' && why[i] != '\n')
            return fs_recording_damaged(r, err, "why it did not end is no text");
    return FS_OK;
}

/* Rays in lanes, in which an exchange finds room. */
static fs_status read_moved(const fs_recording *r, const fs_foam_setup *setup, fs_arena *arena,
                            fs_activity *a, fs_error *err) {
    const fs_overlay *o = setup->overlay;
    if (FS_RECORDED_TAKE(r, "moved", a->moves, arena, &a->moved, err))
        return err->status;
    const uint32_t *moved = a->moved;
    for (size_t i = 0; i < a->actives; i++)
        for (uint32_t p = o->out_start[a->active[i]]; p < o->out_start[a->active[i] + 1]; p++, moved++)
            if (*moved > (setup->infinite_buffers ? UINT32_MAX / setup->payload->bytes
                                                  : setup->lane_capacity[o->out_lane[p]]))
                return fs_recording_damaged(r, err, "tile %u sends more rays than a lane can hold",
                                            a->active[i]);
    return FS_OK;
}

fs_status fs_activity_read(const fs_recording *r, const fs_foam_setup *setup, fs_activity_wants wants,
                           fs_arena *arena, fs_activity *out, fs_error *err) {
    *out = (fs_activity){.workers = setup->workers};
    if (read_unfinished(r, arena, out, err) || out->unfinished != NULL)
        return err->status;
    const fs_device_programs programs = fs_foam_programs(setup->overlay, NULL, arena);
    uint64_t *calls = FS_NEW(arena, uint64_t, programs.count);
    out->groups = programs.count;
    if (fs_recording_read(r, "end", &out->end, sizeof out->end, err) ||
        read_iterations(r, setup, &programs, arena, out, calls, err) || check_end(r, setup, out, err) ||
        read_counts(r, arena, out, calls, err) || read_lanes(r, setup->overlay, arena, out, err) ||
        read_pixels(r, wants.pictures, arena, out, err))
        return err->status;
    return wants.moved ? read_moved(r, setup, arena, out, err) : FS_OK;
}

void fs_activity_free(fs_activity *a) {
    free(a->counts);
    free(a->rgb8);
    free(a->depth16);
    *a = (fs_activity){0};
}
