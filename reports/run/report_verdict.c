/* The first screen of a run's page: a verdict, where the time goes, what would help. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 8, SHOWN = 3 };

static void put_chart(fs_report *r) {
    fs_time_part part[PARTS];
    const size_t count = fs_time_parts(r->run, r->plan, part, PARTS);
    if (count == 0)
        return;
    fs_sheet_box(r->sheet, "hbars", "time-chart");
    fs_sheet_say_as(r->sheet, "h3", "Where the time goes");
    for (size_t i = 0; i < count; i++)
        fs_sheet_share(r->sheet, part[i].label, part[i].share, part[i].colour,
                       part[i].share > 0 && part[i].share < 0.005 ? "under 1 %"
                                                                  : fs_number_form(part[i].share, "%0", ""));
    fs_sheet_end(r->sheet);
}

/* What can be set for it, what comes near it, or what would have to be built. */
static const char *lever_of(fs_report *r, const fs_what_if *what) {
    const bool set = what->sets[0] != '\0', near = !set && what->near[0] != '\0';
    const char *sets = set ? what->sets : what->near, *text = set    ? ""
                                                              : near ? "nearest setting: "
                                                                     : "no parameter does this";
    if (!set && !near && what->build != NULL)
        text = fs_sheet_marked(r->sheet, "no parameter does this; it would take %s", what->build);
    for (const char *at = sets; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        text = fs_arena_printf(r->arena, "%s%s", text,
                               fs_sheet_marked(r->sheet, "<code>--set %s</code> ",
                                               fs_arena_printf(r->arena, "%.*s", (int)strcspn(at, " "), at)));
    return text;
}

static fs_status put_what_ifs(fs_report *r, fs_error *err) {
    fs_what_if what[SHOWN];
    const size_t count = fs_what_ifs(r->arena, r->run, r->plan, what, SHOWN, err);
    if (err->status != FS_OK || !fs_folder_has(r->run, "ladder.csv"))
        return err->status;
    fs_sheet_box(r->sheet, "hbars", "what-ifs");
    fs_sheet_say_as(r->sheet, "h3", "What would help");
    for (size_t i = 0; i < count; i++) {
        fs_sheet_share(r->sheet, what[i].said, what[i].gain, "good",
                       fs_arena_printf(r->arena, "%s%s",
                                       strcmp(what[i].kind, "bound") == 0 ? "at most −" : "−",
                                       what[i].gain < 0.1 ? fs_number_percent(what[i].gain)
                                                          : fs_number_form(what[i].gain, "%0", "")));
        fs_sheet_put(r->sheet, "note", NULL,
                     fs_arena_printf(r->arena, "%s%s",
                                     fs_sheet_marked(r->sheet, "<span class=\"badge\">%s</span> ",
                                                     fs_what_kind(what[i].kind)),
                                     lever_of(r, &what[i])));
    }
    if (count == 0)
        fs_sheet_say(r->sheet, "Nothing that was tried would save any time.");
    fs_sheet_note(r->sheet, "Time saved of the run; all that was tried: <a href=\"#ladder\">What if</a>.");
    fs_sheet_end(r->sheet);
    return FS_OK;
}

fs_status fs_report_headline(fs_report *r, fs_error *err) {
    const char *verdict = fs_folder_verdict(r->arena, r->run, r->plan, err);
    if (verdict != NULL)
        fs_sheet_headline(r->sheet, verdict);
    return err->status;
}

/* "4 of them: 3,138 mm2": what is said of a chip or of a die, of all chips together; "" of one chip. */
static const char *together(const fs_report *r, const fs_figure *held) {
    const char *chips = fs_folder_setting(r->run, "machine.chips");
    const double count = chips == NULL ? 1 : strtod(chips, NULL);
    return !(count > 1) || strstr(held->row->label, " of a ") == NULL
               ? ""
               : fs_arena_printf(r->arena, "; %s of them: %s", chips,
                                 fs_number_with(count * held->value, held->unit));
}

/* What a person held the machine to, and what it takes. */
static void put_limits(fs_report *r) {
    size_t count = 0;
    const fs_figure *f = fs_folder_figures(r->run, &count);
    fs_sheet_box(r->sheet, "cards", "limits");
    for (size_t i = 0; i < count; i++) {
        const fs_figure *held =
            f[i].row == NULL || f[i].row->held == NULL ? NULL : fs_folder_figure(r->run, f[i].row->held);
        if (held == NULL || held->row == NULL || isnan(held->value))
            continue;
        const char *limit =
            !(f[i].value > 0)
                ? "no limit"
                : fs_arena_printf(
                      r->arena, "%s of the limit, %s", fs_number_form(f[i].value, "%", ""),
                      fs_arena_strdup(r->arena, fs_number_with(held->value / f[i].value, held->unit)));
        fs_sheet_card(r->sheet, held->row->label,
                      fs_arena_strdup(r->arena, fs_number_with(held->value, held->unit)),
                      fs_arena_printf(r->arena, "%s%s", limit, together(r, held)));
    }
    fs_sheet_end(r->sheet);
}

/* What the run rendered, small, the first picture of its page that it has; and where its chip or its network worked. */
static fs_status put_sight(fs_report *r, fs_error *err) {
    const fs_plan_section *section = NULL;
    const fs_plan_panel *panel = fs_folder_picture(r->run, r->plan, &section);
    if (fs_show_sight(&r->sections, err))
        return err->status;
    if (panel == NULL && r->sections.sight == NULL)
        return FS_OK;
    fs_sheet_box(r->sheet, "sight", NULL);
    if (panel != NULL)
        fs_sheet_picture_add(r->sheet,
                             (fs_sheet_picture){.path = fs_arena_printf(r->arena, "%s/%s",
                                                                        fs_folder_path(r->run), panel->file),
                                                .alt = panel->label,
                                                .caption = fs_sheet_marked(r->sheet, "%s.", panel->label),
                                                .link = section->id,
                                                .small = true},
                             err);
    if (r->sections.sight != NULL)
        fs_sheet_small(r->sheet, r->sections.sight_id, r->sections.sight_title, r->sections.sight);
    fs_sheet_end(r->sheet);
    return err->status;
}

fs_status fs_report_first_screen(fs_report *r, fs_error *err) {
    fs_sheet_box(r->sheet, "first", NULL);
    if (put_sight(r, err))
        return err->status;
    fs_sheet_box(r->sheet, "", NULL);
    put_chart(r);
    put_limits(r);
    fs_sheet_end(r->sheet);
    if (put_what_ifs(r, err))
        return err->status;
    fs_sheet_end(r->sheet);
    return FS_OK;
}
