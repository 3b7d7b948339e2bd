/* The verdict on the model, in sentences and scores: what page and document begin with. */
#pragma once

#include "reports/sheet/sheet.h"
#include "validation/cases/cases.h"

/* The sentences to take away, most important first; [*count]. */
const char *const *fs_validation_verdict(const fs_validation *v, fs_arena *arena, size_t *count);

/* The scores as cards: name, value, what is aimed at ("" where nothing is), and the value of what knows
 * nothing of the machine ("", "–"); [*count]. */
typedef struct fs_score {
    const char *name, *value, *aim, *baseline;
} fs_score;
const fs_score *fs_validation_scores(const fs_validation *v, fs_arena *arena, size_t *count);

/* The same as a table at the end of a sheet; and each table predicted from the others, NULL: none is. */
fs_rows *fs_validation_put_scores(const fs_validation *v, fs_sheet *sheet);
fs_rows *fs_validation_put_tables(const fs_validation *v, fs_sheet *sheet);
/* What was drawn. */
void fs_validation_put_priors(const fs_validation *v, fs_sheet *sheet);
