/* A case file: what the paper says, and which runs are compared with it. docs/validation-cases.md. */
#include "sim/yaml/paths.h"
#include "sim/yaml/words.h"
#include "validation/cases/private.h"

#include <math.h>
#include <string.h>

const char *const fs_use_words[] = {"structure", "calibrate", "predict", "input", "behaviour", NULL};

void fs_case_read_sets(const fs_yaml *yaml, const fs_node *sets, const fs_config_over **overs,
                       size_t *count) {
    if (sets == NULL)
        return;
    if (sets->kind != FS_NODE_MAPPING) {
        fs_yaml_wrong(yaml, sets, "expected a mapping such as { workload.batching.idle: 100 }, found %s",
                      fs_yaml_found(yaml, sets));
        return;
    }
    fs_config_over *all = FS_NEW(yaml->arena, fs_config_over, *count + sets->count + 1);
    if (*count > 0)
        memcpy(all, *overs, *count * sizeof *all);
    for (size_t i = 0; i < sets->count; i++)
        if (sets->entries[i].value->kind != FS_NODE_BAD)
            all[(*count)++] = (fs_config_over){sets->entries[i].key, sets->entries[i].value};
    *overs = all;
}

bool fs_case_is_of(const fs_validation_case *c, const char *name) {
    const size_t length = strlen(name);
    return strncmp(c->name, name, length) == 0 && (c->name[length] == '\0' || c->name[length] == '-');
}

const char *fs_case_table(const fs_validation_case *c) {
    return c->table != NULL ? c->table : c->name;
}

size_t fs_case_variant(const fs_case_reader *r, const fs_node *node) {
    const char *name = node->kind == FS_NODE_SCALAR ? node->text : "";
    const char **words = FS_NEW(r->arena, const char *, r->c->variant_count + 1);
    for (size_t i = 0; i < r->c->variant_count; i++) {
        words[i] = r->c->variants[i].name;
        if (strcmp(words[i], name) == 0)
            return i;
    }
    fs_yaml_wrong(r->yaml, node, "expected a variant of this case, found %s%s", fs_yaml_found(r->yaml, node),
                  FS_MEANT(name, words));
    return SIZE_MAX;
}

/* Exactly one of ensemble, standins and base. */
static void read_scenes(const fs_case_reader *r, const fs_node **standins, fs_node **base) {
    static const char *const words[] = {"ensemble", "standins", "base", NULL};
    const fs_yaml *yaml = r->yaml;
    int found;
    r->c->ensemble = "";
    *standins = NULL;
    *base = NULL;
    fs_yaml_which(yaml->root, words, &found);
    if (found != 1)
        fs_yaml_wrong(yaml, yaml->root, "expected one of ensemble, standins and base, found %d", found);
    const fs_node *experiment = fs_yaml_get(yaml, yaml->root, "base", false);
    fs_yaml_text(yaml, fs_yaml_get(yaml, yaml->root, "ensemble", false), &r->c->ensemble);
    *standins = fs_yaml_list(yaml, yaml->root, "standins", false);
    if (experiment == NULL)
        return;
    fs_node *node = (fs_node *)(uintptr_t)experiment; /* laid over, which does not change it */
    *base = experiment->kind == FS_NODE_MAPPING
                ? node
                : fs_tree_mapping(r->arena, experiment->mark, "base", experiment->mark, node);
}

static void read_scores(const fs_case_reader *r) {
    const fs_node *order = fs_yaml_get(r->yaml, r->yaml->root, "order", false);
    fs_yaml_bool(r->yaml, fs_yaml_get(r->yaml, r->yaml->root, "scored", false), &r->c->scored);
    fs_yaml_bool(r->yaml, fs_yaml_get(r->yaml, r->yaml->root, "aside", false), &r->c->aside);
    if (fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, r->yaml->root, "reading", false), &r->c->reading) &&
        !r->c->aside)
        fs_yaml_wrong(r->yaml, fs_tree_get(r->yaml->root, "reading"), "expected aside: true beside it");
    if (order != NULL)
        r->c->order_of = fs_sweep_figure(r->registry, r->yaml, order);
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, r->yaml->root, "table", false), &r->c->table);
}

/* The paper that the case names, or the usual one. */
static const fs_paper *read_paper(const fs_case_reader *r, const fs_papers *papers) {
    const fs_node *node = fs_yaml_get(r->yaml, r->yaml->root, "paper", false);
    const char **names = FS_NEW(r->arena, const char *, papers->count + 1);
    int64_t at = 0;
    for (size_t i = 0; i < papers->count; i++) {
        names[i] = papers->paper[i].name;
        at = node == NULL && strcmp(names[i], FS_PAPER_DEFAULT) == 0 ? (int64_t)i : at;
    }
    if (node != NULL && !fs_yaml_word(r->yaml, node, names, &at))
        return NULL;
    return &papers->paper[at];
}

fs_status fs_case_read(fs_arena *arena, const fs_registry *registry, const char *path,
                       const fs_papers *papers, fs_validation_case *c, const fs_node **standins,
                       fs_node **base, fs_error *err) {
    static const char *const keys[] = {"title",    "source", "about",    "open",    "ensemble",
                                       "standins", "base",   "scored",   "aside",   "order",
                                       "sets",     "axes",   "variants", "figures", "relations",
                                       "paper",    "table",  "reading",  NULL};
    *c = (fs_validation_case){.path = path,
                              .name = fs_path_stem(arena, path),
                              .title = "",
                              .source = "",
                              .about = "",
                              .open = "",
                              .order = (double)NAN,
                              .mean_error = (double)NAN};
    fs_case_reader r = {.registry = registry, .yaml = fs_yaml_open(arena, path), .arena = arena, .c = c};
    const fs_node *root = r.yaml->root;
    if (root == NULL || !fs_yaml_mapping(r.yaml, root, keys))
        return fs_yaml_finish(r.yaml, err);
    fs_yaml_text(r.yaml, fs_yaml_get(r.yaml, root, "title", true), &c->title);
    fs_yaml_text(r.yaml, fs_yaml_get(r.yaml, root, "source", true), &c->source);
    fs_yaml_text(r.yaml, fs_yaml_get(r.yaml, root, "about", true), &c->about);
    fs_yaml_text(r.yaml, fs_yaml_get(r.yaml, root, "open", false), &c->open);
    c->paper = read_paper(&r, papers);
    read_scenes(&r, standins, base);
    read_scores(&r);
    fs_case_read_variants(&r, root);
    if (fs_yaml_good(r.yaml)) { /* they name variants */
        fs_case_read_figures(&r, root);
        fs_case_read_relations(&r, root);
    }
    if (fs_yaml_good(r.yaml) && c->claim_count == 0)
        fs_yaml_wrong(r.yaml, root, "expected figures or relations, found neither");
    return fs_yaml_finish(r.yaml, err);
}
