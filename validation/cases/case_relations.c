/* What a case says about several of its runs together. */
#include "validation/cases/private.h"
#include "validation/cases/quotient.h"

#include <math.h>

typedef struct relation_reader {
    fs_case_reader *r;
    const fs_node *node;
    const char *figure; /* of terms that name none; NULL */
} relation_reader;

static void read_term_figures(const relation_reader *x, const fs_node *list, fs_term *term) {
    const char **names = FS_NEW(x->r->arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        names[i] = fs_sweep_figure(x->r->registry, x->r->yaml, list->items[i]);
    term->figures = names;
    term->count = list->count;
    if (list->count == 0)
        fs_yaml_wrong(x->r->yaml, list, "expected at least one figure, found an empty list");
}

/* The relation's own figure. */
static void usual_figure(const relation_reader *x, const fs_node *node, fs_term *term) {
    const char **one = FS_NEW(x->r->arena, const char *, 1);
    if (x->figure == NULL)
        fs_yaml_wrong(x->r->yaml, node, "expected `figures` here, or `figure` for the whole relation");
    *one = x->figure;
    term->figures = one;
    term->count = 1;
}

/* The name of a variant, or { variant: NAME, figures: [...] }. */
static void read_term(const relation_reader *x, const fs_node *node, fs_term *term) {
    static const char *const keys[] = {"variant", "figures", NULL};
    const fs_node *name = node, *figures = NULL;
    if (node->kind == FS_NODE_MAPPING) {
        if (!fs_yaml_mapping(x->r->yaml, node, keys))
            return;
        name = fs_yaml_get(x->r->yaml, node, "variant", true);
        figures = fs_yaml_list(x->r->yaml, node, "figures", false);
    }
    if (name != NULL)
        term->variant = fs_case_variant(x->r, name);
    if (figures != NULL)
        read_term_figures(x, figures, term);
    else
        usual_figure(x, node, term);
}

static const fs_node *part(const relation_reader *x, const char *name, bool required) {
    return fs_yaml_get(x->r->yaml, x->node, name, required);
}

static void read_number(const relation_reader *x, const char *name, double *out) {
    fs_yaml_real(x->r->yaml, fs_yaml_get(x->r->yaml, x->node, name, false), FS_UNIT_NONE, -1e15, 1e15, out);
}

static fs_term *terms_of(const relation_reader *x, fs_relation *relation, size_t count) {
    fs_term *terms = FS_NEW(x->r->arena, fs_term, count + 1);
    relation->terms = terms;
    relation->count = count;
    return terms;
}

/* `at_most`, not below what it must at least be. */
static void read_most(const relation_reader *x, const char *least, fs_relation *relation) {
    read_number(x, "at_most", &relation->most);
    if (!(relation->most >= relation->factor))
        fs_yaml_wrong(x->r->yaml, part(x, "at_most", true), "expected at least `%s`, %g, found %g", least,
                      relation->factor, relation->most);
}

static void read_smaller(const relation_reader *x, const fs_node *smaller, fs_relation *relation) {
    const fs_node *larger = part(x, "larger", true);
    fs_term *terms = terms_of(x, relation, 2);
    relation->kind = FS_RELATION_SMALLER;
    relation->factor = 1;
    read_number(x, "by", &relation->factor);
    read_most(x, "by", relation);
    if (larger == NULL)
        return;
    read_term(x, smaller, &terms[0]);
    read_term(x, larger, &terms[1]);
}

static void read_above(const relation_reader *x, fs_relation *relation) {
    const bool single = x->r->c->variant_count == 1;
    const fs_node *variant = part(x, "variant", !single);
    fs_term *terms = terms_of(x, relation, 1);
    relation->kind = FS_RELATION_ABOVE;
    read_number(x, "above", &relation->factor);
    read_most(x, "above", relation);
    if (variant != NULL)
        read_term(x, variant, terms);
    else if (single)
        usual_figure(x, x->node, terms);
}

static void read_fails(const relation_reader *x, const fs_node *fails, fs_relation *relation) {
    fs_term *terms = terms_of(x, relation, 1);
    relation->kind = FS_RELATION_FAILS;
    terms->variant = fs_case_variant(x->r, fails);
}

static void read_falls(const relation_reader *x, const fs_node *falls, fs_relation *relation) {
    relation->kind = FS_RELATION_FALLS;
    if (falls->kind != FS_NODE_LIST || falls->count < 2) {
        fs_yaml_wrong(x->r->yaml, falls, "expected a list of at least two variants, found %s",
                      fs_yaml_found(x->r->yaml, falls));
        return;
    }
    fs_term *terms = terms_of(x, relation, falls->count);
    for (size_t i = 0; i < falls->count; i++)
        read_term(x, falls->items[i], &terms[i]);
    fs_yaml_bool(x->r->yaml, fs_yaml_get(x->r->yaml, x->node, "flattens", false), &relation->flattens);
}

static void read_kind(const relation_reader *x, fs_relation *relation, fs_claim *f) {
    const fs_node *smaller = part(x, "smaller", false), *falls = part(x, "falls", false);
    const fs_node *above = part(x, "above", false), *fails = part(x, "fails", false);
    if ((smaller != NULL) + (falls != NULL) + (above != NULL) + (fails != NULL) != 1)
        fs_yaml_wrong(x->r->yaml, x->node,
                      "expected one of smaller (with larger), falls, above (with variant) and fails");
    else if (fails != NULL)
        read_fails(x, fails, relation);
    else if (smaller != NULL)
        read_smaller(x, smaller, relation);
    else if (above != NULL)
        read_above(x, relation);
    else
        read_falls(x, falls, relation);
    f->published = falls != NULL || fails != NULL ? (double)NAN : relation->factor;
}

static void read_relation(relation_reader *x) {
    static const char *const keys[] = {"name",  "figure",   "source", "smaller", "larger", "by", "at_most",
                                       "falls", "flattens", "above",  "variant", "fails",  NULL};
    fs_case_reader *r = x->r;
    if (!fs_yaml_mapping(r->yaml, x->node, keys))
        return;
    const fs_node *figure = part(x, "figure", false);
    fs_claim *f = fs_case_add_figure(r);
    fs_relation *relation = FS_NEW(r->arena, fs_relation, 1);
    relation->most = (double)INFINITY;
    f->relation = relation;
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, x->node, "name", true), &f->name);
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, x->node, "source", false), &f->source);
    if (figure != NULL)
        x->figure = fs_sweep_figure(r->registry, r->yaml, figure);
    f->figure = x->figure == NULL ? "" : x->figure;
    f->unit = fs_figure_unit(r->registry, r->arena, f->figure);
    f->measured = fs_paper_measure(r->c->paper, f->figure);
    read_kind(x, relation, f);
}

void fs_case_read_relations(fs_case_reader *r, const fs_node *root) {
    const fs_node *list = fs_yaml_list(r->yaml, root, "relations", false);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        relation_reader x = {.r = r, .node = list->items[i]};
        read_relation(&x);
    }
}
