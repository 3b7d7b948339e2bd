/* A sweep file's space: which values its points take. Points are dear and combinations are not, so that these
 * come first, and a point is resolved when it is wanted. */
#include "sim/host/signals.h"
#include "sim/sweep/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMBINATIONS = 2000000, FIRST_ROOM = 64 };

struct fs_sweep_maker {
    fs_arena *arena;
    const fs_sweep_file *file;
    fs_store_point base; /* for conditions on keys that no axis sets; without parameters where it is wrong */
    fs_sweep_resolver *resolver;
    uint16_t *choice; /* [axes] option of each, at the current combination */
    fs_sweep_space *space;
    uint16_t *choices; /* of the space, with room for `room` combinations */
    size_t room, most, combinations;
};

typedef struct fs_sweep_maker maker;

/* What a combination chooses of an axis; NULL: the axis does not apply. */
static const fs_sweep_option *option_at(const fs_sweep_file *file, const uint16_t *choice, size_t axis) {
    return choice[axis] == FS_SWEEP_NO_OPTION ? NULL : &file->axes[axis].options[choice[axis]];
}

/* ---- conditions ---- */

/* The option that sets a key at the current choice; the last one counts. */
static const char *value_set(const maker *m, size_t axes, const char *key) {
    for (size_t a = axes; a-- > 0;) {
        const fs_sweep_option *o = option_at(m->file, m->choice, a);
        if (o == NULL)
            continue;
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
    const fs_store_parameter *own = fs_store_parameter_of(&a->maker->base, key);
    return own == NULL ? NULL : own->value;
}

/* ---- one point ---- */

static const char *label_of(const fs_sweep_space *s, const uint16_t *choice) {
    fs_arena *arena = s->maker->arena;
    const char *label = "";
    for (size_t a = 0; a < s->file->axis_count; a++) {
        const fs_sweep_option *o = option_at(s->file, choice, a);
        if (o == NULL)
            continue;
        label = o->name != NULL
                    ? fs_arena_append(arena, label, " ", "%s", o->name)
                    : fs_arena_append(arena, label, " ", "%s=%s", s->file->axes[a].label, o->value);
    }
    return label[0] == '\0' ? s->file->name : label;
}

static const fs_store_setting *settings_of(const fs_sweep_space *s, const uint16_t *choice) {
    fs_store_setting *all = FS_NEW(s->maker->arena, fs_store_setting, s->file->axis_count + 1);
    for (size_t a = 0; a < s->file->axis_count; a++) {
        const fs_sweep_option *o = option_at(s->file, choice, a);
        all[a] = o == NULL ? (fs_store_setting){.number = (double)NAN}
                           : (fs_store_setting){.value = o->value, .number = o->number};
    }
    return all;
}

fs_status fs_sweep_space_point(const fs_sweep_space *s, size_t index, fs_store_point *point, fs_error *err) {
    const uint16_t *choice = s->choice + index * s->file->axis_count;
    size_t count = s->file->held_count + 1;
    for (size_t a = 0; a < s->file->axis_count; a++)
        count += choice[a] == FS_SWEEP_NO_OPTION ? 0 : s->file->axes[a].options[choice[a]].count;
    fs_config_over *sets = fs_calloc(count, sizeof *sets);
    for (count = 0; count < s->file->held_count; count++)
        sets[count] = s->file->held[count];
    for (size_t a = 0; a < s->file->axis_count; a++) {
        const fs_sweep_option *o = option_at(s->file, choice, a);
        for (size_t i = 0; o != NULL && i < o->count; i++)
            sets[count++] = o->sets[i];
    }
    const fs_status status =
        fs_sweep_resolve(s->maker->resolver, s->file->base, sets, count, label_of(s, choice), point, err);
    point->settings = settings_of(s, choice);
    free(sets);
    return status;
}

/* ---- all combinations ---- */

static bool excluded(const maker *m) {
    asking all = {.maker = m, .axes = m->file->axis_count};
    for (size_t i = 0; i < m->file->exclude_count; i++)
        if (fs_sweep_holds(&m->file->excludes[i], value_at, &all))
            return true;
    return false;
}

static void add_choice(maker *m) {
    const size_t axes = m->file->axis_count;
    if (m->space->count == m->room) {
        const uint16_t *old = m->choices;
        m->choices = FS_NEW(m->arena, uint16_t, 2 * m->room * (axes + 1));
        memcpy(m->choices, old, m->room * axes * sizeof *old);
        m->room *= 2;
    }
    memcpy(m->choices + m->space->count++ * axes, m->choice, axes * sizeof *m->choice);
}

static fs_status take(maker *m, fs_error *err) {
    if (++m->combinations > MOST_COMBINATIONS)
        return fs_fail(err, FS_INPUT, "%s: more than %d combinations of its axes", m->file->path,
                       MOST_COMBINATIONS);
    if (fs_interrupted())
        return fs_fail(err, FS_RUN, "interrupted");
    if (excluded(m))
        return FS_OK;
    if (m->space->count == m->most)
        return fs_fail(err, FS_INPUT, "%s: more than %zu points", m->file->path, m->most);
    add_choice(m);
    return FS_OK;
}

static fs_status expand(maker *m, size_t axis, fs_error *err) {
    if (axis == m->file->axis_count)
        return take(m, err);
    asking before = {.maker = m, .axes = axis};
    if (!fs_sweep_holds(&m->file->axes[axis].when, value_at, &before)) {
        m->choice[axis] = FS_SWEEP_NO_OPTION;
        return expand(m, axis + 1, err);
    }
    fs_status status = FS_OK;
    for (size_t i = 0; i < m->file->axes[axis].count && status == FS_OK; i++) {
        m->choice[axis] = (uint16_t)i;
        status = expand(m, axis + 1, err);
    }
    return status;
}

/* A condition names something that some axis sets or the base has. */
static bool is_known(const maker *m, const char *key) {
    if (fs_store_parameter_of(&m->base, key) != NULL)
        return true;
    for (size_t a = 0; a < m->file->axis_count; a++) {
        if (strcmp(m->file->axes[a].name, key) == 0)
            return true;
        for (size_t o = 0; o < m->file->axes[a].count; o++)
            if (FS_HAS(m->file->axes[a].options[o].sets, m->file->axes[a].options[o].count, key, key))
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

fs_status fs_sweep_space_of(fs_arena *arena, const fs_sweep_file *file, size_t most, fs_sweep_space *space,
                            fs_error *err) {
    maker *m = FS_NEW(arena, maker, 1);
    *space = (fs_sweep_space){.file = file, .maker = m};
    *m = (maker){.arena = arena,
                 .file = file,
                 .resolver = fs_sweep_resolver_create(arena, file->registry),
                 .choice = FS_NEW(arena, uint16_t, file->axis_count + 1),
                 .space = space,
                 .choices = FS_NEW(arena, uint16_t, FIRST_ROOM * (file->axis_count + 1)),
                 .room = FIRST_ROOM,
                 .most = most};
    fs_error why = {.status = FS_OK}; /* a base may want what the axes set; else every point tells it */
    const fs_status resolved =
        fs_sweep_resolve(m->resolver, file->base, file->held, file->held_count, "base", &m->base, &why);
    if (resolved == FS_OK)
        space->base = m->base.key;
    if (file->baseline != NULL && resolved != FS_RUN) {
        fs_store_point *baseline = FS_NEW(arena, fs_store_point, 1);
        if (fs_sweep_resolve(m->resolver, file->baseline, file->held, file->held_count, "baseline", baseline,
                             err))
            return err->status;
        fs_store_setting *none = FS_NEW(arena, fs_store_setting, file->axis_count + 1);
        for (size_t a = 0; a < file->axis_count; a++)
            none[a].number = NAN;
        baseline->settings = none;
        space->base = baseline->key;
        space->baseline = baseline;
    }
    if (resolved == FS_RUN)
        *err = why;
    else if (resolved != FS_OK || check_conditions(m, err) == FS_OK)
        expand(m, 0, err);
    space->choice = m->choices;
    if (err->status == FS_OK && space->count == 0)
        return fs_fail(err, FS_INPUT, "%s: the conditions leave no point", file->path);
    return err->status;
}
