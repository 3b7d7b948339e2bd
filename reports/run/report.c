/* foamsim report: the page of a run, or of a set of views. */
#include "reports/run/report.h"
#include "reports/run/report_private.h"
#include "reports/study/store_page.h"
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const fs_report_kind *const kinds[] = {
    &fs_report_kind_findings, &fs_report_kind_summary, &fs_report_kind_images, &fs_report_kind_series,
    &fs_report_kind_matrix,   &fs_report_kind_chip,    &fs_report_kind_links,  &fs_report_kind_pixels,
    &fs_report_kind_counts,   &fs_report_kind_table,   &fs_report_kind_most,   &fs_report_kind_distribution,
    &fs_report_kind_figures,  &fs_report_kind_curve,   &fs_report_kind_ladder, &fs_report_kind_memory,
    &fs_report_kind_settings, &fs_report_kind_files,
};

/* NULL: of a later foamsim. */
static const fs_report_kind *kind_of(const fs_plan_section *s) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, s->kind) == 0)
            return kinds[i];
    return NULL;
}

/* What a folder without page.json has. */
static const fs_plan_section *const plain_sections[] = {&fs_page_findings, &fs_page_summary,
                                                        &fs_page_settings, &fs_page_files};
static const fs_page_plan plain = {.workload = "",
                                   .sections = plain_sections,
                                   .section_count = sizeof plain_sections / sizeof *plain_sections};

/* A section has its file, or a panel of it has. */
static bool has_file(const fs_report *r, const fs_plan_section *s) {
    bool wanted = s->file != NULL, found = wanted && fs_folder_has(r->run, s->file);
    for (size_t i = 0; i < s->panel_count; i++)
        if (s->panels[i].file != NULL) {
            wanted = true;
            found |= fs_folder_has(r->run, s->panels[i].file);
        }
    return !wanted || found;
}

static void leave_out(fs_report *r, const fs_plan_section *s) {
    if (s->file != NULL && r->left_out_count < FS_REPORT_LEFT_OUT)
        r->left_out[r->left_out_count++] = s;
}

/* "machine.execution=decoupled" holds for the run. */
static bool holds(fs_report *r, const char *when) {
    const size_t length = when == NULL ? 0 : strcspn(when, "=");
    if (length == 0 || when[length] != '=')
        return false;
    const char *value = fs_folder_setting(r->run, fs_arena_printf(r->arena, "%.*s", (int)length, when));
    return value != NULL && strcmp(value, when + length + 1) == 0;
}

/* What is under the heading of a section: its first picture's sentence, or what its kind holds. `first` to
 * `end`: its pictures. */
static const char *inside_of(fs_report *r, const fs_plan_section *s, size_t first, size_t end) {
    static const char *const words[][2] = {
        {"summary", "the figures to know, the time by part of the run, and all figures"},
        {"ladder", "the run again with one cost taken away at a time"},
        {"memory", "what fills the fullest tile of each role"},
        {"settings", "every parameter: its value, where it is from, how sure it is"},
        {"files", "what the run folder holds"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], s->kind) == 0)
            return words[i][1];
    if (end > first)
        return end - first == 1
                   ? r->picture[first].title
                   : fs_arena_printf(r->arena, "%s; %zu more", r->picture[first].title, end - first - 1);
    if (s->words != NULL && strchr(s->words, '{') == NULL)
        return s->words;
    const char *text = "";
    for (size_t i = 0; i < s->panel_count; i++) {
        const fs_plan_panel *panel = &s->panels[i];
        const char *word =
            panel->title != NULL && strchr(panel->title, '{') == NULL ? panel->title : panel->label;
        if (word != NULL)
            text = fs_arena_printf(r->arena, "%s%s%s", text, text[0] == '\0' ? "" : " ", word);
    }
    return text[0] == '\0' ? "a table" : text;
}

/* All but the first screen is folded. */
static void begin_section(fs_report *r, const fs_plan_section *s, size_t first, size_t end) {
    if (strcmp(s->kind, "findings") == 0)
        fs_page_section(r->page, s->id, s->title);
    else
        fs_page_folded(r->page, s->id, s->title, inside_of(r, s, first, end));
    if (s->note != NULL && holds(r, s->note_when))
        fs_page_note(r->page, "%s", s->note);
}

/* All pictures are drawn at once, between what prepares them and what shows them. */
static fs_status put_sections(fs_report *r, fs_error *err) {
    const fs_page_plan *plan = r->plan;
    void **own = FS_NEW(r->arena, void *, plan->section_count + 1);
    size_t *ends = FS_NEW(r->arena, size_t, plan->section_count + 1); /* pictures of it and all before */
    for (size_t i = 0; i < plan->section_count; i++) {
        const fs_plan_section *s = plan->sections[i];
        const fs_report_kind *kind = kind_of(s);
        ends[i] = r->plots;
        if (kind == NULL)
            continue;
        if (!has_file(r, s))
            leave_out(r, s);
        else if (kind->prepare != NULL && kind->prepare(r, s, &own[i], err))
            return err->status;
        else if (kind->prepare == NULL)
            own[i] = r;
        ends[i] = r->plots;
    }
    if (r->plots > 0 && fs_drawing_run(r->drawing, r->name, r->plots, r->formats, r->plot, err))
        return err->status;
    for (size_t i = 0; i < plan->section_count; i++) {
        if (own[i] == NULL)
            continue;
        begin_section(r, plan->sections[i], i == 0 ? 0 : ends[i - 1], ends[i]);
        if (kind_of(plan->sections[i])->put(r, plan->sections[i], own[i] == r ? NULL : own[i], err))
            return err->status;
    }
    return FS_OK;
}

static fs_status run_page(fs_report *r, fs_error *err) {
    size_t count = 0;
    if (fs_folder_settings(r->run, &count, err) == NULL && err->status != FS_OK)
        return err->status;
    fs_report_find_parts(r);
    if (fs_report_headline(r, err))
        return err->status;
    r->drawing = fs_drawing_open(r->target, "run", err);
    if (r->drawing == NULL)
        return err->status;
    r->pictures = fs_drawing_folder(r->drawing);
    return put_sections(r, err);
}

/* Of several views: what was found, the views, what was set, the files. */
static fs_status views_page(fs_report *r, fs_error *err) {
    static const struct {
        const fs_plan_section *section;
        const fs_report_kind *kind;
    } part[] = {{&fs_page_findings, &fs_report_kind_findings},
                {NULL, NULL},
                {&fs_page_settings, &fs_report_kind_settings},
                {&fs_page_files, &fs_report_kind_files}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (part[i].section != NULL)
            begin_section(r, part[i].section, 0, 0);
        if (part[i].section == NULL ? fs_report_views(r, err)
                                    : part[i].kind->put(r, part[i].section, NULL, err))
            return err->status;
    }
    return FS_OK;
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

static fs_status page_of(fs_report *r, const char *out, fs_error *err) {
    const fs_page_plan *plan = fs_folder_page(r->run, err);
    if (err->status != FS_OK)
        return err->status;
    r->plan = plan == NULL ? &plain : plan;
    r->target = fs_arena_printf(r->arena, "%s/pictures", fs_folder_path(r->run));
    if (out == NULL && fs_folder_archive(r->run) != NULL) /* what it was unpacked to goes */
        out = fs_arena_printf(r->arena, "%s.html", fs_folder_label(r->run));
    if (out == NULL && fs_drawing_target(r->target, err))
        return err->status;
    r->beside = out == NULL;
    if (out == NULL)
        out = fs_arena_printf(r->arena, "%s/report.html", r->target);
    if (check_out(r, out, err))
        return err->status;
    fs_roles_begin(&r->roles, r->arena, r->plan);
    r->page = fs_page_create(fs_folder_name(r->run));
    fs_status status = fs_folder_views(r->run) > 0 ? views_page(r, err) : run_page(r, err);
    if (status == FS_OK)
        status = fs_page_write(r->page, out, err);
    fs_status closed = fs_drawing_close(r->drawing, status == FS_OK && r->plots > 0, err);
    status = status ? status : closed;
    if (status == FS_OK)
        fs_say("report: %s", out);
    fs_page_free(r->page);
    free(r->text.text);
    return status;
}

static fs_status report(const fs_registry *registry, const char *dir, const char *out, bool png,
                        fs_error *err) {
    fs_report *r = fs_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->formats = png ? FS_PLOT_SVG | FS_PLOT_PNG : FS_PLOT_SVG;
    r->arena = fs_arena_create();
    r->run = fs_folder_open(dir, registry->figures, err);
    fs_status status = r->run == NULL ? err->status : page_of(r, out, err);
    fs_folder_own_places(r->run, err);
    fs_folder_close(r->run);
    fs_arena_free(r->arena);
    free(r);
    return status;
}

/* A point of a store: its run, made again, and the page of that. */
static fs_status report_point(const fs_registry *registry, const char *store, const char *key,
                              const char *out, bool png, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const char *run = NULL;
    fs_status status = fs_study_run_point(store, key, arena, &out, &run, err);
    if (status == FS_OK)
        status = report(registry, run, out, png, err);
    fs_arena_free(arena);
    return status;
}

static fs_status run(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    const char *out = NULL, *sweep = NULL, *point = NULL, *boss = NULL;
    bool png = false, live = false;
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE",
                  "the page (default RUN/pictures/report.html, of a packed run NAME.html, or STORE.html)",
                  &out),
        FS_FLAG("png", 0, "leave the plots as PNG too, beside the SVG in RUN/pictures", &png),
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
    int args = 0;
    bool help = false;
    fs_status status =
        fs_options_parse(cli,
                         "report RUN|STORE.db [-o report.html]\nA run (its folder, or one file of `foamsim "
                         "pack`), or a sweep of a store, as one "
                         "HTML page: findings, "
                         "plots, tables.",
                         options, sizeof options / sizeof *options, argc, argv, 1, 1, &args, &help, err);
    if (status != FS_OK || help)
        return status;
    if (live && (point != NULL || boss != NULL || png))
        return fs_fail(err, FS_INPUT,
                       "--live is for the page of a whole store; expected neither --point, --boss nor --png");
    if (live)
        return fs_study_report_live(cli->registry, argv[0], sweep, out, err);
    bool store = fs_store_is(argv[0]);
    if (!store && (sweep != NULL || point != NULL))
        return fs_fail(err, FS_INPUT, "%s is no store: --%s is for the points of a store", argv[0],
                       sweep != NULL ? "sweep" : "point");
    if (boss != NULL && point != NULL)
        return fs_fail(err, FS_INPUT,
                       "--boss: of a point's run make its page first: --point %s, then --boss of its folder",
                       point);
    return store && point != NULL ? report_point(cli->registry, argv[0], point, out, png, err)
           : store                ? fs_study_report(cli->registry, argv[0], sweep, out, boss, err)
           : boss != NULL         ? fs_report_boss(cli->registry, argv[0], boss, err)
                                  : report(cli->registry, argv[0], out, png, err);
}

const fs_command fs_command_report = {
    "report", "a run or a sweep as one page: what it waited for, which point is best and why", run};
