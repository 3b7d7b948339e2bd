/* Figures of cases: statistics, and quotients of two of them ("device.seconds / device.iterations": what an
 * iteration takes). Papers print totals; errors of two totals may cancel in what they mean together, so the
 * quotient is a figure of its own. */
#pragma once

#include "sim/config/yaml.h"
#include "sim/workload/workload.h"

/* A figure that `node` names: its text, spaced as "A / B" where it is a quotient; reported under `key` when a
 * name is no statistic, then "". */
const char *fs_quotient_read(const fs_registry *registry, const fs_yaml *yaml, const fs_node *node);

/* The value of a figure where value(self, name) is that of a statistic; NAN for a divisor of 0. */
double fs_quotient_value(const char *figure, double (*value)(void *self, const char *name), void *self);

/* Its unit: "s", "s/iterations"; "" for none. */
const char *fs_figure_unit(const fs_registry *registry, fs_arena *arena, const char *figure);
