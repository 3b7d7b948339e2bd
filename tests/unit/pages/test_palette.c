/* Colours that series and phases are told apart by: distances in CIELAB as they are and as a dichromat sees
 * them (Machado, Oliveira and Fernandes 2009, severity 1, in linear RGB), and the contrast of series with the
 * paper (WCAG 2). */
#include "reports/plot/plot.h"
#include "sim/base/detmath.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/test.h"

typedef struct colour {
    double channel[3]; /* linear, 0 to 1 */
} colour;

enum { EYES = 3 };
static const double seen_by[EYES][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
};
static const char *const eye[EYES] = {"as they are", "to a protanope", "to a deuteranope"};

static colour colour_of(unsigned long rgb) {
    colour c;
    for (unsigned k = 0; k < 3; k++) {
        const double v = (double)(rgb >> (16 - 8 * k) & 255) / 255;
        c.channel[k] = v <= 0.04045 ? v / 12.92 : fs_pow((v + 0.055) / 1.055, 2.4);
    }
    return c;
}

static double luminance(const colour *c) {
    return 0.2126 * c->channel[0] + 0.7152 * c->channel[1] + 0.0722 * c->channel[2];
}

static double contrast(const colour *a, const colour *b) {
    const double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static double root(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void to_lab(const colour *c, int who, double lab[3]) {
    static const double xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1, 1.08883};
    double seen[3], f[3];
    for (int i = 0; i < 3; i++) {
        seen[i] = 0;
        for (int k = 0; k < 3; k++)
            seen[i] += seen_by[who][i][k] * c->channel[k];
        seen[i] = fmin(1, fmax(0, seen[i]));
    }
    for (int i = 0; i < 3; i++)
        f[i] = root((xyz[i][0] * seen[0] + xyz[i][1] * seen[1] + xyz[i][2] * seen[2]) / white[i]);
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static double apart(const colour *a, const colour *b, int who) {
    double x[3], y[3];
    to_lab(a, who, x);
    to_lab(b, who, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

/* "--NAME: #rrggbb" of a block of page.css; a name that a dark page does not set has its light colour. */
static unsigned long variable(const char *block, const char *otherwise, const char *name) {
    char words[64];
    snprintf(words, sizeof words, "--%s: #", name);
    const char *end = strstr(block, "}"), *at = strstr(block, words);
    if (at == NULL || at > end) {
        if (otherwise == NULL)
            fail_msg("page.css does not set --%s", name);
        return variable(otherwise, NULL, name);
    }
    return strtoul(at + strlen(words), NULL, 16);
}

static void check(const char *theme, const char *block, const char *light, const char *const *names,
                  size_t count, double least) {
    for (int who = 0; who < EYES; who++)
        for (size_t i = 1; i < count; i++)
            for (size_t j = 0; j < i; j++) {
                const colour a = colour_of(variable(block, light, names[i])),
                             b = colour_of(variable(block, light, names[j]));
                const double d = apart(&a, &b, who);
                if (d < least)
                    fail_msg("%s: %s and %s are %.1f apart %s, %.0f are wanted", theme, names[i], names[j], d,
                             eye[who], least);
            }
}

static const char *const series[] = {"series-0", "series-1", "series-2", "series-3",
                                     "series-4", "series-5", "series-6", "series-7"};
static const char *const phases[] = {"compute", "sync", "exchange", "host", "role-0"};
enum { SERIES = sizeof series / sizeof *series, PHASES = sizeof phases / sizeof *phases };

TEST(colours_are_apart) {
    char *css = file_text("reports/sheet/page/page.css");
    const char *light = strstr(css, ":root {"), *dark = strstr(css, "prefers-color-scheme: dark");
    assert_non_null(light);
    assert_non_null(dark);
    dark = strstr(dark, ":root {");
    const struct { const char *name, *block; } theme[] = {{"light", light}, {"dark", dark}};
    for (size_t t = 0; t < 2; t++) {
        const colour paper = colour_of(variable(theme[t].block, light, "paper"));
        check(theme[t].name, theme[t].block, light, series, SERIES, 18);
        check(theme[t].name, theme[t].block, light, phases, PHASES, 12);
        for (size_t i = 0; i < SERIES; i++) {
            const colour c = colour_of(variable(theme[t].block, light, series[i]));
            if (contrast(&c, &paper) < 3)
                fail_msg("%s: %s has a contrast of %.2f with the paper", theme[t].name, series[i],
                         contrast(&c, &paper));
        }
    }
}

/* Plots in files have the light page's colours. */
TEST(files_have_them) {
    char *css = file_text("reports/sheet/page/page.css");
    for (size_t i = 0; i < SERIES; i++)
        assert_int_equal(strtoul(fs_plot_colour(series[i]) + 1, NULL, 16),
                         variable(strstr(css, ":root {"), NULL, series[i]));
    for (size_t i = 0; i < PHASES; i++)
        assert_int_equal(strtoul(fs_plot_colour(phases[i]) + 1, NULL, 16),
                         variable(strstr(css, ":root {"), NULL, phases[i]));
}

/* The check can fail: two blues, and the green and pink that a deuteranope sees as one grey. */
TEST(equal_colours_are_found) {
    const colour a = colour_of(0x3f9bd8), b = colour_of(0x56b4e9), green = colour_of(0x009e73),
                 pink = colour_of(0xcc79a7);
    assert_true(apart(&a, &b, 0) < 12);
    assert_true(apart(&green, &pink, 2) < 0.35 * apart(&green, &pink, 0));
    const colour black = colour_of(0), white = colour_of(0xffffff);
    assert_float_equal(contrast(&black, &white), 21, 1e-9);
}

RUN_TESTS(NULL, NULL)
