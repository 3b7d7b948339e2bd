/* foamsim report: the page of a run, or of a set of views. */
#include "reports/run/report.h"
#include "reports/plot/plot.h"
#include "reports/run/report_private.h"
#include "reports/sheet/sheet.h"
#include "reports/study/store_page.h"
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/store/store.h"

#include <string.h>
#include <sys/stat.h>

/* What a folder without page.json has. */
static const fs_plan_section *const plain_sections[] = {&fs_page_findings, &fs_page_summary,
                                                        &fs_page_settings, &fs_page_files};
static const fs_page_plan plain = {.workload = "",
                                   .sections = plain_sections,
                                   .section_count = sizeof plain_sections / sizeof *plain_sections};

static void leave_out(fs_report *r, const fs_plan_section *s) {
    if (s->file != NULL && r->left_out_count < FS_REPORT_LEFT_OUT)
        r->left_out[r->left_out_count++] = s;
}

/* The shell's own kinds; the others are reports/sections'. */
static fs_status put_section(fs_report *r, const fs_plan_section *s, fs_error *err) {
    static const char *const inside[][2] = {
        {"findings", NULL},
        {"summary", "the figures to know, the time by part of the run, and all figures"},
        {"settings", "every parameter: its value, where it is from, how sure it is"},
        {"files", "what the run folder holds"}};
    enum { FINDINGS, SUMMARY, SETTINGS, FILES, OTHER };
    size_t kind = 0;
    while (kind < OTHER && strcmp(inside[kind][0], s->kind) != 0)
        kind++;
    if (!fs_show_has_file(&r->sections, s))
        leave_out(r, s);
    else if (kind == OTHER)
        return fs_show_put(&r->sections, s, err);
    else
        fs_sheet_section(r->sheet, s->id, s->title, inside[kind][1]);
    switch (kind) {
    case FINDINGS:
        return fs_report_findings(r, err);
    case SUMMARY:
        return fs_report_summary(r, s, err);
    case SETTINGS:
        return fs_report_settings(r, err);
    case FILES:
        fs_report_files(r);
        return FS_OK;
    default:
        return FS_OK;
    }
}

static fs_status run_page(fs_report *r, fs_error *err) {
    size_t count = 0;
    if (fs_folder_settings(r->run, &count, err) == NULL && err->status != FS_OK)
        return err->status;
    fs_show_find_parts(&r->sections);
    if (fs_report_headline(r, err))
        return err->status;
    for (size_t i = 0; i < r->plan->section_count; i++)
        if (put_section(r, r->plan->sections[i], err))
            return err->status;
    return FS_OK;
}

/* Of several views: what was found, the views, what was set, the files. */
static fs_status views_page(fs_report *r, fs_error *err) {
    if (put_section(r, &fs_page_findings, err) || fs_report_views(r, err) ||
        put_section(r, &fs_page_settings, err))
        return err->status;
    return put_section(r, &fs_page_files, err);
}

/* A page never replaces a file of the run that it is about. */
static fs_status check_out(const fs_report *r, const char *out, fs_error *err) {
    struct stat page, file;
    size_t count = 0;
    const char *const *files = fs_folder_files(r->run, &count);
    if (stat(out, &page) != 0)
        return FS_OK;
    for (size_t i = 0; i < count; i++)
        if (stat(fs_arena_printf(r->arena, "%s/%s", fs_folder_path(r->run), files[i]), &file) == 0 &&
            file.st_dev == page.st_dev && file.st_ino == page.st_ino)
            return fs_fail(err, FS_INPUT, "%s is a file of the run: a page needs another name", out);
    return FS_OK;
}

/* The page, and the charts as files where they are asked for. */
static fs_status write_page(fs_report *r, const char *out, const char *pictures, fs_error *err) {
    if (fs_sheet_write(r->sheet, out, err))
        return err->status;
    if (r->plots != 0 && fs_sheet_plot(r->sheet, pictures, r->plots, NULL, 0, err))
        return err->status;
    fs_say("report: %s", out);
    return FS_OK;
}

static fs_status page_of(fs_report *r, const char *out, fs_error *err) {
    const fs_page_plan *plan = fs_folder_page(r->run, err);
    if (err->status != FS_OK)
        return err->status;
    r->plan = plan == NULL ? &plain : plan;
    const char *pictures = fs_arena_printf(r->arena, "%s/pictures", fs_folder_path(r->run));
    if (out == NULL && fs_folder_archive(r->run) != NULL) /* what it was unpacked to goes */
        out = fs_arena_printf(r->arena, "%s.html", fs_folder_label(r->run));
    if (out == NULL && fs_plot_target(pictures, err))
        return err->status;
    const bool beside = out == NULL;
    if (beside)
        out = fs_arena_printf(r->arena, "%s/report.html", pictures);
    if (check_out(r, out, err))
        return err->status;
    fs_roles_begin(&r->roles, r->arena, r->plan);
    r->sheet = fs_sheet_create(fs_folder_name(r->run));
    r->sections = (fs_show){.arena = r->arena,
                            .sheet = r->sheet,
                            .plan = r->plan,
                            .roles = &r->roles,
                            .count = 1,
                            .run = {r->run},
                            .label = {fs_folder_name(r->run)},
                            .whole = beside ? ".." : ""};
    fs_status status = fs_folder_views(r->run) > 0 ? views_page(r, err) : run_page(r, err);
    if (status == FS_OK)
        status = write_page(r, out, pictures, err);
    fs_sheet_free(r->sheet);
    return status;
}

static fs_status report(const fs_command_line *call, const char *dir, const char *out, unsigned plots,
                        fs_error *err) {
    fs_report *r = FS_NEW(call->arena, fs_report, 1);
    r->plots = plots;
    r->arena = call->arena;
    r->run = fs_folder_open(dir, call->cli->registry->figures, err);
    fs_status status = r->run == NULL ? err->status : page_of(r, out, err);
    fs_folder_own_places(r->run, err);
    fs_folder_close(r->run);
    return status;
}

/* A point of a store: its run, made again, and the page of that. */
static fs_status report_point(const fs_command_line *call, const char *store, const char *key,
                              const char *out, unsigned plots, fs_error *err) {
    const char *run = NULL;
    return fs_study_run_point(store, key, call->arena, &out, &run, err) ? err->status
                                                                        : report(call, run, out, plots, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const char *out = NULL, *sweep = NULL, *point = NULL, *boss = NULL;
    bool files = false, live = false;
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE",
                  "the page (default RUN/pictures/report.html, of a packed run NAME.html, or STORE.html)",
                  &out),
        FS_FLAG("plots", 0, "leave the charts in RUN/pictures too, as PNG and SVG with their gnuplot scripts",
                &files),
        FS_OPTION("sweep", 0, "NAME", "of a store: that sweep (default the latest one)", &sweep),
        FS_OPTION("point", 'p', "KEY",
                  "of a store: the page of this point's run, which is made again and stays in FILE_run",
                  &point),
        FS_FLAG("live", 0,
                "of a store: write the page again as points end, and let it reload itself; ctrl-C ends it",
                &live),
        FS_OPTION("boss", 0, "FILE.pdf",
                  "one A4 page instead: what to build, what it costs, second best, how sure", &boss),
    };
    if (!fs_options_parse(call,
                          "report RUN|STORE.db [-o report.html]\nA run (its folder, or one file of `foamsim "
                          "pack`), or a sweep of a store, as one HTML page: findings, plots, tables.",
                          options, FS_COUNT(options), 1, 1, err))
        return err->status;
    const char *subject = call->argv[0];
    const fs_registry *registry = call->cli->registry;
    if (live && (point != NULL || boss != NULL || files))
        return fs_fail(
            err, FS_INPUT,
            "--live is for the page of a whole store; expected neither --point, --boss nor --plots");
    if (live)
        return fs_study_report_live(registry, subject, sweep, out, call->arena, err);
    bool store = fs_store_is(subject);
    const unsigned plots = files ? FS_PLOT_PNG | FS_PLOT_SVG : 0;
    if (!store && (sweep != NULL || point != NULL))
        return fs_fail(err, FS_INPUT, "%s is no store: --%s is for the points of a store", subject,
                       sweep != NULL ? "sweep" : "point");
    if (boss != NULL && point != NULL)
        return fs_fail(err, FS_INPUT,
                       "--boss: of a point's run make its page first: --point %s, then --boss of its folder",
                       point);
    return store && point != NULL ? report_point(call, subject, point, out, plots, err)
           : store                ? fs_study_report(registry, subject, sweep, out, boss, call->arena, err)
           : boss != NULL         ? fs_report_boss(registry, subject, boss, err)
                                  : report(call, subject, out, plots, err);
}

const fs_command fs_command_report = {
    "report", "a run or a sweep as one page: what it waited for, which point is best and why", run};
