/* The page over several papers: how well each is met, and where its own page is. */
#include "validation/page/page.h"

#include "reports/page/page.h"
#include "validation/cases/words.h"

static void put_share(fs_page *page, fs_arena *arena, double share) {
    fs_page_cell_number(page, fs_words_share(arena, share), share);
}

static void put_part(fs_page *page, fs_arena *arena, size_t part, size_t whole) {
    fs_page_cell_number(page, fs_arena_printf(arena, "%zu / %zu", part, whole), (double)part);
}

static void put_paper(fs_page *page, fs_arena *arena, const fs_validation *v) {
    const fs_scores *scores = fs_scores_shown(v);
    fs_page_row(page);
    fs_page_put(
        page,
        "<th scope=\"row\"><a href=\"%s/validation.html\">%s</a></th><td class=\"words\">%s, %s, %d</td>",
        v->paper->name, v->paper->title, v->paper->authors, v->paper->where, (int)v->paper->year);
    put_share(page, arena, scores->mean_error);
    put_part(page, arena, scores->failed, scores->predicted);
    put_share(page, arena, scores->baseline_error);
    put_part(page, arena, scores->in_range, scores->ranged);
    put_share(page, arena, v->paper->aim);
    put_share(page, arena, scores->order);
    put_share(page, arena, scores->within);
    put_part(page, arena, v->structure_exact, v->structure_count);
    put_part(page, arena, v->behaviour_holds, v->behaviour_count);
}

fs_status fs_validations_overview(const fs_validation *v, size_t count, const char *folder, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_page *page = fs_page_create("Papers, predicted and measured against");
    fs_page_section(page, "papers", "Papers");
    fs_page_heads(page, NULL, "paper", "by", "#mean error [held out]|a failed figure counts as 100 %",
                  "#failed", "#without a model|mean error of the baseline on the same figures",
                  "#in range|published values in the range that uncertain parameters leave of the prediction",
                  "#aim", "#published order", "#within stand-ins", "#structure exact", "#behaviours seen",
                  NULL);
    for (size_t i = 0; i < count; i++)
        put_paper(page, arena, &v[i]);
    fs_page_table_end(page);
    fs_status status = fs_page_write(page, fs_arena_printf(arena, "%s/validation.html", folder), err);
    fs_page_free(page);
    fs_arena_free(arena);
    return status;
}
