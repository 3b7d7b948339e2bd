/* The page over several papers: how well each is met, and where its own page is. */
#include "validation/page/page.h"

#include "reports/sheet/sheet.h"
#include "validation/cases/words.h"

static void put_share(fs_rows *t, fs_arena *arena, double share) {
    fs_cell_number(t, fs_words_share(arena, share), share);
}

static void put_part(fs_rows *t, fs_arena *arena, size_t part, size_t whole) {
    fs_cell_number(t, fs_arena_printf(arena, "%zu / %zu", part, whole), (double)part);
}

static void put_paper(fs_rows *t, fs_arena *arena, const fs_validation *v) {
    const fs_scores *scores = fs_scores_shown(v);
    fs_rows_add(t);
    fs_cell_head(t, "<a href=\"%s/validation.html\">%s</a>", v->paper->name, v->paper->title);
    fs_cell_say(t, "%s, %s, %d", v->paper->authors, v->paper->where, (int)v->paper->year);
    fs_cell_add(t, (fs_cell_more){.look = "words"});
    put_share(t, arena, scores->mean_error);
    put_part(t, arena, scores->failed, scores->predicted);
    put_share(t, arena, scores->baseline_error);
    put_part(t, arena, scores->in_range, scores->ranged);
    put_share(t, arena, v->paper->aim);
    put_share(t, arena, scores->order);
    put_share(t, arena, scores->within);
    put_part(t, arena, v->structure_exact, v->structure_count);
    put_part(t, arena, v->behaviour_holds, v->behaviour_count);
}

fs_status fs_validations_overview(const fs_validation *v, size_t count, const char *folder, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_sheet *sheet = fs_sheet_create("Papers, predicted and measured against");
    fs_sheet_section(sheet, "papers", "Papers", NULL);
    fs_rows *t = fs_sheet_table(
        sheet, NULL, "paper", "by", "#mean error [held out]|a failed figure counts as 100 %", "#failed",
        "#without a model|mean error of the baseline on the same figures",
        "#in range|published values in the range that uncertain parameters leave of the prediction", "#aim",
        "#published order", "#within stand-ins", "#structure exact", "#behaviours seen", NULL);
    for (size_t i = 0; i < count; i++)
        put_paper(t, arena, &v[i]);
    fs_status status = fs_sheet_write(sheet, fs_arena_printf(arena, "%s/validation.html", folder), err);
    fs_sheet_free(sheet);
    fs_arena_free(arena);
    return status;
}
