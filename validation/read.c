/* Cases and stand-ins of a folder, put together. */
#include "sim/base/progress.h"
#include "sim/base/version.h"
#include "sim/config/paths.h"
#include "sim/config/value.h"
#include "validation/private.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 1000 };

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The stems of a folder's YAML files, sorted, NULL at the end; none when there is no such folder. */
static const char **stems_of(fs_arena *arena, const char *folder, size_t *count) {
    const char **stems = FS_NEW(arena, const char *, MOST_FILES + 1);
    DIR *dir = opendir(folder);
    *count = 0;
    if (dir == NULL)
        return stems;
    for (struct dirent *e; (e = readdir(dir)) != NULL && *count < MOST_FILES;)
        if (e->d_name[0] != '.' && fs_path_ends(e->d_name, ".yaml"))
            stems[(*count)++] = fs_path_stem(arena, e->d_name);
    closedir(dir);
    if (*count > 0)
        qsort(stems, *count, sizeof *stems, by_text);
    return stems;
}

static bool listed(const char *const *names, const char *name) {
    if (names == NULL)
        return true;
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static fs_status check_names(fs_arena *arena, const char *what, const char *const *names,
                             const char *const *there, fs_error *err) {
    for (; names != NULL && *names != NULL; names++)
        if (!listed(there, *names))
            fs_fail_also(err, FS_INPUT, "--%s: expected one of %s, found \"%s\"%s", what,
                         fs_words_text(arena, there, "or"), *names, fs_meant_text(arena, *names, there));
    return err->status;
}

/* ---- stand-ins ---- */

/* "bicycle" of "bicycle-3". */
static const char *ensemble_of(fs_arena *arena, const char *name) {
    const char *end = name + strlen(name);
    while (end > name && end[-1] >= '0' && end[-1] <= '9')
        end--;
    if (end > name && end[-1] == '-' && end[0] != '\0')
        end--;
    else
        end = name + strlen(name);
    return fs_arena_printf(arena, "%.*s", (int)(end - name), name);
}

static fs_node *base_of(fs_arena *arena, const char *path) {
    static const fs_source none = {.name = "", .dir = "", .real = ""};
    const fs_mark mark = {.source = &none};
    return fs_tree_mapping(arena, mark, "base", mark,
                           fs_tree_scalar(arena, mark, fs_path_absolute(arena, "", path)));
}

/* The scene file that a stand-in wants and that is not there: captured scenes are no part of foamsim; NULL.
 */
static const char *missing_scene(fs_arena *arena, const char *path) {
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    const fs_node *scene = yaml->root == NULL ? NULL : fs_tree_get(yaml->root, "scene");
    const fs_node *file = scene == NULL || scene->kind != FS_NODE_MAPPING ? NULL : fs_tree_get(scene, "file");
    if (file == NULL || file->kind != FS_NODE_SCALAR)
        return NULL; /* generated, or for the resolver to say what is wrong */
    const char *there = fs_path_join(arena, fs_path_dir(arena, path), file->text);
    return fs_path_is_file(there) ? NULL : file->text;
}

static void read_standins(fs_validation *v, const char *const *wanted, const char *const *stems,
                          size_t count) {
    fs_standin *all = FS_NEW(v->arena, fs_standin, count + 1);
    v->standins = all;
    for (size_t i = 0; i < count; i++) {
        if (!listed(wanted, stems[i]))
            continue;
        const char *path = fs_arena_printf(v->arena, "%s/standins/%s.yaml", v->folder, stems[i]);
        const char *missing = missing_scene(v->arena, path);
        if (missing != NULL) {
            fs_say("stand-in %s is left out: its scene %s is not there", stems[i], missing);
            continue;
        }
        all[v->standin_count++] = (fs_standin){.name = stems[i],
                                               .ensemble = ensemble_of(v->arena, stems[i]),
                                               .path = path,
                                               .about = fs_first_comment(v->arena, path),
                                               .base = base_of(v->arena, path)};
    }
}

/* ---- cases ---- */

/* The stand-ins of a case: its ensemble, those that it names, or an experiment of its own. */
static fs_status find_standins(fs_validation *v, fs_validation_case *c, const fs_node *names, fs_node *base,
                               const char *const *there, fs_error *err) {
    const fs_standin **found = FS_NEW(v->arena, const fs_standin *, v->standin_count + 1);
    c->standins = found;
    if (base != NULL) {
        fs_standin *own = FS_NEW(v->arena, fs_standin, 1);
        const fs_node *named = fs_tree_get(base, "base");
        const bool word = named != NULL && named->kind == FS_NODE_SCALAR;
        *own = (fs_standin){
            .name = word ? named->text : c->name, .ensemble = "", .path = c->path, .about = "", .base = base};
        found[c->standin_count++] = own;
        return FS_OK;
    }
    const char **words = FS_NEW(v->arena, const char *, (names == NULL ? 0 : names->count) + 1);
    for (size_t i = 0; names != NULL && i < names->count; i++) {
        words[i] = names->items[i]->kind == FS_NODE_SCALAR ? names->items[i]->text : "";
        if (!listed(there, words[i]))
            return fs_fail(err, FS_INPUT, "%s: standins[%zu]: no such file in %s/standins: \"%s\"%s", c->path,
                           i, v->folder, words[i], fs_meant_text(v->arena, words[i], there));
    }
    for (size_t i = 0; i < v->standin_count; i++) {
        const fs_standin *s = &v->standins[i];
        if (names != NULL ? listed(words, s->name) : strcmp(s->ensemble, c->ensemble) == 0)
            found[c->standin_count++] = s;
    }
    return FS_OK;
}

static fs_status read_cases(fs_validation *v, const fs_validation_wants *wants, const char *const *stems,
                            size_t count, const char *const *standins, fs_error *err) {
    v->cases = FS_NEW(v->arena, fs_validation_case, count + 1);
    static fs_error one; /* 16 KiB, not for the stack */
    for (size_t i = 0; i < count; i++) {
        if (!listed(wants->cases, stems[i]))
            continue;
        const fs_node *names = NULL;
        fs_node *base = NULL;
        fs_validation_case *c = &v->cases[v->case_count];
        const char *path = fs_arena_printf(v->arena, "%s/cases/%s.yaml", v->folder, stems[i]);
        one = (fs_error){.status = FS_OK};
        if (fs_case_read(v->arena, path, c, &names, &base, &one) ||
            find_standins(v, c, names, base, standins, &one))
            fs_fail_also(err, one.status, "%s", one.text);
        else if (c->standin_count == 0)
            fs_say("%s is left out: it has no stand-in", c->name);
        else
            v->case_count++;
    }
    return err->status;
}

fs_status fs_validation_read(fs_arena *arena, const char *folder, const fs_validation_wants *wants,
                             fs_validation *v, fs_error *err) {
    *v = (fs_validation){.arena = arena,
                         .folder = fs_arena_strdup(arena, folder),
                         .calibration = "none",
                         .version = fs_arena_printf(arena, "%s, model %d", FS_VERSION, FS_MODEL_VERSION)};
    size_t case_count, standin_count;
    const char **cases = stems_of(arena, fs_arena_printf(arena, "%s/cases", folder), &case_count);
    const char **standins = stems_of(arena, fs_arena_printf(arena, "%s/standins", folder), &standin_count);
    if (case_count == 0)
        return fs_fail(err, FS_INPUT, "%s/cases: no case files there", folder);
    if (check_names(arena, "cases", wants->cases, cases, err) ||
        check_names(arena, "standins", wants->standins, standins, err))
        return err->status;
    read_standins(v, wants->standins, standins, standin_count);
    if (read_cases(v, wants, cases, case_count, standins, err))
        return err->status;
    if (v->case_count == 0)
        return fs_fail(err, FS_INPUT, "%s: no case has a stand-in", folder);
    const fs_scores none = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    v->fitted = v->unfitted = none;
    return FS_OK;
}
