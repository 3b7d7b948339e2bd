/* Activity recordings: their sections, and what these must hold to. A packed section can claim any size and any number, so each is held against
 * what the configuration and the sections before it leave room for, sizes before memory is asked for. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/record/activity.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 14, ALIGNMENT = 64 };

/* ---- iterations ---- */

static void check_iterations(fs_recorded *f, const fs_foam_setup *setup, fs_activity *a) {
    const uint64_t pixels = (uint64_t)setup->camera->width * setup->camera->height;
#define HOLD(name, m, most)                                                                                  \
    FS_RECORDED_HOLD(f, "iterations", a->iteration, a->iterations,                                           \
                     FS_RECORDED(name, fs_activity_iteration, m, 0, most))
    HOLD("active tiles", active, setup->overlay->tiles);
    HOLD("written pixels", written, pixels);
    HOLD("injecting", step.injecting, 1);
#undef HOLD
    if (fs_recorded_reads(f) && a->iterations == 0)
        fs_recorded_wrong(f, "it has no iteration");
    for (size_t k = 0; k < a->iterations && fs_recorded_reads(f); k++)
        a->actives += a->iteration[k].active;
}

/* The tiles of each iteration ascend; how often each program runs follows. */
static void check_active(fs_recorded *f, const fs_overlay *o, const uint8_t *group_of, fs_activity *a,
                         uint64_t *calls) {
    const uint32_t *tile = a->active;
    for (size_t k = 0; k < a->iterations && fs_recorded_reads(f); tile += a->iteration[k++].active)
        FS_RECORDED_HOLD(f, "active", tile, a->iteration[k].active,
                         FS_RECORDED_ITEM("tile", uint32_t, 0, o->tiles - 1, FS_ORDER_CLIMBS));
    for (size_t i = 0; i < a->actives && group_of != NULL && fs_recorded_reads(f); i++) {
        const uint32_t t = a->active[i];
        if (group_of[t] == 0)
            fs_recorded_wrong(f, "tile %u is active and runs no program", t);
        else
            calls[group_of[t] - 1]++;
        a->moves += o->out_start[t + 1] - o->out_start[t];
    }
}

/* Rays in lanes, in which an exchange finds room. */
static void check_moved(fs_recorded *f, const fs_foam_setup *setup, const fs_activity *a) {
    const fs_overlay *o = setup->overlay;
    const uint32_t *moved = a->moved, endless = UINT32_MAX / setup->payload->bytes;
    for (size_t i = 0; i < a->actives; i++)
        for (uint32_t p = o->out_start[a->active[i]]; p < o->out_start[a->active[i] + 1]; p++, moved++)
            if (*moved > (setup->infinite_buffers ? endless : setup->lane_capacity[o->out_lane[p]])) {
                fs_recorded_wrong(f, "tile %u sends more rays than a lane can hold", a->active[i]);
                return;
            }
}

static void iterations(fs_recorded *f, const fs_foam_setup *setup, const fs_device_programs *programs,
                       bool moved, fs_activity *a, uint64_t *calls) {
    fs_recorded_count(f, "iterations", sizeof *a->iteration, setup->max_iterations, &a->iterations);
    FS_RECORDED_LIST(f, "iterations", &a->iteration, a->iterations);
    check_iterations(f, setup, a);
    FS_RECORDED_LIST(f, "active", &a->active, a->actives);
    FS_RECORDED_LIST(f, "held", &a->held, a->actives);
    check_active(f, setup->overlay, programs->of_tile, a, calls);
    FS_RECORDED_LIST(f, moved ? "moved" : NULL, &a->moved, a->moves);
    if (moved && fs_recorded_reads(f))
        check_moved(f, setup, a);
}

/* ---- counts ---- */

static size_t plane_bytes(const fs_activity *a, const fs_activity_plane *plane) {
    return ((size_t)a->calls[plane->group] * (plane->wide ? 2 : 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Planes lie one after the other. */
static void check_planes(fs_recorded *f, fs_activity *a) {
    a->plane_start = FS_NEW(f->arena, size_t, a->groups + 1);
    for (size_t p = 0; p < a->planes; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        if (plane->group >= a->groups || (p > 0 && plane->group < plane[-1].group) ||
            plane->event >= FS_MAX_EVENTS || plane->worker >= a->workers || plane->wide > 1 ||
            (plane->shift != 0 && plane->shift != 16) || plane->at != a->count_bytes) {
            fs_recorded_wrong(f, "plane %zu of its counts does not fit the planes before it", p);
            return;
        }
        a->count_bytes += plane_bytes(a, plane);
        a->plane_start[plane->group + 1] = p + 1;
    }
    for (size_t g = 0; g < a->groups; g++) /* groups without a plane */
        if (a->plane_start[g + 1] < a->plane_start[g])
            a->plane_start[g + 1] = a->plane_start[g];
}

static void make_room(fs_recorded *f, fs_activity *a) {
    void *counts = NULL;
    if (fs_recording_expect(f->recording, "counts", a->count_bytes, f->err))
        return;
    if (posix_memalign(&counts, ALIGNMENT, a->count_bytes > 0 ? a->count_bytes : ALIGNMENT) != 0)
        fs_fail(f->err, FS_MEMORY, "%s: no memory for its counts", fs_recording_path(f->recording));
    else
        fs_prefer_huge_pages(counts, a->count_bytes);
    a->counts = counts;
}

/* calls: how often the tiles of each program are active. */
static void counts(fs_recorded *f, fs_activity *a, const uint64_t *calls) {
    const uint64_t most = 2 * (uint64_t)a->groups * a->workers * FS_MAX_EVENTS;
    uint64_t planes = a->planes;
    FS_RECORDED_LIST(f, "calls", &a->calls, a->groups);
    for (uint32_t g = 0; g < a->groups && calls != NULL && fs_recorded_reads(f); g++)
        if (a->calls[g] != calls[g])
            fs_recorded_wrong(f, "program %u has %llu calls, its tiles are active %llu times", g,
                              (unsigned long long)a->calls[g], (unsigned long long)calls[g]);
    fs_recorded_count(f, "planes", sizeof *a->plane, most, &planes);
    a->planes = planes;
    FS_RECORDED_LIST(f, "planes", &a->plane, planes);
    if (fs_recorded_reads(f))
        check_planes(f, a);
    if (fs_recorded_reads(f))
        make_room(f, a);
    fs_recorded_bytes(f, "counts", a->counts, a->count_bytes);
}

/* ---- the end of the run ---- */

static void end(fs_recorded *f, const fs_foam_setup *setup, fs_activity *a) {
    const fs_activity_end *end = &a->end;
    fs_recorded_bytes(f, "end", &a->end, sizeof a->end);
    if (fs_recorded_reads(f) && (end->width != setup->camera->width || end->height != setup->camera->height ||
                                 end->frames != setup->frames))
        fs_recorded_wrong(f, "it holds %u frames of %u x %u pixels, its key %u of %u x %u", end->frames,
                          end->width, end->height, setup->frames, setup->camera->width,
                          setup->camera->height);
}

static void lanes(fs_recorded *f, const fs_overlay *o, fs_activity *a) {
    static const char *const names[FS_PARTS] = {"lanes_injection", "lanes_steady", "lanes_drain"};
    FS_RECORDED_LIST(f, "lanes", &a->lane, o->lane_count);
    for (int p = 0; p < FS_PARTS; p++)
        FS_RECORDED_LIST(f, names[p], &a->lane_part[p], o->lane_count);
}

static void check_frames(fs_recorded *f, const fs_activity *a) {
    const size_t frames = a->end.frames, pixels = (size_t)a->end.width * a->end.height;
    const uint64_t *written = a->frame, *last = written + frames, *done = last + frames;
    for (size_t k = 0; k < frames; k++)
        if (written[k] > pixels || (last[k] != UINT64_MAX && last[k] >= a->iterations) ||
            (done[k] != UINT64_MAX && (done[k] == 0 || done[k] > a->iterations)))
            fs_recorded_wrong(f, "frame %zu ends where no iteration is", k);
}

static bool possible(const fs_pixel_hops *h, uint64_t iterations) {
    if (h->alive < 0)
        return true; /* never written */
    return (uint64_t)h->alive <= iterations && h->waiting >= 0 && h->waiting <= h->alive &&
           h->tracer_visits >= 0 && h->router_visits >= 0 && h->misrouted >= 0 && h->delivery_hops >= 0;
}

static void pixels(fs_recorded *f, bool pictures, fs_activity *a) {
    const size_t pixels = (size_t)a->end.width * a->end.height;
    fs_recorded heap = {.writer = f->writer, .recording = f->recording, .err = f->err};
    FS_RECORDED_LIST(f, "frames", &a->frame, 3 * (size_t)a->end.frames);
    if (fs_recorded_reads(f))
        check_frames(f, a);
    FS_RECORDED_LIST(f, "hops", &a->hops, pixels);
    for (size_t p = 0; p < pixels && fs_recorded_reads(f); p++)
        if (!possible(&a->hops[p], a->iterations))
            fs_recorded_wrong(f, "the ray of pixel (%zu, %zu) has hops that cannot be", p % a->end.width,
                              p / a->end.width);
    fs_recorded_list(&heap, pictures ? "image" : NULL, (void **)&a->rgb8, pixels, 3);
    FS_RECORDED_LIST(&heap, pictures ? "depth" : NULL, &a->depth16, pixels);
}

/* The reason why the recorded run failed, if it did. */
static void unfinished(fs_recorded *f, fs_activity *a) {
    uint64_t bytes = a->unfinished == NULL ? 0 : strlen(a->unfinished);
    fs_recorded_count(f, "unfinished", 1, MOST_WORDS, &bytes);
    if (fs_recorded_reads(f))
        a->unfinished = FS_NEW(f->arena, char, bytes + 1);
    char *why = (char *)(uintptr_t)a->unfinished;
    fs_recorded_bytes(f, "unfinished", why, bytes);
    for (size_t i = 0; i < bytes && why != NULL && fs_recorded_reads(f); i++) /* it goes to a terminal */
        if ((unsigned char)why[i] < ' ' && why[i] != '\n')
            fs_recorded_wrong(f, "why it did not end is no text");
}

/* ---- all of it ---- */

void fs_activity_sections(fs_recorded *f, const fs_foam_setup *setup, fs_activity_wants wants,
                          fs_activity *a) {
    fs_device_programs programs = {.count = 0};
    uint64_t *calls = NULL;
    if (f->writer != NULL ? a->unfinished != NULL
                          : fs_recording_bytes(f->recording, "unfinished") != SIZE_MAX) {
        unfinished(f, a);
        return;
    }
    if (fs_recorded_reads(f)) {
        programs = fs_foam_programs(setup->overlay, NULL, f->arena);
        calls = FS_NEW(f->arena, uint64_t, programs.count);
        a->workers = setup->workers;
        a->groups = programs.count;
    }
    end(f, setup, a);
    iterations(f, setup, &programs, wants.moved, a, calls);
    FS_RECORDED_HOLD(f, "parts", a->end.part_end, FS_PARTS,
                     FS_RECORDED_ITEM("end", uint64_t, 0, a->iterations, FS_ORDER_RISES));
    if (fs_recorded_reads(f) && a->end.part_end[FS_PARTS - 1] != a->iterations)
        fs_recorded_wrong(f, "its last part ends at iteration %llu of %llu",
                          (unsigned long long)a->end.part_end[FS_PARTS - 1],
                          (unsigned long long)a->iterations);
    counts(f, a, calls);
    lanes(f, setup->overlay, a);
    pixels(f, wants.pictures, a);
}

void fs_activity_free(fs_activity *a) {
    free(a->counts);
    free(a->rgb8);
    free(a->depth16);
    *a = (fs_activity){0};
}
