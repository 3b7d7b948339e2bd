/* The page of a store, and the run of one of its points for its own page. */
#include "reports/study/store_page.h"
#include "reports/study/study_page.h"
#include "sim/host/children.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/yaml/paths.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct request {
    const fs_registry *registry;
    const char *store, *name, *path, *boss;
    unsigned reload; /* seconds; 0: the page stays as it is */
    size_t known;    /* points that had ended when the page was written last; SIZE_MAX: never */
    size_t open;     /* filled: points that are still to end */
} request;

static fs_status write_page(request *r, const fs_store_sweep *sweep, fs_store *db, fs_arena *arena,
                            fs_error *err) {
    json_t *search = NULL, *robust = NULL;
    if (fs_store_judgement(db, sweep->name, "search", &search, err) == FS_OK &&
        fs_store_judgement(db, sweep->name, "robust", &robust, err) == FS_OK) {
        fs_study *study = fs_study_of(sweep, r->registry, arena);
        study->search = search;
        study->robust = robust;
        r->open = study->open;
        if (r->known != study->done + study->failed && r->boss != NULL)
            fs_study_boss(study, r->boss, err);
        else if (r->known != study->done + study->failed)
            fs_study_write_page(study, r->store, r->path, r->reload, err);
        r->known = study->done + study->failed;
    }
    json_decref(search);
    json_decref(robust);
    return err->status;
}

/* Where points have ended since `known`. */
static fs_status write_if_new(request *r, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_store *db = NULL;
    fs_store_sweep sweep;
    if (fs_store_open(r->store, FS_STORE_READ, &db, err) == FS_OK &&
        fs_store_read(db, arena, r->name, &sweep, err) == FS_OK)
        write_page(r, &sweep, db, arena, err);
    fs_store_close(db);
    fs_arena_free(arena);
    return err->status;
}

static const char *page_of(fs_arena *arena, const char *store, const char *path) {
    return path != NULL ? path : fs_arena_printf(arena, "%s.html", fs_path_without(arena, store, ".db"));
}

fs_status fs_study_report(const fs_registry *registry, const char *store, const char *name, const char *path,
                          const char *boss, fs_arena *arena, fs_error *err) {
    request r = {registry, store, name, page_of(arena, store, path), boss, 0, SIZE_MAX, 0};
    if (write_if_new(&r, err) == FS_OK && boss == NULL)
        fs_say("report: %s", r.path);
    return err->status;
}

fs_status fs_study_report_live(const fs_registry *registry, const char *store, const char *name,
                               const char *path, fs_arena *arena, fs_error *err) {
    enum { BETWEEN = 10, LOOK = 1, PATIENCE = 60 }; /* seconds */
    request r = {registry, store, name, page_of(arena, store, path), NULL, BETWEEN, SIZE_MAX, 0};
    int still = 0, since = BETWEEN;
    fs_catch_signals();
    for (; !fs_interrupted() && still < PATIENCE; still += LOOK, since += LOOK) {
        if (since >= BETWEEN) {
            const size_t before = r.known;
            fs_error none = {.status = FS_OK}; /* it is being made */
            if (write_if_new(&r, &none) == FS_OK) {
                still = r.open > 0 || r.known != before ? 0 : still;
                since = 0;
                if (before == SIZE_MAX)
                    fs_say("report: %s, written again as points end", r.path);
            }
        }
        nanosleep(&(struct timespec){.tv_sec = LOOK}, NULL);
    }
    r.reload = 0;
    r.known = SIZE_MAX;
    return write_if_new(&r, err);
}

fs_status fs_study_run_point(const char *store, const char *key, fs_arena *arena, const char **page,
                             const char **run, fs_error *err) {
    fs_store *db = NULL;
    const char *full = NULL, *yaml = NULL;
    fs_status status = fs_store_open(store, FS_STORE_READ, &db, err);
    status = status ? status : fs_store_resolved(db, arena, key, &full, &yaml, err);
    fs_store_close(db);
    if (status)
        return status;
    if (yaml[0] == '\0')
        return fs_fail(err, FS_INPUT, "%s: the configuration of point %.12s is wrong: it cannot be run",
                       store, full);
    if (*page == NULL)
        *page = fs_arena_printf(arena, "%.12s.html", full);
    const char *stem = fs_path_without(arena, *page, ".html");
    *run = fs_arena_printf(arena, "%s_run", stem);
    const char *file = fs_arena_printf(arena, "%s_run.yaml", stem);
    if (fs_file_write(file, yaml, strlen(yaml), FS_LIGHT, err) != FS_OK)
        return err->status;
    const char *const words[] = {"run", file, "--quiet", "--force", "--out", *run, NULL};
    fs_child child = {.label = fs_arena_printf(arena, "point %.12s", full), .words = words};
    fs_children children = {.child = &child, .count = 1, .jobs = 1};
    fs_say("report: running point %.12s into %s", full, *run);
    fs_children_run(&children, arena, err);
    unlink(file); /* the run's folder holds it as resolved.yaml */
    return err->status;
}
