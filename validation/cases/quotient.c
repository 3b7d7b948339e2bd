#include "validation/cases/quotient.h"

#include "sim/sweep/sweep.h"

#include <math.h>
#include <string.h>

enum { MOST_NAME = 128 };

/* The dividend's name in `out`; the divisor's is returned, NULL: no quotient. */
static const char *split(const char *figure, char out[MOST_NAME]) {
    const char *slash = strstr(figure, " / ");
    const size_t length = slash == NULL ? 0 : (size_t)(slash - figure);
    if (slash == NULL || length >= MOST_NAME)
        return NULL;
    memcpy(out, figure, length);
    out[length] = '\0';
    return slash + 3;
}

const char *fs_quotient_read(const fs_registry *registry, const fs_yaml *yaml, const fs_node *node) {
    char dividend[MOST_NAME];
    const char *divisor = node->kind == FS_NODE_SCALAR ? split(node->text, dividend) : NULL;
    if (divisor == NULL)
        return fs_sweep_figure(registry, yaml, node);
    fs_node part = *node;
    part.text = fs_arena_strdup(yaml->arena, dividend);
    const char *over = fs_sweep_figure(registry, yaml, &part);
    part.text = fs_arena_strdup(yaml->arena, divisor);
    const char *under = fs_sweep_figure(registry, yaml, &part);
    return over == NULL || under == NULL || over[0] == '\0' || under[0] == '\0'
               ? ""
               : fs_arena_printf(yaml->arena, "%s / %s", over, under);
}

double fs_quotient_value(const char *figure, double (*value)(void *self, const char *name), void *self) {
    char dividend[MOST_NAME];
    const char *divisor = split(figure, dividend);
    if (divisor == NULL)
        return value(self, figure);
    const double under = value(self, divisor);
    return under > 0 || under < 0 ? value(self, dividend) / under : (double)NAN;
}

static const char *unit_of(const fs_registry *registry, const char *name) {
    fs_stat row;
    return fs_stats_find_in(registry->figures, name, &row) && row.unit != NULL ? row.unit : "";
}

const char *fs_figure_unit(const fs_registry *registry, fs_arena *arena, const char *figure) {
    char dividend[MOST_NAME];
    const char *divisor = split(figure, dividend);
    return divisor == NULL
               ? unit_of(registry, figure)
               : fs_arena_printf(arena, "%s/%s", unit_of(registry, dividend), unit_of(registry, divisor));
}
