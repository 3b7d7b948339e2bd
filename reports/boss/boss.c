#define _XOPEN_SOURCE 700 /* nftw, realpath */
#include "reports/boss/boss.h"

#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "reports/read/run_fill.h"
#include "sim/base/numbers.h"
#include "sim/host/file.h"
#include "sim/host/process.h"
#include "sim/host/voice.h"

#include <errno.h>
#include <ftw.h>
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
    return f->row != NULL && f->row->place > 0 && f->row->better != FS_BETTER_NEITHER && !isnan(f->value) &&
           f->kind == FS_FIGURE_NUMBER && f->value > 0 && strcmp(f->unit, "cycles") != 0 &&
           strcmp(f->unit, "iterations") != 0;
}

/* "29.7 J (12.1 J to 48 J)" of a figure that has FIGURE_low and FIGURE_high. */
static const char *range_of(fs_arena *arena, const fs_folder *run, const fs_figure *f) {
    const fs_figure *low = fs_folder_figure(run, fs_arena_printf(arena, "%s_low", f->name)),
                    *high = fs_folder_figure(run, fs_arena_printf(arena, "%s_high", f->name));
    if (low == NULL || high == NULL || isnan(low->value) || isnan(high->value))
        return NULL;
    return fs_arena_printf(arena, "%s to %s", fs_fill_number(low->value, "", f->unit, f->whole),
                           fs_fill_number(high->value, "", f->unit, f->whole));
}

void fs_boss_costs(fs_boss *boss, fs_arena *arena, const fs_folder *run) {
    size_t count = 0, taken = 0;
    const fs_figure *f = fs_folder_figures(run, &count), *order[64];
    for (size_t i = 0; i < count && taken < 64; i++) {
        if (!decides(&f[i]))
            continue;
        size_t at = taken++;
        for (; at > 0 && order[at - 1]->row->place > f[i].row->place; at--)
            order[at] = order[at - 1];
        order[at] = &f[i];
    }
    for (size_t i = 0; i < taken; i++) {
        const fs_figure *one = order[i];
        fs_boss_add(boss->cost, &boss->cost_count,
                    (fs_boss_row){one->row->label,
                                  one->row->says == FS_SAYS_SHARE
                                      ? fs_arena_strdup(arena, fs_fill_number(one->value, "%", "", false))
                                      : fs_fill_quantity(arena, one->value, one->unit, one->whole),
                                  range_of(arena, run, one)});
    }
}

/* ---- the page ---- */

static void put_rows(fs_page *page, const char *title, const fs_boss_row *rows, size_t count) {
    fs_page_put(page, "<div><h2>%s</h2>\n<table><tbody>\n", title);
    for (size_t i = 0; i < count; i++)
        fs_page_put(page,
                    "<tr><th scope=\"row\">%s</th><td><b>%s</b> <span class=\"unit\">%s</span></td></tr>\n",
                    rows[i].label, rows[i].value, rows[i].note == NULL ? "" : rows[i].note);
    fs_page_put(page, "</tbody></table></div>\n");
}

static void put_page(const fs_boss *b, fs_page *page) {
    fs_page_put(
        page,
        "<style>@page { size: A4; margin: 14mm; } nav, .tools { display: none !important; }"
        " body { max-width: 46rem; } .sheet { display: grid; grid-template-columns: 1fr 1fr; gap: .4rem "
        "2rem; }"
        " .sheet h2 { font-size: 1.05rem; margin: .8rem 0 .3rem; } .sheet table { width: 100%%; }"
        " .sheet td { overflow-wrap: anywhere; } .sheet tbody th { white-space: normal; color: var(--faint); "
        "}"
        " .sheet .wide { grid-column: 1 / 3; } @media print { .sheet table { font-size: 9pt; } }</style>\n"
        "<div class=\"sheet\">\n");
    put_rows(page, b->build, b->what, b->what_count);
    put_rows(page, "It costs", b->cost, b->cost_count);
    if (b->other_count > 0)
        put_rows(page, b->second, b->other, b->other_count);
    if (b->parts > 0) {
        fs_page_put(page, "<div><h2>Where its time goes</h2>\n");
        for (size_t i = 0; i < b->parts; i++)
            fs_page_put(page,
                        "<div class=\"hbar\"><span>%s</span><span class=\"track\"><i class=\"%s\" "
                        "style=\"width:%.2f%%\"></i></span><b>%s</b></div>\n",
                        b->part[i].label, b->part[i].colour, 100 * fmin(1, fmax(0, b->part[i].share)),
                        fs_fill_number(b->part[i].share, "%0", "", false));
        fs_page_put(page, "</div>\n");
    }
    fs_page_put(page, "<div class=\"wide\"><h2>How sure</h2>\n<ul>\n");
    for (size_t i = 0; i < b->sure_count; i++)
        fs_page_put(page, "<li>%s</li>\n", b->sure[i]);
    fs_page_put(page, "</ul></div>\n</div>\n");
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
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
    char *whole = realpath(path, NULL);
    const char *text = "file://";
    for (const char *c = whole == NULL ? path : whole; *c != '\0'; c++)
        text = strchr(plain, *c) != NULL
                   ? fs_arena_printf(arena, "%s%c", text, *c)
                   : fs_arena_printf(arena, "%s%%%02x", text, (unsigned)(unsigned char)*c);
    free(whole);
    return text;
}

static int take_away(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
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
static fs_status print_page(fs_arena *arena, const char *program, fs_page *page, const char *file,
                            fs_error *err) {
    const char *tmp = getenv("TMPDIR");
    char *folder = fs_arena_strdup(arena, fs_arena_printf(arena, "%s/foamsim-print-XXXXXX",
                                                          tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp"));
    if (mkdtemp(folder) == NULL)
        return fs_fail(err, FS_IO, "%s: no folder for the browser can be made: %s", folder, strerror(errno));
    const char *html = fs_arena_printf(arena, "%s/page.html", folder),
               *pdf = fs_arena_printf(arena, "%s/page.pdf", folder);
    size_t bytes = 0;
    char *print = fs_page_write(page, html, err) == FS_OK &&
                          print_there(arena, program, folder, html, pdf, err) == FS_OK
                      ? fs_page_read(pdf, &bytes, err)
                      : NULL;
    if (print != NULL)
        fs_file_write(file, print, bytes, FS_LIGHT, err);
    free(print);
    nftw(folder, take_away, 16, FTW_DEPTH | FTW_PHYS);
    return err->status;
}

/* The page as it is, in place of the PDF that no browser is there for: under a name that nobody gave, so that
 * a file that has it is left alone. */
static fs_status write_instead(fs_page *page, const char *html, const char *file, fs_error *err) {
    struct stat info;
    if (lstat(html, &info) == 0)
        return fs_fail(err, FS_IO,
                       "%s cannot be printed, as chromium is not installed, and its page is not written over "
                       "%s, which exists: use --boss with another name, or with the name of an .html file",
                       file, html);
    if (fs_page_write(page, html, err) == FS_OK)
        fs_say("chromium is not installed: %s prints as one page from any browser", html);
    return err->status;
}

fs_status fs_boss_write(const fs_boss *b, const char *file, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const size_t n = strlen(file);
    const bool wants_pdf = n < 5 || strcmp(file + n - 5, ".html") != 0;
    const bool named = n > 4 && strcmp(file + n - 4, ".pdf") == 0;
    const char *program = wants_pdf ? browser() : NULL, *written = file;
    fs_page *page = fs_page_create(b->name);
    fs_page_headline(page, b->verdict);
    put_page(b, page);
    if (program != NULL) {
        print_page(arena, program, page, file, err);
    } else if (wants_pdf) {
        written = fs_arena_printf(arena, "%.*s.html", (int)(named ? n - 4 : n), file);
        write_instead(page, written, file, err);
    } else {
        fs_page_write(page, file, err);
    }
    fs_page_free(page);
    if (err->status == FS_OK)
        fs_say("one page: %s", written);
    fs_arena_free(arena);
    return err->status;
}
