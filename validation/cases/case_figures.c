/* Published figures of a case. */
#include "validation/cases/private.h"
#include "validation/cases/quotient.h"

#include <math.h>

fs_claim *fs_case_add_figure(fs_case_reader *r) {
    fs_validation_case *c = r->c;
    c->claims = fs_arena_grow(r->arena, c->claims, c->claim_count, sizeof *c->claims);
    fs_claim *f = &c->claims[c->claim_count++];
    *f = (fs_claim){.variant = "", .figure = "", .unit = "", .source = c->source, .use = FS_USE_BEHAVIOUR};
    f->published = f->median = f->low = f->high = f->error = (double)NAN;
    f->work = f->baseline = f->rank = (double)NAN;
    f->held = f->held_baseline = (fs_held){.median = NAN, .low = NAN, .high = NAN, .miss = NAN, .crps = NAN};
    return f;
}

/* ---- published values ---- */

static bool read_value(const fs_case_reader *r, const fs_node *node, double *out) {
    return fs_yaml_real(r->yaml, node, FS_UNIT_NONE, -1e15, 1e15, out);
}

/* Numbers along an axis, and within each along the next one. */
static bool read_values(const fs_case_reader *r, const fs_node *node, size_t axis, double **next) {
    if (axis == r->axis_count)
        return read_value(r, node, (*next)++);
    if (node->kind != FS_NODE_LIST || node->count != r->axes[axis].count) {
        fs_yaml_wrong(r->yaml, node, "expected a list of %zu, one for each value of %s, found %s",
                      r->axes[axis].count, r->axes[axis].key, fs_yaml_found(r->yaml, node));
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < node->count; i++)
        good &= read_values(r, node->items[i], axis + 1, next);
    return good;
}

/* ---- figures ---- */

static fs_claim *add_figure(fs_case_reader *r, const fs_claim *like, size_t variant, double published,
                            bool named) {
    const fs_variant *v = &r->c->variants[variant];
    fs_claim *f = fs_case_add_figure(r);
    *f = *like;
    f->variant = v->name;
    f->variant_index = variant;
    f->published = published;
    f->saturated = like->saturated || v->saturated;
    f->again = v->again;
    if (!named && v->name[0] != '\0')
        f->name = fs_arena_printf(r->arena, "%s, %s", like->name, v->name);
    return f;
}

/* Numbers beside the published ones, one for each of them or one for all; NAN where there are none. */
static const double *read_beside(const fs_case_reader *r, const fs_node *figure, const char *name) {
    const fs_node *node = fs_yaml_get(r->yaml, figure, name, false);
    double *values = FS_NEW(r->arena, double, r->c->variant_count + 1), *next = values;
    for (size_t i = 0; i < r->c->variant_count; i++)
        values[i] = (double)NAN;
    if (node != NULL && node->kind == FS_NODE_LIST)
        read_values(r, node, 0, &next);
    else if (node != NULL && read_value(r, node, &values[0]))
        for (size_t i = 1; i < r->c->variant_count; i++)
            values[i] = values[0];
    return values;
}

/* For each value of the first axis: is the best along the second one where it was published? */
static void add_best(fs_case_reader *r, const fs_claim *like, const double *published) {
    const size_t rows = r->axis_count == 2 ? r->axes[0].count : 1;
    const size_t count = r->axes[r->axis_count - 1].count;
    for (size_t row = 0; row < rows; row++) {
        fs_relation *relation = FS_NEW(r->arena, fs_relation, 1);
        fs_term *terms = FS_NEW(r->arena, fs_term, count);
        const char **figure = FS_NEW(r->arena, const char *, 1);
        *figure = like->figure;
        for (size_t i = 0; i < count; i++)
            terms[i] = (fs_term){.variant = row * count + i, .figures = figure, .count = 1};
        *relation = (fs_relation){.kind = FS_RELATION_BEST,
                                  .terms = terms,
                                  .count = count,
                                  .factor = 1,
                                  .published = published + row * count};
        fs_claim *f = fs_case_add_figure(r);
        f->name = r->axis_count == 2
                      ? fs_arena_printf(r->arena, "best %s, %s", like->name, r->axes[0].names[row])
                      : fs_arena_printf(r->arena, "best %s", like->name);
        f->unit = "steps";
        f->published = 1;
        f->relation = relation;
        f->saturated = r->axis_count == 2 && r->axes[0].saturated[row];
    }
}

static void read_published(fs_case_reader *r, const fs_node *node, const fs_claim *like, bool best) {
    const fs_node *variant = fs_yaml_get(r->yaml, node, "variant", false);
    const fs_node *value = fs_yaml_get(r->yaml, node, "published", true);
    size_t index = 0;
    if (value == NULL)
        return;
    if (variant == NULL && r->axis_count > 0) {
        double *published = FS_NEW(r->arena, double, r->c->variant_count), *next = published;
        if (!read_values(r, value, 0, &next))
            return;
        const double *work = read_beside(r, node, "baseline"), *rank = read_beside(r, node, "rank");
        for (size_t i = 0; i < r->c->variant_count; i++) {
            fs_claim *f = add_figure(r, like, i, published[i], false);
            f->work = work[i];
            f->rank = rank[i];
        }
        if (best)
            add_best(r, like, published);
        return;
    }
    if (variant == NULL && r->c->variant_count != 1)
        fs_yaml_wrong(r->yaml, node, "expected a variant: this case has %zu", r->c->variant_count);
    else if (variant != NULL)
        index = fs_case_variant(r, variant);
    double published = 0;
    if (index >= r->c->variant_count || !read_value(r, value, &published))
        return;
    fs_claim *f = add_figure(r, like, index, published, true);
    f->work = *read_beside(r, node, "baseline");
    f->rank = *read_beside(r, node, "rank");
}

static void read_figure(fs_case_reader *r, const fs_node *node) {
    static const char *const keys[] = {"name",      "figure", "use",  "variant",  "published",
                                       "tolerance", "source", "best", "baseline", "rank",
                                       "like",      "plus",   NULL};
    static const char *const uses[] = {"structure", "calibrate", "predict", "input", NULL};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    const fs_node *figure = fs_yaml_get(r->yaml, node, "figure", true);
    fs_claim f = *fs_case_add_figure(r);
    r->c->claim_count--; /* a figure with nothing in it yet */
    int64_t word = 0;
    double percent = 0;
    bool best = false;
    const bool named = fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "name", true), &f.name);
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "source", false), &f.source);
    if (figure != NULL)
        f.figure = fs_quotient_read(r->registry, r->yaml, figure);
    const bool used = fs_yaml_word(r->yaml, fs_yaml_get(r->yaml, node, "use", true), uses, &word);
    const bool tolerates = fs_yaml_real(r->yaml, fs_yaml_get(r->yaml, node, "tolerance", false),
                                        FS_UNIT_PERCENT, 0, 1000, &percent);
    fs_yaml_bool(r->yaml, fs_yaml_get(r->yaml, node, "best", false), &best);
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "like", false), &f.like);
    fs_yaml_bool(r->yaml, fs_yaml_get(r->yaml, node, "plus", false), &f.plus);
    if (best && r->axis_count == 0)
        fs_yaml_wrong(r->yaml, fs_tree_get(node, "best"), "this case has no axes");
    if (!named || !used || f.figure == NULL || f.figure[0] == '\0')
        return;
    f.use = (fs_use)word;
    f.tolerance = tolerates ? percent / 100 : f.use == FS_USE_STRUCTURE ? 0 : r->c->paper->aim;
    f.unit = fs_figure_unit(r->registry, r->arena, f.figure);
    f.like = f.like == NULL ? f.figure : f.like;
    f.measured = fs_paper_measure(r->c->paper, f.figure);
    read_published(r, node, &f, best);
}

void fs_case_read_figures(fs_case_reader *r, const fs_node *root) {
    const fs_node *list = fs_yaml_list(r->yaml, root, "figures", false);
    for (size_t i = 0; list != NULL && i < list->count; i++)
        read_figure(r, list->items[i]);
}
