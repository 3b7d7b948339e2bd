#define _XOPEN_SOURCE 700 /* realpath */
#include "reports/boss/boss.h"

#include "reports/sheet/sheet.h"
#include "sim/base/numbers.h"
#include "sim/host/file.h"
#include "sim/host/process.h"
#include "sim/host/scratch.h"
#include "sim/host/voice.h"
#include "sim/yaml/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECONDS = 120 };

void fs_boss_add(fs_boss_row *rows, size_t *count, fs_boss_row row) {
    if (*count < FS_BOSS_ROWS)
        rows[(*count)++] = row;
}

void fs_boss_say(fs_boss *boss, const char *sentence) {
    if (sentence != NULL && sentence[0] != '\0' && boss->sure_count < FS_BOSS_SENTENCES)
        boss->sure[boss->sure_count++] = sentence;
}

static bool decides(const fs_figure *f) {
    return f->row != NULL && f->row->place > 0 && f->row->held == NULL &&
           f->row->better != FS_BETTER_NEITHER && !isnan(f->value) && f->kind == FS_FIGURE_NUMBER &&
           f->value > 0 && strcmp(f->unit, "cycles") != 0 && strcmp(f->unit, "iterations") != 0;
}

const char *fs_boss_change(fs_arena *arena, double value, double other, const char *whom) {
    const double change = value / other - 1;
    if (!(value > 0) || !(other > 0))
        return "";
    if (fabs(change) < 0.0005)
        return fs_arena_printf(arena, "as %s", whom);
    if (change < -0.995)
        return fs_arena_printf(arena, "under 0.5 %% of %s", whom);
    if (change >= 1)
        return fs_arena_printf(arena, "%s times %s", fs_number_short(1 + change, 2), whom);
    return fs_arena_printf(arena, "%s %% %s than %s", fs_number_short(100 * fabs(change), 2),
                           change < 0 ? "less" : "more", whom);
}

/* The range of all prices, from FIGURE_low to FIGURE_high; the share of its limit; what the baseline takes. */
static const char *note_of(fs_arena *arena, const fs_folder *run, const fs_folder *base, const fs_figure *f) {
    const char *note[3] = {"", "", ""}, *text = NULL;
    const fs_figure *low = fs_folder_figure(run, fs_arena_printf(arena, "%s_low", f->name)),
                    *high = fs_folder_figure(run, fs_arena_printf(arena, "%s_high", f->name));
    size_t count = 0;
    const fs_figure *all = fs_folder_figures(run, &count);
    if (low != NULL && high != NULL && !isnan(low->value) && !isnan(high->value))
        note[0] = fs_arena_printf(arena, "%s to %s", fs_number_form(low->value, "", f->unit),
                                  fs_number_form(high->value, "", f->unit));
    for (size_t i = 0; i < count; i++)
        if (all[i].row != NULL && all[i].row->held != NULL && strcmp(all[i].row->held, f->name) == 0 &&
            all[i].value > 0)
            note[1] = fs_arena_printf(arena, "%s of the limit", fs_number_form(all[i].value, "%", ""));
    if (base != NULL)
        note[2] = fs_boss_change(arena, f->value, fs_folder_number(base, f->name), "the baseline");
    for (size_t i = 0; i < 3; i++)
        if (note[i][0] != '\0')
            text = text == NULL ? note[i] : fs_arena_printf(arena, "%s; %s", text, note[i]);
    return text;
}

static bool has_row(const fs_boss *boss, const char *label) {
    return FS_HAS(boss->cost, boss->cost_count, label, label);
}

/* Figures of the machine itself, whose places are 100 to 199 (stats.h): energy, power, area. */
static bool of_machine(const fs_figure *f) {
    return f->row->place >= 100 && f->row->place < 200;
}

/* Takes out the last of those that are not the machine's; the last where all are. */
static void drop_one(const fs_figure **order, size_t *taken) {
    size_t at = *taken - 1;
    while (at > 0 && of_machine(order[at]))
        at--;
    at = of_machine(order[at]) ? *taken - 1 : at;
    memmove(&order[at], &order[at + 1], (*taken - at - 1) * sizeof *order);
    --*taken;
}

void fs_boss_costs(fs_boss *boss, fs_arena *arena, fs_folder *run, const fs_page_plan *plan,
                   const fs_folder *base) {
    enum { MOST = 64 };
    size_t count = 0, taken = 0;
    const fs_figure *f = fs_folder_figures(run, &count), *order[MOST];
    for (size_t i = 0; i < count && taken < MOST; i++) {
        if (!decides(&f[i]) || has_row(boss, f[i].row->label))
            continue;
        size_t at = taken++;
        for (; at > 0 && order[at - 1]->row->place > f[i].row->place; at--)
            order[at] = order[at - 1];
        order[at] = &f[i];
    }
    while (taken > 0 && boss->cost_count + taken > FS_BOSS_ROWS)
        drop_one(order, &taken);
    for (size_t i = 0; i < taken; i++)
        fs_boss_add(
            boss->cost, &boss->cost_count,
            (fs_boss_row){order[i]->row->label,
                          order[i]->row->says == FS_SAYS_SHARE
                              ? fs_arena_strdup(arena, fs_number_form(order[i]->value, "%", ""))
                              : fs_arena_strdup(arena, fs_number_with(order[i]->value, order[i]->unit)),
                          note_of(arena, run, base, order[i])});
    boss->parts =
        plan == NULL ? 0 : fs_time_parts(run, plan, boss->part, sizeof boss->part / sizeof *boss->part);
}

/* ---- the page ---- */

static void put_rows(fs_sheet *s, const char *title, const fs_boss_row *rows, size_t count) {
    fs_sheet_say_as(s, "h3", "%s", title);
    fs_rows *t = fs_sheet_table(s, NULL, "", "", NULL);
    for (size_t i = 0; i < count; i++) {
        fs_rows_add(t);
        fs_cell_head(t, "%s", rows[i].label);
        fs_cell_say(t, "<b>%s</b> <span class=\"unit\">%s</span>", rows[i].value,
                    rows[i].note == NULL ? "" : rows[i].note);
    }
}

/* Two columns where there is room: what it is and where its time goes; what it costs and what else there is. */
static void put_page(const fs_boss *b, fs_sheet *s) {
    fs_sheet_box(s, "sheet", NULL);
    fs_sheet_box(s, "", NULL);
    put_rows(s, b->build, b->what, b->what_count);
    if (b->parts > 0)
        fs_sheet_say_as(s, "h3", "Where its time goes");
    for (size_t i = 0; i < b->parts; i++)
        fs_sheet_share(s, b->part[i].label, b->part[i].share, b->part[i].colour,
                       fs_number_form(b->part[i].share, "%0", ""));
    fs_sheet_end(s);
    fs_sheet_box(s, "", NULL);
    put_rows(s, "It costs", b->cost, b->cost_count);
    fs_sheet_end(s);
    fs_sheet_box(s, "wide", NULL);
    if (b->other_count > 0)
        put_rows(s, b->second, b->other, b->other_count);
    fs_sheet_say_as(s, "h3", "How sure");
    fs_sheet_list(s, false, "");
    for (size_t i = 0; i < b->sure_count; i++)
        fs_sheet_item(s, NULL, "%s", b->sure[i]);
    fs_sheet_end(s);
    fs_sheet_end(s);
    fs_sheet_end(s);
}

/* ---- the PDF ---- */

static const char *browser(void) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fs_process_in_path(names[i]))
            return names[i];
    return NULL;
}

/* "file:///a/b%20c.html" of a file that exists. */
static const char *address_of(fs_arena *arena, const char *path) {
    char *whole = realpath(path, NULL);
    const char *text =
        fs_arena_printf(arena, "file://%s", fs_page_address(arena, whole == NULL ? path : whole));
    free(whole);
    return text;
}

/* A PDF ends with this mark; one that is cut off has none. */
static bool is_whole(const char *pdf) {
    static const char mark[] = "%%EOF";
    char tail[32] = "";
    FILE *file = fopen(pdf, "rb");
    if (file == NULL)
        return false;
    if (fseek(file, -(long)(sizeof tail - 1), SEEK_END) == 0)
        tail[fread(tail, 1, sizeof tail - 1, file)] = '\0';
    fclose(file);
    return strstr(tail, mark) != NULL;
}

/* Has the browser print `html` to `pdf`, both in its own folder. */
static fs_status print_there(fs_arena *arena, const char *program, const char *folder, const char *html,
                             const char *pdf, fs_error *err) {
    const char *const words[] = {"--headless",
                                 geteuid() == 0 ? "--no-sandbox" : "--disable-gpu",
                                 "--disable-gpu",
                                 "--no-first-run",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-sync",
                                 "--no-pdf-header-footer",
                                 fs_arena_printf(arena, "--user-data-dir=%s/profile", folder),
                                 fs_arena_printf(arena, "--print-to-pdf=%s", pdf),
                                 address_of(arena, html),
                                 NULL};
    const fs_process_plan plan = {.program = program, .words = words, .heard = true, .own_group = true};
    fs_process process;
    if (fs_process_start(&process, &plan, err))
        return err->status;
    const fs_process_end end = fs_process_wait(&process, MOST_SECONDS);
    if (end.status != 0 || !is_whole(pdf)) {
        const char *said = fs_file_text(arena, process.err, 2000);
        fs_fail(err, FS_RUN, "%s printed no whole page: %.*s", program, (int)strcspn(said, "\n"), said);
    }
    fs_process_close(&process);
    return err->status;
}

/* Page, profile and print stand in a folder of this process, which goes with all of them: nothing is made
 * beside `file`, which appears whole or stays as it was. */
static fs_status print_page(fs_arena *arena, const char *program, fs_sheet *page, const char *file,
                            fs_error *err) {
    fs_scratch scratch;
    if (fs_scratch_make(arena, &scratch, err))
        return err->status;
    const char *folder = scratch.path;
    const char *html = fs_arena_printf(arena, "%s/page.html", folder),
               *pdf = fs_arena_printf(arena, "%s/page.pdf", folder);
    size_t bytes = 0;
    char *print = fs_sheet_write(page, html, err) == FS_OK &&
                          print_there(arena, program, folder, html, pdf, err) == FS_OK
                      ? fs_page_read(pdf, &bytes, err)
                      : NULL;
    if (print != NULL)
        fs_file_write(file, print, bytes, FS_LIGHT, err);
    free(print);
    fs_scratch_remove(&scratch);
    return err->status;
}

/* The page as it is, in place of the PDF where no browser is installed: under a name that nobody gave, so that
 * a file that has it is left alone. */
static fs_status write_instead(fs_sheet *page, const char *html, const char *file, fs_error *err) {
    struct stat info;
    if (lstat(html, &info) == 0)
        return fs_fail(err, FS_IO,
                       "%s cannot be printed, as chromium is not installed, and its page is not written over "
                       "%s, which exists: use --boss with another name, or with the name of an .html file",
                       file, html);
    if (fs_sheet_write(page, html, err) == FS_OK)
        fs_say("chromium is not installed: %s prints as one page from any browser", html);
    return err->status;
}

fs_status fs_boss_write(const fs_boss *b, const char *file, fs_error *err) {
    const bool wants_pdf = fs_path_ends(file, ".pdf");
    if (!wants_pdf && !fs_path_ends(file, ".html"))
        return fs_fail(err, FS_INPUT, "--boss: expected the name of a .pdf or an .html file, found %s", file);
    fs_arena *arena = fs_arena_create();
    const char *program = wants_pdf ? browser() : NULL, *written = file;
    fs_sheet *page = fs_sheet_create(b->name);
    fs_sheet_headline(page, b->verdict);
    put_page(b, page);
    if (program != NULL) {
        print_page(arena, program, page, file, err);
    } else if (wants_pdf) {
        written = fs_arena_printf(arena, "%s.html", fs_path_without(arena, file, ".pdf"));
        write_instead(page, written, file, err);
    } else {
        fs_sheet_write(page, file, err);
    }
    fs_sheet_free(page);
    if (err->status == FS_OK)
        fs_say("one page: %s", written);
    fs_arena_free(arena);
    return err->status;
}
