/* Variants of a case: named one by one, or made from one or two axes. */
#include "validation/cases/private.h"

#include <math.h>
#include <string.h>

enum { MOST_AXES = 2 };

static const char *short_key(const char *key) {
    const char *dot = strrchr(key, '.');
    return dot == NULL ? key : dot + 1;
}

/* ---- axes ---- */

static void read_names(const fs_case_reader *r, const fs_node *node, fs_case_axis *axis) {
    const char **names = FS_NEW(r->arena, const char *, axis->count);
    const fs_node *list = fs_yaml_list(r->yaml, node, "names", false);
    axis->names = names;
    if (list != NULL && list->count != axis->count) {
        fs_yaml_wrong(r->yaml, list, "expected a name for each of the %zu values, found %zu", axis->count,
                      list->count);
        list = NULL;
    }
    for (size_t i = 0; i < axis->count; i++) {
        names[i] = fs_arena_printf(r->arena, "%s %s", short_key(axis->key),
                                   fs_sweep_value_text(r->arena, axis->values[i]));
        if (list != NULL)
            fs_yaml_text(r->yaml, list->items[i], &names[i]);
    }
}

/* Which values of the axis are in the list `name`. */
static const bool *read_marked(const fs_case_reader *r, const fs_node *node, const char *name,
                               const fs_case_axis *axis) {
    bool *marked = FS_NEW(r->arena, bool, axis->count);
    const fs_node *list = fs_yaml_list(r->yaml, node, name, false);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const char *text = fs_sweep_value_text(r->arena, list->items[i]);
        size_t v = 0;
        while (v < axis->count && strcmp(fs_sweep_value_text(r->arena, axis->values[v]), text) != 0)
            v++;
        if (v < axis->count)
            marked[v] = true;
        else
            fs_yaml_wrong(r->yaml, list->items[i], "expected one of the axis's values, found %s",
                          fs_yaml_found(r->yaml, list->items[i]));
    }
    return marked;
}

static bool read_axis(const fs_case_reader *r, const fs_node *node, fs_case_axis *axis) {
    static const char *const keys[] = {"key", "values", "names", "place", "saturated", "again", NULL};
    static const char *const places[] = {"x", "series", NULL};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return false;
    const bool keyed = fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "key", true), &axis->key);
    const fs_node *values = fs_yaml_list(r->yaml, node, "values", true);
    int64_t series = 0;
    if (!keyed || values == NULL)
        return false;
    if (values->count == 0)
        fs_yaml_wrong(r->yaml, values, "expected at least one value, found an empty list");
    fs_yaml_word(r->yaml, fs_yaml_get(r->yaml, node, "place", false), places, &series);
    axis->series = series == 1;
    axis->values = values->items;
    axis->count = values->count;
    read_names(r, node, axis);
    axis->saturated = read_marked(r, node, "saturated", axis);
    axis->again = read_marked(r, node, "again", axis);
    return fs_yaml_good(r->yaml);
}

static double number_of(const fs_case_axis *axis, size_t i) {
    const fs_node *value = axis->values[i];
    return value->kind == FS_NODE_SCALAR ? fs_sweep_value_number(value->text) : (double)NAN;
}

/* ---- variants ---- */

static const char *sets_text(fs_arena *arena, const fs_config_over *overs, size_t count) {
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = fs_arena_printf(arena, "%s%s%s: %s", text, i == 0 ? "" : ", ", overs[i].key,
                               fs_sweep_value_text(arena, overs[i].value));
    return text;
}

/* The settings of the case, and `extra` of the variant. */
static fs_config_over *sets_with(const fs_case_reader *r, const fs_variant *common, size_t extra) {
    fs_config_over *all = FS_NEW(r->arena, fs_config_over, common->over_count + extra + 1);
    if (common->over_count > 0)
        memcpy(all, common->overs, common->over_count * sizeof *all);
    return all;
}

static void variant_of_axes(fs_case_reader *r, const fs_variant *common, const size_t *choice) {
    fs_variant *v = &r->c->variants[r->c->variant_count++];
    fs_config_over *overs = sets_with(r, common, r->axis_count);
    *v = (fs_variant){.name = "", .x = (double)NAN, .series = (double)NAN, .overs = overs};
    v->over_count = common->over_count;
    for (size_t a = 0; a < r->axis_count; a++) {
        const fs_case_axis *axis = &r->axes[a];
        const size_t i = choice[a];
        overs[v->over_count++] = (fs_config_over){axis->key, axis->values[i]};
        v->name = fs_arena_printf(r->arena, "%s%s%s", v->name, a == 0 ? "" : ", ", axis->names[i]);
        v->saturated |= axis->saturated[i];
        v->again |= axis->again[i];
        *(axis->series ? &v->series : &v->x) = number_of(axis, i);
    }
    v->sets = sets_text(r->arena, overs + common->over_count, r->axis_count);
}

static void read_axes(fs_case_reader *r, const fs_node *list, const fs_variant *common) {
    fs_case_axis *axes = FS_NEW(r->arena, fs_case_axis, MOST_AXES);
    if (list->count == 0 || list->count > MOST_AXES) {
        fs_yaml_wrong(r->yaml, list, "expected one or two axes, found %zu", list->count);
        return;
    }
    size_t variants = 1;
    for (size_t a = 0; a < list->count; a++) {
        if (!read_axis(r, list->items[a], &axes[a]))
            return;
        variants *= axes[a].count;
        *(axes[a].series ? &r->c->series_name : &r->c->x_name) = short_key(axes[a].key);
    }
    r->axes = axes;
    r->axis_count = list->count;
    r->c->variants = FS_NEW(r->arena, fs_variant, variants);
    for (size_t i = 0; i < variants; i++) {
        const size_t last = axes[list->count - 1].count; /* the last axis fastest */
        const size_t choice[MOST_AXES] = {list->count == 2 ? i / last : i, i % last};
        variant_of_axes(r, common, choice);
    }
}

static void read_variant(fs_case_reader *r, const fs_node *node, const fs_variant *common) {
    static const char *const keys[] = {"name", "sets", "x", "series", "saturated", NULL};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    fs_variant v = *common;
    if (!fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "name", true), &v.name))
        return;
    for (size_t i = 0; i < r->c->variant_count; i++)
        if (strcmp(r->c->variants[i].name, v.name) == 0)
            fs_yaml_wrong(r->yaml, fs_tree_get(node, "name"), "the name \"%s\" stands there twice", v.name);
    fs_yaml_real(r->yaml, fs_yaml_get(r->yaml, node, "x", false), FS_UNIT_NONE, -1e12, 1e12, &v.x);
    fs_yaml_real(r->yaml, fs_yaml_get(r->yaml, node, "series", false), FS_UNIT_NONE, -1e12, 1e12, &v.series);
    fs_yaml_bool(r->yaml, fs_yaml_get(r->yaml, node, "saturated", false), &v.saturated);
    fs_case_read_sets(r->yaml, fs_yaml_get(r->yaml, node, "sets", false), &v.overs, &v.over_count);
    const size_t own = v.over_count - common->over_count;
    v.sets = sets_text(r->arena, own > 0 ? v.overs + common->over_count : NULL, own);
    r->c->variants[r->c->variant_count++] = v;
}

void fs_case_read_variants(fs_case_reader *r, const fs_node *root) {
    fs_variant common = {.name = "", .sets = "", .x = (double)NAN, .series = (double)NAN};
    fs_case_read_sets(r->yaml, fs_yaml_get(r->yaml, root, "sets", false), &common.overs, &common.over_count);
    const fs_node *axes = fs_yaml_list(r->yaml, root, "axes", false);
    const fs_node *list = fs_yaml_list(r->yaml, root, "variants", false);
    if (axes != NULL && list != NULL)
        fs_yaml_wrong(r->yaml, axes, "expected axes or variants, found both");
    else if (axes != NULL)
        read_axes(r, axes, &common);
    else if (list != NULL) {
        r->c->variants = FS_NEW(r->arena, fs_variant, list->count + 1);
        for (size_t i = 0; i < list->count; i++)
            read_variant(r, list->items[i], &common);
    } else {
        r->c->variants = FS_NEW(r->arena, fs_variant, 1);
        r->c->variants[r->c->variant_count++] = common;
    }
}
