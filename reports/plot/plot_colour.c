/* Colours by name, told apart by any eye; page.css has the same names. */
#include "reports/plot/plot.h"

#include <stdlib.h>
#include <string.h>

const char *fs_plot_colour(const char *name) {
    static const char *const colour[][2] = {
        {"role-0", "#0072b2"},   {"role-1", "#e69f00"},   {"role-2", "#009e73"},   {"role-3", "#cc79a7"},
        {"role-4", "#7d5ba6"},   {"role-5", "#a6611a"},   {"role-6", "#5f9ea0"},   {"role-7", "#b2182b"},
        {"host", "#cc79a7"},     {"compute", "#3b518b"},  {"sync", "#d55e00"},     {"exchange", "#56b4e9"},
        {"good", "#009e73"},     {"bad", "#d55e00"},      {"plain", "#8b95a1"},    {"ink", "#222222"},
        {"idle", "#d8dde3"},     {"bound", "#56b4e9"},    {"faint", "#707070"},    {"rule", "#c8c8c8"},
        {"series-0", "#006dc8"}, {"series-1", "#c7670b"}, {"series-2", "#009e73"}, {"series-3", "#a84086"},
        {"series-4", "#242424"}, {"series-5", "#5298ce"}, {"series-6", "#734200"}, {"series-7", "#38257b"},
    };
    for (size_t i = 0; i < sizeof colour / sizeof *colour; i++)
        if (strcmp(colour[i][0], name) == 0)
            return colour[i][1];
    return name[0] == '#' && strlen(name) == 7 && name[1 + strspn(name + 1, "0123456789abcdef")] == '\0'
               ? name
               : "#8b95a1";
}

const char *fs_plot_shade(fs_arena *arena, const char *name, size_t at, size_t count) {
    const unsigned long rgb = strtoul(fs_plot_colour(name) + 1, NULL, 16);
    const double part = count < 2 ? 0.5 : (double)at / (double)(count - 1); /* dark to bright */
    unsigned channel[3];
    for (unsigned k = 0; k < 3; k++) {
        double v = (double)(rgb >> (16 - 8 * k) & 255);
        v = part < 0.5 ? v * (0.5 + part) : v + (255 - v) * (part - 0.5) * 1.3;
        channel[k] = (unsigned)v;
    }
    return fs_arena_printf(arena, "#%02x%02x%02x", channel[0], channel[1], channel[2]);
}
