/* A paper's file. */
#include "validation/cases/paper.h"

#include "sim/config/yaml.h"
#include "sim/sweep/sweep.h"
#include "sim/yaml/paths.h"
#include "validation/cases/quotient.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    const fs_registry *registry;
    const fs_yaml *yaml;
    fs_arena *arena;
    fs_paper *p;
} reader;

/* A text under `name`; `usual` where there is none, NULL: it is required. */
static const char *text_of(const reader *r, const fs_node *in, const char *name, const char *usual) {
    const char *text = usual == NULL ? "" : usual;
    fs_yaml_text_in((fs_yaml_in){r->yaml, in}, name, usual == NULL, &text);
    return text;
}

static const char *figure_of(const reader *r, const fs_node *in, const char *name, bool required) {
    const fs_node *node = fs_yaml_get(r->yaml, in, name, required);
    const char *figure = node == NULL ? NULL : fs_quotient_read(r->registry, r->yaml, node);
    return figure == NULL || figure[0] == '\0' ? NULL : figure;
}

static double share_of(const reader *r, const fs_node *in, const char *name) {
    double percent = 0;
    fs_yaml_real_in((fs_yaml_in){r->yaml, in}, name, true, FS_UNIT_PERCENT, 0, 100, &percent);
    return percent / 100;
}

/* A number above 0. */
static double number_of(const reader *r, const fs_node *in, const char *name) {
    double value = 1;
    fs_yaml_real_in((fs_yaml_in){r->yaml, in}, name, true, FS_UNIT_NONE, 1e-9, 1e9, &value);
    return value;
}

/* ---- parts ---- */

static void read_measures(const reader *r, const fs_node *root) {
    static const char *const keys[] = {"figure", "name", "one", "priced", "better", "baseline", "rank", NULL};
    static const char *const ways[] = {"less", "more", NULL};
    const fs_node *list = fs_yaml_list(r->yaml, root, "measures", true);
    if (list != NULL && list->count == 0)
        fs_yaml_wrong(r->yaml, list, "expected at least one figure, found an empty list");
    fs_paper_figure *all = FS_NEW(r->arena, fs_paper_figure, list == NULL ? 1 : list->count + 1);
    r->p->measures = all;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const fs_node *node = list->items[i];
        int64_t better = 0;
        if (!fs_yaml_mapping(r->yaml, node, keys))
            continue;
        bool priced = false;
        fs_yaml_word_in((fs_yaml_in){r->yaml, node}, "better", false, ways, &better);
        fs_yaml_bool_in((fs_yaml_in){r->yaml, node}, "priced", false, &priced);
        all[r->p->measure_count++] = (fs_paper_figure){.figure = figure_of(r, node, "figure", true),
                                                       .name = text_of(r, node, "name", NULL),
                                                       .one = text_of(r, node, "one", NULL),
                                                       .baseline = text_of(r, node, "baseline", ""),
                                                       .rank = text_of(r, node, "rank", ""),
                                                       .priced = priced,
                                                       .more = better == 1};
    }
}

static uint32_t steps_of(const reader *r, const fs_node *node, const char *name, double step) {
    const double steps = number_of(r, node, name) / step;
    if (!(fabs(steps - round(steps)) < 1e-6 && steps < 1e6))
        fs_yaml_wrong(r->yaml, fs_yaml_get(r->yaml, node, name, true),
                      "expected a whole number of steps of %g, less than a million", step);
    return steps < 1e6 ? (uint32_t)lround(steps) : 0;
}

/* A list of texts; *out [returned]. */
static size_t texts_of(const reader *r, const fs_node *root, const char *name, const char *const **out) {
    const fs_node *list = fs_yaml_list(r->yaml, root, name, false);
    const char **texts = FS_NEW(r->arena, const char *, list == NULL ? 1 : list->count + 1);
    size_t count = 0;
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (fs_yaml_text(r->yaml, list->items[i], &texts[count]))
            count++;
    *out = texts;
    return count;
}

static void read_fits(const reader *r, const fs_node *root) {
    static const char *const keys[] = {"key", "low", "high", "step", "unit", "on", "cases", NULL};
    const fs_node *list = fs_yaml_list(r->yaml, root, "fit", false);
    fs_fit *all = FS_NEW(r->arena, fs_fit, list == NULL ? 1 : list->count + 1);
    r->p->fits = all;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const fs_node *node = list->items[i];
        if (!fs_yaml_mapping(r->yaml, node, keys))
            continue;
        const fs_node *on = fs_yaml_list(r->yaml, node, "on", true);
        const char **figures = FS_NEW(r->arena, const char *, on == NULL ? 1 : on->count + 1);
        const double step = number_of(r, node, "step");
        fs_fit *fit = &all[r->p->fit_count++];
        *fit = (fs_fit){.key = text_of(r, node, "key", NULL),
                        .unit = text_of(r, node, "unit", ""),
                        .step = step,
                        .low = steps_of(r, node, "low", step),
                        .high = steps_of(r, node, "high", step),
                        .on = figures,
                        .on_count = on == NULL ? 0 : on->count};
        fit->case_count = texts_of(r, node, "cases", &fit->cases);
        for (size_t k = 0; k < fit->on_count; k++)
            figures[k] = fs_sweep_figure(r->registry, r->yaml, on->items[k]);
        if (fs_yaml_good(r->yaml) && fit->low >= fit->high)
            fs_yaml_wrong(r->yaml, node, "expected low below high");
    }
    if (r->p->fit_count > 0)
        r->p->calibration = text_of(r, root, "calibration", NULL);
    if (fs_tree_get(root, "uncertain") != NULL)
        r->p->uncertain = text_of(r, root, "uncertain", NULL);
}

static size_t read_pace_parts(const reader *r, const fs_node *in, const char *name,
                              const fs_pace_part **out) {
    static const char *const keys[] = {"name", "figure", "less", "colour", "about", NULL};
    const fs_node *list = fs_yaml_list(r->yaml, in, name, true);
    fs_pace_part *all = FS_NEW(r->arena, fs_pace_part, list == NULL ? 1 : list->count + 1);
    size_t count = 0;
    *out = all;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const fs_node *node = list->items[i];
        if (fs_yaml_mapping(r->yaml, node, keys))
            all[count++] = (fs_pace_part){.name = text_of(r, node, "name", NULL),
                                          .figure = figure_of(r, node, "figure", true),
                                          .less = figure_of(r, node, "less", false),
                                          .colour = text_of(r, node, "colour", ""),
                                          .about = text_of(r, node, "about", "")};
    }
    return count;
}

static void read_pace(const reader *r, const fs_node *root) {
    static const char *const keys[] = {"about", "shares", "means", "hottest", "hottest_share", NULL};
    const fs_node *node = fs_yaml_get(r->yaml, root, "pace", false);
    fs_pace_terms *pace = &r->p->pace;
    if (node == NULL || !fs_yaml_mapping(r->yaml, node, keys))
        return;
    pace->about = text_of(r, node, "about", NULL);
    pace->share_count = read_pace_parts(r, node, "shares", &pace->shares);
    pace->mean_count = read_pace_parts(r, node, "means", &pace->means);
    pace->hottest = figure_of(r, node, "hottest", false);
    pace->hottest_share = figure_of(r, node, "hottest_share", pace->hottest != NULL);
}

static void read_goals(const reader *r, const fs_node *root) {
    static const char *const keys[] = {"aim", "stretch", "order", "because", NULL};
    const fs_node *node = fs_yaml_get(r->yaml, root, "goals", true);
    if (node == NULL || !fs_yaml_mapping(r->yaml, node, keys))
        return;
    r->p->aim = share_of(r, node, "aim");
    r->p->stretch = share_of(r, node, "stretch");
    r->p->order = share_of(r, node, "order");
    r->p->goal = text_of(r, node, "because", "");
}

static void read_pixels(const reader *r, const fs_node *root) {
    static const char *const keys[] = {"column", "figure", "name", NULL};
    const fs_node *list = fs_yaml_list(r->yaml, root, "pixels", false);
    fs_paper_map *all = FS_NEW(r->arena, fs_paper_map, list == NULL ? 1 : list->count + 1);
    r->p->pixels = all;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (fs_yaml_mapping(r->yaml, list->items[i], keys))
            all[r->p->pixel_count++] = (fs_paper_map){.column = text_of(r, list->items[i], "column", NULL),
                                                      .figure = figure_of(r, list->items[i], "figure", true),
                                                      .name = text_of(r, list->items[i], "name", NULL)};
    }
}

/* ---- all of it ---- */

fs_status fs_paper_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_paper *out,
                        fs_error *err) {
    static const char *const keys[] = {
        "tag",    "title",  "authors",   "where",  "year",     "link", "heading",     "document",
        "scenes", "maps",   "saturated", "goals",  "measures", "fit",  "calibration", "uncertain",
        "charts", "pixels", "pace",      "tables", "notes",    NULL};
    *out = (fs_paper){.name = fs_path_stem(arena, path), .path = path};
    const reader r = {.registry = registry, .yaml = fs_yaml_open(arena, path), .arena = arena, .p = out};
    const fs_node *root = r.yaml->root;
    if (root == NULL || !fs_yaml_mapping(r.yaml, root, keys))
        return fs_yaml_finish(r.yaml, err);
    const struct {
        const char *name, **to, *usual; /* NULL: required */
    } texts[] = {{"tag", &out->tag, NULL},           {"title", &out->title, NULL},
                 {"authors", &out->authors, NULL},   {"where", &out->where, NULL},
                 {"link", &out->link, ""},           {"heading", &out->heading, NULL},
                 {"document", &out->document, NULL}, {"scenes", &out->scenes, ""},
                 {"maps", &out->maps, ""},           {"saturated", &out->saturated, ""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].to = text_of(&r, root, texts[i].name, texts[i].usual);
    fs_yaml_int_in((fs_yaml_in){r.yaml, root}, "year", true, FS_UNIT_NONE, 1900, 2999, &out->year);
    if (out->document[0] == '\0' || out->document[0] == '.' || strchr(out->document, '/') != NULL)
        fs_yaml_wrong(r.yaml, fs_tree_get(root, "document"),
                      "expected a name without folders that begins with no dot");
    read_goals(&r, root);
    read_measures(&r, root);
    read_fits(&r, root);
    out->chart_count = texts_of(&r, root, "charts", &out->charts);
    out->table_count = texts_of(&r, root, "tables", &out->tables);
    out->note_count = texts_of(&r, root, "notes", &out->notes);
    read_pixels(&r, root);
    read_pace(&r, root);
    return fs_yaml_finish(r.yaml, err);
}

const fs_paper_figure *fs_paper_measure(const fs_paper *paper, const char *figure) {
    for (size_t i = 0; i < paper->measure_count; i++)
        if (strcmp(paper->measures[i].figure, figure) == 0)
            return &paper->measures[i];
    return NULL;
}

const fs_paper_figure *fs_paper_priced(const fs_paper *paper) {
    for (size_t i = 0; i < paper->measure_count; i++)
        if (paper->measures[i].priced)
            return &paper->measures[i];
    return &paper->measures[0];
}

const char *fs_paper_measures(fs_arena *arena, const fs_paper *paper) {
    const char *text = "";
    for (size_t i = 0; i < paper->measure_count; i++)
        text = fs_arena_printf(arena, "%s%s%s", text,
                               i == 0                          ? ""
                               : i + 1 == paper->measure_count ? " and "
                                                               : ", ",
                               paper->measures[i].name);
    return text;
}

const char *fs_paper_baselines(fs_arena *arena, const fs_paper *paper, bool ranks) {
    const char *text = "";
    for (size_t i = 0; i < paper->measure_count; i++) {
        const char *name = ranks ? paper->measures[i].rank : paper->measures[i].baseline;
        if (name[0] != '\0')
            text = fs_arena_printf(arena, "%s%s%s", text, text[0] == '\0' ? "" : "; ", name);
    }
    return text;
}

const char *fs_paper_reference(fs_arena *arena, const fs_paper *p) {
    return fs_arena_printf(arena, "%s: %s. %s, %d%s%s", p->authors, p->title, p->where, (int)p->year,
                           p->link[0] == '\0' ? "" : ". ", p->link);
}
