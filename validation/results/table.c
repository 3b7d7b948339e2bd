/* The terminal's table: published, simulated, interval, error, use; then the scores. */
#include "reports/sheet/sheet.h"
#include "sim/base/arith.h"
#include "validation/cases/words.h"
#include "validation/results/columns.h"
#include "validation/results/results.h"
#include "validation/results/verdict.h"

#include <math.h>

/* What a reader looks for: reached or not, and whether it could have been otherwise. */
static const char *mark_of(const fs_claim *f, const fs_validation_case *of, fs_arena *arena) {
    (void)of;
    (void)arena;
    if (f->use == FS_USE_BEHAVIOUR)
        return f->reached ? "holds" : "FAILS";
    if (!isfinite(f->median))
        return f->failed ? "FAILED" : "no value";
    if (f->use == FS_USE_INPUT)
        return "";
    if (f->use == FS_USE_STRUCTURE)
        return f->reached ? "exact" : "NOT EXACT";
    return f->reached ? "reached" : f->within ? "in range" : "";
}

static const fs_claim_column columns[] = {FS_CLAIM_OF("", TEXT, name),
                                          FS_CLAIM_OF("published", REAL, published),
                                          FS_CLAIM_OF("simulated", REAL, median),
                                          FS_CLAIM_OF("range", RANGE, low),
                                          FS_CLAIM_OF("error", CHANGE, error),
                                          FS_CLAIM_USED("use", fs_use_words),
                                          FS_CLAIM_SAYS("result", mark_of),
                                          FS_CLAIM_OF("found", TEXT, words)};

static void print_failures(const fs_validation_case *c, FILE *out) {
    for (size_t i = 0; i < c->variant_count; i++)
        if (c->variants[i].failed != NULL)
            fprintf(out, "  %s%sfailed: %s\n", c->variants[i].name, c->variants[i].name[0] == '\0' ? "" : " ",
                    c->variants[i].failed);
}

static void print_case(const fs_validation_case *c, FILE *out) {
    enum { LONGEST = 60 };
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows *t = fs_claim_table(sheet, columns, FS_COUNT(columns));
    for (size_t i = 0; i < c->claim_count; i++)
        fs_claim_row(t, sheet, columns, FS_COUNT(columns), c, &c->claims[i]);
    fprintf(out, "\n%s  (%s; %zu stand-in%s)\n", c->title, c->source, c->standin_count,
            c->standin_count == 1 ? "" : "s");
    fs_rows_print(t, LONGEST, out);
    fs_sheet_free(sheet);
    print_failures(c, out);
    if (isfinite(c->mean_error))
        fprintf(out, "  mean error of what is predicted: %.1f %%", 100 * c->mean_error);
    if (isfinite(c->order))
        fprintf(out, "%spairs in the published order: %.0f %%", isfinite(c->mean_error) ? "; " : "  ",
                100 * c->order);
    if (isfinite(c->mean_error) || isfinite(c->order))
        fprintf(out, "\n");
}

void fs_validation_print(const fs_validation *v, FILE *out) {
    fprintf(out, "%s\nfoamsim %s; %s; %s\n", fs_paper_reference(v->arena, v->paper), v->version,
            fs_words_count(v->arena, v->standin_count, "stand-in"),
            v->drawn ? fs_words_count(v->arena, v->draw_count, "draw") : "nothing drawn");
    for (size_t i = 0; i < v->case_count; i++)
        print_case(&v->cases[i], out);
    fs_sheet *sheet = fs_sheet_create("");
    fputc('\n', out);
    fs_rows_print(fs_validation_put_scores(v, sheet), 0, out);
    const fs_rows *tables = fs_validation_put_tables(v, sheet);
    if (tables != NULL)
        fs_rows_print(tables, 0, out);
    fs_sheet_free(sheet);
    const char *lines[FS_HEADLINES];
    fs_validation_headlines(v, v->arena, lines);
    for (size_t i = 0; i < FS_HEADLINES; i++)
        fprintf(out, "%s\n", lines[i]);
}

void fs_validation_headlines(const fs_validation *v, fs_arena *arena, const char *lines[FS_HEADLINES]) {
    const fs_scores *s = &v->scores;
    const fs_table *t = &v->all_tables;
    const char *failed =
        s->failed == 0
            ? ""
            : fs_arena_printf(arena, ", %zu of %zu failed, each counted as 100 %%", s->failed, s->predicted);
    lines[0] = fs_arena_printf(arena, "mean error of predicted figures  %s%s",
                               fs_words_share(arena, s->mean_error), failed);
    lines[1] = isnan(s->baseline_error)
                   ? "without a model  –"
                   : fs_arena_printf(arena, "without a model  %s on the same figures: %s (%s)",
                                     fs_words_share(arena, s->baseline_error),
                                     fs_words_winner(s->mean_error, s->baseline_error),
                                     fs_paper_baselines(arena, v->paper, false));
    lines[2] = fs_arena_printf(arena, "failed figures  %zu", s->failed);
    lines[3] = fs_arena_printf(arena, "published values in their predicted range  %s%s",
                               fs_words_ranged(arena, s), s->ranged == 0 ? " (none is stated)" : "");
    lines[4] = fs_arena_printf(
        arena, "table by table  %s%s", fs_words_share(arena, t->mean_error),
        t->figures == 0
            ? ""
            : fs_arena_printf(
                  arena, ", the baseline with the same data %s%s, range holds %s, score %s",
                  fs_words_share(arena, t->baseline),
                  isnan(t->baseline)
                      ? ""
                      : fs_arena_printf(arena, " (%s)", fs_words_winner(t->mean_error, t->baseline)),
                  fs_words_share(arena, t->in_range), fs_words_share(arena, t->crps)));
}

/* ---- several papers ---- */

static void put_share(fs_rows *t, fs_arena *arena, double share) {
    fs_cell_number(t, fs_words_share(arena, share), share);
}

static void put_part(fs_rows *t, fs_arena *arena, size_t part, size_t whole) {
    fs_cell_number(t, fs_arena_printf(arena, "%zu / %zu", part, whole), (double)part);
}

fs_rows *fs_validations_put(const fs_validation *v, size_t count, fs_sheet *sheet) {
    fs_arena *arena = fs_sheet_arena(sheet);
    fs_rows *t = fs_sheet_table(sheet, NULL, "paper", "what and by whom",
                                "#mean error [held out]|a failed figure counts as 100 %", "#failed",
                                "#without a model|mean error of the baseline on the same figures",
                                "#in range|published values in the range that holds four fifths of the draws",
                                "#table by table|mean error, each table predicted from the others",
                                "#baseline|fitted on the same tables", "#range holds|table by table", "#aim",
                                "#published order", "#structure exact", "#behaviours seen", NULL);
    for (size_t i = 0; i < count; i++) {
        const fs_scores *s = &v[i].scores;
        const fs_table *all = &v[i].all_tables;
        const fs_paper *paper = v[i].paper;
        fs_rows_add(t);
        fs_cell_head(t, "<a href=\"%s/validation.html\">%s</a>", paper->name, paper->name);
        fs_cell_say(t, "%s, by %s, %s, %d", paper->title, paper->authors, paper->where, (int)paper->year);
        fs_cell_add(t, (fs_cell_more){.look = "words"});
        put_share(t, arena, s->mean_error);
        put_part(t, arena, s->failed, s->predicted);
        put_share(t, arena, s->baseline_error);
        put_part(t, arena, s->in_range, s->ranged);
        put_share(t, arena, all->mean_error);
        put_share(t, arena, all->baseline);
        put_share(t, arena, all->in_range);
        put_share(t, arena, paper->aim);
        put_share(t, arena, s->order);
        put_part(t, arena, v[i].structure_exact, v[i].structure_count);
        put_part(t, arena, v[i].behaviour_holds, v[i].behaviour_count);
    }
    return t;
}

void fs_validations_print(const fs_validation *v, size_t count, FILE *out) {
    enum { LONGEST = 28 };
    fs_sheet *sheet = fs_sheet_create("Papers");
    fputc('\n', out);
    fs_rows_print(fs_validations_put(v, count, sheet), LONGEST, out);
    fs_sheet_free(sheet);
}
