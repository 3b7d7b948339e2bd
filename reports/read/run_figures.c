/* Figures, settings and findings of a run folder. */
#include "reports/read/run_private.h"
#include "sim/stats/stats.h"
#include "sim/yaml/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

typedef struct growing {
    fs_arena *arena;
    fs_figure *list;
    size_t count;
} growing;

fs_figure fs_folder_figure_of(const json_t *value) {
    fs_figure figure = {.name = "", .unit = "", .description = "", .text = ""};
    if (json_is_string(value)) {
        figure.kind = FS_FIGURE_WORD;
        figure.value = NAN;
        figure.text = json_string_value(value);
    } else if (json_is_boolean(value)) {
        figure.kind = FS_FIGURE_FLAG;
        figure.value = json_is_true(value) ? 1 : 0;
        figure.text = json_is_true(value) ? "true" : "false";
    } else {
        figure.kind = FS_FIGURE_NUMBER;
        figure.whole = json_is_integer(value);
        figure.value = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return figure;
}

static fs_status add_value(void *self, const char *name, const json_t *value, fs_error *err) {
    (void)err;
    growing *f = self;
    fs_figure figure = fs_folder_figure_of(value);
    figure.name = fs_arena_strdup(f->arena, name);
    if (figure.whole)
        figure.text = fs_arena_printf(f->arena, "%lld", (long long)json_integer_value(value));
    else if (figure.kind != FS_FIGURE_FLAG)
        figure.text = fs_arena_strdup(f->arena, figure.kind == FS_FIGURE_WORD ? figure.text
                                                                              : FS_REAL_WORD(figure.value));
    f->list = fs_arena_grow(f->arena, f->list, f->count, sizeof *f->list);
    f->list[f->count++] = figure;
    return FS_OK;
}

/* The numbers, flags and words of a JSON value, names joined by dots. */
static fs_figure *figures_of(fs_arena *arena, const json_t *value, size_t *count) {
    growing f = {.arena = arena};
    fs_error none = {0}; /* adding never fails */
    fs_results_json_each(value, add_value, &f, &none);
    *count = f.count;
    return f.list;
}

/* A cell of stats.csv, of the arena; NULL: empty, or no such column. */
static const char *said(const fs_folder *folder, const fs_csv *t, size_t row, const char *column) {
    const char *text = fs_csv_text(t, row, column);
    return text[0] == '\0' ? NULL : fs_arena_strdup(folder->arena, text);
}

/* What stats.csv says of each figure; of a run of an older version, which has only names there, this program's
 * own rows. */
static const fs_stat *read_rows(const fs_folder *folder, const fs_csv *t, fs_error *err) {
    static const char *const column[] = {"unit", "description", "better", "label", "says", "null", "changed"};
    const bool whole = fs_csv_has(t, "better");
    const char *const *name = fs_csv_words(t, "name", err);
    const int64_t *place = name == NULL || !whole ? NULL : fs_csv_ints(t, "place", err);
    for (size_t i = 0; i < (whole ? sizeof column / sizeof *column : 2) && err->status == FS_OK; i++)
        fs_csv_words(t, column[i], err);
    if (err->status != FS_OK)
        return NULL;
    fs_stat *rows = FS_NEW(folder->arena, fs_stat, fs_csv_rows(t) + 1);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        fs_stat *row = &rows[i];
        const char *better = fs_csv_text(t, i, "better"), *says = fs_csv_text(t, i, "says");
        const bool known = fs_stats_find_in(folder->known, name[i], row);
        if (place != NULL) {
            *row = (fs_stat){.place = (unsigned)place[i],
                             .held = known ? row->held : NULL,
                             .interval = known ? row->interval : NULL,
                             .label = said(folder, t, i, "label"),
                             .null_is = said(folder, t, i, "null"),
                             .changed = said(folder, t, i, "changed")};
            if (!fs_better_of(better, &row->better) || !fs_says_of(says, &row->says))
                return FS_FAIL_NULL(err, FS_INPUT, "%s:%zu: better is \"%s\" and says \"%s\": unknown words",
                                    fs_folder_file(folder, "stats.csv"), i + 2, better, says);
        } else if (!known)
            *row = (fs_stat){0};
        row->name = fs_arena_strdup(folder->arena, name[i]);
        row->unit = fs_arena_strdup(folder->arena, fs_csv_text(t, i, "unit"));
        row->doc = fs_arena_strdup(folder->arena, fs_csv_text(t, i, "description"));
    }
    return rows;
}

/* Gives figures their rows [rows], which stand in nearly the same order: the next row is the likely one. A figure whose name begins
 * with `worst` has that of the rest. */
static void describe(fs_figure *figures, size_t count, const fs_stat *row, size_t rows, const char *worst) {
    for (size_t i = 0, likely = 0; i < count; i++)
        for (size_t k = 0; k < rows && figures[i].row == NULL; k++) {
            const fs_stat *of = &row[(likely + k) % rows];
            const size_t skip = strncmp(figures[i].name, worst, strlen(worst)) == 0 ? strlen(worst) : 0;
            if (strcmp(of->name, figures[i].name + skip) != 0)
                continue;
            figures[i].row = of;
            figures[i].unit = of->unit == NULL ? "" : of->unit;
            figures[i].description = of->doc;
            likely = (size_t)(of - row) + 1;
        }
}

fs_status fs_folder_read_figures(fs_folder *folder, fs_error *err) {
    if (!fs_folder_has(folder, "summary.json"))
        return fs_fail(err, FS_INPUT, "%s: no run folder of foamsim (it has no summary.json)", folder->path);
    json_t *summary = fs_folder_json(folder, "summary.json", err);
    if (summary == NULL)
        return FS_INPUT;
    folder->figures = figures_of(folder->arena, summary, &folder->figure_count);
    json_decref(summary);
    const char *file =
        fs_folder_has(folder, "stats.csv") ? "stats.csv" : "view-0/stats.csv"; /* of several views */
    if (!fs_folder_has(folder, file))
        return FS_OK;
    const fs_csv *t = fs_folder_table(folder, file, err);
    const fs_stat *rows = t == NULL ? NULL : read_rows(folder, t, err);
    if (rows == NULL)
        return err->status;
    describe(folder->figures, folder->figure_count, rows, fs_csv_rows(t), "worst.");
    fs_folder_forget(folder, file);
    return FS_OK;
}

fs_folder *fs_folder_of_figures(fs_arena *arena, fs_figure *figures, size_t count) {
    fs_folder *folder = FS_NEW(arena, fs_folder, 1);
    *folder = (fs_folder){.arena = arena, .path = "", .figures = figures, .figure_count = count};
    return folder;
}

fs_folder *fs_folder_of_summary(fs_arena *arena, const json_t *summary, const fs_stat_table *table) {
    size_t count = 0;
    const size_t rows = table == NULL ? 0 : fs_stats_count(table);
    fs_figure *figures = figures_of(arena, summary, &count);
    fs_stat *row = FS_NEW(arena, fs_stat, rows + 1);
    for (size_t i = 0; i < rows; i++)
        row[i] = fs_stats_row(table, i);
    describe(figures, count, row, rows, "");
    return fs_folder_of_figures(arena, figures, count);
}

const fs_figure *fs_folder_figures(const fs_folder *folder, size_t *count) {
    *count = folder->figure_count;
    return folder->figures;
}

const fs_figure *fs_folder_figure(const fs_folder *folder, const char *name) {
    return FS_FOUND(folder->figures, folder->figure_count, name, name);
}

double fs_folder_number(const fs_folder *folder, const char *name) {
    const fs_figure *figure = fs_folder_figure(folder, name);
    return figure == NULL ? NAN : figure->value;
}

/* ---- settings ---- */

static const char *copy(const fs_folder *folder, const fs_csv *t, size_t row, const char *column) {
    return fs_arena_strdup(folder->arena, fs_csv_text(t, row, column));
}

static fs_status settings_of_table(fs_folder *folder, fs_error *err) {
    const fs_csv *t = fs_folder_table(folder, "parameters.csv", err);
    if (t == NULL || fs_csv_words(t, "section", err) == NULL || fs_csv_words(t, "key", err) == NULL ||
        fs_csv_words(t, "value", err) == NULL)
        return FS_INPUT;
    folder->setting_count = fs_csv_rows(t);
    folder->settings = FS_NEW(folder->arena, fs_setting, folder->setting_count + 1);
    for (size_t row = 0; row < folder->setting_count; row++)
        folder->settings[row] = (fs_setting){
            .section = copy(folder, t, row, "section"),
            .key = copy(folder, t, row, "key"),
            .value = copy(folder, t, row, "value"),
            .unit = copy(folder, t, row, "unit"),
            .standard = copy(folder, t, row, "default"),
            .changed = strcmp(fs_csv_text(t, row, "changed"), "yes") == 0,
            .origin = copy(folder, t, row, "origin"),
            .confidence = copy(folder, t, row, "confidence"),
            .source = copy(folder, t, row, "source"),
            .touches = copy(folder, t, row, "touches"),
            .description = copy(folder, t, row, "description"),
        };
    fs_folder_forget(folder, "parameters.csv");
    return FS_OK;
}

static const char *node_text(fs_arena *arena, const fs_node *node) {
    if (node->kind == FS_NODE_SCALAR)
        return node->text;
    const char *text = "";
    for (size_t i = 0; i < node->count; i++)
        text = fs_arena_append(arena, text, ", ", "%s", node_text(arena, node->items[i]));
    return fs_arena_printf(arena, "[%s]", text);
}

static void settings_of_node(fs_folder *f, const char *section, const char *key, const fs_node *node) {
    if (node->kind == FS_NODE_MAPPING) {
        for (size_t i = 0; i < node->count; i++)
            settings_of_node(f, section, fs_arena_append(f->arena, key, ".", "%s", node->entries[i].key),
                             node->entries[i].value);
        return;
    }
    f->settings = fs_arena_grow(f->arena, f->settings, f->setting_count, sizeof *f->settings);
    f->settings[f->setting_count++] = (fs_setting){
        .section = section,
        .key = key,
        .value = node_text(f->arena, node),
        .unit = "",
        .standard = "",
        .origin = "",
        .confidence = "",
        .source = "",
        .touches = "",
        .description = "",
    };
}

static fs_status settings_of_yaml(fs_folder *folder, fs_error *err) {
    const char *path = fs_folder_file(folder, "resolved.yaml");
    size_t size = 0;
    char *text = fs_folder_bytes(path, &size, err);
    if (text == NULL)
        return FS_INPUT;
    fs_report *report = fs_report_create(folder->arena);
    fs_source *source = FS_NEW(folder->arena, fs_source, 1);
    *source = (fs_source){.name = path, .dir = "", .real = ""};
    fs_node *root = fs_tree_parse(report, folder->arena, source, "", text, size);
    free(text);
    fs_status status = fs_report_finish(report, err);
    if (status)
        return status;
    folder->settings = FS_NEW(folder->arena, fs_setting, 1); /* none yet, but read */
    for (size_t i = 0; root != NULL && root->kind == FS_NODE_MAPPING && i < root->count; i++)
        if (root->entries[i].value->kind == FS_NODE_MAPPING) /* `name` is no section */
            settings_of_node(folder, root->entries[i].key, "", root->entries[i].value);
    return FS_OK;
}

const fs_setting *fs_folder_settings(fs_folder *folder, size_t *count, fs_error *err) {
    *count = 0;
    if (folder->settings == NULL) {
        const bool table = fs_folder_has(folder, "parameters.csv");
        if (!table && !fs_folder_has(folder, "resolved.yaml"))
            folder->settings = FS_NEW(folder->arena, fs_setting, 1);
        else if (table ? settings_of_table(folder, err) : settings_of_yaml(folder, err))
            return NULL;
    }
    *count = folder->setting_count;
    return folder->settings;
}

const char *fs_folder_setting(const fs_folder *folder, const char *dotted) {
    const char *dot = strchr(dotted, '.');
    FS_ASSERT(dot != NULL, "a setting is asked for as section.key, not \"%s\"", dotted);
    size_t n = (size_t)(dot - dotted);
    for (size_t i = 0; i < folder->setting_count; i++) {
        const fs_setting *s = &folder->settings[i];
        if (strlen(s->section) == n && strncmp(s->section, dotted, n) == 0 && strcmp(s->key, dot + 1) == 0)
            return s->value;
    }
    return NULL;
}

/* ---- findings ---- */

const fs_read_finding *fs_folder_findings(fs_folder *folder, size_t *count, fs_error *err) {
    *count = 0;
    if (folder->findings == NULL && !fs_folder_has(folder, "findings.json"))
        folder->findings = FS_NEW(folder->arena, fs_read_finding, 1);
    else if (folder->findings == NULL) {
        json_t *root = fs_folder_json(folder, "findings.json", err);
        const json_t *list = json_object_get(root, "findings");
        size_t n = json_array_size(list);
        fs_read_finding *findings = FS_NEW(folder->arena, fs_read_finding, n + 1);
        bool whole = json_is_array(list);
        for (size_t i = 0; i < n && whole; i++) {
            const json_t *item = json_array_get(list, i), *figures = json_object_get(item, "figures");
            const char *key = json_string_value(json_object_get(item, "key"));
            const char *text = json_string_value(json_object_get(item, "text"));
            whole = key != NULL && text != NULL;
            if (!whole)
                break;
            findings[i].key = fs_arena_strdup(folder->arena, key);
            findings[i].text = fs_arena_strdup(folder->arena, text);
            if (json_is_object(figures))
                findings[i].figures = figures_of(folder->arena, figures, &findings[i].count);
        }
        json_decref(root);
        if (!whole)
            return FS_FAIL_NULL(err, FS_INPUT,
                                "%s: expected a list \"findings\" of objects with key and text",
                                fs_folder_file(folder, "findings.json"));
        folder->findings = findings;
        folder->finding_count = n;
    }
    *count = folder->finding_count;
    return folder->findings;
}
