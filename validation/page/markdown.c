/* The document of a paper: verdict, scores and the paper's charts. All else is the page's. */
#include "validation/page/page.h"

#include "reports/page/page_file.h"
#include "sim/host/file.h"
#include "validation/cases/words.h"
#include "validation/page/pictures.h"
#include "validation/page/verdict.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = "md"; /* of a document's name */

typedef struct document {
    const fs_validation *v;
    fs_arena *arena;
    fs_validation_drawing *d;
    const char *pictures; /* DOCS/DOCUMENT */
    fs_text text;
} document;

/* ---- markdown ---- */

/* Text in which nothing is markup. */
static const char *plain(document *m, const char *text) {
    char *out = FS_NEW(m->arena, char, 2 * strlen(text) + 1), *to = out;
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]<>|#", *text) != NULL)
            *to++ = '\\';
        *to++ = *text;
        if (*text == '\n')
            to[-1] = ' ';
    }
    return out;
}

static void end_line(document *m) {
    fs_page_text_print(&m->text, "\n");
}

/* Cells up to NULL. */
static void put_row(document *m, const char *const *cells) {
    fs_page_text_print(&m->text, "|");
    for (; *cells != NULL; cells++)
        fs_page_text_print(&m->text, " %s |", plain(m, *cells));
    end_line(m);
}
#define PUT_ROW(m, ...) put_row(m, (const char *const[]){__VA_ARGS__, NULL})

/* heads up to NULL, of which the first `words` hold words, the others numbers. */
static void put_heads(document *m, const char *const *heads, size_t words) {
    end_line(m);
    put_row(m, heads);
    fs_page_text_print(&m->text, "|");
    for (size_t i = 0; heads[i] != NULL; i++)
        fs_page_text_print(&m->text, i < words ? " --- |" : " ---: |");
    end_line(m);
}

/* ---- pictures ---- */

static fs_status put_picture(document *m, const fs_validation_picture *q, fs_error *err) {
    const char *from = fs_arena_printf(m->arena, "%s/%s.png", m->d->folder, q->name);
    const char *to = fs_arena_printf(m->arena, "%s/%s.png", m->pictures, q->name);
    fs_page_text_print(&m->text, "\n**%s.** %s\n\n![%s](%s/%s.png)\n", plain(m, q->title),
                       plain(m, q->caption), plain(m, q->title), m->v->paper->document, q->name);
    return fs_page_shrink_png(from, to, err);
}

/* Removes the pictures that the document showed until now. Others in their folder are somebody's. */
static fs_status clear(const document *m, const char *docs, fs_error *err) {
    const char *name = m->v->paper->document;
    fs_error none = {0};
    if (fs_dir_make(m->pictures, err))
        return err->status;
    DIR *directory = opendir(m->pictures);
    if (directory == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", m->pictures, strerror(errno));
    char *before = fs_page_read(fs_arena_printf(m->arena, "%s/%s.%s", docs, name, ending), NULL, &none);
    for (struct dirent *entry; before != NULL && (entry = readdir(directory)) != NULL;)
        if (strstr(before, fs_arena_printf(m->arena, "](%s/%s)", name, entry->d_name)) != NULL)
            unlinkat(dirfd(directory), entry->d_name, 0);
    free(before);
    closedir(directory);
    return FS_OK;
}

/* ---- sections ---- */

static void put_verdict(document *m) {
    const fs_paper *paper = m->v->paper;
    size_t count = 0;
    const char *const *sentence = fs_validation_verdict(m->v, m->arena, &count);
    fs_page_text_print(&m->text, "# %s\n\n%s\n\n", plain(m, paper->heading),
                       plain(m, fs_paper_reference(m->arena, paper)));
    fs_page_text_print(
        &m->text,
        "Written by `make validate-docs` (%s). `foamsim validate --paper %s -o DIR` makes a page that "
        "holds the rest: every case\nwith its chart and errors, what the figures depend on, the "
        "stand-in scenes, behaviours, the machine alone, all figures,\nwhere the paper is silent, and "
        "the calibration.\n\n",
        m->v->version == NULL ? "foamsim" : plain(m, m->v->version), paper->name);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&m->text, "%zu. %s\n", i + 1, plain(m, sentence[i]));
}

static void put_scores(document *m) {
    static const char *const heads[] = {"score", "reached", "wanted", "without a model", NULL};
    size_t count = 0;
    const fs_score *score = fs_validation_scores(m->v, m->arena, &count);
    put_heads(m, heads, 1);
    for (size_t i = 0; i < count; i++)
        PUT_ROW(m, score[i].name, score[i].value, score[i].aim, score[i].baseline);
}

/* Of a variant's stand-ins, those whose run failed, and why the first of them did. */
static void put_failure(document *m, const fs_validation_case *c, const fs_variant *variant) {
    size_t failed = 0;
    for (size_t s = 0; s < c->standin_count; s++)
        failed += variant->points != NULL && variant->points[s] == NULL;
    PUT_ROW(m, c->title, variant->name, fs_arena_printf(m->arena, "%zu of %zu", failed, c->standin_count),
            fs_arena_printf(m->arena, "%.*s", (int)strcspn(variant->failed, "\n"), variant->failed));
}

/* Runs that failed in cases that count: what is not simulated is no smaller error. */
static void put_failures(document *m) {
    static const char *const heads[] = {"case", "run", "stand-ins that failed", "the first of them", NULL};
    size_t count = 0;
    for (size_t i = 0; i < m->v->case_count; i++) {
        const fs_validation_case *c = &m->v->cases[i];
        for (size_t k = 0; k < c->variant_count && c->scored && !c->left_aside; k++) {
            if (c->variants[k].failed == NULL)
                continue;
            if (count++ == 0)
                put_heads(m, heads, 4);
            put_failure(m, c, &c->variants[k]);
        }
    }
}

static bool any_figure(const fs_validation_case *c) {
    bool any = false;
    for (size_t i = 0; i < c->claim_count; i++)
        any = any || c->claims[i].relation == NULL;
    return any;
}

static void put_figure(document *m, const fs_claim *f) {
    static const char *const uses[] = {"exact", "fitted on", "predicted", "goes in", ""};
    fs_arena *a = m->arena;
    PUT_ROW(m, f->name, f->fits ? "predicted; fitted on" : uses[f->use],
            fs_words_value(a, f->published, f->unit), fs_words_number(a, f->median),
            fs_words_change(a, f->error), fs_words_number(a, f->other), fs_words_change(a, f->other_error),
            fs_words_number(a, f->baseline));
}

/* What a case's figures are, with and without what was fitted. */
static void put_figures(document *m, const fs_validation_case *c) {
    const bool fitted = m->v->fitted_by_default;
    const char *const heads[] = {"figure",    "use",
                                 "published", fitted ? "fitted" : "unfitted",
                                 "error",     fitted ? "unfitted" : "fitted",
                                 "error",     "without a model",
                                 NULL};
    if (!any_figure(c))
        return;
    put_heads(m, heads, 2);
    for (size_t i = 0; i < c->claim_count; i++)
        if (c->claims[i].relation == NULL)
            put_figure(m, &c->claims[i]);
}

/* What the paper describes, and what was found. */
static void put_behaviours(document *m, const fs_validation_case *c) {
    for (size_t i = 0; i < c->claim_count; i++) {
        const fs_claim *f = &c->claims[i];
        if (f->relation == NULL)
            continue;
        fs_page_text_print(&m->text, "\n- %s: %s%s%s", plain(m, f->name), fs_claim_state(f, m->arena),
                           f->words == NULL ? "" : ", ", f->words == NULL ? "" : plain(m, f->words));
        if (i + 1 == c->claim_count)
            end_line(m);
    }
}

static void put_readings(document *m, const fs_validation_case *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->choice_count; i++) {
        const fs_choice *choice = &c->choices[i];
        if (!isnan(choice->mean_error))
            fs_page_text_print(&m->text, "%sRead as %s (%s): off by %s on average.",
                               count++ == 0 ? "\n" : " ", plain(m, choice->name), plain(m, choice->sets),
                               fs_words_share(m->arena, choice->mean_error));
    }
    if (count > 0)
        end_line(m);
}

/* The cases that the paper's document lists, one after the other, and what there is to say of them. */
static void put_tables(document *m) {
    const fs_paper *paper = m->v->paper;
    for (size_t t = 0; t < paper->table_count; t++)
        for (size_t i = 0; i < m->v->case_count; i++) {
            const fs_validation_case *c = &m->v->cases[i];
            if (strcmp(c->name, paper->tables[t]) != 0)
                continue;
            fs_page_text_print(&m->text, "\n**%s: %s.** %s\n", plain(m, c->source), plain(m, c->title),
                               plain(m, c->about));
            put_figures(m, c);
            put_behaviours(m, c);
            put_readings(m, c);
        }
    for (size_t i = 0; i < paper->note_count; i++)
        fs_page_text_print(&m->text, "\n%s\n", paper->notes[i]);
}

/* The paper's charts as far as they are drawn; where it names none, published against simulated. */
static fs_status put_charts(document *m, fs_error *err) {
    const fs_paper *paper = m->v->paper;
    for (size_t i = 0; i < paper->chart_count; i++) {
        const fs_validation_picture *q = fs_validation_named(m->d, paper->charts[i]);
        if (q != NULL && put_picture(m, q, err))
            return err->status;
    }
    const fs_validation_picture *q = NULL;
    while (paper->chart_count == 0 && (q = fs_validation_next(m->d, FS_PICTURE_SCATTER, NULL, q)) != NULL)
        if (put_picture(m, q, err))
            return err->status;
    return FS_OK;
}

fs_status fs_validation_markdown(const fs_validation *v, const char *folder, const char *docs,
                                 fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_validation_drawing d = {
        .v = v, .arena = arena, .target = fs_arena_printf(arena, "%s/pictures", folder)};
    document m = {.v = v,
                  .arena = arena,
                  .d = &d,
                  .pictures = fs_arena_printf(arena, "%s/%s", docs, v->paper->document)};
    fs_status status = fs_validation_draw(&d, FS_PLOT_PNG, err);
    if (status == FS_OK)
        status = clear(&m, docs, err);
    put_verdict(&m);
    put_scores(&m);
    put_failures(&m);
    put_tables(&m);
    if (status == FS_OK)
        status = put_charts(&m, err);
    if (status == FS_OK)
        status = fs_page_text_save(&m.text, docs, v->paper->document, ending, err);
    free(m.text.text);
    fs_status closed = fs_validation_drawing_end(&d, status == FS_OK, err);
    fs_arena_free(arena);
    return status ? status : closed;
}
