/* The first screen of a run's page: a verdict, where the time goes, what would help. */
#include "reports/read/run_verdict.h"
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <string.h>

enum { PARTS = 8, SHOWN = 3 };

static void put_bar(fs_report *r, const char *what, double share, const char *colour, const char *figure) {
    fs_page_put(r->page,
                "<div class=\"hbar\"><span>%s</span><span class=\"track\"><i class=\"%s\" "
                "style=\"width:%.2f%%\"></i></span><b>%s</b></div>\n",
                what, colour,
                share < 0   ? 0
                : share > 1 ? 100
                            : 100 * share,
                figure);
}

static void put_chart(fs_report *r) {
    fs_time_part part[PARTS];
    const size_t count = fs_time_parts(r->run, r->plan, part, PARTS);
    if (count == 0)
        return;
    fs_page_put(r->page, "<div class=\"hbars\" id=\"time-chart\">\n<h3>Where the time goes</h3>\n");
    for (size_t i = 0; i < count; i++)
        put_bar(r, part[i].label, part[i].share, part[i].colour,
                part[i].share > 0 && part[i].share < 0.005 ? "under 1 %"
                                                           : fs_fill_number(part[i].share, "%0", ""));
    fs_page_put(r->page, "</div>\n");
}

/* What can be set for it, what comes near it, or what would have to be built. */
static void put_lever(fs_report *r, const fs_what_if *what) {
    const char *sets = what->sets[0] != '\0' ? what->sets : what->near;
    if (what->sets[0] == '\0')
        fs_page_put(r->page, "%s",
                    sets[0] != '\0' ? "no parameter does this; try " : "no parameter does this");
    if (sets[0] == '\0' && what->build != NULL)
        fs_page_put(r->page, "; it takes %s", what->build);
    for (const char *at = sets; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        fs_page_put(r->page, "<code>--set %s</code> ",
                    fs_arena_printf(r->arena, "%.*s", (int)strcspn(at, " "), at));
}

static fs_status put_what_ifs(fs_report *r, fs_error *err) {
    fs_what_if what[SHOWN];
    const size_t count = fs_what_ifs(r->arena, r->run, r->plan, what, SHOWN, err);
    if (err->status != FS_OK || !fs_folder_has(r->run, "ladder.csv"))
        return err->status;
    fs_page_put(r->page, "<div class=\"hbars\" id=\"what-ifs\">\n<h3>What would help</h3>\n");
    for (size_t i = 0; i < count; i++) {
        put_bar(r, what[i].said, what[i].gain, "good",
                fs_arena_printf(r->arena, "%s%s", strcmp(what[i].kind, "bound") == 0 ? "at most −" : "−",
                                what[i].gain < 0.1 ? fs_number_percent(what[i].gain)
                                                   : fs_fill_number(what[i].gain, "%0", "")));
        fs_page_put(r->page, "<p class=\"note\"><span class=\"badge\">%s</span> ",
                    fs_rung_kind(what[i].kind));
        put_lever(r, &what[i]);
        fs_page_put(r->page, "</p>\n");
    }
    if (count == 0)
        fs_page_put(r->page, "<p>Nothing that was tried would save any time.</p>\n");
    fs_page_put(r->page, "<p class=\"note\">Time saved of the run; all that was tried: <a "
                         "href=\"#ladder\">What if</a>.</p>\n</div>\n");
    return FS_OK;
}

fs_status fs_report_headline(fs_report *r, fs_error *err) {
    const char *verdict = fs_folder_verdict(r->arena, r->run, r->plan, err);
    if (verdict != NULL)
        fs_page_headline(r->page, verdict);
    return err->status;
}

/* What a person held the machine to, and what it takes. */
static void put_limits(fs_report *r) {
    size_t count = 0;
    const fs_figure *f = fs_folder_figures(r->run, &count);
    fs_page_put(r->page, "<div class=\"cards\" id=\"limits\">\n");
    for (size_t i = 0; i < count; i++) {
        const fs_figure *held =
            f[i].row == NULL || f[i].row->held == NULL ? NULL : fs_folder_figure(r->run, f[i].row->held);
        if (held == NULL || held->row == NULL || isnan(held->value))
            continue;
        fs_page_put(
            r->page, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n", held->row->label,
            fs_arena_strdup(r->arena, fs_number_with(held->value, held->unit)),
            !(f[i].value > 0)
                ? "no limit"
                : fs_arena_printf(
                      r->arena, "%s of the limit, %s", fs_fill_number(f[i].value, "%", ""),
                      fs_arena_strdup(r->arena, fs_number_with(held->value / f[i].value, held->unit))));
    }
    fs_page_put(r->page, "</div>\n");
}

/* What the run rendered, small: the first picture of its page that it has. */
static fs_status put_image(fs_report *r, fs_error *err) {
    const fs_plan_section *section = NULL;
    const fs_plan_panel *panel = fs_folder_picture(r->run, r->plan, &section);
    if (panel == NULL)
        return FS_OK;
    fs_page_put(r->page, "<figure><a href=\"#%s\">", section->id);
    if (fs_page_thumbnail(r->page, fs_arena_printf(r->arena, "%s/%s", fs_folder_path(r->run), panel->file),
                          panel->label, err))
        return err->status;
    fs_page_put(r->page, "</a><figcaption>%s.</figcaption></figure>\n", panel->label);
    return FS_OK;
}

fs_status fs_report_first_screen(fs_report *r, fs_error *err) {
    fs_page_put(r->page, "<div class=\"first\">\n<div class=\"sight\">");
    if (put_image(r, err))
        return err->status;
    fs_report_small_chip(r);
    fs_report_small_links(r);
    fs_page_put(r->page, "</div>\n<div>\n");
    put_chart(r);
    put_limits(r);
    fs_page_put(r->page, "</div>\n");
    if (put_what_ifs(r, err))
        return err->status;
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}
