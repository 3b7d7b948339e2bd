/* The document of a paper: verdict, scores and the paper's charts. All else is the page's. */
#include "validation/page/page.h"

#include "reports/page/page_file.h"
#include "reports/sheet/sheet.h"
#include "sim/base/arith.h"
#include "sim/host/file.h"
#include "validation/page/charts.h"
#include "validation/results/columns.h"
#include "validation/results/verdict.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = "md"; /* of a document's name */

/* Cells up to NULL. */
static void put_row(fs_rows *t, const char *const *cells) {
    fs_rows_add(t);
    for (; *cells != NULL; cells++)
        fs_cell(t, *cells);
}
#define PUT_ROW(t, ...) put_row(t, (const char *const[]){__VA_ARGS__, NULL})

/* Removes the pictures that the document showed until now. Others in their folder are somebody's. */
static fs_status clear(fs_arena *arena, const char *docs, const char *name, fs_error *err) {
    const char *pictures = fs_arena_printf(arena, "%s/%s", docs, name);
    fs_error none = {0};
    if (fs_dir_make(pictures, err))
        return err->status;
    DIR *directory = opendir(pictures);
    if (directory == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", pictures, strerror(errno));
    char *before = fs_page_read(fs_arena_printf(arena, "%s/%s.%s", docs, name, ending), NULL, &none);
    for (struct dirent *entry; before != NULL && (entry = readdir(directory)) != NULL;)
        if (strstr(before, fs_arena_printf(arena, "](%s/%s)", name, entry->d_name)) != NULL)
            unlinkat(dirfd(directory), entry->d_name, 0);
    free(before);
    closedir(directory);
    return FS_OK;
}

/* ---- sections ---- */

static void put_verdict(const fs_validation_sheet *p) {
    const fs_validation *v = p->v;
    size_t count = 0;
    const char *const *sentence = fs_validation_verdict(v, p->arena, &count);
    fs_sheet_say(p->sheet, "%s", fs_paper_reference(p->arena, v->paper));
    fs_sheet_markdown(
        p->sheet,
        fs_arena_printf(
            p->arena,
            "Written by `make validate-docs` (%s). `foamsim validate --paper %s -o DIR` makes a page that "
            "holds the rest: every case\nwith its chart and errors, what the figures depend on, the "
            "stand-in scenes, behaviours, the machine alone, all figures,\nand where the paper is silent.",
            v->version == NULL ? "foamsim" : v->version, v->paper->name));
    fs_sheet_list(p->sheet, true, "findings");
    for (size_t i = 0; i < count; i++)
        fs_sheet_item(p->sheet, NULL, "%s", sentence[i]);
    fs_sheet_end(p->sheet);
}

/* Of a variant's stand-ins, those whose run failed, and why the first of them did. */
static void put_failure(const fs_validation_sheet *p, fs_rows *t, const fs_validation_case *c,
                        const fs_variant *variant) {
    size_t failed = 0;
    for (size_t s = 0; s < c->standin_count; s++)
        failed += variant->points != NULL && variant->points[s] == NULL;
    PUT_ROW(t, c->title, variant->name, fs_arena_printf(p->arena, "%zu of %zu", failed, c->standin_count),
            fs_arena_printf(p->arena, "%.*s", (int)strcspn(variant->failed, "\n"), variant->failed));
}

/* Runs that failed in cases that count: what is not simulated is no smaller error. */
static void put_failures(const fs_validation_sheet *p) {
    fs_rows *t = NULL;
    for (size_t i = 0; i < p->v->case_count; i++) {
        const fs_validation_case *c = &p->v->cases[i];
        for (size_t k = 0; k < c->variant_count && c->scored && !c->left_aside; k++) {
            if (c->variants[k].failed == NULL)
                continue;
            if (t == NULL)
                t = fs_sheet_table(p->sheet, NULL, "case", "run", "stand-ins that failed",
                                   "the first of them", NULL);
            put_failure(p, t, c, &c->variants[k]);
        }
    }
}

static const char *use(const fs_claim *c, const fs_validation_case *of, fs_arena *arena) {
    static const char *const uses[] = {"exact", "of the scene", "predicted", "goes in", ""};
    (void)arena;
    (void)of;
    return uses[c->use];
}

/* What a case's figures are: by the draws, and by the paper's other tables. */
static void put_figures(const fs_validation_sheet *p, const fs_validation_case *c) {
    static const fs_claim_column columns[] = {
        FS_CLAIM_OF("figure", TEXT, name),
        FS_CLAIM_SAYS("use", use),
        FS_CLAIM_OF("published", VALUE, published),
        FS_CLAIM_OF("predicted", REAL, median),
        FS_CLAIM_OF("four fifths", RANGE, low),
        FS_CLAIM_OF("error", CHANGE, error),
        FS_CLAIM_OF("by the other tables", REAL, held.median),
        FS_CLAIM_OF("its four fifths", RANGE, held.low),
        FS_CLAIM_OF("baseline by the same", REAL, held_baseline.median)};
    fs_rows *t = NULL;
    for (size_t i = 0; i < c->claim_count; i++) {
        if (c->claims[i].relation != NULL)
            continue;
        t = t == NULL ? fs_claim_table(p->sheet, columns, FS_COUNT(columns)) : t;
        fs_claim_row(t, p->sheet, columns, FS_COUNT(columns), c, &c->claims[i]);
    }
}

/* What the paper describes, and what was found. */
static void put_behaviours(const fs_validation_sheet *p, const fs_validation_case *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->claim_count; i++) {
        const fs_claim *f = &c->claims[i];
        if (f->relation == NULL)
            continue;
        if (count++ == 0)
            fs_sheet_list(p->sheet, false, "");
        fs_sheet_item(p->sheet, NULL, "%s: %s%s%s", f->name, fs_claim_state(f, p->arena),
                      f->words == NULL ? "" : ", ", f->words == NULL ? "" : f->words);
    }
    if (count > 0)
        fs_sheet_end(p->sheet);
}

/* The cases that the paper's document lists, one after the other, and what there is to say of them. */
static void put_tables(const fs_validation_sheet *p) {
    const fs_paper *paper = p->v->paper;
    for (size_t t = 0; t < paper->table_count; t++)
        for (size_t i = 0; i < p->v->case_count; i++) {
            const fs_validation_case *c = &p->v->cases[i];
            if (strcmp(c->name, paper->tables[t]) != 0)
                continue;
            fs_sheet_say(p->sheet, "<b>%s: %s.</b> %s", c->source, c->title, c->about);
            put_figures(p, c);
            put_behaviours(p, c);
        }
    for (size_t i = 0; i < paper->note_count; i++)
        fs_sheet_markdown(p->sheet, paper->notes[i]);
}

/* The paper's charts as far as they can be drawn; where it names none, published against simulated. [*count] */
static const fs_validation_chart **charts_of(const fs_validation_sheet *p, size_t *count) {
    const fs_paper *paper = p->v->paper;
    const fs_validation_chart **chart = FS_NEW(p->arena, const fs_validation_chart *,
                                               p->charts + paper->chart_count + 1),
                              *q = NULL;
    *count = 0;
    for (size_t i = 0; i < paper->chart_count; i++)
        for (size_t k = 0; k < p->charts; k++)
            if (strcmp(p->chart[k].id, paper->charts[i]) == 0)
                chart[(*count)++] = &p->chart[k];
    while (paper->chart_count == 0 && (q = fs_validation_next(p, FS_VALIDATION_SCATTER, NULL, q)) != NULL)
        chart[(*count)++] = q;
    return chart;
}

/* The charts of the sheet, drawn in FOLDER/pictures, as small pictures of the document. */
static fs_status put_charts(fs_validation_sheet *p, const char *folder, const char *docs, fs_error *err) {
    const char *name = p->v->paper->document, *from = fs_arena_printf(p->arena, "%s/pictures", folder);
    size_t count = 0;
    const fs_validation_chart **chart = charts_of(p, &count);
    for (size_t i = 0; i < count; i++)
        if (fs_validation_draw(p, chart[i], err))
            return err->status;
    if (clear(p->arena, docs, name, err) ||
        fs_sheet_plot(p->sheet, from, FS_PLOT_PNG | FS_PLOT_BARE, NULL, 0, err))
        return err->status;
    for (size_t i = 0; i < count; i++)
        if (fs_page_shrink_png(fs_arena_printf(p->arena, "%s/%s.png", from, chart[i]->id),
                               fs_arena_printf(p->arena, "%s/%s/%s.png", docs, name, chart[i]->id), err))
            return err->status;
    return FS_OK;
}

fs_status fs_validation_document(const fs_validation *v, const char *folder, const char *docs,
                                 fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const char *name = v->paper->document;
    fs_validation_sheet p = fs_validation_sheet_of(v, arena, v->paper->heading);
    put_verdict(&p);
    fs_validation_put_scores(v, p.sheet);
    fs_validation_put_tables(v, p.sheet);
    fs_validation_put_priors(v, p.sheet);
    put_failures(&p);
    put_tables(&p);
    fs_status status = put_charts(&p, folder, docs, err);
    if (status == FS_OK) {
        char *text = fs_sheet_as_markdown(p.sheet, name);
        status = fs_file_write(fs_arena_printf(arena, "%s/%s.%s", docs, name, ending), text, strlen(text),
                               FS_LIGHT, err);
        free(text);
    }
    fs_sheet_free(p.sheet);
    fs_arena_free(arena);
    return status;
}
