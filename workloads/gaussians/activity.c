#include "workloads/gaussians/activity.h"

#include "sim/base/alloc.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"

#include <stdlib.h>
#include <string.h>

static const double most_bytes = 4e9; /* of counts, which lie in memory until they are priced */
enum {
    ALIKE = 16
}; /* steps with the same totals after which a picture has settled, though slots may change */
static const double shown = 0.999; /* of the entries of a settled picture, that it looks settled with */

void fs_gaussians_activity_create(fs_gaussians_activity *a) {
    const size_t pixels = (size_t)a->grid.width * a->grid.height;
    a->counts = fs_calloc(a->steps * a->tiles, sizeof *a->counts);
    a->total = fs_calloc(a->before + a->steps, sizeof *a->total);
    a->first_move = fs_calloc(a->steps + 1, sizeof *a->first_move);
    a->rgb = fs_calloc(pixels, 3);
    a->ideal = fs_calloc(pixels, 3);
}

void fs_gaussians_activity_free(fs_gaussians_activity *a) {
    free(a->counts);
    free(a->total);
    free(a->first_move);
    free(a->move);
    free(a->rgb);
    free(a->ideal);
    *a = (fs_gaussians_activity){0};
}

/* ---- all steps ---- */

typedef struct maker {
    fs_gaussians_activity *a;
    const fs_gaussians_params *p;
    const fs_splats *scene;
    fs_gaussians_seen *seen, *last; /* [gaussians] of this frame and the one before */
    bool lanes_made, spread_made;
    fs_gaussians_lanes lanes;
    fs_gaussians_spread spread;
} maker;

static void add_up(const fs_gaussians_tile_work *work, uint32_t tiles, fs_gaussians_totals *t) {
    for (uint32_t i = 0; i < tiles; i++) {
        const fs_gaussians_tile_work *w = &work[i];
        t->entries += w->listed;
        t->longest = w->listed > t->longest ? w->listed : t->longest;
        t->received += w->received;
        t->received_most = w->received > t->received_most ? w->received : t->received_most;
        t->sends += w->sends;
        t->failed += w->failed;
        t->lost += w->lost;
        t->anchored += w->anchored;
        t->copies += w->copies;
    }
}

static fs_status see(maker *m, uint64_t frame, fs_gaussians_totals *t, fs_error *err) {
    fs_gaussians_view view;
    if (frame > 0 && fs_gaussians_same_view(m->p, frame, frame - 1)) {
        const fs_gaussians_churn c = fs_gaussians_moved(&m->a->grid, m->seen, m->seen, m->scene->count);
        t->both = c.both;
        t->visible = c.visible;
        return FS_OK;
    }
    if (fs_gaussians_view_of(m->p, m->scene, frame, &view, err))
        return err->status;
    fs_gaussians_seen *other = m->last;
    m->last = m->seen;
    m->seen = other;
    fs_gaussians_see(m->scene, &view, &m->a->grid, m->seen);
    const fs_gaussians_churn c =
        fs_gaussians_moved(&m->a->grid, frame > 0 ? m->last : m->seen, m->seen, m->scene->count);
    t->both = c.both;
    t->moved = c.moved;
    t->entered = c.entered;
    t->visible = c.visible;
    t->hops = c.hops;
    t->hops_95 = c.hops_95;
    return FS_OK;
}

static bool same(const fs_gaussians_totals *a, const fs_gaussians_totals *b) {
    return a->entries == b->entries && a->received == b->received && a->sends == b->sends &&
           a->failed == b->failed && a->lost == b->lost;
}

/* From the first distribution until nothing changes, or only who takes whose turn in full lanes; the steps' totals. */
static fs_status settle(maker *m, fs_error *err) {
    fs_gaussians_activity *a = m->a;
    fs_gaussians_totals seen = {0};
    uint64_t state = 0, alike = 0;
    if (see(m, 0, &seen, err))
        return err->status;
    for (uint64_t step = 0; step < (uint64_t)m->p->settle_steps && !a->has_settled && !fs_interrupted();
         step++) {
        fs_gaussians_step(&m->lanes, m->seen);
        a->total = fs_grow(a->total, a->before, sizeof *a->total);
        a->total[a->before] = (fs_gaussians_totals){.frame = UINT64_MAX};
        add_up(m->lanes.work, a->grid.tiles, &a->total[a->before++]);
        const uint64_t before = state;
        state = fs_gaussians_state(&m->lanes);
        alike = step > 0 && same(&a->total[step - 1], &a->total[step]) ? alike + 1 : 0;
        a->has_settled = (step > 0 && state == before) || alike == ALIKE;
        a->settled = step - alike;
    }
    return FS_OK;
}

/* When the entries of the lists came to what they stay. */
static void find_shown(fs_gaussians_activity *a, uint64_t steps) {
    if (steps == 0)
        return;
    const double whole = (double)a->total[steps - 1].entries * shown;
    a->shown = steps;
    while (a->shown > 1 && (double)a->total[a->shown - 2].entries >= whole)
        a->shown--;
}

static void take_step(maker *m, uint64_t step, fs_gaussians_totals *t) {
    fs_gaussians_activity *a = m->a;
    fs_gaussians_tile_work *work = m->lanes.work;
    if (m->lanes_made) {
        fs_gaussians_step(&m->lanes, m->seen);
    } else {
        work = fs_calloc(a->tiles, sizeof *work);
        fs_gaussians_spread_frame(&m->spread, m->seen, work);
        a->move = fs_realloc(a->move, (a->moves + m->spread.moves + 1) * sizeof *a->move);
        if (m->spread.moves > 0)
            memcpy(a->move + a->moves, m->spread.move, m->spread.moves * sizeof *a->move);
        a->moves += m->spread.moves;
    }
    a->first_move[step + 1] = a->moves;
    add_up(work, a->tiles, t);
#pragma omp parallel for schedule(dynamic, 16)
    for (uint32_t i = 0; i < a->grid.tiles; i++) {
        const uint32_t *list = m->lanes_made ? m->lanes.list + (size_t)i * m->lanes.slots
                                             : m->spread.list + (size_t)i * m->spread.list_slots,
                       listed = m->lanes_made ? work[i].listed : m->spread.listed[i],
                       place = m->spread.overlay != NULL
                                   ? m->spread.overlay->tracer_tile[fs_gaussians_tracer(&a->grid, i)]
                                   : i;
        fs_gaussians_blend(&a->grid, a->workers, i, list, listed, m->seen, a->rgb,
                           &fs_gaussians_counts_of(a, step, place)->blend);
    }
    for (uint32_t i = 0; i < a->tiles; i++)
        fs_gaussians_counts_of(a, step, i)->work = work[i];
    if (!m->lanes_made)
        free(work);
}

static fs_status all_frames(maker *m, fs_error *err) {
    fs_gaussians_activity *a = m->a;
    fs_progress progress;
    fs_progress_begin(&progress, "frames", a->steps);
    for (uint64_t f = 0; f < a->steps && !fs_interrupted(); f++) {
        fs_gaussians_totals *t = &a->total[a->before + f];
        t->frame = f;
        if (see(m, f, t, err))
            break;
        take_step(m, f, t);
        fs_progress_update(&progress, f + 1);
    }
    fs_progress_end(&progress);
    if (err->status == FS_OK)
        fs_gaussians_ideal(&a->grid, m->seen, m->scene->count, a->ideal);
    return err->status;
}

static fs_status make(maker *m, fs_error *err) {
    fs_gaussians_activity *a = m->a;
    const double bytes = (double)m->p->frames * a->tiles * (double)sizeof *a->counts;
    if (bytes > most_bytes)
        return fs_fail(err, FS_MEMORY,
                       "workload.frames: counts of %.0f frames would take %.1f GB of the host; expected at "
                       "most %.0f frames (4 GB)",
                       (double)m->p->frames, bytes / 1e9, most_bytes / bytes * (double)m->p->frames);
    m->lanes_made = m->p->method == FS_GAUSSIANS_MESH;
    if (m->lanes_made)
        fs_gaussians_lanes_create(&m->lanes, m->p, m->scene->count);
    if (m->lanes_made && m->p->start == FS_GAUSSIANS_SETTLED && settle(m, err))
        return err->status;
    fs_gaussians_totals *settling = a->total;
    a->steps = (uint64_t)m->p->frames;
    fs_gaussians_activity_create(a);
    if (a->before > 0)
        memcpy(a->total, settling, a->before * sizeof *settling);
    free(settling);
    if (all_frames(m, err))
        return err->status;
    find_shown(a, m->lanes_made && a->before == 0 ? a->steps : a->before);
    if (!m->lanes_made) {
        a->settled = a->shown = m->spread.longest;
        a->has_settled = true;
    }
    return fs_interrupted() ? fs_fail(err, FS_RUN, "interrupted while Gaussians moved") : FS_OK;
}

fs_status fs_gaussians_activity_make(fs_gaussians_activity *a, const fs_gaussians_params *p,
                                     const fs_splats *scene, const fs_overlay *overlay,
                                     const fs_machine_params *machine, fs_error *err) {
    const fs_gaussians_grid grid = fs_gaussians_grid_of(p);
    *a = (fs_gaussians_activity){.grid = grid,
                                 .gaussians = scene->count,
                                 .tiles = overlay != NULL ? fs_machine_tiles(machine) : grid.tiles,
                                 .workers = (uint32_t)machine->tile.workers};
    maker m = {.a = a, .p = p, .scene = scene};
    m.seen = fs_malloc(scene->count * sizeof *m.seen);
    m.last = fs_malloc(scene->count * sizeof *m.last);
    m.spread_made = p->method != FS_GAUSSIANS_MESH;
    if (m.spread_made)
        fs_gaussians_spread_create(&m.spread, p, overlay, scene->count, a->tiles);
    make(&m, err);
    free(m.seen);
    free(m.last);
    if (m.lanes_made)
        fs_gaussians_lanes_free(&m.lanes);
    if (m.spread_made)
        fs_gaussians_spread_free(&m.spread);
    if (err->status)
        fs_gaussians_activity_free(a);
    return err->status;
}
