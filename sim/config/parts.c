/* Files of parts and what they are based on, expanded to one tree; --set over it. */
#include "sim/config/section.h"

#include "sim/host/file.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1 << 20 }; /* no configuration is longer; a mesh or a picture is */

/* A file that was read, or could not be: then root is NULL. */
typedef struct file {
    struct file *next;
    fs_source source;
    fs_node *root;
} file;

/* The files that are being expanded, innermost first. */
typedef struct chain {
    const struct chain *outer;
    const file *file;
} chain;

struct fs_parts {
    fs_report *report;
    fs_arena *arena;
    const char *configs_dir;
    const char *experiment_dir;
    file *files;
    int count; /* of sources */
};

fs_parts *fs_parts_create(fs_report *report, fs_arena *arena, const char *configs_dir) {
    fs_parts *parts = FS_NEW(arena, fs_parts, 1);
    *parts = (fs_parts){.report = report,
                        .arena = arena,
                        .configs_dir = configs_dir == NULL ? "" : configs_dir,
                        .experiment_dir = ""};
    return parts;
}

/* ---- files ---- */

/* The whole text, or NULL after a report. `mark` and `key` are the place that names the file. */
static char *read_text(fs_parts *parts, const char *path, fs_mark mark, const char *key, size_t *length) {
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fs_file_regular(path);
    if (in == NULL && errno == EISDIR) {
        fs_report_add(parts->report, mark, key, "%s is a folder; expected a YAML file",
                      fs_quoted(parts->arena, path));
        return NULL;
    }
    if (in == NULL) {
        bool users = errno == ENOENT || errno == EINVAL || errno == ENOTDIR || errno == EACCES ||
                     errno == ENAMETOOLONG || errno == ELOOP;
        (users ? fs_report_add : fs_report_add_io)(parts->report, mark, key, "can't open %s: %s",
                                                   fs_quoted(parts->arena, path), fs_file_reason());
        return NULL;
    }
    char *text = fs_malloc(MAX_FILE_BYTES + 1);
    errno = 0;
    *length = fread(text, 1, MAX_FILE_BYTES + 1, in);
    bool failed = ferror(in) != 0;
    if (failed)
        fs_report_add_io(parts->report, mark, key, "can't read %s: %s", fs_quoted(parts->arena, path),
                         strerror(errno));
    else if (*length > MAX_FILE_BYTES)
        fs_report_add(parts->report, mark, key, "%s has more than %d bytes; expected a YAML file",
                      fs_quoted(parts->arena, path), MAX_FILE_BYTES);
    failed |= *length > MAX_FILE_BYTES;
    if (!standard)
        fclose(in);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}

static file *file_create(fs_parts *parts, const char *path, const char *real) {
    file *f = FS_NEW(parts->arena, file, 1);
    bool standard = strcmp(path, "-") == 0;
    f->source = (fs_source){.name = standard ? "stdin" : fs_path_shown(parts->arena, path),
                            .dir = standard ? "" : fs_path_dir(parts->arena, path),
                            .real = real,
                            .order = parts->count++};
    f->next = parts->files;
    parts->files = f;
    return f;
}

/* Reads and parses a file once. The root is a mapping, or NULL after a report. `named` is the place that
 * names it; a NULL source there means the command line. `top` is the key that the file's content stands
 * under. */
static const file *load(fs_parts *parts, const char *path, fs_mark named, const char *key, const char *top) {
    const char *real = fs_path_real(parts->arena, path);
    if (real == NULL)
        real = path;
    for (const file *f = parts->files; f != NULL; f = f->next)
        if (strcmp(f->source.real, real) == 0)
            return f;
    file *f = file_create(parts, path, real);
    if (named.source == NULL)
        named = (fs_mark){.source = &f->source};
    size_t length = 0;
    char *text = read_text(parts, path, named, key, &length);
    if (text == NULL)
        return f;
    f->root = fs_tree_parse(parts->report, parts->arena, &f->source, top, text, length);
    free(text);
    if (f->root != NULL && f->root->kind != FS_NODE_MAPPING) {
        if (f->root->kind != FS_NODE_BAD)
            fs_report_add(parts->report, f->root->mark, "", "expected a mapping (key: value), found %s",
                          fs_node_found(parts->arena, f->root));
        f->root = NULL;
    }
    return f;
}

/* ---- references and bases ---- */

static bool in_chain(fs_parts *parts, const chain *outer, const file *f, const fs_node *node,
                     const char *key) {
    for (const chain *c = outer; c != NULL; c = c->outer) {
        if (c->file != f)
            continue;
        const char *round = f->source.name;
        for (const chain *d = outer; d != c->outer; d = d->outer)
            round = fs_arena_printf(parts->arena, "%s -> %s", d->file->source.name, round);
        fs_report_add(parts->report, node->mark, key, "the files include one another: %s", round);
        return true;
    }
    return false;
}

static fs_merged expand_mapping(fs_parts *parts, const fs_section *section, fs_node *node, const char *key,
                                const chain *outer);

/* The file that a scalar names, or NULL after a report. */
static const file *follow(fs_parts *parts, const fs_section *section, const fs_node *node, const char *key,
                          const chain *outer) {
    if (node->kind != FS_NODE_SCALAR || fs_node_is_null(node)) {
        if (node->kind != FS_NODE_BAD)
            fs_report_add(parts->report, node->mark, key, "expected the name or path of one file, found %s",
                          fs_node_found(parts->arena, node));
        return NULL;
    }
    fs_lookup lookup = {.report = parts->report,
                        .arena = parts->arena,
                        .section = section,
                        .dirs = {node->mark.source->dir, parts->experiment_dir},
                        .configs_dir = parts->configs_dir};
    const char *path = fs_config_part_path(&lookup, node, key);
    const file *f = path == NULL ? NULL : load(parts, path, node->mark, key, section->name);
    return f == NULL || f->root == NULL || in_chain(parts, outer, f, node, key) ? NULL : f;
}

static fs_merged expand_mapping(fs_parts *parts, const fs_section *section, fs_node *node, const char *key,
                                const chain *outer) {
    fs_node *base = fs_tree_get(node, "base");
    if (base == NULL)
        return (fs_merged){.node = node};
    fs_node *over = fs_tree_without(parts->arena, node, "base");
    const file *f = follow(parts, section, base, fs_arena_printf(parts->arena, "%s.base", key), outer);
    if (f == NULL)
        return (fs_merged){.node = over, .incomplete = true};
    chain link = {.outer = outer, .file = f};
    fs_merged under = expand_mapping(parts, section, f->root, key, &link);
    return (fs_merged){.node = fs_tree_merge(parts->arena, under.node, over), .incomplete = under.incomplete};
}

static fs_merged expand_named(fs_parts *parts, const fs_section *section, const fs_node *node) {
    const file *f = follow(parts, section, node, section->name, NULL);
    if (f == NULL)
        return (fs_merged){.node = NULL, .incomplete = true};
    chain link = {.outer = NULL, .file = f};
    return expand_mapping(parts, section, f->root, section->name, &link);
}

fs_merged fs_parts_section(fs_parts *parts, const fs_section *section, fs_node *node) {
    fs_merged nothing = {.node = NULL, .incomplete = true};
    if (node->kind == FS_NODE_MAPPING)
        return expand_mapping(parts, section, node, section->name, NULL);
    if (node->kind == FS_NODE_BAD)
        return nothing;
    if (node->kind == FS_NODE_SCALAR && section->folder != NULL && !fs_node_is_null(node))
        return expand_named(parts, section, node);
    fs_report_add(parts->report, node->mark, section->name, "expected a mapping%s, found %s",
                  section->folder == NULL ? "" : ", a name or a path", fs_node_found(parts->arena, node));
    return nothing;
}

/* ---- experiments ---- */

/* Lays `over` over an experiment: where a section below is only a name, the mapping above changes that part. */
static fs_node *merge_experiment(fs_arena *arena, fs_node *under, const fs_node *over,
                                 const char *const *sections) {
    for (size_t i = 0; i < over->count; i++) {
        const fs_entry *entry = &over->entries[i];
        fs_node *below = fs_tree_get(under, entry->key);
        if (below == NULL || below->kind != FS_NODE_SCALAR || entry->value->kind != FS_NODE_MAPPING ||
            fs_node_is_null(below) || !fs_listed_word(entry->key, sections))
            continue;
        fs_node *part = fs_tree_mapping(arena, below->mark, "base", below->mark, below);
        under =
            fs_tree_merge(arena, under, fs_tree_mapping(arena, under->mark, entry->key, below->mark, part));
    }
    return fs_tree_merge(arena, under, over);
}

static fs_merged expand_experiment(fs_parts *parts, const file *f, const char *const *sections,
                                   const chain *outer) {
    static const fs_section experiments = {.name = "", .folder = "experiments"};
    chain link = {.outer = outer, .file = f};
    fs_node *base = fs_tree_get(f->root, "base");
    if (base == NULL)
        return (fs_merged){.node = f->root};
    fs_merged part = {.node = fs_tree_without(parts->arena, f->root, "base"), .incomplete = true};
    const file *under = follow(parts, &experiments, base, "base", &link);
    if (under == NULL)
        return part;
    fs_merged below = expand_experiment(parts, under, sections, &link);
    return (fs_merged){.node = merge_experiment(parts->arena, below.node, part.node, sections),
                       .incomplete = below.incomplete};
}

fs_merged fs_parts_experiment(fs_parts *parts, const char *path, const char *const *section_names) {
    parts->experiment_dir = strcmp(path, "-") == 0 ? "" : fs_path_dir(parts->arena, path);
    const file *f = load(parts, path, (fs_mark){.source = NULL}, "", "");
    if (f->root == NULL)
        return (fs_merged){.node = NULL, .incomplete = true};
    return expand_experiment(parts, f, section_names, NULL);
}

fs_merged fs_parts_tree(fs_parts *parts, fs_node *root, const char *const *section_names) {
    file *f = FS_NEW(parts->arena, file, 1);
    f->source = *root->mark.source;
    f->root = root;
    parts->experiment_dir = f->source.dir;
    parts->count = f->source.order + 1; /* what it names comes behind it */
    return expand_experiment(parts, f, section_names, NULL);
}

fs_node *fs_parts_file(fs_parts *parts, const char *path, const char *top) {
    parts->experiment_dir = strcmp(path, "-") == 0 ? "" : fs_path_dir(parts->arena, path);
    return load(parts, path, (fs_mark){.source = NULL}, "", top)->root;
}

fs_node *fs_parts_set(fs_parts *parts, fs_node *root, const char *set, const char *const *section_names) {
    fs_source *source = FS_NEW(parts->arena, fs_source, 1);
    *source = (fs_source){
        .name = fs_arena_printf(parts->arena, "--set %s", fs_shown(parts->arena, set)),
        .dir = "",
        .real = "",
        .order = parts->count++,
    };
    fs_mark mark = {.source = source};
    const char *equals = strchr(set, '=');
    if (equals == NULL) {
        fs_report_add(parts->report, mark, "", "expected --set KEY=VALUE, such as --set run.seed=2");
        return root;
    }
    const char *path = fs_arena_printf(parts->arena, "%.*s", (int)(equals - set), set);
    const char *key = fs_shown(parts->arena, path);
    size_t before = fs_report_count(parts->report);
    fs_node *value = fs_tree_parse(parts->report, parts->arena, source, key, equals + 1, strlen(equals + 1));
    if (value == NULL || fs_report_count(parts->report) > before)
        return root;
    fs_node *over = fs_tree_nest(parts->arena, mark, path, fs_tree_over(parts->arena, value));
    if (over == NULL) {
        fs_report_add(parts->report, mark, "", "expected a key such as run.seed before the '=', found %s",
                      fs_quoted(parts->arena, path));
        return root;
    }
    return merge_experiment(parts->arena, root, over, section_names);
}

fs_node *fs_parts_over(fs_parts *parts, fs_node *root, const char *path, fs_node *value,
                       const char *const *section_names) {
    fs_node *over = fs_tree_nest(parts->arena, value->mark, path, fs_tree_over(parts->arena, value));
    if (over != NULL)
        return merge_experiment(parts->arena, root, over, section_names);
    fs_report_add(parts->report, value->mark, fs_shown(parts->arena, path),
                  "expected a key such as run.seed");
    return root;
}
