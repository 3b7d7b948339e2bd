
#include "workloads/foam/kernels/simulation_internal.h"

#include <stdio.h>

/* Two independent mixes (the finalisers of SplitMix64 and of MurmurHash3), so that 128 bits have to agree. */
typedef struct mixes {
    uint64_t a, b;
} mixes;

static void mix(mixes *m, uint64_t word) {
    uint64_t x = m->a + UINT64_C(0x9e3779b97f4a7c15) + word, y = (m->b ^ word) + UINT64_C(0x2545f4914f6cdd1d);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    y = (y ^ (y >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    y = (y ^ (y >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    m->a = x ^ (x >> 31);
    m->b = y ^ (y >> 33);
}

/* Digests of a state: in order, and of what each lane holds in any order. */
typedef struct digests {
    mixes ordered, any_order;
} digests;

/* A ray by what it will do, not by its record: its pixel, where on its way it is, whom it wants, whether it
 * is in another lane than its own. */
static void mix_ray(mixes *m, const fs_foam_simulation *sim, fs_handle handle) {
    if (handle.ray == FS_RAY_CONSUMED) {
        mix(m, UINT64_MAX);
        return;
    }
    const uint32_t id = handle.ray & FS_RAY_ID;
    const fs_ray *ray = &sim->pool.ray[id];
    mix(m, (uint64_t)sim->pool.course[id].leg << 32 | fs_pixel_of(sim, id));
    mix(m, (uint64_t)(handle.ray & (FS_RAY_SPILLED | FS_RAY_ENDED)) << 32 | (uint64_t)handle.wants << 8 |
               (uint64_t)ray->turned << 1 | ray->pose);
}

static void mix_lane(digests *d, const fs_foam_simulation *sim, uint32_t lane) {
    const fs_lane_state *state = &sim->lanes[lane];
    mix(&d->ordered, state->in_extent);
    for (uint32_t i = 0; i < state->in_extent; i++) {
        mixes ray = {lane, 0};
        mix_ray(&ray, sim, state->in[i]);
        mix(&d->ordered, ray.a ^ ray.b);
        d->any_order.a += ray.a;
        d->any_order.b += ray.b;
    }
}

static digests state_of(const fs_foam_simulation *sim) {
    const fs_generator *g = &sim->generator;
    digests d = {{0, 0}, {0, 0}};
    mix(&d.ordered, (uint64_t)g->batch << 32 | g->idle_left);
    mix(&d.ordered, (uint64_t)g->ring_count << 1 | g->finished);
    for (uint32_t i = 0; i < g->ring_count; i++)
        mix_ray(&d.ordered, sim, g->ring[(g->ring_first + i) % g->ring_size]);
    d.any_order = d.ordered;
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++)
        mix_lane(&d, sim, l);
    return d;
}

/* What follows from a state's digests, in either order, and costs a tenth of them: states whose outlines
 * differ differ. */
static uint64_t outline_of(const fs_foam_simulation *sim) {
    const fs_generator *g = &sim->generator;
    uint64_t sum = (uint64_t)g->batch << 32 | g->idle_left, weight = 1;
    sum += ((uint64_t)g->ring_count << 1 | g->finished) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++, weight += 2)
        sum += sim->lanes[l].in_extent * weight;
    return sum;
}

static bool same(const uint64_t kept[2], mixes now) {
    return kept[0] == now.a && kept[1] == now.b;
}

/* Rays of frames before the last one count for less than those after them. */
static bool old_frames(const fs_foam_simulation *sim) {
    const uint32_t last = sim->framebuffer.frames - 1;
    const fs_generator *g = &sim->generator;
    if (last == 0)
        return false;
    for (uint32_t i = 0; i < g->ring_count; i++)
        if (sim->pool.ray[g->ring[(g->ring_first + i) % g->ring_size].ray & FS_RAY_ID].frame < last)
            return true;
    for (uint32_t l = 0; l < sim->overlay->lane_count; l++)
        for (uint32_t i = 0; i < sim->lanes[l].in_extent; i++) {
            const uint32_t ray = sim->lanes[l].in[i].ray;
            if (ray != FS_RAY_CONSUMED && sim->pool.ray[ray & FS_RAY_ID].frame < last)
                return true;
        }
    return g->frame < last;
}

/* Some ray may take one lane or another. */
static bool has_choices(const fs_foam_simulation *sim) {
    const fs_overlay *o = sim->overlay;
    bool chooses = o->route_start[o->generator_tile] < 0 && fs_ports(sim, o->generator_tile) > 1;
    for (uint32_t t = 0; t < o->tiles; t++)
        chooses = chooses || sim->chooses[t];
    return chooses;
}

static bool comparable(const fs_foam_simulation *sim) {
    const fs_generator *g = &sim->generator;
    return sim->setup.in_flight == 0 && !sim->change_pending && !sim->setup.local_framebuffer &&
           (g->finished || (g->batch == 0 && g->idle_left == 0)) &&
           !(sim->overlay->dispatch == FS_DISPATCH_ROUND_ROBIN && has_choices(sim));
}

/* The next visit ends the run: every frame that is counted has enough pixels, or nothing is left to do. */
static bool ends_by_itself(const fs_foam_simulation *sim) {
    const fs_framebuffer *fb = &sim->framebuffer;
    const double enough = sim->setup.coverage * ((double)fb->width * (double)fb->height);
    bool all = true;
    for (uint32_t f = 0; f < fb->frames; f++)
        all = all && (double)fb->written[f] >= enough;
    return all || (sim->generator.finished && sim->pool.in_flight == 0);
}

bool fs_recurrence_look(fs_recurrence *r, const fs_foam_simulation *sim) {
    if (!comparable(sim) || old_frames(sim) || ends_by_itself(sim))
        return false;
    const bool keeps = !r->any || r->looks + 1 == r->until;
    if (!keeps && sim->pool.in_flight != r->in_flight) { /* as long as rays end, nothing comes back */
        r->looks++;
        return false;
    }
    const uint64_t outline = outline_of(sim);
    if (!keeps && outline != r->outline) {
        r->looks++;
        return false;
    }
    const digests now = state_of(sim);
    const uint64_t trouble = sim->totals.spilled + sim->totals.dropped;
    const bool order_counts =
        trouble > r->trouble || (sim->overlay->dispatch == FS_DISPATCH_LEAST_OCCUPIED && has_choices(sim));
    if (r->any && (same(r->kept, now.ordered) || (!order_counts && same(r->any_order, now.any_order))))
        return true;
    r->looks++;
    if (keeps) {
        r->until = r->any ? 2 * r->until : 1;
        r->looks = 0;
        r->kept[0] = now.ordered.a;
        r->kept[1] = now.ordered.b;
        r->any_order[0] = now.any_order.a;
        r->any_order[1] = now.any_order.b;
        r->outline = outline;
        r->in_flight = sim->pool.in_flight;
        r->trouble = trouble;
        r->any = true;
    }
    return false;
}

/* Whether the frames would be done by max_iterations if the sweeps to come brought as many new pixels as the
 * last setup.give_up did; `brought`: by those. */
static bool too_slow(const fs_foam_simulation *sim, uint64_t brought) {
    const fs_generator *g = &sim->generator;
    const fs_framebuffer *fb = &sim->framebuffer;
    const double pixels = (double)fb->width * (double)fb->height;
    const uint64_t left = sim->setup.max_iterations - (sim->iteration + 1);
    const double sweeps = (double)left / (double)(g->batches + sim->setup.idle);
    uint64_t least = fb->written[0];
    for (uint32_t f = 1; f < fb->frames; f++)
        least = fb->written[f] < least ? fb->written[f] : least;
    const double missing = sim->setup.coverage * pixels - (double)least;
    return (double)brought / (double)sim->setup.give_up * sweeps < missing;
}

bool fs_recurrence_gives_up(fs_recurrence *r, const fs_foam_simulation *sim) {
    const fs_generator *g = &sim->generator;
    const uint32_t sweeps = sim->setup.give_up;
    uint64_t written = 0;
    if (sweeps == 0 || g->finished || g->batch > 0 || g->idle_left > 0 || g->frame == 0 ||
        sim->iteration + 1 >= sim->setup.max_iterations || ends_by_itself(sim))
        return false;
    for (uint32_t f = 0; f < sim->framebuffer.frames; f++)
        written += sim->framebuffer.written[f];
    uint64_t *before = &r->written[r->sweeps++ % sweeps];
    r->brought = written - *before;
    *before = written;
    r->given_up = r->sweeps > sweeps && too_slow(sim, r->brought);
    return r->given_up;
}

fs_status fs_recurrence_tell(const fs_foam_simulation *sim, bool over, fs_error *err) {
    char why[200];
    if (over)
        snprintf(why, sizeof why, "not done after run.max_iterations = %u iterations",
                 sim->setup.max_iterations);
    else if (sim->recurrence.given_up)
        snprintf(why, sizeof why,
                 "given up after %llu iterations: %llu pixels were new in workload.judging.give_up = %u "
                 "sweeps, too few to be done in %u iterations",
                 (unsigned long long)sim->iteration + 1, (unsigned long long)sim->recurrence.brought,
                 sim->setup.give_up, sim->setup.max_iterations);
    else
        snprintf(why, sizeof why, "never done: the state after %llu iterations was there before",
                 (unsigned long long)sim->iteration + 1);
    return fs_fail(err, FS_RUN, "%s: %u rays in flight, %llu of %llu pixels of the first frame written", why,
                   sim->pool.in_flight, (unsigned long long)sim->framebuffer.written[0],
                   (unsigned long long)sim->framebuffer.width * sim->framebuffer.height);
}
