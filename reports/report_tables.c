/* The tables of a run's page: levels of the overlay, lanes, the ladder of what-ifs, the ledgers of the worst
 * tiles. */
#include "reports/report_private.h"
#include "sim/base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell of a table as a number; NAN when it is empty or none. */
static double cell(const fs_csv *t, size_t row, const char *column) {
    const char *text = fs_csv_text(t, row, column);
    char *end = NULL;
    double value = strtod(text, &end);
    return end == text ? NAN : value;
}

static void plain_number(fs_report *r, double value, int digits) {
    if (isnan(value))
        fs_page_put(r->page, "<td class=\"number\">–</td>");
    else
        fs_page_cell_number(r->page, digits > 0 ? fs_number_short(value, digits) : fs_number_grouped(value),
                            value);
}

static void bar_number(fs_report *r, double value, double full, const char *text, const char *colour) {
    if (isnan(value))
        fs_page_put(r->page, "<td class=\"number\">–</td>");
    else
        fs_page_cell_bar(r->page, text, value, full, colour);
}

static const char *percent(double share) {
    static char text[8][32];
    static unsigned next;
    char *to = text[next++ % 8];
    snprintf(to, 32, "%s %%", fs_number_short(100 * share, 3));
    return to;
}

/* ---- levels ---- */

static void level_rows(fs_report *r, const fs_csv *t, const char *part) {
    static const fs_page_column columns[] = {
        {"level", NULL, false, "0: tracers; then routers from the leaves up; the generator on top"},
        {"tiles", NULL, true, NULL},
        {"rays an iteration", NULL, true, "visits at this level, mean over the iterations of the part"},
        {"most in one", NULL, true, "visits in the busiest iteration"},
        {"slots", NULL, true, "rays that the in lanes of the level hold"},
        {"utilisation", NULL, true, "rays an iteration over slots"},
        {"slowest tile", "Mcycles", true,
         "cycles of the level's slowest tile, summed over iterations: the critical path"},
        {"share of pace", NULL, true, "iterations in which one of its tiles was the slowest of all"},
        {"imbalance", "max/mean", true, "compute of the busiest tile over the mean of the level"},
        {"Gini", NULL, true, "0: all tiles compute the same; 1: one does it all"},
        {"spilled", "rays", true, "rays that its tiles put in another lane than their own"},
        {"turned away", "rays", true, "the same rays, at the level whose lane was full"},
        {"misrouted", "visits", true, "visits at this level of rays just spilled"},
    };
    double most_rays = 0, most_slow = 0, most_imbalance = 0;
    size_t rows = fs_csv_rows(t);
    for (size_t i = 0; i < rows; i++) {
        if (strcmp(fs_csv_text(t, i, "part"), part) != 0)
            continue;
        most_rays = fmax(most_rays, cell(t, i, "rays_per_iteration"));
        most_slow = fmax(most_slow, cell(t, i, "compute_slowest"));
        most_imbalance = fmax(most_imbalance, cell(t, i, "imbalance"));
    }
    fs_page_table(r->page, NULL, columns, sizeof columns / sizeof *columns);
    for (size_t i = rows; i-- > 0;) { /* from the top of the overlay down */
        if (strcmp(fs_csv_text(t, i, "part"), part) != 0)
            continue;
        const char *role = fs_csv_text(t, i, "role");
        double use = cell(t, i, "utilisation"), paced = cell(t, i, "paced_share"), gini = cell(t, i, "gini");
        double rays = cell(t, i, "rays_per_iteration"), slow = cell(t, i, "compute_slowest");
        double imbalance = cell(t, i, "imbalance");
        fs_page_row(r->page);
        fs_page_put(r->page, "<th scope=\"row\"><i class=\"key %s\"></i>%s %s</th>", role,
                    fs_csv_text(t, i, "level"), role);
        plain_number(r, cell(t, i, "tiles"), 0);
        bar_number(r, rays, most_rays, fs_number_short(rays, 4), role);
        plain_number(r, cell(t, i, "rays_max"), 0);
        plain_number(r, cell(t, i, "slots"), 0);
        bar_number(r, use, 1, percent(use), use > 0.9 ? "bad" : role);
        bar_number(r, slow, most_slow, fs_number_short(slow / 1e6, 4), role);
        bar_number(r, paced, 1, percent(paced), role);
        bar_number(r, imbalance, most_imbalance, fs_number_short(imbalance, 3), role);
        bar_number(r, gini, 1, fs_number_short(gini, 2), role);
        plain_number(r, cell(t, i, "spilled"), 0);
        plain_number(r, cell(t, i, "turned_away"), 0);
        plain_number(r, cell(t, i, "misrouted"), 0);
    }
    fs_page_table_end(r->page);
}

/* One sentence on the level that set the pace most often and the one whose lanes are fullest. */
static void level_words(fs_report *r, const fs_csv *t) {
    size_t pace = 0, full = 0;
    bool any = false;
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        if (strcmp(fs_csv_text(t, i, "part"), "all") != 0)
            continue;
        if (!any || cell(t, i, "paced_share") > cell(t, pace, "paced_share"))
            pace = i;
        double use = cell(t, i, "utilisation");
        if (!any || (!isnan(use) && !(use <= cell(t, full, "utilisation"))))
            full = i;
        any = true;
    }
    if (any)
        fs_page_put(r->page,
                    "<p>The %ss of level %s set the pace in %s of the iterations; the lanes into the %ss of "
                    "level %s are the fullest: "
                    "%s of their slots on average.</p>\n",
                    fs_csv_text(t, pace, "role"), fs_csv_text(t, pace, "level"),
                    percent(cell(t, pace, "paced_share")), fs_csv_text(t, full, "role"),
                    fs_csv_text(t, full, "level"), percent(cell(t, full, "utilisation")));
}

fs_status fs_report_levels(fs_report *r, fs_error *err) {
    fs_page_section(r->page, "levels", "Levels");
    if (!fs_folder_has(r->run, "levels.csv")) {
        fs_page_note(r->page, "This run folder has no levels.csv.");
        return FS_OK;
    }
    const fs_csv *t = fs_folder_table(r->run, "levels.csv", err);
    if (t == NULL)
        return err->status;
    static const char *const label[] = {"Whole run", "Injection", "Steady", "Drain"};
    level_words(r, t);
    fs_page_choice(r->page, "levels-choice", "part of the run", label, FS_REPORT_PARTS);
    for (size_t p = 0; p < FS_REPORT_PARTS; p++) {
        fs_page_panel(r->page, label[p]);
        if (p == FS_REPORT_ALL || r->part_end[p] > r->part_begin[p])
            level_rows(r, t, fs_report_part_names[p]);
        else
            fs_page_note(r->page, "The run has no iterations in this part.");
    }
    fs_page_choice_end(r->page);
    return FS_OK;
}

/* ---- lanes ---- */

enum { SHOWN_LANES = 12 };

typedef struct lane_order {
    size_t row;
    double key, second;
} lane_order;

static int by_key(const void *a, const void *b) {
    const lane_order *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->second != y->second)
        return x->second > y->second ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Lane rows with the greatest `key` (above 0), then `second`: how many of the SHOWN_LANES there are. */
static size_t top_lanes(const fs_csv *t, const char *key, const char *second, const char *over,
                        lane_order *top) {
    size_t rows = fs_csv_rows(t), count = 0;
    lane_order *all = fs_malloc((rows + 1) * sizeof *all);
    for (size_t i = 0; i < rows; i++) {
        double base = over == NULL ? 1 : cell(t, i, over), value = cell(t, i, key) / base;
        if (value > 0 && base > 0)
            all[count++] = (lane_order){i, value, cell(t, i, second)};
    }
    if (count > 0)
        qsort(all, count, sizeof *all, by_key);
    if (count > SHOWN_LANES)
        count = SHOWN_LANES;
    memcpy(top, all, count * sizeof *all);
    free(all);
    return count;
}

static void put_end(fs_report *r, const fs_csv *t, size_t row, const char *end) {
    char role[32], level[32];
    snprintf(role, sizeof role, "%s_role", end);
    snprintf(level, sizeof level, "%s_level", end);
    const char *what = fs_csv_text(t, row, role);
    fs_page_put(r->page, "<td class=\"place\"><i class=\"key %s\"></i>%s %s", what, what,
                fs_csv_text(t, row, end));
    if (strcmp(what, "router") == 0)
        fs_page_put(r->page, " <span class=\"unit\">level %s</span>", fs_csv_text(t, row, level));
    fs_page_put(r->page, "</td>");
}

static void lane_rows(fs_report *r, const fs_csv *t, const char *caption, const lane_order *top,
                      size_t count) {
    static const fs_page_column columns[] = {
        {"from", NULL, false, NULL},
        {"to", NULL, false, NULL},
        {"capacity", "rays", true, NULL},
        {"peak", "of capacity", true, "most rays in one iteration"},
        {"carried", "rays", true, NULL},
        {"used · stalled · idle", NULL, false,
         "iterations with rays; with rays turned away because it was full; with none"},
        {"stalled", "iterations", true, NULL},
        {"full", "iterations", true, NULL},
        {"turned away", "rays", true, NULL},
    };
    static const char *const name[] = {"used", "stalled", "idle"}, *const colour[] = {"exchange", "bad",
                                                                                      "idle"};
    fs_page_table(r->page, caption, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        size_t row = top[i].row;
        double used = cell(t, row, "all_used"), stalled = cell(t, row, "all_stalled"),
               idle = cell(t, row, "all_idle");
        double sum = used + stalled + idle, capacity = cell(t, row, "capacity"),
               peak = cell(t, row, "all_peak");
        const double share[] = {sum > 0 ? used / sum : 0, sum > 0 ? stalled / sum : 0,
                                sum > 0 ? idle / sum : 0};
        fs_page_row(r->page);
        put_end(r, t, row, "src");
        put_end(r, t, row, "dst");
        if (capacity > 0) {
            plain_number(r, capacity, 0);
            bar_number(r, peak / capacity, 1, percent(peak / capacity),
                       peak >= capacity ? "bad" : "exchange");
        } else /* without bound */
            fs_page_put(r->page, "<td class=\"number\">–</td><td class=\"number\">%s rays</td>",
                        fs_number_grouped(peak));
        plain_number(r, cell(t, row, "all_rays"), 0);
        fs_page_cell_stack(r->page, share, name, colour, 3);
        plain_number(r, stalled, 0);
        plain_number(r, cell(t, row, "all_full"), 0);
        plain_number(r, cell(t, row, "all_turned_away"), 0);
    }
    fs_page_table_end(r->page);
}

fs_status fs_report_lanes(fs_report *r, fs_error *err) {
    lane_order top[SHOWN_LANES];
    const fs_csv *t = fs_folder_table(r->run, "lanes.csv", err);
    if (t == NULL)
        return err->status;
    fs_page_section(r->page, "lanes", "Lanes");
    if (!fs_csv_has(t, "all_stalled") || !fs_csv_has(t, "src_role")) {
        fs_page_note(r->page,
                     "The lanes.csv of this run does not say when lanes were used, stalled and idle.");
        return FS_OK;
    }
    size_t rows = fs_csv_rows(t), stalls = 0, unused = 0;
    for (size_t i = 0; i < rows; i++) {
        stalls += cell(t, i, "all_stalled") > 0;
        unused += cell(t, i, "all_rays") == 0;
    }
    fs_page_put(r->page, "<p>Of %s lanes %s turned rays away at least once, %s carried none.</p>\n",
                fs_number_grouped((double)rows), fs_number_grouped((double)stalls),
                fs_number_grouped((double)unused));
    size_t count = top_lanes(t, "all_stalled", "all_turned_away", NULL, top);
    if (count > 0)
        lane_rows(r, t, "The lanes that stalled longest: where a wider lane would help first.", top, count);
    else
        fs_page_note(r->page, "No lane ever turned a ray away: buffers are not what limits this run.");
    count = top_lanes(t, "all_peak", "all_rays", "capacity", top);
    if (count > 0)
        lane_rows(r, t, "The fullest lanes: the peak over the capacity.", top, count);
    fs_page_put(r->page, "<p class=\"legend\"><span><i class=\"key exchange\"></i>used</span><span><i "
                         "class=\"key bad\"></i>stalled</span>"
                         "<span><i class=\"key idle\"></i>idle, in shares of the iterations</span></p>\n");
    return fs_report_distribution(r, "fills", err);
}

/* ---- the ladder ---- */

/* Seconds of a rung that was really simulated (ladder_simulated.csv), or NAN. */
static double simulated(const fs_csv *t, const char *name) {
    for (size_t i = 0; t != NULL && i < fs_csv_rows(t); i++)
        if (strcmp(fs_csv_text(t, i, "name"), name) == 0)
            return cell(t, i, "seconds");
    return NAN;
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

fs_status fs_report_ladder(fs_report *r, fs_error *err) {
    static const fs_page_column columns[] = {
        {"what if", NULL, false, NULL},
        {"device time", NULL, true, NULL},
        {"time saved", NULL, true, "of the measured device time"},
        {"kind", NULL, false, NULL},
        {"simulated", NULL, true, "device time of a run with that change"},
        {"how it was found", NULL, false, NULL},
    };
    fs_page_section(r->page, "ladder", "What if");
    if (!fs_folder_has(r->run, "ladder.csv")) {
        fs_page_note(r->page, "This run folder has no ladder.csv.");
        return FS_OK;
    }
    const fs_csv *t = fs_folder_table(r->run, "ladder.csv", err), *beside = NULL;
    if (t != NULL && fs_folder_has(r->run, "ladder_simulated.csv"))
        beside = fs_folder_table(r->run, "ladder_simulated.csv", err);
    if (t == NULL || err->status != FS_OK)
        return err->status;
    double slowest = 0;
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        slowest = fmax(slowest, cell(t, i, "seconds"));
    fs_page_put(
        r->page,
        "<p>The same run with one cost taken away at a time. A <b>bound</b> keeps the traffic as it was and "
        "only reprices it, so no change of that kind can win more; an <b>estimate</b> moves work by a rule, "
        "and "
        "was up to 20 %% off where it was tried; <b>simulated</b> was run (<code>--ladder</code>).</p>\n");
    fs_page_table(r->page, NULL, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *kind = fs_csv_text(t, i, "kind"), *name = fs_csv_text(t, i, "name");
        double seconds = cell(t, i, "seconds"), gain = cell(t, i, "gain_percent");
        double ran = simulated(beside, name);
        char words[64];
        snprintf(words, sizeof words, "%s", name[0] != '\0' ? name : fs_csv_text(t, i, "rung"));
        for (char *c = words; (c = strchr(c, '_')) != NULL;)
            *c = ' ';
        fs_page_row(r->page);
        fs_page_put(r->page, "<th scope=\"row\">%s</th>", words);
        bar_number(r, seconds, slowest, fs_number_seconds(seconds),
                   strcmp(kind, "measured") == 0 ? "plain" : kind);
        bar_number(r, gain, 100, gain == 0 ? "–" : percent(gain / 100), "good");
        fs_page_put(r->page, "<td><span class=\"badge\">%s</span></td>", kind);
        bar_number(r, ran, slowest, fs_number_seconds(isnan(ran) ? 0 : ran), "simulated");
        const char *sets = fs_csv_text(t, i, "sets");
        fs_page_put(r->page, "<td class=\"wrap\">%s", fs_csv_text(t, i, "detail"));
        put_sets(r, sets);
        fs_page_put(r->page, "</td>");
    }
    fs_page_table_end(r->page);
    return FS_OK;
}

/* ---- ledgers ---- */

typedef struct worst {
    char role[24];
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
        if (k == roles && roles < room && strcmp(role, "spare") != 0) {
            snprintf(found[k].role, sizeof found[k].role, "%s", role);
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

fs_status fs_report_memory(fs_report *r, fs_error *err) {
    static const fs_page_column columns[] = {{"allocation", NULL, false, NULL}, {"bytes", NULL, true, NULL}};
    worst found[4];
    if (!fs_folder_has(r->run, "memory.csv"))
        return FS_OK;
    const fs_csv *t = fs_folder_table(r->run, "memory.csv", err);
    const int64_t *tile = t == NULL ? NULL : fs_csv_ints(t, "tile", err);
    const int64_t *bytes = tile == NULL ? NULL : fs_csv_ints(t, "bytes", err);
    if (bytes == NULL)
        return err->status;
    fs_page_section(r->page, "memory", "Memory");
    const char *sram = fs_folder_setting(r->run, "machine.memory.sram");
    size_t roles = find_worst(t, tile, bytes, found, 4);
    fs_page_put(r->page, "<div class=\"ledgers\">\n");
    for (size_t k = 0; k < roles; k++) {
        char caption[320];
        snprintf(caption, sizeof caption, "The fullest %s, tile %lld: %s%s%s", found[k].role,
                 (long long)found[k].tile, fs_number_bytes(found[k].bytes), sram == NULL ? "" : " of ",
                 sram == NULL ? "" : sram);
        fs_page_table(r->page, caption, columns, 2);
        for (size_t i = 0; i < fs_csv_rows(t); i++) {
            if (tile[i] != found[k].tile)
                continue;
            fs_page_row(r->page);
            fs_page_cell(r->page, fs_csv_text(t, i, "allocation"));
            fs_page_cell_bar(r->page, fs_number_grouped((double)bytes[i]), (double)bytes[i], found[k].bytes,
                             found[k].role);
        }
        fs_page_table_end(r->page);
    }
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}
