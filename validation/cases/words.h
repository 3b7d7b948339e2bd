/* What a validation says in words and numbers: shared by its table, its page and its document. */
#pragma once

#include "validation/cases/cases.h"

/* It counts for the scores. */
bool fs_claim_scored(const fs_validation_case *of, const fs_claim *claim);
/* There is a simulated figure. */
bool fs_claim_there(const fs_claim *claim);
/* What it adds to a mean error: |error|; 1, all of it, where the figure failed or has no number. */
double fs_claim_miss(const fs_claim *claim);
/* Why there is none, a line for each stand-in that says so; and the first of them alone. */
const char *fs_claim_why(const fs_claim *claim);
const char *fs_claim_first_why(const fs_claim *claim, fs_arena *arena);
/* "exact", "differs", "goes in", "failed", "within 7 %", "off by more than 7 %", "for calibration", "holds",
 * "does not hold", "missing".
 */
const char *fs_claim_state(const fs_claim *claim, fs_arena *arena);
/* How many of the stand-ins gave nothing. */
size_t fs_claim_failed(const fs_validation_case *of, const fs_claim *claim);

/* A case's variant of a figure; NULL: it has none. */
const fs_variant *fs_claim_variant(const fs_validation_case *of, const fs_claim *claim);

/* Numbers as people read them; "–" for NAN. */
const char *fs_words_value(fs_arena *arena, double value, const char *unit); /* "1.121 s" */
const char *fs_words_number(fs_arena *arena, double value);
const char *fs_words_range(fs_arena *arena, double low, double high);
const char *fs_words_share(fs_arena *arena, double share);   /* "6.1 %" */
const char *fs_words_change(fs_arena *arena, double change); /* "+6.1 %", "-0.4 %" */
/* A path as far as it is the same on every host: from configs/ on, or its last part. */
const char *fs_words_path(fs_arena *arena, const char *path);
/* A count and its noun: "1 stand-in", "6 stand-ins". */
const char *fs_words_count(fs_arena *arena, size_t count, const char *noun);

/* "the model wins", "the baseline wins", "neither wins", by the mean errors; "" without a baseline. */
const char *fs_words_winner(double model, double baseline);
/* "12 of 37": published values in the predicted range, and figures that state one. */
const char *fs_words_ranged(fs_arena *arena, const fs_scores *scores);

/* "Times" of "times". */
const char *fs_words_capital(fs_arena *arena, const char *words);
