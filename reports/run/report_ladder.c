/* What would help (ladder.csv), and what fills the fullest tiles (memory.csv). */
#include "reports/read/run_verdict.h"
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ladder ---- */

/* Energy of a rung; a folder from before it was known has none. */
static void put_joules(fs_report *r, const fs_csv *t, size_t row, double most) {
    const double joules = fs_csv_has(t, "joules") ? fs_csv_number(t, row, "joules") : (double)NAN;
    fs_page_cell_bar(r->page, fs_number_joules(joules), joules, most, "plain");
}

/* "a=1 b=2" as options of a run. */
static void put_sets(fs_report *r, const char *sets) {
    if (sets[0] != '\0')
        fs_page_put(r->page, "<br>");
    for (const char *at = sets; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        char one[160];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(at, " "), at);
        fs_page_put(r->page, "<code>--set %s</code> ", one);
    }
}

/* All rungs that are settings, together: simulated only, and no rung of the ladder, whose `all` has bounds
 * among its own. */
static void put_together(fs_report *r, const fs_csv *beside, double slowest, double most, double measured) {
    for (size_t i = 0; beside != NULL && i < fs_csv_rows(beside); i++) {
        if (strcmp(fs_csv_text(beside, i, "name"), "settings") != 0)
            continue;
        const double seconds = fs_csv_number(beside, i, "seconds"), gain = 1 - seconds / measured;
        fs_page_row(r->page);
        fs_page_put(r->page, "<th scope=\"row\">all that are settings</th><td class=\"number\">–</td>");
        fs_page_cell_bar(r->page, fs_fill_number(gain, "%", ""), 100 * gain, 100, "good");
        put_joules(r, beside, i, most);
        fs_page_put(r->page, "<td><span class=\"badge\">simulated</span></td>");
        fs_page_cell_bar(r->page, fs_number_seconds(seconds), seconds, slowest, "simulated");
        fs_page_put(r->page, "<td class=\"wrap\">The rungs that could be simulated, in one run.");
        put_sets(r, fs_csv_text(beside, i, "sets"));
        fs_page_put(r->page, "</td>");
    }
}

static fs_status put_ladder(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    const fs_csv *t = fs_folder_table(r->run, s->file, err), *beside = NULL;
    if (t != NULL && fs_folder_has(r->run, "ladder_simulated.csv"))
        beside = fs_folder_table(r->run, "ladder_simulated.csv", err);
    if (t == NULL || err->status != FS_OK)
        return err->status;
    double slowest = 0, most = 0;
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        slowest = fmax(slowest, fs_csv_number(t, i, "seconds"));
        most = fs_csv_has(t, "joules") ? fmax(most, fs_csv_number(t, i, "joules")) : 0;
    }
    fs_page_put(
        r->page,
        "<p>The same run with one cost taken away at a time. An <b>upper bound</b> keeps the traffic as it "
        "was and "
        "only reprices it, so no change of that kind can win more; an <b>estimate</b> moves work by a rule, "
        "and "
        "was up to 20 %% off where it was tried; <b>simulated</b> was run (<code>--ladder</code>). What "
        "takes "
        "no time still takes energy; clocks and leakage follow the time.</p>\n");
    fs_page_heads(r->page, NULL, "what if", "#device time", "#time saved|of the measured device time",
                  "#energy|central prices", "kind", "#simulated|device time of a run with that change",
                  "how it was found", NULL);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *kind = fs_csv_text(t, i, "kind"), *name = fs_csv_text(t, i, "name");
        double seconds = fs_csv_number(t, i, "seconds"), gain = fs_csv_number(t, i, "gain_percent");
        double ran = fs_rung_seconds(beside, name);
        fs_page_row(r->page);
        fs_page_put(r->page, "<th scope=\"row\">%s</th>", fs_rung_words(r->arena, r->plan, name));
        fs_page_cell_bar(r->page, fs_number_seconds(seconds), seconds, slowest,
                         strcmp(kind, "measured") == 0 ? "plain" : kind);
        fs_page_cell_bar(r->page, gain == 0 ? FS_NO_NUMBER : fs_fill_number(gain / 100, "%", ""), gain, 100,
                         "good");
        put_joules(r, t, i, most);
        fs_page_put(r->page, "<td><span class=\"badge\">%s</span></td>", fs_rung_kind(kind));
        fs_page_cell_bar(r->page, fs_number_seconds(ran), ran, slowest, "simulated");
        const char *sets = fs_csv_text(t, i, "sets");
        fs_page_put(r->page, "<td class=\"wrap\">%s", fs_csv_text(t, i, "detail"));
        put_sets(r, sets);
        fs_page_put(r->page, "</td>");
    }
    put_together(r, beside, slowest, most, fs_rung_seconds(t, "measured"));
    fs_page_table_end(r->page);
    return FS_OK;
}

/* ---- ledgers ---- */

typedef struct worst {
    const char *role;
    int64_t tile;
    double bytes, capacity;
} worst;

/* The fullest tile of each role. */
static size_t find_worst(const fs_csv *t, const int64_t *tile, const int64_t *bytes, worst *found,
                         size_t room) {
    size_t roles = 0, rows = fs_csv_rows(t);
    for (size_t i = 0; i < rows;) {
        const char *role = fs_csv_text(t, i, "role");
        double sum = 0;
        size_t end = i, k = 0;
        for (; end < rows && tile[end] == tile[i]; end++)
            sum += (double)bytes[end];
        while (k < roles && strcmp(found[k].role, role) != 0)
            k++;
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

static fs_status put_memory(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    worst found[FS_ROLES] = {{.tile = 0}};
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    const int64_t *tile = t == NULL ? NULL : fs_csv_ints(t, "tile", err);
    const int64_t *bytes = tile == NULL ? NULL : fs_csv_ints(t, "bytes", err);
    if (bytes == NULL)
        return err->status;
    const char *sram = fs_folder_setting(r->run, "machine.memory.sram");
    size_t roles = find_worst(t, tile, bytes, found, FS_ROLES);
    fs_page_put(r->page, "<div class=\"ledgers\">\n");
    for (size_t k = 0; k < roles; k++) {
        const char *caption = fs_arena_printf(r->arena, "The fullest %s, tile %lld: %s%s%s", found[k].role,
                                              (long long)found[k].tile, fs_number_bytes(found[k].bytes),
                                              sram == NULL ? "" : " of ", sram == NULL ? "" : sram);
        fs_page_heads(r->page, caption, "allocation", "#bytes", NULL);
        for (size_t i = 0; i < fs_csv_rows(t); i++) {
            if (tile[i] != found[k].tile)
                continue;
            fs_page_row(r->page);
            fs_page_cell(r->page, fs_csv_text(t, i, "allocation"));
            fs_page_cell_bar(r->page, fs_number_grouped((double)bytes[i]), (double)bytes[i], found[k].bytes,
                             fs_roles_colour(&r->roles, found[k].role));
        }
        fs_page_table_end(r->page);
    }
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}

const fs_report_kind fs_report_kind_ladder = {"ladder", NULL, put_ladder};
const fs_report_kind fs_report_kind_memory = {"memory", NULL, put_memory};
