/* foamsim index: one page over the runs and stores below a folder, to be searched, sorted and known by their pictures. */
#include "reports/page/page_file.h"
#include "reports/read/run_folder.h"
#include "reports/share/share.h"
#include "reports/sheet/sheet.h"
#include "sim/base/numbers.h"
#include "sim/cli/options.h"
#include "sim/host/file.h"
#include "sim/host/voice.h"
#include "sim/results/archive.h"
#include "sim/results/page_plan.h"
#include "sim/store/store.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 2000, DEEPEST = 6, SELECTS = 2 };

enum { HELD = 2 }; /* columns of figures that limits hold */

typedef struct indexing {
    const fs_registry *registry;
    fs_arena *arena;
    fs_sheet *sheet;
    fs_rows *table;
    const char *folder;
    const char **found; /* [count] paths of runs, packed runs and stores, below the folder; on the heap */
    size_t count, left; /* left: beyond MOST */
    fs_stat held[HELD]; /* figures that limits hold */
} indexing;

/* ---- what there is ---- */

static void add(indexing *x, const char *path) {
    if (x->count == MOST) {
        x->left++;
        return;
    }
    x->found = fs_grow(x->found, x->count, sizeof *x->found);
    x->found[x->count++] = path;
}

static const char *below(indexing *x, const char *path, const char *name) {
    return path[0] == '\0' ? fs_arena_strdup(x->arena, name) : fs_arena_printf(x->arena, "%s/%s", path, name);
}

static const char *whole(indexing *x, const char *path) {
    return path[0] == '\0' ? x->folder : fs_arena_printf(x->arena, "%s/%s", x->folder, path);
}

static fs_status look(indexing *x, const char *path, int depth, fs_error *err) {
    struct stat info;
    if (stat(whole(x, below(x, path, "manifest.json")), &info) == 0 && path[0] != '\0') {
        add(x, path);
        return FS_OK;
    }
    const char *const *entry = fs_dir_names(x->arena, whole(x, path));
    if (entry == NULL && depth == 0)
        return fs_fail(err, FS_INPUT, "%s: cannot be read: %s", x->folder, strerror(errno));
    for (; entry != NULL && *entry != NULL; entry++) {
        const char *inside = below(x, path, *entry), *file = whole(x, inside);
        if (fs_path_ends(*entry, ".partial") || fs_path_ends(*entry, ".cache") || lstat(file, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth < DEEPEST)
            look(x, inside, depth + 1, err);
        else if (S_ISREG(info.st_mode) && (fs_store_is(file) || fs_archive_is(file)))
            add(x, inside);
    }
    return err->status;
}

/* ---- rows ---- */

/* A text as it stands in resolved.yaml, without its quotes. */
static const char *plain(fs_arena *arena, const char *value) {
    const size_t length = value == NULL ? 0 : strlen(value);
    return length >= 2 && value[0] == '"' ? fs_arena_printf(arena, "%.*s", (int)length - 2, value + 1)
                                          : (value == NULL ? "" : value);
}

/* The name, a link where it has a page beside the index. */
static void put_name(indexing *x, const char *path, const char *page) {
    struct stat info;
    const bool there = stat(whole(x, page), &info) == 0;
    if (there)
        fs_cell_say(x->table, "<a href=\"./%s\">%s</a>", fs_page_address(x->arena, page), path);
    else
        fs_cell(x->table, path);
}

static void put_number(indexing *x, double value, const char *unit) {
    fs_cell_number(x->table, fs_number_with(value, unit), value);
}

static void put_figure(indexing *x, const fs_figure *f) {
    put_number(x, f == NULL ? (double)NAN : f->value, f == NULL ? "" : f->unit);
}

/* The figure that decides between runs of its workload: the first of its table. */
static const fs_figure *first_of(const fs_folder *run) {
    size_t count = 0;
    const fs_figure *all = fs_folder_figures(run, &count), *first = NULL;
    for (size_t i = 0; i < count; i++)
        if (all[i].row != NULL && all[i].row->place > 0 &&
            (first == NULL || all[i].row->place < first->row->place))
            first = &all[i];
    return first;
}

static void put_picture(indexing *x, fs_folder *run, const fs_page_plan *plan) {
    const fs_plan_section *section = NULL;
    const fs_plan_panel *panel = plan == NULL ? NULL : fs_folder_picture(run, plan, &section);
    if (panel != NULL)
        fs_cell_picture(x->table, fs_arena_printf(x->arena, "%s/%s", fs_folder_path(run), panel->file),
                        panel->label);
    else
        fs_cell(x->table, "");
}

static void put_words(indexing *x, const char *words) {
    fs_cell(x->table, words);
    fs_cell_add(x->table, (fs_cell_more){.look = "wrap"});
}

static void put_run(indexing *x, const char *path, fs_folder *run, fs_error *why) {
    size_t settings = 0;
    const fs_page_plan *plan = fs_folder_page(run, why);
    const bool known = fs_folder_settings(run, &settings, why) != NULL;
    const char *machine = known ? fs_folder_setting(run, "machine.name") : NULL,
               *workload = known ? fs_folder_setting(run, "workload.kind") : NULL,
               *verdict = plan == NULL ? NULL : fs_folder_verdict(x->arena, run, plan, why);
    const fs_figure *first = first_of(run);
    fs_cell(x->table, workload == NULL ? "run" : workload);
    fs_cell(x->table, plain(x->arena, machine));
    put_name(x, path, fs_arena_printf(x->arena, "%s/pictures/report.html", path));
    put_picture(x, run, plan);
    put_words(x, verdict != NULL ? verdict : why->text);
    fs_cell(x->table, first == NULL ? "" : first->row->label != NULL ? first->row->label : first->name);
    put_figure(x, first);
    for (size_t i = 0; i < HELD; i++)
        put_figure(x, fs_folder_figure(run, x->held[i].name));
}

/* Every sweep of a store in a row of its own. */
static void put_sweep(indexing *x, const char *path, const fs_store_sweep *s) {
    size_t done = 0, feasible = 0;
    bool *over = FS_NEW(x->arena, bool, s->point_count + 1); /* the best is feasible */
    for (size_t p = 0; p < s->point_count; p++) {
        done += strcmp(s->points[p].status, "done") == 0;
        feasible += s->points[p].feasible;
        over[p] = !s->points[p].feasible;
    }
    const size_t best = s->objective_count == 0 ? SIZE_MAX : fs_store_best(s, &s->objectives[0], over);
    const fs_store_figure *value =
        best == SIZE_MAX ? NULL : fs_store_figure_of(&s->points[best], s->objectives[0].figure);
    const fs_store_parameter *machine =
        s->point_count == 0 ? NULL : fs_store_parameter_of(&s->points[0], "machine.name");
    fs_stat row = {0};
    fs_rows_add(x->table);
    fs_cell(x->table, "sweep");
    fs_cell(x->table, plain(x->arena, machine == NULL ? NULL : machine->value));
    const size_t stem = strlen(path) > 3 ? strlen(path) - 3 : 0;
    put_name(x, fs_arena_printf(x->arena, "%s: %s", path, s->name),
             fs_arena_printf(x->arena, "%.*s.html", (int)stem, path));
    fs_cell(x->table, "");
    put_words(x, fs_arena_printf(
                     x->arena, "%zu of %zu points done, %zu feasible%s%s", done, s->point_count, feasible,
                     best == SIZE_MAX ? "" : "; best: ", best == SIZE_MAX ? "" : s->points[best].label));
    if (value == NULL) {
        fs_cell(x->table, "");
        put_number(x, (double)NAN, "");
    } else {
        const bool known = fs_stats_find_in(x->registry->figures, value->name, &row) && row.label != NULL;
        fs_cell(x->table, known ? row.label : value->name);
        put_number(x, value->number, value->unit);
    }
    for (size_t i = 0; i < HELD; i++) {
        const fs_store_figure *f =
            best == SIZE_MAX ? NULL : fs_store_figure_of(&s->points[best], x->held[i].name);
        put_number(x, f == NULL ? (double)NAN : f->number, f == NULL ? "" : f->unit);
    }
}

static void put_wrong(indexing *x, const char *path, const fs_error *why) {
    fs_rows_add(x->table);
    const char *const cell[] = {"cannot be read", "", path, "", why->text, ""};
    for (size_t i = 0; i < FS_COUNT(cell); i++)
        fs_cell(x->table, cell[i]);
    for (int i = 0; i < 3; i++)
        put_number(x, (double)NAN, "");
}

static void put_store(indexing *x, const char *path, fs_error *why) {
    fs_store *store = NULL;
    const char *const *names = NULL;
    size_t count = 0;
    if (fs_store_open(whole(x, path), FS_STORE_READ, &store, why) == FS_OK)
        fs_store_sweeps(store, x->arena, &names, &count, why);
    for (size_t i = 0; i < count && why->status == FS_OK; i++) {
        fs_store_sweep sweep;
        if (fs_store_read(store, x->arena, names[i], &sweep, why) == FS_OK)
            put_sweep(x, path, &sweep);
    }
    fs_store_close(store);
    if (why->status != FS_OK)
        put_wrong(x, path, why);
}

static void put_one(indexing *x, const char *path) {
    fs_error *why = fs_calloc(1, sizeof *why);
    if (fs_store_is(whole(x, path))) {
        put_store(x, path, why);
    } else {
        fs_folder *run = fs_folder_open(whole(x, path), x->registry->figures, why);
        if (run == NULL) {
            put_wrong(x, path, why);
        } else {
            fs_rows_add(x->table);
            put_run(x, path, run, why);
        }
        fs_folder_close(run);
    }
    free(why);
}

/* ---- the page ---- */

/* What machines are held to by limits, first area and power. */
static void find_held(indexing *x) {
    size_t count = 0;
    for (size_t t = 0; x->registry->figures[t] != NULL && count < HELD; t++)
        for (size_t i = 0; i < fs_stats_count(x->registry->figures[t]) && count < HELD; i++) {
            const fs_stat row = fs_stats_row(x->registry->figures[t], i);
            if (row.held != NULL && fs_stats_find_in(x->registry->figures, row.held, &x->held[count]))
                count += count == 0 || strcmp(x->held[0].name, x->held[count].name) != 0;
        }
    FS_ASSERT(count == HELD, "%zu figures are held by limits", count);
}

static fs_status write_page(indexing *x, fs_error *err) {
    find_held(x);
    const fs_rows_column columns[] = {{"what", NULL, false, "the workload of a run, or a sweep"},
                                      {"machine", NULL, false, NULL},
                                      {"name", NULL, false, "a link where its page lies beside it"},
                                      {"picture", NULL, false, NULL},
                                      {"in a sentence", NULL, false, NULL},
                                      {"figure", NULL, false, "what decides between runs of its workload"},
                                      {"its value", NULL, true, NULL},
                                      {x->held[0].label, NULL, true, x->held[0].doc},
                                      {x->held[1].label, NULL, true, x->held[1].doc}};
    x->sheet = fs_sheet_create("Runs and sweeps");
    fs_sheet_section(x->sheet, "runs", "Runs and sweeps", NULL);
    fs_sheet_say(x->sheet, "%zu %s. Heads sort, the fields above the table filter.", x->count,
                 x->count == 1 ? "run or store" : "runs and stores");
    x->table = fs_sheet_table_of(x->sheet, NULL, columns, FS_COUNT(columns));
    fs_rows_filter(x->table, "all-runs", "rows", SELECTS, SIZE_MAX);
    for (size_t i = 0; i < x->count; i++)
        put_one(x, x->found[i]);
    if (x->left > 0)
        fs_sheet_note(x->sheet, "The first %d; %zu more lie in the folder.", MOST, x->left);
    const char *out = fs_arena_printf(x->arena, "%s/index.html", x->folder);
    if (fs_sheet_write(x->sheet, out, err) == FS_OK)
        fs_say("index: %s", out);
    fs_sheet_free(x->sheet);
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    if (!fs_options_parse(call,
                          "index FOLDER\n"
                          "FOLDER/index.html: a row for each run, packed run and sweep of a store below the "
                          "folder, with what came\n"
                          "out in a sentence and a picture; links to the pages that lie beside them.",
                          NULL, 0, 1, 1, err))
        return err->status;
    indexing x = {.registry = call->cli->registry, .arena = call->arena, .folder = call->argv[0]};
    if (look(&x, "", 0, err) == FS_OK && x.count == 0)
        fs_fail(err, FS_INPUT, "%s: neither run nor store lies in it", x.folder);
    if (err->status == FS_OK)
        write_page(&x, err);
    free(x.found);
    return err->status;
}

const fs_command fs_command_index = {"index", "one page over the runs and stores of a folder", run};
