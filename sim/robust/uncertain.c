/* Files of parameters that no source fixes, with their ranges. */
#include "sim/host/places.h"
#include "sim/robust/robust.h"
#include "sim/yaml/paths.h"

#include <math.h>
#include <string.h>

static bool number_of(const fs_node *node, fs_sweep_amount *amount) {
    return node->kind == FS_NODE_SCALAR && fs_sweep_amount_of(node->text, amount);
}

static bool check_ends(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const fs_uncertain *u = item;
    fs_sweep_amount low, high;
    const bool numbers = number_of(u->end[0], &low) && number_of(u->end[1], &high);
    if (u->end[0]->kind != FS_NODE_SCALAR || u->end[1]->kind != FS_NODE_SCALAR)
        return fs_yaml_wrong(yaml, node, "expected a number or a word at each end");
    if (numbers && strcmp(low.unit, high.unit) != 0)
        return fs_yaml_wrong(yaml, node, "expected the same unit at both ends, found \"%s\" and \"%s\"",
                             low.unit, high.unit);
    return !numbers || low.number < high.number ||
           fs_yaml_wrong(yaml, node, "expected low below high, found %s and %s", u->end[0]->text,
                         u->end[1]->text);
}

#define FS_ROWS_OF fs_uncertain
static const fs_yaml_row parameter_rows[] = {
    FS_YAML_TEXT("key", key, NULL),
    FS_YAML_NODE("low", end[0], NULL),
    FS_YAML_NODE("high", end[1], NULL),
};
static const fs_yaml_shape parameter = FS_YAML_SHAPE(parameter_rows, sizeof(fs_uncertain), check_ends);
#undef FS_ROWS_OF

typedef struct uncertain_file {
    const fs_uncertain *parameters;
    size_t count;
} uncertain_file;

#define FS_ROWS_OF uncertain_file
static const fs_yaml_row rows[] = {FS_YAML_LIST("parameters", parameters, count, &parameter, NULL)};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(uncertain_file));

fs_status fs_uncertain_read(fs_arena *arena, const char *path, const fs_uncertain **parameters, size_t *count,
                            fs_error *err) {
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    uncertain_file file = {0};
    if (yaml->root != NULL)
        fs_yaml_fill(yaml, yaml->root, &shape, NULL, &file);
    *parameters = file.parameters;
    *count = file.count;
    return fs_yaml_finish(yaml, err);
}

fs_status fs_uncertain_of(fs_arena *arena, const char *kind, const fs_uncertain **parameters, size_t *count,
                          fs_error *err) {
    const char *folder = fs_arena_printf(arena, "%s/validation", fs_configs_dir());
    const char *own = kind == NULL ? "" : fs_arena_printf(arena, "%s/uncertain-%s.yaml", folder, kind);
    if (fs_path_is_file(own))
        return fs_uncertain_read(arena, own, parameters, count, err);
    const fs_uncertain *some[2];
    size_t many[2];
    if (fs_uncertain_read(arena, fs_arena_printf(arena, "%s/uncertain.yaml", folder), &some[0], &many[0],
                          err) ||
        fs_uncertain_read(arena, fs_arena_printf(arena, "%s/uncertain-energy.yaml", folder), &some[1],
                          &many[1], err))
        return err->status;
    fs_uncertain *both = FS_NEW(arena, fs_uncertain, many[0] + many[1] + 1);
    memcpy(both, some[0], many[0] * sizeof *both);
    memcpy(both + many[0], some[1], many[1] * sizeof *both);
    *parameters = both;
    *count = many[0] + many[1];
    return FS_OK;
}

const char *fs_uncertain_at(fs_arena *arena, const fs_uncertain *u, double place) {
    fs_sweep_amount low, high;
    if (place <= 0 || place >= 1 || !number_of(u->end[0], &low) || !number_of(u->end[1], &high))
        return u->end[place < 0.5 ? 0 : 1]->text;
    double value = low.number + place * (high.number - low.number);
    if (low.whole && high.whole) {
        /* Each whole number has an equal part of the range. */
        value = low.number + floor(place * (high.number - low.number + 1));
        value = value > high.number ? high.number : value;
    }
    return fs_sweep_amount_text(arena, value, 6, low.unit);
}
