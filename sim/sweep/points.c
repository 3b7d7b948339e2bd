/* A sweep file's points: which values they take, and what configuration that makes. */
#include "sim/base/csv.h"
#include "sim/base/progress.h"
#include "sim/cli/cli.h"
#include "sim/config/key.h"
#include "sim/sweep/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of the base, for conditions on keys that no axis sets. */
typedef struct base_values {
    const fs_store_parameter *parameters;
    size_t count;
} base_values;

typedef struct digests {
    fs_arena *arena;
    struct known {
        const char *path, *hex;
    } known[64];
    size_t count;
} digests;

typedef struct maker {
    fs_arena *arena;
    const fs_sweep_file *file;
    base_values base;
    digests digests;
    size_t *choice; /* [axes] option of each; SIZE_MAX: it does not apply */
    fs_store_point *points;
    size_t count, room, wrong;
    fs_error first; /* what is wrong with the first wrong one */
} maker;

/* ---- reading what a configuration says ---- */

static const char *digest_of(void *self, const char *path) {
    digests *d = self;
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->known[i].path, path) == 0)
            return d->known[i].hex;
    char *hex = FS_NEW(d->arena, char, FS_DIGEST_HEX);
    fs_error ignored = {.status = FS_OK}; /* the run will tell that it is not there */
    if (fs_digest_file(path, hex, &ignored))
        return NULL;
    if (d->count < sizeof d->known / sizeof *d->known) {
        d->known[d->count].path = fs_arena_strdup(d->arena, path);
        d->known[d->count++].hex = hex;
    }
    return hex;
}

static char *written(const fs_config *config, void (*write)(const fs_config *config, FILE *out)) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    FS_ASSERT(memory != NULL, "the host has no memory left");
    write(config, memory);
    FS_ASSERT(fclose(memory) == 0, "the host has no memory left");
    return text;
}

static void write_resolved(const fs_config *config, FILE *out) {
    fs_config_write_resolved(config, out, NULL, NULL);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const fs_store_parameter *)a)->name, ((const fs_store_parameter *)b)->name);
}

/* Every parameter but labels; the name of what a point is called is none. */
static const fs_store_parameter *parameters_of(fs_arena *arena, const fs_config *config, size_t *count) {
    enum { SECTION, KEY, VALUE, UNIT, TOUCHES = 9 };
    char *text = written(config, fs_config_write_parameters), *at = text, *cell[FS_PARAMETER_COLUMNS];
    size_t rows = 0;
    for (const char *c = text; *c != '\0'; c++)
        rows += *c == '\n';
    fs_store_parameter *all = FS_NEW(arena, fs_store_parameter, rows + 1);
    *count = 0;
    while (fs_csv_record(&at, cell, FS_PARAMETER_COLUMNS) == FS_PARAMETER_COLUMNS) {
        fs_store_parameter *p = &all[(*count)++];
        p->name = fs_arena_printf(arena, "%s.%s", cell[SECTION], cell[KEY]);
        p->value = fs_arena_strdup(arena, cell[VALUE]);
        p->unit = fs_arena_strdup(arena, cell[UNIT]);
        p->number = fs_sweep_value_number(p->value);
    }
    free(text);
    qsort(all, *count, sizeof *all, by_name);
    return all;
}

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

/* A configuration that is wrong has no key of its own: what it was asked to be stands for it. */
static const char *wrong_key(const maker *m, const fs_config_over *sets, size_t count) {
    fs_digest d;
    char *hex = FS_NEW(m->arena, char, FS_DIGEST_HEX);
    const char *base = fs_sweep_value_text(m->arena, m->file->base);
    fs_digest_begin(&d);
    fs_digest_add(&d, "wrong\n", 6);
    fs_digest_add(&d, base, strlen(base));
    for (size_t i = 0; i < count; i++) {
        const char *text =
            fs_arena_printf(m->arena, "\n%s=%s", sets[i].key, fs_sweep_value_text(m->arena, sets[i].value));
        fs_digest_add(&d, text, strlen(text));
    }
    fs_digest_end(&d, hex);
    return hex;
}

static const char *key_of(maker *m, const fs_config *config, fs_key_layer layer) {
    char *hex = FS_NEW(m->arena, char, FS_DIGEST_HEX);
    fs_config_key(config, layer, digest_of, &m->digests, hex);
    return hex;
}

static void describe(maker *m, const fs_config *config, fs_store_point *p) {
    char *resolved = written(config, write_resolved);
    p->resolved = fs_arena_strdup(m->arena, resolved);
    free(resolved);
    p->geometry_key = key_of(m, config, FS_TOUCHES_GEOMETRY);
    p->traffic_key = key_of(m, config, FS_TOUCHES_TRAFFIC);
    p->key = key_of(m, config, FS_TOUCHES_PRICE);
    p->parameters = parameters_of(m->arena, config, &p->parameter_count);
}

static fs_config *load(const maker *m, fs_arena *arena, const fs_config_over *sets, size_t count,
                       fs_error *err) {
    return fs_config_load_tree(arena, m->file->base, fs_registry_sections, fs_registry_section_count, sets,
                               count, fs_configs_dir(), err);
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
    const char *label = label_of(m);
    sets[0] = (fs_config_over){"name", fs_tree_scalar(m->arena, m->file->base->mark, label)};
    count = 1;
    for (size_t a = 0; a < m->file->axis_count; a++)
        if (m->choice[a] != SIZE_MAX) {
            const fs_sweep_option *o = &m->file->axes[a].options[m->choice[a]];
            memcpy(sets + count, o->sets, o->count * sizeof *sets);
            count += o->count;
        }
    fs_store_point *p = &m->points[m->count++];
    *p = (fs_store_point){.label = label,
                          .settings = settings_of(m),
                          .geometry_key = "",
                          .traffic_key = "",
                          .resolved = "",
                          .layer = "",
                          .version = "",
                          .host = "",
                          .status = "pending",
                          .error = ""};
    static fs_error err; /* 16 KiB, not for the stack */
    err = (fs_error){.status = FS_OK};
    fs_arena *arena = fs_arena_create(); /* of this configuration; what is kept of it is copied */
    const fs_config *config = load(m, arena, sets, count, &err);
    if (config != NULL) {
        describe(m, config, p);
    } else {
        p->key = wrong_key(m, sets + 1, count - 1);
        p->status = "failed";
        p->error = fs_arena_strdup(m->arena, err.text);
        if (m->wrong++ == 0)
            m->first = err;
    }
    fs_arena_free(arena);
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

static fs_status expand(maker *m, size_t axis, fs_error *err) {
    if (axis == m->file->axis_count) {
        if (excluded(m))
            return FS_OK;
        if (m->count == FS_SWEEP_MOST_POINTS)
            return fs_fail(err, FS_INPUT, "%s: more than %d points", m->file->path, FS_SWEEP_MOST_POINTS);
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted");
        add_point(m);
        return FS_OK;
    }
    asking before = {.maker = m, .axes = axis};
    if (!fs_sweep_holds(&m->file->axes[axis].when, value_at, &before)) {
        m->choice[axis] = SIZE_MAX;
        return expand(m, axis + 1, err);
    }
    fs_status status = FS_OK;
    for (size_t i = 0; i < m->file->axes[axis].count && status == FS_OK; i++) {
        m->choice[axis] = i;
        status = expand(m, axis + 1, err);
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

fs_status fs_sweep_points(fs_arena *arena, const fs_sweep_file *file, fs_store_sweep *sweep, fs_error *err) {
    maker m = {.arena = arena, .file = file, .digests = {.arena = arena}};
    m.choice = FS_NEW(arena, size_t, file->axis_count + 1);
    fs_error ignored = {.status = FS_OK}; /* a base may want what the axes set; else every point tells it */
    const fs_config *base = load(&m, arena, NULL, 0, &ignored);
    if (base != NULL)
        m.base.parameters = parameters_of(arena, base, &m.base.count);
    if ((base != NULL && check_conditions(&m, err)) || expand(&m, 0, err))
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
    return FS_OK;
}
