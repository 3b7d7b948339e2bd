/* What would help (ladder.csv), and what fills the fullest tiles (memory.csv). */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- the ladder of a run ---- */

/* Energy of a rung; a folder from before it was known has none. */
static void put_joules(fs_rows *to, const fs_csv *t, size_t row, double most) {
    const double joules = fs_csv_has(t, "joules") ? fs_csv_number(t, row, "joules") : (double)NAN;
    fs_cell_bar(to, fs_number_joules(joules), joules, most, "plain");
}

/* A sentence, and below it "a=1 b=2" as options of a run. */
static void put_how(fs_show *s, fs_rows *to, const char *words, const char *sets) {
    const char *marked = fs_sheet_marked(s->sheet, sets[0] == '\0' ? "%s" : "%s<br>", words);
    for (const char *at = sets; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        const char *one = fs_arena_printf(s->arena, "%.*s", (int)strcspn(at, " "), at);
        marked = fs_arena_printf(s->arena, "%s%s", marked,
                                 fs_sheet_marked(s->sheet, "<code>--set %s</code> ", one));
    }
    fs_cell_put(to, marked);
    fs_cell_add(to, (fs_cell_more){.look = "wrap"});
}

/* All rungs that are settings, together: simulated only, and no rung of the ladder, whose `all` has bounds
 * among its own. */
static void put_together(fs_show *s, fs_rows *to, const fs_csv *beside, double slowest, double most,
                         double measured) {
    for (size_t i = 0; beside != NULL && i < fs_csv_rows(beside); i++) {
        if (strcmp(fs_csv_text(beside, i, "name"), "settings") != 0)
            continue;
        const double seconds = fs_csv_number(beside, i, "seconds"), gain = 1 - seconds / measured;
        fs_rows_add(to);
        fs_cell_head(to, "all that are settings");
        fs_cell_number(to, "", NAN);
        fs_cell_bar(to, fs_number_form(gain, "%", ""), 100 * gain, 100, "good");
        put_joules(to, beside, i, most);
        fs_cell_say(to, "<span class=\"badge\">simulated</span>");
        fs_cell_bar(to, fs_number_seconds(seconds), seconds, slowest, "simulated");
        put_how(s, to, "The rungs that could be simulated, in one run.", fs_csv_text(beside, i, "sets"));
    }
}

static fs_status put_one(fs_show *s, const fs_csv *t, fs_error *err) {
    const fs_csv *beside = fs_show_table_of(s, 0, "ladder_simulated.csv", err);
    double slowest = 0, most = 0;
    if (err->status != FS_OK)
        return err->status;
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        slowest = fmax(slowest, fs_csv_number(t, i, "seconds"));
        most = fs_csv_has(t, "joules") ? fmax(most, fs_csv_number(t, i, "joules")) : 0;
    }
    fs_sheet_say(s->sheet, "The same run with one cost taken away at a time. An <b>upper bound</b> keeps the "
                           "traffic as it was and only reprices it, so no change of that kind can win more; "
                           "an <b>estimate</b> moves work by a rule, and was up to 20 %% off where it was "
                           "tried; <b>simulated</b> was run (<code>--ladder</code>). What takes no time "
                           "still takes energy; clocks and leakage follow the time.");
    fs_rows *to =
        fs_sheet_table(s->sheet, NULL, "what if", "#device time", "#time saved|of the measured device time",
                       "#energy|central prices", "kind", "#simulated|device time of a run with that change",
                       "how it was found", NULL);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *kind = fs_csv_text(t, i, "kind"), *name = fs_csv_text(t, i, "name");
        const double seconds = fs_csv_number(t, i, "seconds"), gain = fs_csv_number(t, i, "gain_percent"),
                     ran = fs_what_seconds(beside, name);
        fs_rows_add(to);
        fs_cell_head(to, "%s", fs_what_words(s->arena, s->plan, name));
        fs_cell_bar(to, fs_number_seconds(seconds), seconds, slowest,
                    strcmp(kind, "measured") == 0 ? "plain" : kind);
        fs_cell_bar(to, gain == 0 ? FS_NO_NUMBER : fs_number_form(gain / 100, "%", ""), gain, 100, "good");
        put_joules(to, t, i, most);
        fs_cell_say(to, "<span class=\"badge\">%s</span>", fs_what_kind(kind));
        fs_cell_bar(to, fs_number_seconds(ran), ran, slowest, "simulated");
        put_how(s, to, fs_csv_text(t, i, "detail"), fs_csv_text(t, i, "sets"));
    }
    put_together(s, to, beside, slowest, most, fs_what_seconds(t, "measured"));
    return FS_OK;
}

/* ---- of several runs ---- */

static size_t rung_row(const fs_csv *t, const char *name) {
    for (size_t row = 0; t != NULL && row < fs_csv_rows(t); row++)
        if (strcmp(fs_csv_text(t, row, "name"), name) == 0)
            return row;
    return SIZE_MAX;
}

static void put_several(fs_show *s, const fs_csv *const *tables, const fs_csv *any) {
    fs_rows_column columns[2 * FS_SHOW_RUNS + 2] = {{.name = "what if"}, {.name = "kind"}};
    size_t n = 2;
    double most = 0;
    for (size_t i = 0; i < s->count; i++) {
        columns[n++] = (fs_rows_column){.name = s->label[i], .number = true};
        columns[n++] = (fs_rows_column){.name = "gain", .number = true};
        for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++)
            most = fmax(most, fs_csv_number(tables[i], row, "gain_percent"));
    }
    fs_rows *to = fs_sheet_table_of(
        s->sheet, "Each run with one thing idealised: its time, and what that gains of its own time.",
        columns, n);
    for (size_t row = 0; row < fs_csv_rows(any); row++) {
        const char *name = fs_csv_text(any, row, "name");
        fs_rows_add(to);
        fs_cell(to, fs_what_words(s->arena, s->plan, name));
        fs_cell_add(to, (fs_cell_more){.hint = fs_csv_text(any, row, "detail")});
        fs_cell(to, fs_what_kind(fs_csv_text(any, row, "kind")));
        for (size_t i = 0; i < s->count; i++) {
            const size_t at = rung_row(tables[i], name);
            const double seconds = fs_csv_number(tables[i], at, "seconds"),
                         gain = fs_csv_number(tables[i], at, "gain_percent");
            fs_cell_number(to, isnan(seconds) ? "-" : fs_number_in(seconds, "s", 4), seconds);
            fs_cell_bar(to, fs_number_change(gain / 100), gain, most, "exchange");
        }
    }
}

static fs_status put_ladder(fs_show *s, const fs_plan_section *section, fs_error *err) {
    const fs_csv *tables[FS_SHOW_RUNS] = {NULL}, *any = NULL;
    for (size_t i = 0; i < s->count; i++) {
        tables[i] = fs_show_table_of(s, i, section->file, err);
        if (err->status != FS_OK)
            return err->status;
        any = any == NULL ? tables[i] : any;
    }
    fs_show_begin(s, section,
                  s->count == 1 ? "the run again with one cost taken away at a time"
                                : "each run again with one cost taken away at a time");
    if (s->count == 1)
        return put_one(s, any, err);
    put_several(s, tables, any);
    return FS_OK;
}

/* ---- ledgers ---- */

typedef struct worst {
    const char *role;
    int64_t tile;
    double bytes;
} worst;

/* The fullest tile of each role. */
static size_t find_worst(const fs_csv *t, const int64_t *tile, const int64_t *bytes, worst *found,
                         size_t room) {
    size_t roles = 0, rows = fs_csv_rows(t);
    for (size_t i = 0; i < rows;) {
        const char *role = fs_csv_text(t, i, "role");
        double sum = 0;
        size_t end = i;
        for (; end < rows && tile[end] == tile[i]; end++)
            sum += (double)bytes[end];
        const size_t k = FS_PLACE(found, roles, role, role);
        if (k == roles && roles < room && strcmp(role, fs_role_unused) != 0) {
            found[k].role = role;
            found[k].bytes = -1;
            roles++;
        }
        if (k < roles && sum > found[k].bytes) {
            found[k].bytes = sum;
            found[k].tile = tile[i];
        }
        i = end;
    }
    return roles;
}

static fs_status put_memory(fs_show *s, const fs_plan_section *section, fs_error *err) {
    worst found[FS_ROLES] = {{.tile = 0}};
    const fs_csv *t = s->count > 1 ? NULL : fs_show_table_of(s, 0, section->file, err);
    const int64_t *tile = t == NULL ? NULL : fs_csv_ints(t, "tile", err);
    const int64_t *bytes = tile == NULL ? NULL : fs_csv_ints(t, "bytes", err);
    if (bytes == NULL)
        return err->status;
    const char *sram = fs_folder_setting(s->run[0], "machine.memory.sram");
    const size_t roles = find_worst(t, tile, bytes, found, FS_ROLES);
    fs_show_begin(s, section, "what fills the fullest tile of each role");
    fs_sheet_box(s->sheet, "ledgers", NULL);
    for (size_t k = 0; k < roles; k++) {
        const char *caption = fs_arena_printf(s->arena, "The fullest %s, tile %lld: %s%s%s", found[k].role,
                                              (long long)found[k].tile, fs_number_bytes(found[k].bytes),
                                              sram == NULL ? "" : " of ", sram == NULL ? "" : sram);
        fs_rows *to = fs_sheet_table(s->sheet, caption, "allocation", "#bytes", NULL);
        for (size_t i = 0; i < fs_csv_rows(t); i++) {
            if (tile[i] != found[k].tile)
                continue;
            fs_rows_add(to);
            fs_cell(to, fs_csv_text(t, i, "allocation"));
            fs_cell_bar(to, fs_number_grouped((double)bytes[i]), (double)bytes[i], found[k].bytes,
                        fs_roles_colour(s->roles, found[k].role));
        }
    }
    fs_sheet_end(s->sheet);
    return FS_OK;
}

const fs_show_kind fs_show_kind_ladder = {"ladder", put_ladder, NULL};
const fs_show_kind fs_show_kind_memory = {"memory", put_memory, NULL};
