/* A sweep file's points: which values they take, and what configuration that makes. */
#include "sim/host/signals.h"
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMBINATIONS = 2000000 };

/* Parameters of the base, for conditions on keys that no axis sets. */
typedef struct base_values {
    const fs_store_parameter *parameters;
    size_t count;
} base_values;

typedef struct maker {
    fs_arena *arena;
    const fs_sweep_file *file;
    base_values base;
    fs_sweep_resolver *resolver;
    size_t *choice; /* [axes] option of each; SIZE_MAX: it does not apply */
    fs_store_point *points;
    size_t count, room, wrong;
    size_t combinations, wanted; /* as counted: all, and those that are not excluded */
    fs_error first;              /* what is wrong with the first wrong one */
    fs_error latest;
} maker;

/* ---- conditions ---- */

/* The option that sets a key at the current choice; the last one counts. */
static const char *value_set(const maker *m, size_t axes, const char *key) {
    for (size_t a = axes; a-- > 0;) {
        if (m->choice[a] == SIZE_MAX)
            continue;
        const fs_sweep_option *o = &m->file->axes[a].options[m->choice[a]];
        if (strcmp(m->file->axes[a].name, key) == 0) /* also "points" and "views" */
            return o->value;
        for (size_t s = o->count; s-- > 0;)
            if (strcmp(o->sets[s].key, key) == 0)
                return fs_sweep_value_text(m->arena, o->sets[s].value);
    }
    return NULL;
}

typedef struct asking {
    const maker *maker;
    size_t axes; /* those before this one count */
} asking;

static const char *value_at(void *self, const char *key) {
    const asking *a = self;
    const char *value = value_set(a->maker, a->axes, key);
    if (value != NULL)
        return value;
    for (size_t i = 0; i < a->maker->base.count; i++)
        if (strcmp(a->maker->base.parameters[i].name, key) == 0)
            return a->maker->base.parameters[i].value;
    return NULL;
}

/* ---- one point ---- */

static const char *label_of(const maker *m) {
    const char *label = "";
    for (size_t a = 0; a < m->file->axis_count; a++) {
        const fs_sweep_axis *axis = &m->file->axes[a];
        if (m->choice[a] == SIZE_MAX)
            continue;
        const fs_sweep_option *o = &axis->options[m->choice[a]];
        const char *gap = label[0] == '\0' ? "" : " ";
        label = o->name != NULL ? fs_arena_printf(m->arena, "%s%s%s", label, gap, o->name)
                                : fs_arena_printf(m->arena, "%s%s%s=%s", label, gap, axis->label, o->value);
    }
    return label[0] == '\0' ? m->file->name : label;
}

static const fs_store_setting *settings_of(const maker *m) {
    fs_store_setting *all = FS_NEW(m->arena, fs_store_setting, m->file->axis_count + 1);
    for (size_t a = 0; a < m->file->axis_count; a++) {
        all[a].number = (double)NAN;
        if (m->choice[a] == SIZE_MAX)
            continue;
        const fs_sweep_option *o = &m->file->axes[a].options[m->choice[a]];
        all[a] = (fs_store_setting){.value = o->value, .number = o->number};
    }
    return all;
}

static void add_point(maker *m) {
    if (m->count == m->room) {
        fs_store_point *bigger = FS_NEW(m->arena, fs_store_point, m->room == 0 ? 64 : 2 * m->room);
        if (m->room > 0)
            memcpy(bigger, m->points, m->room * sizeof *bigger);
        m->room = m->room == 0 ? 64 : 2 * m->room;
        m->points = bigger;
    }
    size_t count = 1;
    for (size_t a = 0; a < m->file->axis_count; a++)
        count += m->choice[a] == SIZE_MAX ? 0 : m->file->axes[a].options[m->choice[a]].count;
    fs_config_over *sets = fs_calloc(count, sizeof *sets);
    count = 0;
    for (size_t a = 0; a < m->file->axis_count; a++)
        if (m->choice[a] != SIZE_MAX) {
            const fs_sweep_option *o = &m->file->axes[a].options[m->choice[a]];
            memcpy(sets + count, o->sets, o->count * sizeof *sets);
            count += o->count;
        }
    fs_store_point *p = &m->points[m->count++];
    fs_error *err = &m->latest;
    *err = (fs_error){.status = FS_OK};
    if (fs_sweep_resolve(m->resolver, m->file->base, sets, count, label_of(m), p, err) && m->wrong++ == 0)
        m->first = *err;
    p->settings = settings_of(m);
    free(sets);
}

/* ---- all of them ---- */

static bool excluded(const maker *m) {
    asking all = {.maker = m, .axes = m->file->axis_count};
    for (size_t i = 0; i < m->file->exclude_count; i++)
        if (fs_sweep_holds(&m->file->excludes[i], value_at, &all))
            return true;
    return false;
}

/* What a combination of choices leads to. */
typedef fs_status visit(maker *m, fs_error *err);

static fs_status make_point(maker *m, fs_error *err) {
    if (fs_interrupted())
        return fs_fail(err, FS_RUN, "interrupted");
    if (!excluded(m))
        add_point(m);
    return FS_OK;
}

/* Points are dear and combinations are not, so these are counted first. */
static fs_status count_point(maker *m, fs_error *err) {
    if (++m->combinations > MOST_COMBINATIONS)
        return fs_fail(err, FS_INPUT, "%s: more than %d combinations of its axes", m->file->path,
                       MOST_COMBINATIONS);
    if (fs_interrupted())
        return fs_fail(err, FS_RUN, "interrupted");
    if (!excluded(m) && ++m->wanted > FS_SWEEP_MOST_POINTS)
        return fs_fail(err, FS_INPUT, "%s: more than %d points", m->file->path, FS_SWEEP_MOST_POINTS);
    return FS_OK;
}

static fs_status expand(maker *m, size_t axis, visit *then, fs_error *err) {
    if (axis == m->file->axis_count)
        return then(m, err);
    asking before = {.maker = m, .axes = axis};
    if (!fs_sweep_holds(&m->file->axes[axis].when, value_at, &before)) {
        m->choice[axis] = SIZE_MAX;
        return expand(m, axis + 1, then, err);
    }
    fs_status status = FS_OK;
    for (size_t i = 0; i < m->file->axes[axis].count && status == FS_OK; i++) {
        m->choice[axis] = i;
        status = expand(m, axis + 1, then, err);
    }
    return status;
}

/* A condition speaks of something that some axis sets or the base has. */
static bool is_known(const maker *m, const char *key) {
    for (size_t i = 0; i < m->base.count; i++)
        if (strcmp(m->base.parameters[i].name, key) == 0)
            return true;
    for (size_t a = 0; a < m->file->axis_count; a++) {
        if (strcmp(m->file->axes[a].name, key) == 0)
            return true;
        for (size_t o = 0; o < m->file->axes[a].count; o++)
            for (size_t s = 0; s < m->file->axes[a].options[o].count; s++)
                if (strcmp(m->file->axes[a].options[o].sets[s].key, key) == 0)
                    return true;
    }
    return false;
}

static void check_condition(const maker *m, const fs_sweep_condition *c, const char *at, fs_error *err) {
    for (size_t i = 0; i < c->count; i++)
        if (!is_known(m, c->terms[i].key))
            fs_fail_also(err, FS_INPUT, "%s: %s: no axis sets %s, and the base has no such parameter",
                         m->file->path, at, c->terms[i].key);
}

static fs_status check_conditions(const maker *m, fs_error *err) {
    for (size_t a = 0; a < m->file->axis_count; a++)
        check_condition(m, &m->file->axes[a].when, fs_arena_printf(m->arena, "axes[%zu].when", a), err);
    for (size_t i = 0; i < m->file->exclude_count; i++)
        check_condition(m, &m->file->excludes[i], fs_arena_printf(m->arena, "exclude[%zu]", i), err);
    return err->status;
}

/* Where the sweep file does not say what it wants: the time of its workload. */
static void want_time(maker *m, fs_store_sweep *sweep) {
    const fs_workload *workload = NULL;
    for (size_t i = 0; i < m->count && workload == NULL; i++) {
        const fs_store_parameter *kind = fs_store_parameter_of(&m->points[i], "workload.kind");
        workload = kind == NULL ? NULL : fs_workload_find(kind->value);
    }
    if (workload == NULL || workload->time == NULL)
        return;
    fs_store_objective *usual = FS_NEW(m->arena, fs_store_objective, 1);
    *usual = (fs_store_objective){.figure = workload->time};
    sweep->objectives = usual;
    sweep->objective_count = 1;
}

fs_status fs_sweep_points(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep, fs_error *err) {
    static maker m; /* two errors are 32 KiB, not for the stack */
    m = (maker){.arena = arena, .file = file, .resolver = fs_sweep_resolver_create(arena)};
    m.choice = FS_NEW(arena, size_t, file->axis_count + 1);
    fs_error ignored = {.status = FS_OK}; /* a base may want what the axes set; else every point tells it */
    const fs_config *base =
        fs_config_load_tree(arena, file->base, fs_registry_sections, fs_registry_section_count, NULL, 0,
                            fs_configs_dir(), &ignored);
    if (base != NULL)
        m.base.parameters = fs_sweep_parameters(arena, base, &m.base.count);
    if ((base != NULL && check_conditions(&m, err)) || expand(&m, 0, count_point, err) ||
        expand(&m, 0, make_point, err))
        return err->status;
    if (m.count == 0)
        return fs_fail(err, FS_INPUT, "%s: the conditions leave no point", file->path);
    if (m.wrong == m.count) {
        *err = m.first;
        return err->status;
    }
    const char **names = FS_NEW(arena, const char *, file->axis_count + 1);
    for (size_t a = 0; a < file->axis_count; a++)
        names[a] = file->axes[a].name;
    *sweep = (fs_store_sweep){.name = file->name,
                              .text = file->text,
                              .axes = names,
                              .axis_count = file->axis_count,
                              .objectives = file->objectives,
                              .objective_count = file->objective_count,
                              .constraints = file->constraints,
                              .constraint_count = file->constraint_count,
                              .points = m.points,
                              .point_count = m.count};
    if (file->objectives == NULL)
        want_time(&m, sweep);
    return FS_OK;
}
