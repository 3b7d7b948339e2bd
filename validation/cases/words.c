/* What a validation says: states of claims, numbers, changes, counts. */
#include "validation/cases/words.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- claims ---- */

bool fs_claim_scored(const fs_validation_case *of, const fs_claim *claim) {
    return of->scored && !of->left_aside && claim->use == FS_USE_PREDICT && !claim->again;
}

bool fs_claim_there(const fs_claim *claim) {
    return isfinite(claim->median);
}

double fs_claim_miss(const fs_claim *claim) {
    return isfinite(claim->error) ? fabs(claim->error) : 1;
}

const char *fs_claim_why(const fs_claim *claim) {
    return claim->missing != NULL && claim->missing[0] != '\0' ? claim->missing : "not simulated";
}

const char *fs_claim_first_why(const fs_claim *claim, fs_arena *arena) {
    const char *why = fs_claim_why(claim);
    return fs_arena_printf(arena, "%.*s", (int)strcspn(why, "\n"), why);
}

size_t fs_claim_failed(const fs_validation_case *of, const fs_claim *claim) {
    size_t failed = 0;
    for (size_t i = 0; claim->simulated != NULL && i < of->standin_count; i++)
        failed += !isfinite(claim->simulated[i]) ? 1 : 0;
    return failed;
}

const char *fs_claim_state(const fs_claim *claim, fs_arena *arena) {
    if (claim->use == FS_USE_BEHAVIOUR)
        return claim->reached ? "holds" : fs_claim_there(claim) ? "does not hold" : "not shown";
    if (!fs_claim_there(claim))
        return claim->failed ? "failed" : "missing";
    if (claim->use == FS_USE_INPUT)
        return "goes in";
    if (claim->use == FS_USE_CALIBRATE)
        return "for calibration";
    if (claim->use == FS_USE_STRUCTURE)
        return claim->reached ? "exact" : "differs";
    if (!isfinite(claim->error))
        return "shown beside";
    return fs_arena_printf(arena, claim->reached ? "within %s" : "off by more than %s",
                           fs_words_share(arena, claim->tolerance));
}

const fs_variant *fs_claim_variant(const fs_validation_case *of, const fs_claim *claim) {
    for (size_t i = 0; claim->variant != NULL && i < of->variant_count; i++)
        if (strcmp(of->variants[i].name, claim->variant) == 0)
            return &of->variants[i];
    return NULL;
}

/* ---- numbers ---- */

const char *fs_words_number(fs_arena *arena, double value) {
    return isfinite(value) ? fs_arena_strdup(arena, fs_number_in(value, "", 4)) : FS_NO_NUMBER;
}

const char *fs_words_value(fs_arena *arena, double value, const char *unit) {
    const char *number = fs_words_number(arena, value);
    return !isfinite(value) || unit[0] == '\0' ? number : fs_arena_printf(arena, "%s %s", number, unit);
}

const char *fs_words_range(fs_arena *arena, double low, double high) {
    const char *from = fs_words_number(arena, low), *to = fs_words_number(arena, high);
    return !isfinite(low) || !isfinite(high) ? FS_NO_NUMBER
           : strcmp(from, to) == 0           ? from
                                             : fs_arena_printf(arena, "%s to %s", from, to);
}

const char *fs_words_share(fs_arena *arena, double share) {
    return isfinite(share) ? fs_arena_strdup(arena, fs_number_share(share)) : FS_NO_NUMBER;
}

const char *fs_words_change(fs_arena *arena, double change) {
    return isfinite(change) ? fs_arena_strdup(arena, fs_number_change(change)) : FS_NO_NUMBER;
}

const char *fs_words_path(fs_arena *arena, const char *path) {
    static const char root[] = "configs/";
    const char *last = strrchr(path, '/'), *from = NULL;
    for (const char *at = path; (at = strstr(at, root)) != NULL; at++)
        if (at == path || at[-1] == '/')
            from = at;
    return fs_arena_strdup(arena, from != NULL ? from : last != NULL ? last + 1 : path);
}

const char *fs_words_count(fs_arena *arena, size_t count, const char *noun) {
    return fs_arena_printf(arena, "%s %s%s", fs_number_grouped((double)count), noun, count == 1 ? "" : "s");
}

const char *fs_words_winner(double model, double baseline) {
    return isnan(baseline)    ? ""
           : model < baseline ? "the model wins"
           : baseline < model ? "the baseline wins"
                              : "neither wins";
}

const char *fs_words_ranged(fs_arena *arena, const fs_scores *scores) {
    return fs_arena_printf(arena, "%zu of %zu", scores->in_range, scores->ranged);
}

const char *fs_words_capital(fs_arena *arena, const char *words) {
    char *out = fs_arena_strdup(arena, words);
    if (out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
    return out;
}
