/* Rounds of growth: sites are meshed, judged by what pictures see of them, thinned out, and given children. */
#include "workloads/scene/foam/grow.h"

#include "sim/base/alloc.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"
#include "workloads/scene/foam/scene_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* Numbers of the trainer (RFO, train.py and configs/mipnerf360_outdoor.yaml). */
static const double share_drawn = 0.9, moved = 0.01, wide = 10; /* of the points; scene units */
enum { SPREAD = 5000, IDLE = 8 }; /* sites all over the scene; rounds without more after which growth ends */
static const double hides = 1e-3; /* pixels: what adds less is emptied */

/* ---- the beginning ---- */

/* Points drawn with repetition, each moved a little, and sites all over the scene. */
static fs_sites first_sites(const fs_sites *points, double opacity, uint64_t seed) {
    static const uint8_t grey[3] = {128, 128, 128};
    fs_rng draw = fs_rng_stream(seed, "grow/draw"), place = fs_rng_stream(seed, "grow/place");
    const uint32_t drawn = (uint32_t)(share_drawn * points->count);
    fs_sites sites = fs_sites_create(drawn + SPREAD);
    for (uint32_t i = 0; i < drawn + SPREAD; i++) {
        const bool of_point = i < drawn;
        const uint32_t from = of_point ? fs_rng_below(&draw, points->count) : 0;
        const double by = of_point ? moved : wide;
        fs_v3 p = {0, 0, 0};
        if (of_point)
            p = (fs_v3){(double)points->x[from], (double)points->y[from], (double)points->z[from]};
        p.x += by * fs_rng_normal(&place);
        p.y += by * fs_rng_normal(&place);
        p.z += by * fs_rng_normal(&place);
        fs_sites_push(&sites, p, opacity, of_point ? points->rgb + 3 * (size_t)from : grey);
    }
    return sites;
}

/* ---- a round ---- */

/* From round to round. A site that stays has the neighbours that new ones leave it, and what pictures know of its place. */
typedef struct growing {
    fs_mesher *mesher;
    fs_sites sites;        /* that the next round meshes: those that stay, then children */
    uint32_t stay, *which; /* how many stay; their numbers in the last mesh, ascending */
    bool anew;             /* so many go that meshing all takes less time than taking them away */
    fs_carve_sight *sight; /* of the sites of the last mesh */
} growing;

/* Sorts the sites along a curve, without a second one in one place; the number of each in the last mesh. */
static uint32_t *sort_sites(growing *g) {
    uint32_t *order = fs_malloc(g->sites.count * sizeof *order), kept = 0;
    uint8_t *first = fs_malloc(g->sites.count);
    fs_sites_order(&g->sites, order);
    fs_points_flag_first(g->sites.x, g->sites.y, g->sites.z, g->sites.count, first);
    for (uint32_t i = 0; i < g->sites.count; i++)
        if (first[i])
            order[kept++] = order[i] < g->stay ? g->which[order[i]] : FS_MESHER_FRESH;
    fs_sites_keep(&g->sites, first);
    free(first);
    return order;
}

/* Looks at places that are new. */
static void see(growing *g, const fs_carve *carve, double opacity, const uint32_t *before) {
    fs_carve_sight *sight = fs_malloc(g->sites.count * sizeof *sight);
#pragma omp parallel for schedule(dynamic, 4096)
    for (uint32_t i = 0; i < g->sites.count; i++) {
        sight[i] = before[i] != FS_MESHER_FRESH
                       ? g->sight[before[i]]
                       : fs_carve_look(carve, g->sites.x[i], g->sites.y[i], g->sites.z[i]);
        g->sites.density[i] = fs_carve_empty(&sight[i]) ? 0.0f : (float)opacity;
    }
    free(g->sight);
    g->sight = sight;
}

static fs_status mesh_round(growing *g, const fs_carve *carve, double opacity, fs_foam *mesh, fs_error *err) {
    uint32_t *before = sort_sites(g);
    see(g, carve, opacity, before);
    fs_mesher_connect(g->mesher, &g->sites, g->anew ? NULL : before, mesh, err);
    free(before);
    return err->status;
}

/* The sites that stay, and children of parents among them, `wanted` sites in all. */
static void next_sites(growing *next, const fs_growth *g, const fs_grow_params *params, fs_rng rng) {
    const fs_foam *mesh = g->mesh;
    const fs_sites old = {.count = mesh->sites,
                          .x = mesh->x,
                          .y = mesh->y,
                          .z = mesh->z,
                          .density = mesh->density,
                          .rgb = mesh->rgb};
    uint8_t *flag = fs_malloc(old.count);
    uint32_t *list = fs_malloc(old.count * sizeof *list);
    const uint32_t stay = fs_growth_prune(g, flag), wanted = (uint32_t)params->sites;
    const double more = (params->factor - 1) * stay, room = wanted > stay ? wanted - stay : 0;
    const uint32_t born =
        fs_growth_parents(g, flag, (uint32_t)(more < room ? more : room), fs_rng_sub(rng, 0), list);
    fs_sites *sites = &next->sites;
    *sites = fs_sites_create(old.count + born);
    fs_sites_append(sites, &old, 0, old.count);
    fs_sites_keep(sites, flag);
    for (uint32_t k = 0; k < born; k++)
        fs_sites_push(sites, fs_growth_child(g, list[k], fs_rng_sub(fs_rng_sub(rng, 1), list[k])), 0,
                      old.rgb + 3 * (size_t)list[k]);
    next->stay = 0;
    for (uint32_t i = 0; i < old.count; i++)
        if (flag[i])
            list[next->stay++] = i;
    next->anew = old.count - stay > stay / 4;
    free(next->which);
    next->which = list;
    free(flag);
}

/* Opaque sites that add little to every picture are as empty as air. */
static void empty_hidden(const fs_growth *g, fs_foam *mesh) {
    for (uint32_t i = 0; i < mesh->sites; i++)
        if ((double)g->adds[i] < hides)
            mesh->density[i] = 0;
}

typedef struct progress {
    uint32_t most, since; /* sites so far; rounds without more */
} progress;

/* The last thousandth is left, as children may fall on others. Where as many go as come nothing grows any more. */
static bool is_whole(progress *p, uint32_t sites, uint32_t wanted) {
    p->since = sites > p->most ? 0 : p->since + 1;
    p->most = sites > p->most ? sites : p->most;
    return sites + wanted / 1000 >= wanted || p->since == IDLE;
}

static fs_status grow(growing *now, const fs_carve *carve, const fs_import_params *params, fs_foam *out,
                      fs_error *err) {
    const fs_rng rng = fs_rng_stream((uint64_t)params->seed, "grow/round");
    progress so_far = {0};
    for (uint32_t round = 0, whole = false; !whole && err->status == FS_OK; round++) {
        if (mesh_round(now, carve, params->point_opacity, out, err))
            break;
        fs_growth g = {.mesh = out,
                       .carve = carve,
                       .sight = now->sight,
                       .opacity = params->point_opacity,
                       .air = params->grow.air};
        fs_growth_judge(&g);
        whole = is_whole(&so_far, out->sites, (uint32_t)params->grow.sites);
        if (whole) {
            empty_hidden(&g, out);
        } else {
            next_sites(now, &g, &params->grow, fs_rng_sub(rng, round));
            fs_foam_free(out);
        }
        fs_growth_free(&g);
    }
    if (err->status == FS_OK && out->sites + out->sites / 100 < params->grow.sites)
        fs_say("growth ends with %s of %s sites: no more find a place", fs_number_grouped(out->sites),
               fs_number_grouped((double)params->grow.sites));
    return err->status;
}

fs_status fs_scene_grow(fs_sites *points, const fs_import_params *params, int threads, fs_foam *out,
                        fs_error *err) {
    *out = (fs_foam){0};
    growing now = {.sites = first_sites(points, params->point_opacity, (uint64_t)params->seed)};
    if (now.sites.count > params->grow.sites)
        fs_fail(err, FS_INPUT,
                "scene.import.grow.sites: growth begins with %" PRIu32 " sites, more than %" PRId64,
                now.sites.count, params->grow.sites);
    fs_carve *carve = err->status == FS_OK ? fs_carve_make(points, params, err) : NULL;
    if (carve != NULL)
        now.mesher = fs_mesher_start(threads, err);
    if (now.mesher != NULL)
        grow(&now, carve, params, out, err);
    fs_mesher_end(now.mesher);
    fs_carve_free(carve);
    fs_sites_free(points);
    fs_sites_free(&now.sites);
    free(now.which);
    free(now.sight);
    if (err->status == FS_OK)
        fs_scene_finish(out, true);
    return err->status;
}
