/* What a run has to say: findings and rungs of the ladder beyond the machine's. */
#include "workloads/gaussians/run.h"

#include "models/ipu/tables/conclusions.h"

/* Share of the slowest tile's routing that searches for a place: looks of insertions. */
static double search_share(const fs_gaussians_run *r) {
    const double whole = fs_gaussians_cycles(r, (fs_gaussians_what_if){.boxed = false}),
                 mapped = fs_gaussians_cycles(r, (fs_gaussians_what_if){.map = true});
    return (whole - mapped) / whole;
}

static void find_lanes(const fs_gaussians_run *r, fs_findings *out) {
    const fs_gaussians_figures *f = &r->figures;
    const fs_gaussians_params *p = r->params;
    if (p->method == FS_GAUSSIANS_MESH)
        FS_FIND(out, "lanes",
                "A lane of {@bytes|whole} B has {@slots|whole} slots of {@slot|whole} B, of which a Gaussian "
                "fills 60 B: {useful|share} of the "
                "{@moved|B} that move in a step are a Gaussian's[@failed?, and {@failed|whole} sends find "
                "their lane full].",
                FS_IS("useful", f->useful), FS_IS("@bytes", (double)p->lane),
                FS_IS("@slots", (double)fs_gaussians_lane_slots(p)),
                FS_IS("@slot", (double)fs_gaussians_slot_bytes(p)), FS_IS("@moved", (double)f->lane_bytes),
                FS_IS("@failed", f->failed));
    if (f->failed + f->lost > 0)
        FS_FIND(out, "holes",
                "Full lanes and stores leave {holes|share} of the pixels wrong: {@failed|whole} sends fail "
                "and {@lost|whole} Gaussians are lost in a frame; "
                "PSNR is {psnr_db|.1} dB against a picture without them.",
                FS_IS("holes", f->holes), FS_IS("psnr_db", f->psnr), FS_IS("@failed", f->failed),
                FS_IS("@lost", f->lost));
    if (f->before > 0)
        FS_FIND(out, "settled",
                "From the first distribution lists hold 99.9 per cent of what they will after {@shown|whole} "
                "steps, and nothing changes after "
                "{@settled|whole}: a Gaussian goes a tile a step, on a picture of {@columns|whole} x "
                "{@rows|whole} tiles.",
                FS_IS("@shown", f->shown), FS_IS("@settled", f->settled),
                FS_IS("@columns", r->activity->grid.columns), FS_IS("@rows", r->activity->grid.rows));
    if (f->moved > 0)
        FS_FIND(out, "churn",
                "From frame to frame {churn|share} of the Gaussians come to another tile, {@moved|whole} of "
                "them, by {@hops|.3} tiles.",
                FS_IS("churn", f->churn), FS_IS("@moved", f->moved), FS_IS("@hops", f->hops));
}

static void find_time(const fs_gaussians_run *r, fs_findings *out) {
    const fs_gaussians_figures *f = &r->figures;
    const double route = f->routing.most > 0 ? f->routing.most : 1.0;
    FS_FIND(out, "route",
            "Routing takes {route|share} of a frame, to a tile that takes {@imbalance|.2} times the mean. "
            "Receiving alone takes {receive|share} of that time on its "
            "slowest tile, the store {store|share}, sorting {sort|share}.",
            FS_IS("route", f->route / f->frame), FS_IS("receive", f->phase[1].most / route),
            FS_IS("store", f->phase[2].most / route), FS_IS("sort", f->phase[3].most / route),
            FS_IS("@imbalance", f->imbalance));
    if (r->params->method == FS_GAUSSIANS_MESH && r->params->insert == FS_GAUSSIANS_SEARCH)
        FS_FIND(out, "search",
                "Looking slot after slot for a place takes {search|share} of routing and blending: every "
                "insertion of a Gaussian that is new looks at the whole store.",
                FS_IS("search", search_share(r)));
    FS_FIND(out, "list",
            "The longest list, {@longest|whole} entries on tile {@tile|whole}, decides what blending takes: "
            "its slowest worker {blend|share} of a frame, {@ratio|.2} times the "
            "mean tile's.",
            FS_IS("blend", f->blend / f->frame), FS_IS("@longest", f->longest),
            FS_IS("@tile", f->longest_tile), FS_IS("@ratio", f->blending.most / f->blending.mean));
    if (f->longest_tile == 0 && r->params->method == FS_GAUSSIANS_MESH) {
        const double whole = fs_gaussians_cycles(r, (fs_gaussians_what_if){.map = false}),
                     without = fs_gaussians_cycles(r, (fs_gaussians_what_if){.without_first = true});
        FS_FIND(out, "tile_0",
                "What lies above the picture is sent to tile 0 and stays there: without that tile a frame "
                "would take {saved|share} less.",
                FS_IS("saved",
                      (whole - without) / ((double)r->activity->steps * f->frame * r->of.machine->clock)));
    }
}

/* ---- ladder ---- */

enum { OWN_RUNGS = 5 };
static void make_rungs(const fs_gaussians_run *r, fs_rung out[OWN_RUNGS]) {
    const double device = (double)r->figures.chip.device.cycles,
                 base = fs_gaussians_cycles(r, (fs_gaussians_what_if){.map = false});
    const fs_gaussians_what_if what[OWN_RUNGS] = {
        {.map = true}, {.f32 = true}, {.shared = true}, {.boxed = true}, {.without_first = true}};
    static const fs_rung rungs[OWN_RUNGS] = {
        {.name = "map",
         .kind = "estimate",
         .detail = "An insertion looks at one slot, which a table of places names.",
         .sets = "workload.kernels.insert=map"},
        {.name = "f32_radius",
         .kind = "bound",
         .detail = "The radius of a Gaussian is worked out in f32.",
         .sets = "workload.kernels.radius=f32"},
        {.name = "route_workers",
         .kind = "estimate",
         .detail = "All workers of a tile route, each an equal part."},
        {.name = "box_test",
         .kind = "estimate",
         .detail = "A pixel looks at entries alone in whose square it lies."},
        {.name = "without_tile_0",
         .kind = "estimate",
         .detail = "Tile 0, where all that lies above the picture gathers, does nothing."}};
    for (int i = 0; i < OWN_RUNGS; i++) {
        out[i] = rungs[i];
        if ((i == 0 && r->params->insert == FS_GAUSSIANS_MAP) ||
            (i == 1 && r->params->radius == FS_GAUSSIANS_F32) ||
            (i == 4 && r->params->method != FS_GAUSSIANS_MESH))
            out[i].name = NULL;
        fs_ladder_time(&out[i], device - base + fs_gaussians_cycles(r, what[i]), device,
                       r->of.machine->clock);
    }
}

fs_status fs_gaussians_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_gaussians_run *r = run;
    fs_rung *rungs = FS_NEW(r->of.run.arena, fs_rung, FS_BOOKS_RUNGS + OWN_RUNGS);
    const fs_power_figures *power = &r->of.chip.power;
    out->rungs = rungs;
    out->rung_count = FS_BOOKS_RUNGS + OWN_RUNGS;
    fs_books_notes_rungs(&r->of.notes, rungs);
    make_rungs(r, rungs + FS_BOOKS_RUNGS);
    fs_ladder_energy(rungs, out->rung_count, power->energy.joules, fs_power_standing(power));
    find_time(r, out->findings);
    find_lanes(r, out->findings);
    fs_books_findings(&r->of.notes, power, r->of.each, out->findings);
    return FS_OK;
}
