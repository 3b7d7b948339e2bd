/* A run of several views: one row and one thumbnail each, means and the worst. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 24, PLACES = 2 };

static void put_number(fs_rows *t, const fs_plan_column *c, double value) {
    value *= c->scale > 0 ? c->scale : 1;
    const char *form = strcmp(c->form, "short") == 0 ? "4" : c->form;
    fs_cell_number(t, fs_number_form(value, form, ""), value);
}

static fs_status last_rows(fs_report *r, fs_rows *to, const fs_csv *t, size_t shown, fs_error *err) {
    static const char *const name[] = {"mean", "least", "most"};
    fs_rows_foot(to);
    for (size_t k = 0; k < 3; k++) {
        fs_rows_add(to);
        fs_cell_head(to, "<b>%s</b>", name[k]);
        fs_cell(to, "");
        for (size_t c = 0; c < shown; c++) {
            const fs_plan_column *plan = &r->plan->views[c];
            const double *column = fs_csv_has(t, plan->column) ? fs_csv_reals(t, plan->column, err) : NULL;
            double sum = 0, least = INFINITY, most = -INFINITY, count = 0;
            if (err->status != FS_OK)
                return err->status;
            for (size_t i = 0; column != NULL && i < fs_csv_rows(t); i++) {
                if (isnan(column[i]))
                    continue;
                count++;
                sum += column[i];
                least = fmin(least, column[i]);
                most = fmax(most, column[i]);
            }
            put_number(to, plan, count == 0 ? NAN : k == 0 ? sum / count : k == 1 ? least : most);
        }
    }
    return FS_OK;
}

static bool is_drawn(const fs_report *r) {
    return !isnan(fs_folder_number(r->run, "sample.of"));
}

/* Ends of the intervals of a drawn set. */
static void interval_rows(fs_report *r, fs_rows *t, size_t shown) {
    for (size_t k = 0; k < 2; k++) {
        const char *end = k == 0 ? "low" : "high";
        fs_rows_add(t);
        fs_cell_head(t, "<b>mean of all, %s</b>", end);
        fs_cell(t, "");
        for (size_t c = 0; c < shown; c++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", end, r->plan->views[c].column);
            put_number(t, &r->plan->views[c], fs_folder_number(r->run, name));
        }
    }
}

/* What was left out, and how well the mean is known without it. */
static void put_sample(fs_report *r, size_t count) {
    const double of = fs_folder_number(r->run, "sample.of"),
                 stated = fs_folder_number(r->run, "sample.stated"),
                 low = fs_folder_number(r->run, "low.device.seconds"),
                 high = fs_folder_number(r->run, "high.device.seconds");
    fs_sheet_say(r->sheet, "These are %zu of %.0f views, drawn by chance (%.0f %% of them). %s", count, of,
                 100 * (double)count / of,
                 isnan(low)
                     ? "How far their mean is from that of all views is not known."
                     : fs_arena_printf(r->arena,
                                       "The mean of all of them lies between %s and %s of device time in "
                                       "%.0f %% of such drawings; the slowest of all may be slower than the "
                                       "slowest seen.",
                                       fs_number_seconds(low), fs_number_seconds(high), 100 * stated));
}

static fs_status put_table(fs_report *r, fs_error *err) {
    static const char *const axis[] = {"x", "y", "z"};
    fs_rows_column columns[COLUMNS + PLACES] = {{"view", NULL, false, NULL}, {"position", NULL, false, NULL}};
    const size_t shown = r->plan->view_count < COLUMNS ? r->plan->view_count : COLUMNS;
    const fs_csv *t = fs_folder_table(r->run, "views.csv", err);
    if (t == NULL)
        return err->status;
    for (size_t c = 0; c < shown; c++)
        columns[c + PLACES] = (fs_rows_column){r->plan->views[c].label, r->plan->views[c].unit, true, NULL};
    fs_rows *to = fs_sheet_table_of(
        r->sheet, "Each view is a whole run of its own; the last rows are over all of them.", columns,
        shown + PLACES);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *view = fs_csv_text(t, i, "view"), *place = "";
        for (size_t k = 0; k < 3; k++)
            place = fs_arena_printf(r->arena, "%s%s%s", place, k > 0 ? ", " : "",
                                    fs_number_short(strtod(fs_csv_text(t, i, axis[k]), NULL), 3));
        fs_rows_add(to);
        fs_cell_head(to, "<a href=\"#view-%s\">%s</a>", view, view);
        fs_cell(to, place);
        fs_cell_add(to, (fs_cell_more){.look = "place"});
        for (size_t c = 0; c < shown; c++)
            put_number(to, &r->plan->views[c], fs_csv_number(t, i, r->plan->views[c].column));
    }
    if (last_rows(r, to, t, shown, err) != FS_OK)
        return err->status;
    if (is_drawn(r))
        interval_rows(r, to, shown);
    return FS_OK;
}

/* Views whose device time is the most and the least. */
static fs_status put_worst(fs_report *r, fs_error *err) {
    size_t count = fs_folder_views(r->run), worst = 0, best = 0;
    double most = -INFINITY, least = INFINITY, sum = 0;
    for (size_t v = 0; v < count; v++) {
        fs_folder *view = fs_folder_view(r->run, v, err);
        if (view == NULL)
            return err->status;
        double seconds = fs_folder_number(view, "device.seconds");
        sum += seconds;
        if (seconds > most) {
            most = seconds;
            worst = v;
        }
        if (seconds < least) {
            least = seconds;
            best = v;
        }
    }
    fs_sheet_say(
        r->sheet,
        "%zu views: %s of device time on average, at most %s (<a href=\"#view-%zu\">view %zu</a>), at "
        "least %s (<a href=\"#view-%zu\">view %zu</a>).",
        count, fs_number_seconds(sum / (double)count), fs_number_seconds(most), worst, worst,
        fs_number_seconds(least), best, best);
    if (is_drawn(r))
        put_sample(r, count);
    return FS_OK;
}

/* The most important finding of each view. */
static fs_status put_findings(fs_report *r, fs_error *err) {
    fs_sheet_say(r->sheet, "What each view's own report says first:");
    fs_sheet_list(r->sheet, false, "findings");
    for (size_t v = 0; v < fs_folder_views(r->run); v++) {
        size_t count = 0;
        fs_folder *view = fs_folder_view(r->run, v, err);
        const fs_read_finding *found = view == NULL ? NULL : fs_folder_findings(view, &count, err);
        if (err->status != FS_OK)
            return err->status;
        if (count > 0)
            fs_sheet_item(r->sheet, NULL, "<a href=\"#view-%zu\">view %zu</a>: %s", v, v, found[0].text);
    }
    fs_sheet_end(r->sheet);
    return FS_OK;
}

/* The picture of a view, and how its own page is made. */
static fs_status put_thumbnail(fs_report *r, size_t v, fs_error *err) {
    fs_folder *view = fs_folder_view(r->run, v, err);
    if (view == NULL)
        return err->status;
    const bool has = r->plan->thumbnail != NULL && fs_folder_has(view, r->plan->thumbnail);
    const char *caption =
        fs_sheet_marked(r->sheet, "<b>view %zu</b>: %s, %s iterations; <code>foamsim report %s/%s</code>", v,
                        fs_number_seconds(fs_folder_number(view, "device.seconds")),
                        fs_number_grouped(fs_folder_number(view, "device.iterations")),
                        fs_folder_label(r->run), fs_folder_label(view));
    return fs_sheet_picture_add(
        r->sheet,
        (fs_sheet_picture){
            .path = has ? fs_arena_printf(r->arena, "%s/%s", fs_folder_path(view), r->plan->thumbnail) : NULL,
            .alt = fs_arena_printf(r->arena, "view %zu", v),
            .id = fs_arena_printf(r->arena, "view-%zu", v),
            .caption = caption},
        err);
}

fs_status fs_report_views(fs_report *r, fs_error *err) {
    if (put_findings(r, err) != FS_OK)
        return err->status;
    fs_sheet_section(r->sheet, "views", "Views", NULL);
    if (put_worst(r, err) != FS_OK)
        return err->status;
    if (fs_folder_has(r->run, "views.csv") && put_table(r, err) != FS_OK)
        return err->status;
    fs_sheet_section(r->sheet, "thumbnails", "What they show", "the picture of each view");
    fs_sheet_box(r->sheet, "thumbnails", NULL);
    for (size_t v = 0; v < fs_folder_views(r->run); v++)
        if (put_thumbnail(r, v, err))
            return err->status;
    fs_sheet_end(r->sheet);
    return FS_OK;
}
