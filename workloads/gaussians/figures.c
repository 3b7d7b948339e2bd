#include "workloads/gaussians/run.h"

#include "workloads/gaussians/gaussians.h"
#include "workloads/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F          fs_gaussians_figures
#define FS_ROWS_OF F

#define SPREAD(name, m, what)                                                                                \
    FS_VALUE(name ".least", m.least, "cycles", what ", the tile with fewest, mean over the frames"),         \
        FS_VALUE(name ".mean", m.mean, "cycles", what ", mean over tiles and frames", FS_LESS),              \
        FS_VALUE(name ".most", m.most, "cycles", what ", the slowest tile, mean over the frames", FS_LESS)

static const fs_stat own_rows[] = {
    FS_VALUE("frame.seconds", frame, "s",
             "route, blend and exchange of a frame, mean over the frames, without the host", FS_LESS,
             FS_AT(1, "a frame")),
    FS_VALUE("frame.rate", rate, "frames/s", "one over it", FS_MORE, FS_AT(2, "frames a second")),
    FS_VALUE("frame.route", route, "s", "of it receiving, routing the store and sorting, to the slowest tile",
             FS_LESS, FS_AT(3, "route")),
    FS_VALUE("frame.blend", blend, "s", "of it blending, to the slowest tile", FS_LESS, FS_AT(4, "blend")),
    FS_VALUE("frame.exchange", exchange, "s",
             "of it whole lanes between neighbours, those to the tile itself included", FS_LESS,
             FS_AT(5, "exchange")),
    FS_VALUE("frame.gather", gather, "s", "of it rows gathered from all tiles, where a frame gathers; else 0",
             FS_LESS),
    FS_WHOLE("gaussians.count", gaussians, "Gaussians", "of the scene"),
    FS_VALUE("gaussians.anchored", anchored, "Gaussians",
             "held by a tile that contains their centre, mean over the frames", FS_MORE,
             .label = "Gaussians at home"),
    FS_VALUE("gaussians.copies", copies, "Gaussians",
             "held by tiles that do not contain their centre, mean over the frames", .label = "copies"),
    FS_VALUE("gaussians.moved", moved, "Gaussians",
             "whose centre is in another tile than in the frame before, of those in both pictures; mean over "
             "the frames after the first"),
    FS_VALUE("gaussians.entered", entered, "Gaussians",
             "that were not in the picture in the frame before, likewise"),
    FS_SHARE("gaussians.churn", churn, "moved, of those in both pictures, likewise"),
    FS_SHARE("gaussians.work", work, "moved and entered, of those in the picture, likewise"),
    FS_VALUE("hops.mean", hops, "tiles",
             "by which a moved Gaussian moved, mean over the frames in which some did", FS_LESS),
    FS_VALUE("hops.most_of_20", hops_95, "tiles", "that 95 % of them do not exceed, likewise"),
    FS_VALUE("lists.entries", entries, "entries", "that all tiles draw, mean over the frames"),
    FS_WHOLE("lists.longest", longest, "entries", "of one tile in the last frame", FS_LESS,
             .label = "longest list"),
    FS_WHOLE("lists.longest_tile", longest_tile, NULL, "that tile", .says = FS_SAYS_LABEL),
    FS_VALUE("lanes.received", received, "Gaussians", "that all tiles take in, mean over the frames"),
    FS_WHOLE("lanes.received_most", received_most, "Gaussians", "that one tile takes in, in the last frame",
             FS_LESS),
    FS_WHOLE("lanes.bytes", lane_bytes, "B", "that lanes of a frame hold, full or not"),
    FS_SHARE("lanes.useful", useful, "of those bytes, that are a Gaussian's", FS_MORE),
    FS_VALUE("sends.tried", sends, "sends", "mean over the frames"),
    FS_VALUE("sends.failed", failed, "sends", "of them into lanes that were full, mean over the frames",
             FS_LESS, .label = "failed sends"),
    FS_VALUE("store.lost", lost, "Gaussians", "that no slot was left for, mean over the frames", FS_LESS),
    FS_WHOLE("steps.before", before, "steps", "that settled the picture and are not priced"),
    FS_WHOLE("steps.settled", settled, "steps",
             "from the first distribution until nothing changes any more; of copies over an overlay the "
             "lanes of the longest way",
             FS_LESS),
    FS_WHOLE("steps.shown", shown, "steps",
             "from the first distribution until lists hold 99.9 % of what they will", FS_LESS,
             .label = "steps until it is seen"),
    SPREAD("route.setup", phase[0], "lanes cleared, matrices"),
    SPREAD("route.receive", phase[1], "what came in"),
    SPREAD("route.store", phase[2], "what is stored, projected and sent"),
    SPREAD("route.sort", phase[3], "the list by depth"),
    SPREAD("route.all", routing, "all four"),
    SPREAD("blend.all", blending, "the picture, by a tile's slowest worker"),
    FS_VALUE("route.imbalance", imbalance, NULL, "slowest tile over the mean, of route.all", FS_LESS),
    FS_VALUE("picture.psnr_db", psnr, "dB",
             "of the last frame against what it were without lanes and full stores", FS_MORE,
             .says = FS_SAYS_DECIBEL, .null_is = "exact"),
    FS_SHARE("picture.holes", holes,
             "of its pixels, that differ from that by more than 8 of 255 in some colour", FS_LESS,
             .wrong = "{value} of the picture's pixels are not what they are without lanes and full "
                      "stores: larger lanes or smaller slots would mend them",
             .bound = 0.05), /* the published program's own pictures have 2 to 4 % */
    FS_VALUE("energy.joules_per_frame", joules_per_frame, "J", "energy of the run over its frames", FS_LESS,
             FS_AT(205, "energy of a frame"), .null_is = "never"),
    FS_VALUE("host.down", down, "s",
             "a visit of the host that sends a frame's matrices, of gathering offsets and counts too: "
             "handshake and bytes",
             FS_LESS),
    FS_VALUE("host.up", up, "s", "a visit that reads a picture: handshake and bytes", FS_LESS),
    FS_STAT_FLAG("settles", F, settles,
                 .doc = "the picture settled before the first frame, within workload.settle_steps"),
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE, .doc = "every frame was drawn"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("gaussians", own_rows);
static const fs_stat_part parts[] = {{.table = &own_stats}, FS_STAT_PART(&fs_chip_stats, F, chip)};
const fs_stat_table fs_gaussians_stats = FS_STAT_PARTS("gaussians", parts);

/* ---- cycles of tiles ---- */

fs_gaussians_tile_cycles fs_gaussians_cycles_of(const fs_gaussians_run *r, const fs_gaussians_counts *c,
                                                fs_gaussians_what_if what) {
    const fs_priced_program *route = &r->priced[FS_GAUSSIANS_P_ROUTE],
                            *blend = &r->priced[FS_GAUSSIANS_P_BLEND];
    uint32_t rows[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
    fs_gaussians_tile_cycles t = {.route = route->before + route->after};
    fs_gaussians_params params = *r->params;
    if (what.map)
        params.insert = FS_GAUSSIANS_MAP;
    fs_gaussians_route_counts(&params, &c->work, rows);
    for (uint32_t e = 0; e < FS_GAUSSIANS_ROUTE_EVENTS; e++) {
        const bool radius = e == FS_GAUSSIANS_RADIUS || e == FS_GAUSSIANS_IN_RADIUS;
        const uint64_t slots = what.f32 && radius && route->slots[e] > 24 ? 24 : route->slots[e];
        t.phase[fs_gaussians_phase_of[e]] += rows[e] * slots * route->cycles_per_slot;
    }
    for (int p = 0; p < FS_GAUSSIANS_PHASES; p++)
        t.route += t.phase[p] / (what.shared ? r->activity->workers : 1);
    memset(rows, 0, sizeof rows);
    fs_gaussians_blend_counts(r->activity, &c->blend, what.boxed, r->programs[FS_GAUSSIANS_P_BLEND], rows);
    fs_tile_times times;
    fs_tile_times_closed(blend, rows, &times);
    t.blend = times.cycles;
    return t;
}

static bool draws(const fs_gaussians_run *r, uint32_t tile) {
    return r->over == NULL || r->over->role[tile] == FS_ROLE_TRACER;
}

double fs_gaussians_cycles(const fs_gaussians_run *r, fs_gaussians_what_if what) {
    const fs_gaussians_activity *a = r->activity;
    double sum = 0.0;
    for (uint64_t s = 0; s < a->steps; s++) {
        uint64_t route = 0, blend = 0;
        for (uint32_t t = what.without_first; t < a->tiles; t++) {
            const fs_gaussians_tile_cycles c =
                fs_gaussians_cycles_of(r, fs_gaussians_counts_of(a, s, t), what);
            route = c.route > route ? c.route : route;
            blend = draws(r, t) && c.blend > blend ? c.blend : blend;
        }
        sum += (double)(route + blend);
    }
    return sum;
}

typedef struct tally {
    uint64_t least, most, sum, count;
} tally;

static void add(tally *t, uint64_t v) {
    t->least = t->count == 0 || v < t->least ? v : t->least;
    t->most = v > t->most ? v : t->most;
    t->sum += v;
    t->count++;
}

static void average(fs_gaussians_spread_of *s, const tally *t, double frames) {
    s->least += (double)t->least / frames;
    s->mean += (double)t->sum / (double)t->count / frames;
    s->most += (double)t->most / frames;
}

static void make_cycles(fs_gaussians_run *r) {
    const fs_gaussians_activity *a = r->activity;
    F *f = &r->figures;
    for (uint64_t s = 0; s < a->steps; s++) {
        tally phase[FS_GAUSSIANS_PHASES] = {{0}}, route = {0}, blend = {0};
        for (uint32_t t = 0; t < a->tiles; t++) {
            if (!draws(r, t))
                continue;
            const fs_gaussians_tile_cycles c = fs_gaussians_cycles_of(r, fs_gaussians_counts_of(a, s, t),
                                                                      (fs_gaussians_what_if){.map = false});
            for (int p = 0; p < FS_GAUSSIANS_PHASES; p++)
                add(&phase[p], c.phase[p]);
            add(&route, c.route);
            add(&blend, c.blend);
        }
        for (int p = 0; p < FS_GAUSSIANS_PHASES; p++)
            average(&f->phase[p], &phase[p], (double)a->steps);
        average(&f->routing, &route, (double)a->steps);
        average(&f->blending, &blend, (double)a->steps);
    }
    f->imbalance = f->routing.most / f->routing.mean;
}

/* ---- counts ---- */

static void make_counts(fs_gaussians_run *r) {
    const fs_gaussians_activity *a = r->activity;
    F *f = &r->figures;
    const double steps = (double)a->steps;
    uint64_t after = 0, with_moves = 0;
    for (uint64_t s = 0; s < a->steps; s++) {
        const fs_gaussians_totals *t = &a->total[a->before + s];
        f->anchored += (double)t->anchored / steps;
        f->copies += (double)t->copies / steps;
        f->entries += (double)t->entries / steps;
        f->received += (double)t->received / steps;
        f->sends += (double)t->sends / steps;
        f->failed += (double)t->failed / steps;
        f->lost += (double)t->lost / steps;
        f->longest = t->longest;
        f->received_most = t->received_most;
        if (s == 0)
            continue;
        after++;
        f->moved += (double)t->moved;
        f->entered += (double)t->entered;
        f->churn += t->both > 0 ? (double)t->moved / (double)t->both : 0.0;
        f->work += t->visible > 0 ? (double)(t->moved + t->entered) / (double)t->visible : 0.0;
        with_moves += t->moved > 0;
        f->hops += t->hops;
        f->hops_95 += t->moved > 0 ? (double)t->hops_95 : 0.0;
    }
    double *const means[] = {&f->moved, &f->entered, &f->churn, &f->work};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        *means[i] /= after > 0 ? (double)after : 1.0;
    f->hops /= with_moves > 0 ? (double)with_moves : 1.0;
    f->hops_95 /= with_moves > 0 ? (double)with_moves : 1.0;
    for (uint32_t t = 0; t < a->tiles; t++)
        if (fs_gaussians_counts_of(a, a->steps - 1, t)->work.listed == f->longest) {
            f->longest_tile = t;
            break;
        }
}

static void make_picture(fs_gaussians_run *r) {
    const fs_gaussians_activity *a = r->activity;
    const uint64_t pixels = (uint64_t)a->grid.width * a->grid.height;
    enum { SEEN = 8 };
    uint64_t holes = 0;
    for (uint64_t p = 0; p < pixels; p++) {
        bool hole = false;
        for (uint64_t k = 0; k < 3; k++)
            hole |= abs((int)a->rgb[3 * p + k] - (int)a->ideal[3 * p + k]) > SEEN;
        holes += hole;
    }
    r->figures.holes = (double)holes / (double)pixels;
    r->figures.psnr = fs_psnr_rgb8(a->rgb, a->ideal, pixels);
}

void fs_gaussians_figures_make(fs_gaussians_run *r) {
    const fs_gaussians_activity *a = r->activity;
    const double frames = (double)a->steps * r->of.machine->clock;
    F *f = &r->figures;
    *f = (F){.gaussians = a->gaussians,
             .frames = a->steps,
             .before = a->before,
             .settled = a->settled,
             .shown = a->shown,
             .settles = a->has_settled,
             .complete = true,
             .gather = (double)r->cycles_of[FS_GAUSSIANS_S_GATHER] / frames,
             .route = (double)r->cycles_of[FS_GAUSSIANS_S_ROUTE] / frames,
             .blend = (double)r->cycles_of[FS_GAUSSIANS_S_BLEND] / frames,
             .exchange = (double)r->cycles_of[FS_GAUSSIANS_S_EXCHANGE] / frames,
             .chip = r->of.chip};
    f->frame = f->gather + f->route + f->blend + f->exchange;
    f->rate = 1.0 / f->frame;
    for (uint32_t i = 0; i < r->transfer_count; i++)
        f->lane_bytes += r->transfers[i].bytes;
    for (uint32_t t = 0; t < a->tiles; t++)
        f->lane_bytes += r->own_bytes[t];
    const fs_host_params *host = &r->of.machine->host;
    f->down = host->launch + (double)fs_gaussians_down(r) / host->bandwidth;
    f->up = host->launch + (double)fs_gaussians_picture_bytes(r) / host->bandwidth;
    make_counts(r);
    f->useful = f->lane_bytes > 0 ? f->received * FS_GAUSSIANS_BYTES / (double)f->lane_bytes : (double)NAN;
    make_cycles(r);
    make_picture(r);
    f->joules_per_frame = r->of.chip.power.energy.joules / (double)a->steps;
    r->of.each = (fs_energy_each){"frame", f->joules_per_frame};
}
