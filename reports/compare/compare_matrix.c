/* Many runs: rows are what was asked (scene, camera, batching), columns what it ran on. */
#include "reports/compare/compare.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <string.h>

static bool begins(const char *section, const char *key, const char *word) {
    size_t n = strlen(section), length = strlen(word);
    if (length <= n)
        return strncmp(section, word, length) == 0 && length == n;
    return strncmp(section, word, n) == 0 && word[n] == '.' &&
           strncmp(key, word + n + 1, length - n - 1) == 0;
}

/* The plan's settings that make a question, "section.key" or the beginning of one, and the person's own; all
 * others make a configuration. */
static bool is_question(const fs_compare *c, const fs_compare_setting *s, const char *const *groups,
                        size_t group_count) {
    for (size_t i = 0; c->plan->questions != NULL && c->plan->questions[i] != NULL; i++)
        if (begins(s->section, s->key, c->plan->questions[i]))
            return true;
    for (size_t i = 0; i < group_count; i++)
        if (begins(s->section, s->key, groups[i]))
            return true;
    return false;
}

/* One way of sorting runs into classes: by the values of some of the settings that differ. */
typedef struct classes {
    bool *by;      /* [settings]: this one counts */
    size_t *of;    /* [runs]: class of a run */
    size_t *first; /* [count]: its first run */
    size_t count;
} classes;

static bool alike(const fs_compare *c, const bool *by, size_t a, size_t b) {
    for (size_t s = 0; s < c->setting_count; s++) {
        const char *x = c->settings[s].values[a], *y = c->settings[s].values[b];
        if (by[s] && x != y && (x == NULL || y == NULL || strcmp(x, y) != 0))
            return false;
    }
    return true;
}

static void sort_runs(const fs_compare *c, classes *k) {
    k->of = FS_NEW(c->arena, size_t, c->count);
    k->first = FS_NEW(c->arena, size_t, c->count);
    for (size_t i = 0; i < c->count; i++) {
        size_t run = fs_compare_place(c, i), at = 0; /* the base's class comes first */
        while (at < k->count && !alike(c, k->by, k->first[at], run))
            at++;
        if (at == k->count)
            k->first[k->count++] = run;
        k->of[run] = at;
    }
}

/* ---- labels ---- */

static const char *last_part(const char *text, char mark) {
    const char *found = strrchr(text, mark);
    return found == NULL ? text : found + 1;
}

/* "fat_tree widths=[1, 1, 2]": the values that make the class; of a path the file's name. */
static const char *settings_label(const fs_compare *c, const classes *k, size_t class) {
    const char *text = "";
    for (size_t s = 0; s < c->setting_count; s++) {
        const char *value = c->settings[s].values[k->first[class]];
        if (!k->by[s] || value == NULL || strcmp(value, "\"\"") == 0)
            continue;
        const char *key = last_part(c->settings[s].key, '.');
        bool plain = strcmp(key, "kind") == 0 || strcmp(key, "file") == 0;
        value = plain ? last_part(value, '/') : value;
        size_t quote = value[0] == '"', length = strlen(value + quote);
        length -= length > 0 && value[quote + length - 1] == '"';
        text = fs_arena_append(c->arena, text, " ", "%s%s%.*s", plain ? "" : key, plain ? "" : "=",
                               (int)length, value + quote);
    }
    return text[0] == '\0' ? "(none)" : text;
}

/* Settings, or where they are too long for a label the name of the class's first run. */
static void label_by_settings(const fs_compare *c, const classes *k, const char **labels) {
    enum { LONGEST = 40 };
    bool fits = true;
    for (size_t i = 0; i < k->count; i++) {
        labels[i] = settings_label(c, k, i);
        fits &= strlen(labels[i]) <= LONGEST;
    }
    for (size_t i = 0; i < k->count && !fits; i++)
        labels[i] = c->runs[k->first[i]].label;
}

static bool is_break(char letter) {
    return letter == '-' || letter == '_' || letter == '.' || letter == ' ' || letter == '/';
}

/* How many letters the runs of a class share at the end (or the beginning) of their labels, whole words
 * only. */
static size_t shared(const fs_compare *c, const classes *k, size_t class, bool at_end) {
    const char *one = c->runs[k->first[class]].label;
    size_t length = strlen(one), n = length;
    for (size_t run = 0; run < c->count; run++) {
        if (k->of[run] != class)
            continue;
        const char *other = c->runs[run].label;
        size_t other_length = strlen(other), same = 0;
        while (same < n && same < other_length &&
               (at_end ? one[length - 1 - same] == other[other_length - 1 - same] : one[same] == other[same]))
            same++;
        n = same;
    }
    while (n > 0 && n < length && !is_break(one[at_end ? length - n - 1 : n]))
        n--;
    while (n > 0 && is_break(one[at_end ? length - n : n - 1]))
        n--;
    return n;
}

/* What the names of a class's folders have in common tells people more than settings do: "fat-tree-top2" of
 * garden-1-fat-tree-top2 and garden-2-fat-tree-top2. Falls back to settings unless all classes get a name of
 * their own. */
static void name_classes(const fs_compare *c, const classes *k, bool at_end, const char **labels) {
    bool unique = k->count > 1;
    for (size_t i = 0; i < k->count; i++) {
        const char *one = c->runs[k->first[i]].label;
        size_t n = shared(c, k, i, at_end);
        labels[i] = fs_arena_printf(c->arena, "%.*s", (int)n, at_end ? one + strlen(one) - n : one);
        unique &= n > 0;
    }
    for (size_t i = 0; i < k->count && unique; i++)
        unique = FS_WORD_PLACE(labels, i, labels[i]) == i;
    if (!unique)
        label_by_settings(c, k, labels);
}

/* Words with which all labels begin say nothing: "1-" of 1-quadtree and 1-fat-tree. */
static void drop_common_words(const char **labels, size_t count) {
    for (;;) {
        size_t n = strcspn(labels[0], "-_. /");
        for (size_t i = 0; i < count; i++)
            if (labels[0][n] == '\0' || strncmp(labels[i], labels[0], n + 1) != 0 || labels[i][n + 1] == '\0')
                return;
        for (size_t i = 0; i < count; i++)
            labels[i] += n + 1;
    }
}

/* ---- cells ---- */

static void fill_cells(const fs_compare *c, const classes *rows, const classes *columns, fs_matrix *m) {
    const fs_compare_figure *decides = fs_compare_decides(c);
    m->cells = FS_NEW(c->arena, fs_matrix_cell, m->rows * m->columns);
    for (size_t i = 0; i < m->rows * m->columns; i++)
        m->cells[i] = (fs_matrix_cell){.run = SIZE_MAX, .whole = true, .value = NAN, .percent = NAN};
    for (size_t run = 0; run < c->count; run++) {
        fs_matrix_cell *cell = &m->cells[rows->of[run] * m->columns + columns->of[run]];
        const double value = decides == NULL ? NAN : fs_compare_number(c, run, decides->name);
        if (cell->run == SIZE_MAX) {
            cell->run = run;
            cell->value = value;
            cell->whole = fs_compare_number(c, run, FS_STAT_COMPLETE) != 0;
            m->unfinished += !cell->whole;
        } else {
            m->doubled++;
            m->differing += !(value == cell->value || (isnan(value) && isnan(cell->value)));
        }
    }
    for (size_t row = 0; row < m->rows; row++) {
        const fs_matrix_cell *base = fs_compare_matrix_at(m, row, m->base);
        for (size_t k = 0; k < m->columns; k++) {
            fs_matrix_cell *cell = &m->cells[row * m->columns + k];
            if (base->whole && cell->whole && !isnan(base->value) && !isnan(cell->value))
                cell->percent =
                    fs_compare_percent(decides == NULL ? NULL : decides->row, base->value, cell->value);
        }
    }
}

/* The log of a figure over the base's; NAN when one of them has none. */
static double log_ratio(const fs_compare *c, const fs_matrix_cell *cell, const fs_matrix_cell *base,
                        const char *name) {
    double a = fs_compare_number(c, base->run, name), b = fs_compare_number(c, cell->run, name);
    return a > 0 && b > 0 ? fs_log(b / a) : NAN;
}

static void sum_up_column(const fs_compare *c, const fs_matrix *m, size_t at) {
    fs_matrix_column *column = &m->column[at];
    double sum = 0, iterations = 0, cycles = 0;
    column->best_row = column->worst_row = SIZE_MAX;
    for (size_t row = 0; row < m->rows; row++) {
        const fs_matrix_cell *cell = fs_compare_matrix_at(m, row, at),
                             *base = fs_compare_matrix_at(m, row, m->base);
        if (isnan(cell->percent) || !(cell->value > 0) || !(base->value > 0))
            continue;
        column->compared++;
        column->wins += fs_compare_beats(c, cell->value, base->value);
        column->ties += cell->value == base->value;
        column->losses += fs_compare_beats(c, base->value, cell->value);
        sum += fs_log(cell->value / base->value);
        iterations += log_ratio(c, cell, base, "device.iterations");
        cycles += log_ratio(c, cell, base, "device.cycles_per_iteration");
        if (column->best_row == SIZE_MAX ||
            fs_compare_beats(c, cell->percent, fs_compare_matrix_at(m, column->best_row, at)->percent))
            column->best_row = row;
        if (column->worst_row == SIZE_MAX ||
            fs_compare_beats(c, fs_compare_matrix_at(m, column->worst_row, at)->percent, cell->percent))
            column->worst_row = row;
    }
    double n = column->compared == 0 ? NAN : (double)column->compared;
    column->ratio = fs_exp(sum / n);
    column->iterations = fs_exp(iterations / n);
    column->cycles = fs_exp(cycles / n);
}

fs_matrix *fs_compare_matrix_make(const fs_compare *c, const char *const *groups, size_t group_count) {
    classes rows = {.by = FS_NEW(c->arena, bool, c->setting_count + 1)};
    classes columns = {.by = FS_NEW(c->arena, bool, c->setting_count + 1)};
    for (size_t s = 0; s < c->setting_count; s++) {
        rows.by[s] = is_question(c, &c->settings[s], groups, group_count);
        columns.by[s] = !rows.by[s];
    }
    sort_runs(c, &rows);
    sort_runs(c, &columns);
    if (rows.count < 2 || columns.count < 2)
        return NULL;
    fs_matrix *m = FS_NEW(c->arena, fs_matrix, 1);
    m->rows = rows.count;
    m->columns = columns.count;
    m->base = columns.of[c->base];
    fill_cells(c, &rows, &columns, m);
    m->asked = rows.by;
    const char **labels = FS_NEW(c->arena, const char *, m->rows + m->columns);
    m->row = FS_NEW(c->arena, fs_matrix_row, m->rows);
    name_classes(c, &rows, false, labels);
    for (size_t r = 0; r < m->rows; r++)
        m->row[r] = (fs_matrix_row){labels[r], rows.first[r]};
    name_classes(c, &columns, true, labels);
    drop_common_words(labels, m->columns);
    m->column = FS_NEW(c->arena, fs_matrix_column, m->columns);
    size_t met = 0;
    for (size_t k = 0; k < m->columns; k++) {
        m->column[k].label = labels[k];
        m->column[k].run = columns.first[k];
        sum_up_column(c, m, k);
        met += k != m->base ? m->column[k].compared : 0;
    }
    return met > 0 ? m : NULL;
}
