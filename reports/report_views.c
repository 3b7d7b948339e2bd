/* A run of several views: one row and one thumbnail each, means and the worst. */
#include "reports/report_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A column of views.csv is one of numbers when every cell is. */
static bool is_number(const fs_csv *t, const char *column) {
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const char *text = fs_csv_text(t, i, column);
        char *end = NULL;
        strtod(text, &end);
        if (end == text || *end != '\0')
            return false;
    }
    return fs_csv_rows(t) > 0;
}

static void last_rows(fs_report *r, const fs_csv *t, size_t columns) {
    static const char *const name[] = {"mean", "least", "most"};
    for (size_t k = 0; k < 3; k++) {
        fs_page_row(r->page);
        for (size_t c = 0; c < columns; c++) {
            const char *column = fs_csv_column(t, c);
            if (c == 0) {
                fs_page_put(r->page, "<th scope=\"row\">%s</th>", name[k]);
                continue;
            }
            if (!is_number(t, column)) {
                fs_page_cell(r->page, "");
                continue;
            }
            double sum = 0, least = INFINITY, most = -INFINITY;
            for (size_t i = 0; i < fs_csv_rows(t); i++) {
                double v = strtod(fs_csv_text(t, i, column), NULL);
                sum += v;
                least = fmin(least, v);
                most = fmax(most, v);
            }
            double value = k == 0 ? sum / (double)fs_csv_rows(t) : k == 1 ? least : most;
            fs_page_cell_number(r->page, fs_number_short(value, 5), value);
        }
    }
}

static fs_status put_table(fs_report *r, fs_error *err) {
    enum { MOST = 32 };
    fs_page_column columns[MOST];
    const fs_csv *t = fs_folder_table(r->run, "views.csv", err);
    if (t == NULL)
        return err->status;
    size_t count = fs_csv_columns(t) < MOST ? fs_csv_columns(t) : MOST;
    for (size_t c = 0; c < count; c++)
        columns[c] =
            (fs_page_column){fs_csv_column(t, c), fs_csv_unit(t, c), is_number(t, fs_csv_column(t, c)), NULL};
    columns[0].number = false;
    fs_page_table(r->page, "Each view is a whole run of its own; the last rows are over all of them.",
                  columns, count);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        fs_page_row(r->page);
        for (size_t c = 0; c < count; c++) {
            const char *text = fs_csv_text(t, i, columns[c].name);
            if (columns[c].number)
                fs_page_cell_number(r->page, fs_number_short(strtod(text, NULL), 6), strtod(text, NULL));
            else
                fs_page_cell(r->page, text);
        }
    }
    last_rows(r, t, count);
    fs_page_table_end(r->page);
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
    fs_page_put(r->page,
                "<p>%zu views: %s of device time on average, at most %s (<a href=\"#view-%zu\">view "
                "%zu</a>), at least %s (<a "
                "href=\"#view-%zu\">view %zu</a>).</p>\n",
                count, fs_number_seconds(sum / (double)count), fs_number_seconds(most), worst, worst,
                fs_number_seconds(least), best, best);
    return FS_OK;
}

fs_status fs_report_views(fs_report *r, fs_error *err) {
    fs_page_section(r->page, "views", "Views");
    if (put_worst(r, err) != FS_OK)
        return err->status;
    if (fs_folder_has(r->run, "views.csv") && put_table(r, err) != FS_OK)
        return err->status;
    fs_page_section(r->page, "thumbnails", "What they show");
    fs_page_put(r->page, "<div class=\"thumbnails\">\n");
    for (size_t v = 0; v < fs_folder_views(r->run); v++) {
        char path[4352], alt[64];
        fs_folder *view = fs_folder_view(r->run, v, err);
        if (view == NULL)
            return err->status;
        snprintf(alt, sizeof alt, "view %zu", v);
        snprintf(path, sizeof path, "%s/image.png", fs_folder_path(view));
        fs_page_put(r->page, "<figure id=\"view-%zu\">\n", v);
        if (fs_folder_has(view, "image.png") && fs_page_png(r->page, path, alt, 0, err) != FS_OK)
            return err->status;
        fs_page_figure_end(r->page, "<b>view %zu</b>: %s, %s iterations; <code>foamsim report %s/%s</code>",
                           v, fs_number_seconds(fs_folder_number(view, "device.seconds")),
                           fs_number_grouped(fs_folder_number(view, "device.iterations")),
                           fs_folder_label(r->run), fs_folder_label(view));
    }
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}
