/* A paper's file. */
#include "validation/cases/paper.h"

#include "sim/config/yaml.h"
#include "sim/sweep/sweep.h"
#include "sim/yaml/paths.h"
#include "validation/cases/quotient.h"

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

/* The settings of each value of a list: of its key, or those that it is a mapping of. */
static bool check_prior(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    fs_prior *p = item;
    (void)self;
    if (strcmp(p->u.key, FS_PRIOR_STANDIN) == 0)
        return p->u.kind == FS_PRIOR_LIST && p->u.count == 0
                   ? true
                   : fs_yaml_wrong(yaml, node, "expected a list without values: the stand-ins of each case");
    if (!fs_uncertain_check(yaml, node, &p->u))
        return false;
    fs_prior_value *values = FS_NEW(yaml->arena, fs_prior_value, p->u.count + 1);
    p->values = values;
    for (size_t i = 0; i < p->u.count; i++) {
        fs_node *value = p->u.values[i];
        fs_config_over *one = FS_NEW(yaml->arena, fs_config_over, 1);
        *one = (fs_config_over){p->u.key, value};
        values[i] = (fs_prior_value){one, 1};
        if (value->kind == FS_NODE_MAPPING) {
            values[i] = (fs_prior_value){NULL, 0};
            fs_case_read_sets(yaml, value, &values[i].overs, &values[i].count);
        }
    }
    return true;
}

#define FS_ROWS_OF fs_prior
static const fs_yaml_shape figures = FS_YAML_EACH(const char *, fs_sweep_read_figure);
static const fs_yaml_row prior_rows[] = {
    FS_UNCERTAIN_ROWS(u.),
    FS_YAML_TEXT("source", source, NULL),
    FS_YAML_LIST("cases", cases, case_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_LIST("on", on, on_count, &figures, FS_YAML_MAY),
};
static const fs_yaml_shape priors = FS_YAML_SHAPE(prior_rows, sizeof(fs_prior), check_prior);
#undef FS_ROWS_OF

#define FS_ROWS_OF fs_paper
static const fs_yaml_row draw_rows[] = {
    FS_YAML_INT("count", draws, NONE, 2, 100000, "64"),
    FS_YAML_INT("seed", seed, NONE, 0, 1000000000, "1"),
};
static const fs_yaml_shape draws = FS_YAML_SHAPE(draw_rows, sizeof(fs_paper));
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

static bool check_paper(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const fs_paper *p = item;
    if (p->document[0] == '.' || strchr(p->document, '/') != NULL)
        fs_yaml_wrong(yaml, fs_tree_get(node, "document"),
                      "expected a name without folders that begins with no dot");
    return true;
}

#define FS_ROWS_OF fs_paper
static const fs_yaml_row rows[] = {
    FS_YAML_TEXT("tag", tag, NULL),
    FS_YAML_TEXT("title", title, NULL),
    FS_YAML_TEXT("authors", authors, NULL),
    FS_YAML_TEXT("where", where, NULL),
    FS_YAML_INT("year", year, NONE, 1900, 2999, NULL),
    FS_YAML_TEXT("link", link, ""),
    FS_YAML_TEXT("heading", heading, NULL),
    FS_YAML_TEXT("document", document, NULL),
    FS_YAML_TEXT("scenes", scenes, ""),
    FS_YAML_TEXT("maps", maps, ""),
    FS_YAML_TEXT("saturated", saturated, ""),
    FS_YAML_KEY("goals", NULL),
    FS_YAML_LIST("measures", measures, measure_count, &measures, NULL, .item = "figure", .least = 1),
    FS_YAML_LIST("priors", priors, prior_count, &priors, FS_YAML_MAY),
    FS_YAML_KEY("draws", FS_YAML_MAY),
    FS_YAML_LIST("charts", charts, chart_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_LIST("pixels", pixels, pixel_count, &maps, FS_YAML_MAY),
    FS_YAML_PART("pace", pace, &pace_terms, FS_YAML_MAY),
    FS_YAML_LIST("tables", tables, table_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_LIST("notes", notes, note_count, &fs_yaml_texts, FS_YAML_MAY),
};
static const fs_yaml_shape paper_shape = FS_YAML_SHAPE(rows, sizeof(fs_paper), check_paper);

fs_status fs_paper_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_paper *out,
                        fs_error *err) {
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    *out = (fs_paper){.name = fs_path_stem(arena, path), .path = path, .draws = 64, .seed = 1};
    if (yaml->root != NULL) {
        const fs_node *goal = fs_tree_get(yaml->root, "goals"), *draw = fs_tree_get(yaml->root, "draws");
        fs_yaml_fill(yaml, yaml->root, &paper_shape, &registry, out);
        if (goal != NULL)
            fs_yaml_fill(yaml, goal, &goals, NULL, out);
        if (draw != NULL)
            fs_yaml_fill(yaml, draw, &draws, NULL, out);
    }
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

/* A value of a list; one that sets nothing leaves the experiment as it is. */
static const char *value_text(fs_arena *arena, const fs_prior *prior, size_t i) {
    return prior->values[i].count == 0 ? "as it is" : fs_sweep_value_text(arena, prior->u.values[i]);
}

const char *fs_prior_end(fs_arena *arena, const fs_prior *prior, bool high) {
    return prior->u.count > 0        ? value_text(arena, prior, high ? prior->u.count - 1 : 0)
           : prior->u.end[0] == NULL ? ""
                                     : fs_sweep_value_text(arena, prior->u.end[high]);
}

const char *fs_prior_text(fs_arena *arena, const fs_prior *prior) {
    const fs_uncertain *u = &prior->u;
    const char *text = "";
    if (strcmp(u->key, FS_PRIOR_STANDIN) == 0)
        return "each of the case's, alike";
    for (size_t i = 0; i < u->count; i++)
        text = fs_arena_printf(arena, "%s%s%s", text, i == 0 ? "" : " or ", value_text(arena, prior, i));
    if (u->count > 0)
        return text;
    if (u->kind == FS_PRIOR_NORMAL)
        text = fs_arena_printf(arena, " about %s by %s", u->mean->text, u->deviation->text);
    return fs_arena_printf(arena, "%s%s, %s to %s", fs_prior_words[u->kind], text, u->end[0]->text,
                           u->end[1]->text);
}
