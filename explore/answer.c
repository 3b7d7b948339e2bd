/* A price as the page and programs are told it. */
#include "explore/private.h"

#include "sim/base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *fs_explore_text(const char *text) {
    json_t *out = json_string(text);
    if (out != NULL)
        return out;
    char *plain = fs_strdup(text);
    for (char *c = plain; *c != '\0'; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    out = json_string(plain);
    free(plain);
    return out;
}

json_t *fs_explore_set_texts(const fs_explore_sets *sets) {
    json_t *out = json_array();
    for (size_t i = 0; i < sets->count; i++)
        json_array_append_new(out, fs_explore_text(sets->set[i]));
    return out;
}

/* ---- figures ---- */

typedef struct figures {
    json_t *out;
    const fs_figure *figure; /* in the order of the summary */
    size_t at;
    const char *only;
} figures;

/* One of the names with commas between them. */
static bool is_asked(const char *only, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = only; at != NULL; at = strchr(at, ',') == NULL ? NULL : strchr(at, ',') + 1)
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    return only == NULL;
}

static fs_status add_figure(void *self, const char *name, const json_t *value, fs_error *err) {
    (void)err;
    figures *f = self;
    const fs_figure *figure = &f->figure[f->at++];
    if (is_asked(f->only, name))
        json_object_set_new(f->out, name,
                            json_pack("{s:o, s:s}", "value", json_deep_copy(value), "unit", figure->unit));
    return FS_OK;
}

/* ---- what is wrong with it ---- */

/* As pages of sweeps have it: a share in per cent, else with its unit. */
static bool know_value(void *self, const char *name, fs_number_value *out) {
    const fs_figure *figure = self;
    *out = (fs_number_value){.text = figure->row->says == FS_SAYS_SHARE
                                         ? fs_number_share(figure->value)
                                         : fs_number_with(figure->value, figure->unit)};
    return strcmp(name, "value") == 0;
}

static json_t *wrong_of(fs_arena *arena, const fs_folder *of) {
    json_t *out = json_array();
    size_t count = 0;
    const fs_figure *figure = fs_folder_figures(of, &count);
    for (size_t i = 0; i < count; i++) {
        const fs_stat *row = figure[i].row;
        if (row == NULL || row->wrong == NULL || isnan(figure[i].value))
            continue;
        const bool wrong = row->type == FS_STAT_BOOL       ? figure[i].value == 0
                           : row->better == FS_BETTER_MORE ? figure[i].value < row->bound
                                                           : figure[i].value > row->bound;
        const char *text =
            wrong ? fs_number_fill(arena, row->wrong, know_value, (void *)(uintptr_t)&figure[i]) : NULL;
        if (wrong)
            json_array_append_new(out,
                                  json_pack("{s:s, s:s, s:b}", "figure", row->name, "text",
                                            text == NULL ? row->wrong : text, "held", row->held != NULL));
    }
    return out;
}

/* ---- the page's first screen ---- */

static json_t *cards_of(fs_arena *arena, const fs_folder *of, const fs_page_plan *plan) {
    json_t *out = json_array();
    for (size_t i = 0; i < plan->card_count; i++) {
        const fs_plan_card *card = &plan->cards[i];
        const char *value = fs_fill(arena, of, card->value, NULL, NULL),
                   *more = fs_fill(arena, of, card->more, NULL, NULL);
        const bool stands = card->when == NULL || fs_folder_number(of, card->when) != 0;
        if (value == NULL || !stands)
            continue;
        const size_t n = strcspn(card->value + 1, "}|");
        const fs_figure *figure =
            fs_folder_figure(of, fs_arena_printf(arena, "%.*s", (int)n, card->value + 1));
        const char *label = card->label != NULL                     ? card->label
                            : figure != NULL && figure->row != NULL ? figure->row->label
                                                                    : NULL;
        json_array_append_new(out,
                              json_pack("{s:s, s:s, s:s, s:s}", "label", label == NULL ? card->value : label,
                                        "value", value, "more", more == NULL ? "" : more, "figure",
                                        figure == NULL ? "" : figure->name));
    }
    return out;
}

static json_t *parts_of(fs_folder *of, const fs_page_plan *plan) {
    enum { PARTS = 8 };
    fs_time_part part[PARTS];
    json_t *out = json_array();
    const size_t count = fs_time_parts(of, plan, part, PARTS);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(out, json_pack("{s:s, s:s, s:f}", "label", part[i].label, "colour",
                                             part[i].colour, "share", part[i].share));
    return out;
}

/* Its rungs, with the plan's words for them. */
static json_t *ladder_of(fs_arena *arena, const json_t *rungs, const fs_page_plan *plan) {
    json_t *out = rungs == NULL ? json_array() : json_deep_copy(rungs);
    for (size_t i = 0; plan != NULL && i < json_array_size(out); i++) {
        json_t *rung = json_array_get(out, i);
        const char *name = json_string_value(json_object_get(rung, "name"));
        json_object_set_new(rung, "said", json_string(fs_what_words(arena, plan, name)));
    }
    return out;
}

json_t *fs_explore_answer(const fs_explore *x, const fs_explored *known, const char *only) {
    fs_arena *arena = fs_arena_create();
    fs_error none = {0}; /* adding never fails */
    const fs_page_plan *plan = x->workload->page;
    fs_folder *of = fs_folder_of_summary(arena, known->summary, x->workload->stats);
    size_t count = 0;
    figures f = {.out = json_object(), .figure = fs_folder_figures(of, &count), .only = only};
    fs_results_json_each(known->summary, add_figure, &f, &none);
    json_t *out = json_pack("{s:o, s:o, s:s}", "figures", f.out, "wrong", wrong_of(arena, of), "layer",
                            fs_layer_words[known->layer]);
    if (only == NULL) {
        const char *limit = plan == NULL ? NULL : fs_folder_limit(arena, of, plan);
        json_object_set_new(out, "pace", limit == NULL ? json_null() : json_string(limit));
        json_object_set_new(out, "ladder", ladder_of(arena, known->ladder, plan));
        json_object_set_new(out, "parts", plan == NULL ? json_array() : parts_of(of, plan));
        json_object_set_new(out, "cards", plan == NULL ? json_array() : cards_of(arena, of, plan));
        json_object_set(out, "tiles", known->tiles == NULL ? json_null() : known->tiles);
    }
    fs_arena_free(arena);
    return out;
}
