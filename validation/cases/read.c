/* Papers, cases and stand-ins of a folder, put together: one validation for each paper. */
#include "sim/base/arith.h"
#include "sim/base/version.h"
#include "sim/host/voice.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/words.h"
#include "validation/cases/private.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 1000 };

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
        qsort(stems, *count, sizeof *stems, fs_by_text);
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
                         fs_listed_words(arena, there, "or"), *names, fs_meant_text(arena, *names, there));
    return err->status;
}

/* A folder of papers, cases and stand-ins while it is read. */
typedef struct reading {
    const fs_registry *registry;
    fs_arena *arena;
    const char *folder;
    fs_papers papers;
    const char *const *names; /* of the papers, NULL at the end */
    fs_standin *standins;     /* [standin_count] */
    size_t standin_count;
    fs_validation_case *cases; /* [case_count] of all papers */
    size_t case_count;
} reading;

/* ---- papers ---- */

/* The papers of the folder; the one of cases that name none may also be the program's own. */
static fs_status read_papers(reading *g, fs_error *err) {
    size_t count;
    const char **stems = stems_of(g->arena, fs_arena_printf(g->arena, "%s/papers", g->folder), &count);
    const char *own = fs_arena_printf(g->arena, "%s/validation", fs_configs_dir());
    const bool usual = listed(stems, FS_PAPER_DEFAULT);
    fs_paper *all = FS_NEW(g->arena, fs_paper, count + 1);
    if (!usual && count < MOST_FILES)
        stems[count] = FS_PAPER_DEFAULT;
    for (size_t i = 0; stems[i] != NULL; i++) {
        const char *path =
            fs_arena_printf(g->arena, "%s/papers/%s.yaml", i < count ? g->folder : own, stems[i]);
        if (fs_paper_read(g->arena, g->registry, path, &all[g->papers.count++], err))
            return err->status;
    }
    g->names = stems;
    g->papers.paper = all;
    return FS_OK;
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

static void read_standins(reading *g, const char *const *wanted, const char *const *stems, size_t count) {
    g->standins = FS_NEW(g->arena, fs_standin, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (!listed(wanted, stems[i]))
            continue;
        const char *path = fs_arena_printf(g->arena, "%s/standins/%s.yaml", g->folder, stems[i]);
        const char *missing = fs_yaml_missing_file(g->arena, path, "scene");
        if (missing != NULL) {
            fs_say("stand-in %s is left out: its scene %s does not exist", stems[i], missing);
            continue;
        }
        g->standins[g->standin_count++] = (fs_standin){.name = stems[i],
                                                       .ensemble = ensemble_of(g->arena, stems[i]),
                                                       .path = path,
                                                       .about = fs_first_comment(g->arena, path),
                                                       .base = base_of(g->arena, path)};
    }
}

/* ---- cases ---- */

/* The stand-ins of a case: its ensemble, those that it names, or an experiment of its own. */
static fs_status find_standins(const reading *g, fs_validation_case *c, const fs_node *names, fs_node *base,
                               const char *const *there, fs_error *err) {
    const fs_standin **found = FS_NEW(g->arena, const fs_standin *, g->standin_count + 1);
    c->standins = found;
    if (base != NULL) {
        fs_standin *own = FS_NEW(g->arena, fs_standin, 1);
        const fs_node *named = fs_tree_get(base, "base");
        const bool word = named != NULL && named->kind == FS_NODE_SCALAR;
        *own = (fs_standin){
            .name = word ? named->text : c->name, .ensemble = "", .path = c->path, .about = "", .base = base};
        found[c->standin_count++] = own;
        return FS_OK;
    }
    const char **words = FS_NEW(g->arena, const char *, (names == NULL ? 0 : names->count) + 1);
    for (size_t i = 0; names != NULL && i < names->count; i++) {
        words[i] = names->items[i]->kind == FS_NODE_SCALAR ? names->items[i]->text : "";
        if (!listed(there, words[i]))
            return fs_fail(err, FS_INPUT, "%s: standins[%zu]: no such file in %s/standins: \"%s\"%s", c->path,
                           i, g->folder, words[i], fs_meant_text(g->arena, words[i], there));
    }
    for (size_t i = 0; i < g->standin_count; i++) {
        const fs_standin *s = &g->standins[i];
        if (names != NULL ? listed(words, s->name) : strcmp(s->ensemble, c->ensemble) == 0)
            found[c->standin_count++] = s;
    }
    return FS_OK;
}

static fs_status read_cases(reading *g, const fs_validation_wants *wants, const char *const *stems,
                            size_t count, const char *const *standins, fs_error *err) {
    g->cases = FS_NEW(g->arena, fs_validation_case, count + 1);
    fs_error one;
    for (size_t i = 0; i < count; i++) {
        if (!listed(wants->cases, stems[i]))
            continue;
        const fs_node *names = NULL;
        fs_node *base = NULL;
        fs_validation_case *c = &g->cases[g->case_count];
        const char *path = fs_arena_printf(g->arena, "%s/cases/%s.yaml", g->folder, stems[i]);
        fs_error_clear(&one);
        if (fs_case_read(g->arena, g->registry, path, &g->papers, c, &names, &base, &one)) {
            fs_fail_also(err, one.status, "%s", one.text);
            continue;
        }
        if (wants->paper != NULL && strcmp(c->paper->name, wants->paper) != 0)
            continue;
        if (find_standins(g, c, names, base, standins, &one))
            fs_fail_also(err, one.status, "%s", one.text);
        else if (c->standin_count == 0)
            fs_say("%s is left out: it has no stand-in", c->name);
        else
            g->case_count++;
    }
    return err->status;
}

/* ---- one validation for each paper ---- */

/* The place of a stand-in among those of the folder; SIZE_MAX: it is a case's own. */
static size_t place_of(const reading *g, const fs_standin *s) {
    for (size_t i = 0; i < g->standin_count; i++)
        if (&g->standins[i] == s)
            return i;
    return SIZE_MAX;
}

/* Copies of the stand-ins that its cases use, which the cases then point to. */
static void take_standins(const reading *g, fs_validation *v) {
    bool *used = FS_NEW(g->arena, bool, g->standin_count + 1);
    fs_standin **copy = FS_NEW(g->arena, fs_standin *, g->standin_count + 1);
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t s = 0; s < v->cases[k].standin_count; s++) {
            const size_t i = place_of(g, v->cases[k].standins[s]);
            if (i != SIZE_MAX)
                used[i] = true;
        }
    v->standins = FS_NEW(g->arena, fs_standin, g->standin_count + 1);
    for (size_t i = 0; i < g->standin_count; i++)
        if (used[i]) {
            copy[i] = &v->standins[v->standin_count++];
            *copy[i] = g->standins[i];
        }
    for (size_t k = 0; k < v->case_count; k++) {
        fs_validation_case *c = &v->cases[k];
        const fs_standin **mine = FS_NEW(g->arena, const fs_standin *, c->standin_count + 1);
        for (size_t s = 0; s < c->standin_count; s++) {
            const size_t i = place_of(g, c->standins[s]);
            mine[s] = i == SIZE_MAX ? c->standins[s] : copy[i];
        }
        c->standins = mine;
    }
}

static void take_paper(const reading *g, const fs_paper *paper, fs_validation *v) {
    fs_scores none = {0};
    none.mean_error = none.mean_error_plain = none.mean_error_saturated = (double)NAN;
    none.order = none.baseline_error = none.baseline_order = (double)NAN;
    *v = (fs_validation){.registry = g->registry,
                         .paper = paper,
                         .arena = g->arena,
                         .folder = g->folder,
                         .version = fs_arena_printf(g->arena, "%s, model %d", FS_VERSION, FS_MODEL_VERSION),
                         .scores = none,
                         .cases = FS_NEW(g->arena, fs_validation_case, g->case_count + 1)};
    for (size_t k = 0; k < g->case_count; k++)
        if (g->cases[k].paper == paper)
            v->cases[v->case_count++] = g->cases[k];
    take_standins(g, v);
}

fs_status fs_validations_read(fs_arena *arena, const fs_registry *registry, const char *folder,
                              const fs_validation_wants *wants, fs_validation **out, size_t *count,
                              fs_error *err) {
    reading g = {.registry = registry, .arena = arena, .folder = fs_arena_strdup(arena, folder)};
    size_t case_count, standin_count;
    const char **cases = stems_of(arena, fs_arena_printf(arena, "%s/cases", folder), &case_count);
    const char **standins = stems_of(arena, fs_arena_printf(arena, "%s/standins", folder), &standin_count);
    const char *const paper[] = {wants->paper, NULL};
    if (case_count == 0)
        return fs_fail(err, FS_INPUT, "%s/cases: no case files there", folder);
    if (read_papers(&g, err) || check_names(arena, "cases", wants->cases, cases, err) ||
        check_names(arena, "standins", wants->standins, standins, err) ||
        check_names(arena, "paper", paper, g.names, err))
        return err->status;
    read_standins(&g, wants->standins, standins, standin_count);
    if (read_cases(&g, wants, cases, case_count, standins, err))
        return err->status;
    *count = 0;
    *out = FS_NEW(arena, fs_validation, g.papers.count + 1);
    for (size_t i = 0; i < g.papers.count; i++) {
        take_paper(&g, &g.papers.paper[i], &(*out)[*count]);
        *count += (*out)[*count].case_count > 0 ? 1 : 0;
    }
    return *count > 0 ? FS_OK
                      : fs_fail(err, FS_INPUT, "%s: no case%s has a stand-in", folder,
                                wants->paper == NULL ? "" : fs_arena_printf(arena, " of %s", wants->paper));
}
