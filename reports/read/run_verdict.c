#include "reports/read/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what would help ---- */

enum { RUNGS = 64 };
static const double WORTH_SAYING = 0.01; /* of the time */

static const fs_plan_rung *rung_of(const fs_page_plan *plan, const char *name) {
    return FS_FOUND(plan->rungs, plan->rung_count, name, name);
}

const char *fs_what_words(fs_arena *arena, const fs_page_plan *plan, const char *name) {
    const fs_plan_rung *rung = rung_of(plan, name);
    if (rung != NULL)
        return rung->said;
    char *words = fs_arena_strdup(arena, name);
    for (char *c = words; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    return words;
}

const char *fs_what_kind(const char *kind) {
    return strcmp(kind, "bound") == 0 ? "upper bound" : kind;
}

double fs_what_seconds(const fs_csv *t, const char *name) {
    for (size_t i = 0; t != NULL && i < fs_csv_rows(t); i++)
        if (strcmp(fs_csv_text(t, i, "name"), name) == 0)
            return fs_csv_number(t, i, "seconds");
    return NAN;
}

/* "8 B/cycle" is "8B/cycle". */
static bool same_value(const char *value, const char *text, size_t length) {
    for (; *value != '\0'; value++)
        if (*value != ' ' && (length == 0 || *text++ != *value || length-- == 0))
            return false;
    return length == 0;
}

/* Settings of "a=1 b=2" that the run has otherwise: all of them, or "". A key that it does not have is no lever. */
static const char *not_set(fs_arena *arena, const fs_folder *run, const char *sets) {
    bool other = false;
    for (const char *at = sets; at != NULL && *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        const size_t key = strcspn(at, "="), end = strcspn(at, " ");
        const char *value = fs_folder_setting(run, fs_arena_printf(arena, "%.*s", (int)key, at));
        if (value == NULL || key >= end)
            return "";
        other |= !same_value(value, at + key + 1, end - key - 1);
    }
    return other ? sets : "";
}

static bool stands_alone(const fs_csv *t, size_t row) {
    const char *name = fs_csv_text(t, row, "name");
    return strcmp(fs_csv_text(t, row, "kind"), "measured") != 0 && strcmp(name, "all") != 0 &&
           name[0] != '\0';
}

/* By gain, the greatest first; of equal ones the first of the ladder. */
static void take(fs_what_if *out, size_t *count, size_t room, fs_what_if one) {
    size_t at = *count;
    while (at > 0 && out[at - 1].gain < one.gain)
        at--;
    if (at >= room)
        return;
    if (*count < room)
        (*count)++;
    memmove(out + at + 1, out + at, (*count - at - 1) * sizeof *out);
    out[at] = one;
}

size_t fs_what_ifs(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_what_if *out, size_t room,
                   fs_error *err) {
    size_t count = 0;
    const fs_csv *t = fs_folder_has(run, "ladder.csv") ? fs_folder_table(run, "ladder.csv", err) : NULL,
                 *beside = NULL;
    if (t != NULL && fs_folder_has(run, "ladder_simulated.csv"))
        beside = fs_folder_table(run, "ladder_simulated.csv", err);
    if (t == NULL || err->status != FS_OK)
        return 0;
    double measured = NAN;
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        if (strcmp(fs_csv_text(t, i, "kind"), "measured") == 0)
            measured = fs_csv_number(t, i, "seconds");
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *name = fs_csv_text(t, i, "name");
        const double simulated = fs_what_seconds(beside, name);
        fs_what_if one = {.said = fs_what_words(arena, plan, name),
                          .kind = isnan(simulated) ? fs_csv_text(t, i, "kind") : "simulated",
                          .detail = fs_csv_text(t, i, "detail"),
                          .sets = fs_csv_text(t, i, "sets"),
                          .seconds = isnan(simulated) ? fs_csv_number(t, i, "seconds") : simulated};
        const fs_plan_rung *rung = rung_of(plan, name);
        one.near = rung == NULL || one.sets[0] != '\0' ? "" : not_set(arena, run, rung->near);
        one.build = rung == NULL || one.sets[0] != '\0' ? NULL : rung->build;
        one.gain = 1 - one.seconds / measured;
        if (stands_alone(t, i) && one.gain > 0.0005)
            take(out, &count, room, one);
    }
    return count;
}

const char *fs_what_if_saves(fs_arena *arena, const fs_what_if *what) {
    const char *how = strcmp(what->kind, "simulated") == 0 ? "saves"
                      : strcmp(what->kind, "bound") == 0   ? "would save at most"
                                                           : "would save about";
    return fs_arena_printf(arena, "%s %s", how,
                           fs_number_form(what->gain, what->gain < 0.1 ? "%" : "%0", ""));
}

/* The one to name: what one can set and was run or estimated before a bound, which nobody can buy. */
static const fs_what_if *worth_naming(const fs_what_if *what, size_t count) {
    const fs_what_if *best = NULL;
    for (size_t i = 0; i < count && what[i].gain >= WORTH_SAYING; i++) {
        const bool real = what[i].sets[0] != '\0' && strcmp(what[i].kind, "bound") != 0;
        if (best == NULL || (real && strcmp(best->kind, "bound") == 0))
            best = &what[i];
    }
    return best;
}

/* ---- clauses ---- */

static const char *clause(fs_arena *arena, const fs_folder *run, const fs_plan_clause *c) {
    if (c->when != NULL && !(fs_folder_number(run, c->when) >= c->from))
        return NULL;
    return fs_fill(arena, run, c->text, NULL, NULL);
}

/* The first clause of the verdict: "354 ms a frame (2.8 frames/s)"; NULL. */
static const char *outcome(fs_arena *arena, fs_folder *run, const fs_page_plan *plan) {
    const char *text = plan->verdict_count > 0 ? clause(arena, run, &plan->verdict[0]) : NULL;
    return text != NULL ? text : fs_fill(arena, run, "{device.seconds} on the device", NULL, NULL);
}

const char *fs_folder_limit(fs_arena *arena, fs_folder *run, const fs_page_plan *plan) {
    enum { PARTS = 8 };
    for (size_t i = 1; i < plan->verdict_count; i++) {
        const char *text = clause(arena, run, &plan->verdict[i]);
        if (text != NULL)
            return text;
    }
    fs_time_part part[PARTS];
    size_t count = fs_time_parts(run, plan, part, PARTS), most = 0;
    for (size_t i = 1; i < count; i++)
        most = part[i].share > part[most].share ? i : most;
    if (count == 0 || !(part[most].share > 0))
        return NULL;
    return fs_arena_printf(arena, "%s %s %s of the time", part[most].label, fs_time_takes(part[most].label),
                           fs_number_form(part[most].share, "%0", ""));
}

const char *fs_folder_verdict(fs_arena *arena, fs_folder *run, const fs_page_plan *plan, fs_error *err) {
    fs_what_if what[RUNGS];
    const size_t count = fs_what_ifs(arena, run, plan, what, RUNGS, err);
    const char *text = outcome(arena, run, plan), *limit = fs_folder_limit(arena, run, plan);
    const fs_what_if *best = worth_naming(what, count);
    if (err->status != FS_OK || text == NULL)
        return NULL;
    if (limit != NULL)
        text = fs_arena_printf(arena, "%s; %s", text, limit);
    if (best != NULL)
        text = fs_arena_printf(arena, "%s; %s %s", text, best->said, fs_what_if_saves(arena, best));
    return text;
}

const fs_plan_panel *fs_folder_picture(const fs_folder *run, const fs_page_plan *plan,
                                       const fs_plan_section **section) {
    for (size_t i = 0; i < plan->section_count; i++) {
        const fs_plan_section *s = plan->sections[i];
        for (size_t k = 0; strcmp(s->kind, "images") == 0 && k < s->panel_count; k++)
            if (s->panels[k].file != NULL && fs_folder_has(run, s->panels[k].file)) {
                *section = s;
                return &s->panels[k];
            }
    }
    return NULL;
}

/* ---- the chart ---- */

static double cycles_of(const fs_folder *run, const char *column) {
    char name[96];
    snprintf(name, sizeof name, "device.cycles_%s", column);
    return fs_folder_number(run, name);
}

/* The first panel of a series whose columns are parts of the device's cycles. */
static const fs_plan_panel *phases_of(const fs_folder *run, const fs_page_plan *plan) {
    for (size_t i = 0; i < plan->section_count; i++) {
        const fs_plan_section *s = plan->sections[i];
        if (s->kind != NULL && strcmp(s->kind, "series") == 0 && s->panel_count > 0 &&
            s->panels[0].column_count > 0 && !isnan(cycles_of(run, s->panels[0].columns[0].column)))
            return &s->panels[0];
    }
    return NULL;
}

size_t fs_time_parts(fs_folder *run, const fs_page_plan *plan, fs_time_part *out, size_t room) {
    const fs_plan_panel *panel = phases_of(run, plan);
    const bool own = plan->chart_count > 0;
    const size_t columns = own ? plan->chart_count : panel == NULL ? 0 : panel->column_count;
    const fs_plan_column *column = own ? plan->chart : panel == NULL ? NULL : panel->columns;
    const double whole = own ? 1 : fs_folder_number(run, "device.cycles");
    size_t count = 0;
    for (size_t i = 0; i < columns && count < room && whole > 0; i++) {
        const double value = own ? fs_folder_number(run, column[i].column) : cycles_of(run, column[i].column);
        if (!isnan(value))
            out[count++] =
                (fs_time_part){column[i].label == NULL ? column[i].column : column[i].label,
                               column[i].colour == NULL ? "plain" : column[i].colour, value / whole};
    }
    return count;
}
