/* A paper's file. */
#include "validation/cases/paper.h"

#include "sim/config/yaml.h"
#include "sim/sweep/sweep.h"
#include "sim/yaml/paths.h"
#include "validation/cases/quotient.h"

#include <math.h>
#include <string.h>

/* As fs_sweep_read_figure. */
static bool read_quotient(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    const fs_registry *const *registry = self;
    const char *figure = fs_quotient_read(*registry, yaml, node);
    const bool good = figure != NULL && figure[0] != '\0';
    *(const char **)member = good ? figure : NULL;
    return good;
}

/* ---- parts ---- */

#define FS_ROWS_OF fs_paper_figure
static const char *const ways[] = {"less", "more", NULL};
static const fs_yaml_row measure_rows[] = {
    FS_YAML_READ("figure", figure, read_quotient, NULL),
    FS_YAML_TEXT("name", name, NULL),
    FS_YAML_TEXT("one", one, NULL),
    FS_YAML_BOOL("priced", priced, "false"),
    FS_YAML_WORD("better", more, ways, "less"),
    FS_YAML_TEXT("baseline", baseline, ""),
    FS_YAML_TEXT("rank", rank, ""),
};
static const fs_yaml_shape measures = FS_YAML_SHAPE(measure_rows, sizeof(fs_paper_figure));
#undef FS_ROWS_OF

/* A fit's range, as it is written. */
typedef struct fit_text {
    fs_fit fit;
    double low, high;
} fit_text;

static uint32_t steps_of(const fs_yaml *yaml, const fs_node *node, const char *name, double value,
                         double step) {
    const double steps = value / step;
    if (!(fabs(steps - round(steps)) < 1e-6 && steps < 1e6))
        fs_yaml_wrong(yaml, fs_tree_get(node, name),
                      "expected a whole number of steps of %g, less than a million", step);
    return steps < 1e6 ? (uint32_t)lround(steps) : 0;
}

static bool check_fit(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    fit_text *f = item;
    f->fit.low = steps_of(yaml, node, "low", f->low, f->fit.step);
    f->fit.high = steps_of(yaml, node, "high", f->high, f->fit.step);
    return !fs_yaml_good(yaml) || f->fit.low < f->fit.high ||
           fs_yaml_wrong(yaml, node, "expected low below high");
}

#define FS_ROWS_OF fit_text
static const fs_yaml_shape figures = FS_YAML_EACH(const char *, fs_sweep_read_figure);
static const fs_yaml_row fit_rows[] = {
    FS_YAML_TEXT("key", fit.key, NULL),
    FS_YAML_REAL("low", low, NONE, 1e-9, 1e9, NULL),
    FS_YAML_REAL("high", high, NONE, 1e-9, 1e9, NULL),
    FS_YAML_REAL("step", fit.step, NONE, 1e-9, 1e9, NULL),
    FS_YAML_TEXT("unit", fit.unit, ""),
    FS_YAML_LIST("on", fit.on, fit.on_count, &figures, NULL),
    FS_YAML_LIST("cases", fit.cases, fit.case_count, &fs_yaml_texts, FS_YAML_MAY),
};
static const fs_yaml_shape fits = FS_YAML_SHAPE(fit_rows, sizeof(fit_text), check_fit);
#undef FS_ROWS_OF

#define FS_ROWS_OF fs_pace_part
static const fs_yaml_row part_rows[] = {
    FS_YAML_TEXT("name", name, NULL),
    FS_YAML_READ("figure", figure, read_quotient, NULL),
    FS_YAML_READ("less", less, read_quotient, FS_YAML_MAY),
    FS_YAML_TEXT("colour", colour, ""),
    FS_YAML_TEXT("about", about, ""),
};
static const fs_yaml_shape parts = FS_YAML_SHAPE(part_rows, sizeof(fs_pace_part));
#undef FS_ROWS_OF

static bool check_pace(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const fs_pace_terms *pace = item;
    return pace->hottest == NULL || fs_yaml_get(yaml, node, "hottest_share", true) != NULL;
}

#define FS_ROWS_OF fs_pace_terms
static const fs_yaml_row pace_rows[] = {
    FS_YAML_TEXT("about", about, NULL),
    FS_YAML_LIST("shares", shares, share_count, &parts, NULL),
    FS_YAML_LIST("means", means, mean_count, &parts, NULL),
    FS_YAML_READ("hottest", hottest, read_quotient, FS_YAML_MAY),
    FS_YAML_READ("hottest_share", hottest_share, read_quotient, FS_YAML_MAY),
};
static const fs_yaml_shape pace_terms = FS_YAML_SHAPE(pace_rows, sizeof(fs_pace_terms), check_pace);
#undef FS_ROWS_OF

#define FS_ROWS_OF fs_paper_map
static const fs_yaml_row map_rows[] = {
    FS_YAML_TEXT("column", column, NULL),
    FS_YAML_READ("figure", figure, read_quotient, NULL),
    FS_YAML_TEXT("name", name, NULL),
};
static const fs_yaml_shape maps = FS_YAML_SHAPE(map_rows, sizeof(fs_paper_map));
#undef FS_ROWS_OF

static bool check_goals(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)yaml, (void)node, (void)self;
    fs_paper *paper = item;
    paper->aim /= 100;
    paper->stretch /= 100;
    paper->order /= 100;
    return true;
}

#define FS_ROWS_OF fs_paper
static const fs_yaml_row goal_rows[] = {
    FS_YAML_REAL("aim", aim, PERCENT, 0, 100, NULL),
    FS_YAML_REAL("stretch", stretch, PERCENT, 0, 100, NULL),
    FS_YAML_REAL("order", order, PERCENT, 0, 100, NULL),
    FS_YAML_TEXT("because", goal, ""),
};
static const fs_yaml_shape goals = FS_YAML_SHAPE(goal_rows, sizeof(fs_paper), check_goals);
#undef FS_ROWS_OF

/* ---- all of it ---- */

typedef struct paper_text {
    fs_paper p;
    fit_text *fits;
} paper_text;

static bool check_paper(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    paper_text *t = item;
    fs_paper *p = &t->p;
    if (p->document[0] == '.' || strchr(p->document, '/') != NULL)
        fs_yaml_wrong(yaml, fs_tree_get(node, "document"),
                      "expected a name without folders that begins with no dot");
    fs_fit *all = FS_NEW(yaml->arena, fs_fit, p->fit_count + 1);
    for (size_t i = 0; i < p->fit_count; i++)
        all[i] = t->fits[i].fit;
    p->fits = all;
    if (p->fit_count == 0) /* nothing may be fitted */
        p->calibration = NULL;
    else
        fs_yaml_get(yaml, node, "calibration", true);
    return true;
}

#define FS_ROWS_OF paper_text
static const fs_yaml_row rows[] = {
    FS_YAML_TEXT("tag", p.tag, NULL),
    FS_YAML_TEXT("title", p.title, NULL),
    FS_YAML_TEXT("authors", p.authors, NULL),
    FS_YAML_TEXT("where", p.where, NULL),
    FS_YAML_INT("year", p.year, NONE, 1900, 2999, NULL),
    FS_YAML_TEXT("link", p.link, ""),
    FS_YAML_TEXT("heading", p.heading, NULL),
    FS_YAML_TEXT("document", p.document, NULL),
    FS_YAML_TEXT("scenes", p.scenes, ""),
    FS_YAML_TEXT("maps", p.maps, ""),
    FS_YAML_TEXT("saturated", p.saturated, ""),
    FS_YAML_PART("goals", p, &goals, NULL),
    FS_YAML_LIST("measures", p.measures, p.measure_count, &measures, NULL, .item = "figure", .least = 1),
    FS_YAML_LIST("fit", fits, p.fit_count, &fits, FS_YAML_MAY),
    FS_YAML_TEXT("calibration", p.calibration, FS_YAML_MAY),
    FS_YAML_TEXT("uncertain", p.uncertain, FS_YAML_MAY),
    FS_YAML_LIST("charts", p.charts, p.chart_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_LIST("pixels", p.pixels, p.pixel_count, &maps, FS_YAML_MAY),
    FS_YAML_PART("pace", p.pace, &pace_terms, FS_YAML_MAY),
    FS_YAML_LIST("tables", p.tables, p.table_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_LIST("notes", p.notes, p.note_count, &fs_yaml_texts, FS_YAML_MAY),
};
static const fs_yaml_shape paper_shape = FS_YAML_SHAPE(rows, sizeof(paper_text), check_paper);

fs_status fs_paper_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_paper *out,
                        fs_error *err) {
    paper_text text = {.p = {.name = fs_path_stem(arena, path), .path = path}};
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    if (yaml->root != NULL)
        fs_yaml_fill(yaml, yaml->root, &paper_shape, &registry, &text);
    *out = text.p;
    return fs_yaml_finish(yaml, err);
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
