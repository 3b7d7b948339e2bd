/* Which points are varied, which parameters, and the order of things. */
#include "sim/base/host.h"
#include "sim/host/voice.h"
#include "sim/robust/private.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

enum { FIRST_DRAWS = 16, MOST_POINTS = 200, SEED = 1 };

/* ---- points ---- */

static bool has_all(const fs_store_sweep *sweep, const fs_store_point *p) {
    for (size_t g = 0; g < sweep->objective_count; g++)
        if (!isfinite(fs_store_number_of(p, sweep->objectives[g].figure)))
            return false;
    return p->feasible && p->resolved[0] != '\0';
}

/* The best of each objective in turn, until there are enough. */
static void choose_points(fs_robust *r) {
    const fs_store_sweep *s = r->sweep;
    bool *taken = FS_NEW(r->arena, bool, s->point_count + 1);
    r->point = FS_NEW(r->arena, size_t, MOST_POINTS);
    for (size_t i = 0; i < s->point_count; i++) {
        taken[i] = !has_all(s, &s->points[i]);
        r->feasible += !taken[i];
    }
    while (r->points < MOST_POINTS && r->points < r->feasible)
        for (size_t g = 0; g < s->objective_count && r->points < MOST_POINTS && r->points < r->feasible;
             g++) {
            const size_t best = fs_store_best(s, &s->objectives[g], taken);
            taken[best] = true;
            r->point[r->points++] = best;
        }
}

/* ---- parameters ---- */

/* The row of a parameter in the table of the point's kind; NULL: there is none. */
static const fs_param *row_of(const fs_robust *r, const fs_store_point *p, const char *key) {
    const fs_section *sections =
        fs_sections_of_roles(r->arena, r->registry->sections, r->registry->section_count);
    for (size_t s = 0; s < r->registry->section_count; s++) {
        const fs_section *section = &sections[s];
        const size_t length = strlen(section->name);
        if (strncmp(key, section->name, length) != 0 || key[length] != '.')
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s.kind", section->name);
        const fs_store_parameter *kind = fs_store_parameter_of(p, name);
        for (size_t k = 0; k < section->count; k++)
            for (size_t i = 0; i < section->kinds[k].table->count; i++)
                if ((kind == NULL || strcmp(kind->value, section->kinds[k].kind) == 0) &&
                    strcmp(section->kinds[k].table->rows[i].name, key + length + 1) == 0)
                    return &section->kinds[k].table->rows[i];
    }
    return NULL;
}

/* Why a parameter stays as it is; NULL: it is varied. */
static const char *why_not(const fs_robust *r, const char *key) {
    const fs_store_point *first = &r->sweep->points[r->point[0]];
    const fs_store_parameter *usual = fs_store_parameter_of(first, key);
    const fs_param *row = row_of(r, first, key);
    if (usual == NULL || row == NULL)
        return "these points do not have it";
    for (size_t p = 1; p < r->points; p++) {
        const fs_store_parameter *own = fs_store_parameter_of(&r->sweep->points[r->point[p]], key);
        if (own == NULL || strcmp(own->value, usual->value) != 0)
            return "the points differ in it";
    }
    return row->touches < FS_TOUCHES_PRICE ? "it changes more than prices" : NULL;
}

static void choose_parameters(fs_robust *r, const fs_uncertain *all, size_t count) {
    fs_uncertain *kept = FS_NEW(r->arena, fs_uncertain, count + 1);
    r->left_out = FS_NEW(r->arena, fs_robust_left_out, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *why = why_not(r, all[i].key);
        if (why == NULL)
            kept[r->parameters++] = all[i];
        else
            r->left_out[r->left_out_count++] = (fs_robust_left_out){all[i].key, why};
    }
    r->parameter = kept;
}

/* Joint draws, then each parameter alone at both ends. */
static void make_sets(fs_robust *r, size_t draws) {
    const size_t n = r->parameters;
    r->draws = fs_robust_draw(r->arena, n, FIRST_DRAWS, draws, SEED);
    r->set = FS_NEW(r->arena, fs_robust_draw_set, r->draws.count + 2 * n + 1);
    for (size_t d = 0; d < r->draws.count; d++) {
        fs_robust_draw_set *set = &r->set[r->sets++];
        *set = (fs_robust_draw_set){.text = FS_NEW(r->arena, const char *, n + 1), .alone = SIZE_MAX};
        for (size_t u = 0; u < n; u++)
            set->text[u] = fs_uncertain_at(r->arena, &r->parameter[u], r->draws.place[d * n + u]);
    }
    for (size_t u = 0; u < n; u++)
        for (size_t e = 0; e < 2; e++) {
            fs_robust_draw_set *set = &r->set[r->sets++];
            *set = (fs_robust_draw_set){.text = FS_NEW(r->arena, const char *, n + 1), .alone = u, .end = e};
            set->text[u] = r->parameter[u].end[e]->text;
        }
}

/* ---- all of it ---- */

static bool all_priced(const fs_robust *r) {
    for (size_t p = 0; p < r->points; p++) {
        fs_sweep_item item;
        if (!fs_sweep_item_of(r->registry, &r->sweep->points[r->point[p]], &item) ||
            isnan(item.seconds[FS_LAYER_PRICE]))
            return false;
    }
    return true;
}

static fs_status vary(fs_robust *r, const fs_robust_ask *ask, const fs_sweep_options *how, fs_error *err) {
    const fs_uncertain *all = NULL;
    size_t count = 0;
    if (!all_priced(r))
        return fs_fail(
            err, FS_INPUT,
            "--robust: expected points that can be priced anew from recorded activity, found points of "
            "%s that cannot",
            r->sweep->name);
    const fs_store_parameter *kind = fs_store_parameter_of(&r->sweep->points[r->point[0]], "machine.kind");
    if (ask->uncertain != NULL
            ? fs_uncertain_read(r->arena, ask->uncertain, &all, &count, err)
            : fs_uncertain_of(r->arena, kind == NULL ? NULL : kind->value, &all, &count, err))
        return err->status;
    choose_parameters(r, all, count);
    make_sets(r, (size_t)ask->draws);
    fs_sweep_options options = *how;
    options.label = "robust";
    options.keep = true;
    options.plain = false;
    return fs_robust_price(r, &options, err);
}

fs_status fs_robust_run(const fs_robust_ask *ask, const fs_sweep_options *how, fs_store *store,
                        const char *name, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    fs_arena *arena = fs_arena_create();
    fs_store_sweep sweep;
    fs_robust r = {.registry = how->registry, .arena = arena, .sweep = &sweep, .store = store};
    fs_status status = fs_store_read(store, arena, name, &sweep, err);
    if (status == FS_OK)
        choose_points(&r);
    if (status == FS_OK && r.points == 0)
        fs_say("robust: no point is feasible, so there is nothing to vary");
    else if (status == FS_OK && vary(&r, ask, how, err) == FS_OK) {
        json_t *judgement = fs_robust_json(&r);
        fs_store_put_judgement(store, name, "robust", judgement, err);
        json_decref(judgement);
        fs_say("robust: %zu points at %zu joint draws of %zu parameters, those within reach at %zu; %.1f s",
               r.points, r.draws.first, r.parameters, r.draws.count, fs_host_wall_seconds() - begun);
    }
    fs_arena_free(arena);
    return err->status;
}
