/* Parts that are named or given by a path: where they are looked for. */
#include "sim/base/arith.h"
#include "sim/config/section.h"
#include "sim/host/file.h"
#include "sim/yaml/words.h"

#include "sim/yaml/paths.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 5, MAX_NAMES = 256, SHOWN_NAMES = 16 };

/* The folders that may hold a named part; returns their number. */
static size_t places(const fs_lookup *l, const char *out[PLACES]) {
    size_t n = 0;
    for (size_t i = 0; i < 2; i++) {
        out[n++] = fs_path_join(l->arena, l->dirs[i], l->section->folder);
        out[n++] = fs_path_join(l->arena, l->dirs[i], fs_arena_printf(l->arena, "../%s", l->section->folder));
    }
    if (l->configs_dir[0] != '\0')
        out[n++] = fs_path_join(l->arena, l->configs_dir, l->section->folder);
    return n;
}

/* The names that would be found, sorted, each once, NULL-terminated. */
static const char *const *names(const fs_lookup *l) {
    const char *folders[PLACES];
    const char **all = FS_NEW(l->arena, const char *, MAX_NAMES + 1);
    size_t n = 0, kept = 0, count = places(l, folders);
    for (size_t i = 0; i < count; i++) {
        const char *const *name = fs_dir_names(l->arena, folders[i]);
        for (; name != NULL && *name != NULL && n < MAX_NAMES; name++)
            if (fs_path_ends(*name, ".yaml"))
                all[n++] = fs_path_stem(l->arena, *name);
    }
    qsort(all, n, sizeof *all, fs_by_text);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(all[kept - 1], all[i]) != 0)
            all[kept++] = all[i];
    all[kept] = NULL;
    return all;
}

static void report_unknown_name(const fs_lookup *l, const fs_node *node, const char *key) {
    const char *const *known = names(l);
    size_t n = 0;
    while (known[n] != NULL)
        n++;
    const char *list = n == 0 ? "none exists"
                       : n > SHOWN_NAMES
                           ? fs_arena_printf(l->arena, "expected one of the %zu that `foamsim list %s` names",
                                             n, l->section->folder)
                           : fs_arena_printf(l->arena, "expected %s", fs_listed_words(l->arena, known, "or"));
    fs_report_add(l->report, node->mark, key, "found %s, but no such file in %s/: %s%s",
                  fs_quoted(l->arena, node->text), l->section->folder, list,
                  fs_meant_text(l->arena, node->text, known));
}

/* The row that takes a data file, for who names the file itself where a part is expected. */
static const char *path_row(const fs_section *section) {
    for (size_t k = 0; k < section->count; k++)
        for (size_t i = 0; i < section->kinds[k].table->count; i++)
            if (section->kinds[k].table->rows[i].type == FS_TYPE_PATH)
                return section->kinds[k].table->rows[i].name;
    return NULL;
}

static bool is_yaml(const char *text) {
    return fs_path_ends(text, ".yaml") || fs_path_ends(text, ".yml");
}

static const char *by_path(const fs_lookup *l, const fs_node *node, const char *key) {
    const char *path = fs_path_join(l->arena, l->dirs[0], node->text);
    const char *row = path_row(l->section);
    if (!is_yaml(node->text) && row != NULL && strchr(row, '.') == NULL) {
        fs_report_add(l->report, node->mark, key,
                      "expected a name or a .yaml file, found %s; for that file write { %s: %s }",
                      fs_quoted(l->arena, node->text), row, node->text);
        return NULL;
    }
    if (fs_path_is_file(path))
        return path;
    fs_report_add(l->report, node->mark, key, "no file %s",
                  fs_quoted(l->arena, fs_path_shown(l->arena, path)));
    return NULL;
}

const char *fs_config_part_path(const fs_lookup *l, const fs_node *node, const char *key) {
    const char *dot = strrchr(node->text, '.');
    bool data_file = dot != NULL && dot != node->text && path_row(l->section) != NULL;
    if (strchr(node->text, '/') != NULL || is_yaml(node->text))
        return by_path(l, node, key);
    if (l->section->folder == NULL) {
        fs_report_add(l->report, node->mark, key, "expected the path of a .yaml file, found %s",
                      fs_node_found(l->arena, node));
        return NULL;
    }
    const char *folders[PLACES];
    size_t count = places(l, folders);
    for (size_t i = 0; i < count; i++) {
        const char *path =
            fs_path_join(l->arena, folders[i], fs_arena_printf(l->arena, "%s.yaml", node->text));
        if (fs_path_is_file(path))
            return path;
    }
    if (data_file)
        return by_path(l, node, key);
    report_unknown_name(l, node, key);
    return NULL;
}
