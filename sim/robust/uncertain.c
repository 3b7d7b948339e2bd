/* Files of parameters that no source fixes, with their ranges and priors. */
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/host/places.h"
#include "sim/robust/robust.h"
#include "sim/yaml/paths.h"

#include <math.h>
#include <string.h>

const char *const fs_prior_words[] = {"uniform", "log", "normal", "list", NULL};

static bool read_node(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)yaml;
    (void)self;
    *(fs_node **)member = (fs_node *)(uintptr_t)node; /* laid over, which does not change it */
    return true;
}
const fs_yaml_shape fs_prior_values = FS_YAML_EACH(fs_node *, read_node);

static bool number_of(const fs_node *node, fs_sweep_amount *amount) {
    return node != NULL && node->kind == FS_NODE_SCALAR && fs_sweep_amount_of(node->text, amount);
}

/* Both ends, in order and of one unit; words only where either is as good. */
static bool check_ends(const fs_yaml *yaml, const fs_node *node, const fs_uncertain *u) {
    fs_sweep_amount low, high;
    const bool numbers = number_of(u->end[0], &low) && number_of(u->end[1], &high);
    if (u->end[0]->kind != FS_NODE_SCALAR || u->end[1]->kind != FS_NODE_SCALAR ||
        (u->kind != FS_PRIOR_UNIFORM && !numbers))
        return fs_yaml_wrong(yaml, node, "expected a number%s at each end",
                             u->kind == FS_PRIOR_UNIFORM ? " or a word" : "");
    if (numbers && strcmp(low.unit, high.unit) != 0)
        return fs_yaml_wrong(yaml, node, "expected the same unit at both ends, found \"%s\" and \"%s\"",
                             low.unit, high.unit);
    if (u->kind == FS_PRIOR_LOG && !(low.number > 0))
        return fs_yaml_wrong(yaml, node, "expected low above 0 of a logarithm, found %s", u->end[0]->text);
    return !numbers || low.number < high.number ||
           fs_yaml_wrong(yaml, node, "expected low below high, found %s and %s", u->end[0]->text,
                         u->end[1]->text);
}

bool fs_uncertain_check(const fs_yaml *yaml, const fs_node *node, const fs_uncertain *u) {
    fs_sweep_amount mean, deviation, low;
    if (u->kind == FS_PRIOR_LIST)
        return (u->count > 0 && u->end[0] == NULL && u->end[1] == NULL) ||
               fs_yaml_wrong(yaml, node, "expected values alone of a prior that is a list");
    if (fs_yaml_get(yaml, node, "low", true) == NULL || fs_yaml_get(yaml, node, "high", true) == NULL)
        return false;
    if (u->count > 0)
        return fs_yaml_wrong(yaml, node, "expected values of a prior that is a list alone");
    if (!check_ends(yaml, node, u))
        return false;
    const bool normal = number_of(u->mean, &mean) && number_of(u->deviation, &deviation) &&
                        number_of(u->end[0], &low) && strcmp(mean.unit, low.unit) == 0 &&
                        strcmp(deviation.unit, low.unit) == 0 && deviation.number > 0;
    return u->kind == FS_PRIOR_NORMAL
               ? normal || fs_yaml_wrong(yaml, node, "expected mean and deviation in the unit of both ends")
               : (u->mean == NULL && u->deviation == NULL) ||
                     fs_yaml_wrong(yaml, node, "expected mean and deviation of a normal prior alone");
}

/* Of a list the ends are its first and last. */
static bool check_parameter(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    fs_uncertain *u = item;
    (void)self;
    for (size_t i = 0; i < u->count; i++)
        if (u->values[i]->kind != FS_NODE_SCALAR)
            return fs_yaml_wrong(yaml, u->values[i], "expected a number or a word, found %s",
                                 fs_yaml_found(yaml, u->values[i]));
    const bool good = fs_uncertain_check(yaml, node, u);
    if (u->count > 0) {
        u->end[0] = u->values[0];
        u->end[1] = u->values[u->count - 1];
    }
    return good;
}

#define FS_ROWS_OF fs_uncertain
static const fs_yaml_row parameter_rows[] = {FS_UNCERTAIN_ROWS()};
static const fs_yaml_shape parameter = FS_YAML_SHAPE(parameter_rows, sizeof(fs_uncertain), check_parameter);
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
    const fs_uncertain *some[2] = {NULL, NULL};
    size_t many[2] = {0, 0};
    if (fs_uncertain_read(arena, fs_arena_printf(arena, "%s/uncertain.yaml", folder), &some[0], &many[0],
                          err) ||
        fs_uncertain_read(arena, fs_arena_printf(arena, "%s/uncertain-energy.yaml", folder), &some[1],
                          &many[1], err))
        return err->status;
    fs_uncertain *both = FS_NEW(arena, fs_uncertain, many[0] + many[1] + 1);
    for (int k = 0; k < 2; k++)
        if (many[k] > 0)
            memcpy(both + (k == 0 ? 0 : many[0]), some[k], many[k] * sizeof *both);
    *parameters = both;
    *count = many[0] + many[1];
    return FS_OK;
}

size_t fs_uncertain_value(const fs_uncertain *u, double place) {
    const size_t at = place > 0 ? (size_t)(place * (double)u->count) : 0;
    return at < u->count ? at : u->count - 1;
}

/* A number of a prior; `room`: of whole numbers one more, so that each has its own part. */
static double value_at(const fs_uncertain *u, double low, double high, double room, double place) {
    fs_sweep_amount mean = {0}, deviation = {0};
    if (u->kind == FS_PRIOR_LOG)
        return low * fs_pow((high + room) / low, place);
    if (u->kind == FS_PRIOR_UNIFORM)
        return low + place * (high - low + room);
    number_of(u->mean, &mean);
    number_of(u->deviation, &deviation);
    const double value = mean.number + deviation.number * fs_normal_quantile(place) + room / 2;
    return value > low ? value : low;
}

const char *fs_uncertain_at(fs_arena *arena, const fs_uncertain *u, double place) {
    fs_sweep_amount low, high;
    if (u->kind == FS_PRIOR_LIST)
        return u->values[fs_uncertain_value(u, place)]->text;
    if (place <= 0 || place >= 1 || !number_of(u->end[0], &low) || !number_of(u->end[1], &high))
        return u->end[place < 0.5 ? 0 : 1]->text;
    const bool whole = low.whole && high.whole; /* each whole number has its part of the range */
    double value = value_at(u, low.number, high.number, whole, place);
    value = whole ? floor(value) : value;
    return fs_sweep_amount_text(arena, value > high.number ? high.number : value, 6, low.unit);
}
