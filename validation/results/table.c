/* The terminal's table: published, simulated, interval, error, use; then the scores. */
#include "sim/base/numbers.h"
#include "validation/cases/words.h"
#include "validation/results/results.h"

#include <math.h>
#include <string.h>

/* On a terminal. */
static const char *number(double value) {
    return isfinite(value) ? fs_number_in(value, "", 4) : "-";
}

static const char *share(double value) {
    return isfinite(value) ? fs_number_share(value) : "-";
}

static const char *change(double value) {
    return isfinite(value) ? fs_number_change(value) : "-";
}

static void put_range(double low, double high, FILE *out) {
    char text[64] = "";
    if (isfinite(low) && low != high)
        snprintf(text, sizeof text, "%s ... %s", number(low), number(high));
    fprintf(out, " %-17s", text);
}

static int name_width(const fs_validation_case *c) {
    size_t width = 24;
    for (size_t i = 0; i < c->claim_count; i++)
        if (strlen(c->claims[i].name) > width)
            width = strlen(c->claims[i].name);
    return width > 44 ? 44 : (int)width;
}

/* What a reader looks for: reached or not, and whether it could have been otherwise. */
static const char *mark_of(const fs_claim *f) {
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

/* With sensitivities the interval of the median over the uncertain parameters has a column of its own. */
static void print_figure(const fs_claim *f, int width, bool uncertainty, FILE *out) {
    if (f->use == FS_USE_BEHAVIOUR) {
        fprintf(out, "  %-*s  %s  [%s]\n", width, f->name, mark_of(f), f->words);
        return;
    }
    fprintf(out, "  %-*s  %10s %10s ", width, f->name, number(f->published), number(f->median));
    put_range(f->low, f->high, out);
    if (uncertainty)
        put_range(f->uncertain_low, f->uncertain_high, out);
    fprintf(out, " %8s  %-9s %s\n", change(f->error), fs_use_words[f->use], mark_of(f));
}

static void print_failures(const fs_validation_case *c, FILE *out) {
    for (size_t i = 0; i < c->variant_count; i++)
        if (c->variants[i].failed != NULL)
            fprintf(out, "  %s%sfailed: %s\n", c->variants[i].name, c->variants[i].name[0] == '\0' ? "" : " ",
                    c->variants[i].failed);
}

static void print_case(const fs_validation_case *c, FILE *out) {
    const int width = name_width(c);
    fprintf(out, "\n%s  (%s; %zu stand-in%s)\n", c->title, c->source, c->standin_count,
            c->standin_count == 1 ? "" : "s");
    fprintf(out, "  %-*s  %10s %10s  %-17s", width, "", "published", "simulated", "range");
    if (c->sensitivity_count > 0)
        fprintf(out, " %-17s", "uncertain");
    fprintf(out, " %8s\n", "error");
    for (size_t i = 0; i < c->claim_count; i++)
        print_figure(&c->claims[i], width, c->sensitivity_count > 0, out);
    print_failures(c, out);
    if (isfinite(c->mean_error))
        fprintf(out, "  mean error of what is predicted: %.1f %%", 100 * c->mean_error);
    if (isfinite(c->order))
        fprintf(out, "%spairs in the published order: %.0f %%", isfinite(c->mean_error) ? "; " : "  ",
                100 * c->order);
    if (isfinite(c->mean_error) || isfinite(c->order))
        fprintf(out, "\n");
    for (size_t i = 0; i < c->choice_count && isfinite(c->choices[i].mean_change); i++)
        fprintf(out, "  read otherwise, %s: times %s, mean error %s\n", c->choices[i].name,
                change(c->choices[i].mean_change), share(c->choices[i].mean_error));
}

/* A score without and with what was fitted; the default in front. */
static void print_score(const char *name, double value, double other, const char *aim, FILE *out) {
    if (!isfinite(value) && !isfinite(other))
        return;
    fprintf(out, "  %-46s %6.1f %%", name, 100 * value);
    if (isfinite(other))
        fprintf(out, "   %6.1f %%", 100 * other);
    fprintf(out, "%s%s\n", aim[0] == '\0' ? "" : "   ", aim);
}

static void print_scores(const fs_validation *v, FILE *out) {
    const fs_scores *a = v->fitted_by_default ? &v->fitted : &v->unfitted;
    const fs_scores *b = v->fitted_by_default ? &v->unfitted : &v->fitted;
    const char *names[] = {"unfitted", "fitted"};
    if (isfinite(b->mean_error))
        fprintf(out, "  %-46s %8s   %8s\n", "", names[v->fitted_by_default], names[!v->fitted_by_default]);
    const fs_paper *p = v->paper;
    print_score("mean error", a->mean_error, b->mean_error,
                fs_arena_printf(v->arena, "(aim %s, stretch %s)", fs_words_share(v->arena, p->aim),
                                fs_words_share(v->arena, p->stretch)),
                out);
    print_score("  without saturated cases", a->mean_error_plain, b->mean_error_plain, "", out);
    print_score("  saturated cases alone", a->mean_error_saturated, b->mean_error_saturated, "", out);
    print_score("published values within the stand-ins' range", a->within, b->within, "", out);
    print_score("pairs in the published order", a->order, b->order,
                fs_arena_printf(v->arena, "(aim %s)", fs_words_share(v->arena, p->order)), out);
    print_score("  by the baseline", a->baseline_order, (double)NAN, fs_paper_baselines(v->arena, p, true),
                out);
}

void fs_validation_print(const fs_validation *v, FILE *out) {
    fprintf(out, "%s\nfoamsim %s; %zu stand-in%s; fitted: %s\n", fs_paper_reference(v->arena, v->paper),
            v->version, v->standin_count, v->standin_count == 1 ? "" : "s", v->calibration);
    for (size_t i = 0; i < v->case_count; i++)
        print_case(&v->cases[i], out);
    fprintf(out, "\nScores\n");
    if (v->structure_count > 0)
        fprintf(out, "  %-46s %zu of %zu\n", "structure exact", v->structure_exact, v->structure_count);
    if (v->behaviour_count > 0)
        fprintf(out, "  %-46s %zu of %zu\n", "behaviour holds", v->behaviour_holds, v->behaviour_count);
    print_scores(v, out);
    const char *lines[FS_HEADLINES];
    fs_validation_headlines(v, v->arena, lines);
    for (size_t i = 0; i < FS_HEADLINES; i++)
        fprintf(out, "%s\n", lines[i]);
}

void fs_validation_headlines(const fs_validation *v, fs_arena *arena, const char *lines[FS_HEADLINES]) {
    const fs_scores *s = fs_scores_shown(v);
    const char *failed =
        s->failed == 0
            ? ""
            : fs_arena_printf(arena, ", %zu of %zu failed, each counted as 100 %%", s->failed, s->predicted);
    lines[0] = fs_arena_printf(arena, "mean error of predicted figures  %s%s",
                               fs_words_share(arena, s->mean_error), failed);
    lines[1] = isnan(s->baseline_error)
                   ? "without a model  –"
                   : fs_arena_printf(arena, "without a model  %s on the same figures: %s (%s)",
                                     fs_words_share(arena, s->baseline_error), fs_words_winner(s),
                                     fs_paper_baselines(arena, v->paper, false));
    lines[2] = fs_arena_printf(arena, "failed figures  %zu", s->failed);
    lines[3] = fs_arena_printf(arena, "published values in their predicted range  %s%s",
                               fs_words_ranged(arena, s), s->ranged == 0 ? " (none is stated)" : "");
}

void fs_validations_print(const fs_validation *v, size_t count, FILE *out) {
    fprintf(out, "\n%-24s %8s %10s %7s %15s %9s %10s %12s %12s\n", "paper", "figures", "mean error", "failed",
            "without a model", "in range", "order", "structure", "behaviours");
    for (size_t i = 0; i < count; i++) {
        const fs_scores *s = fs_scores_shown(&v[i]);
        fprintf(out, "%-24s %8zu %10s %7zu", v[i].paper->name, s->predicted, share(s->mean_error), s->failed);
        fprintf(out, " %15s %9s", share(s->baseline_error), fs_words_ranged(v[i].arena, s));
        fprintf(out, " %10s %5zu of %3zu %5zu of %3zu\n", share(s->order), v[i].structure_exact,
                v[i].structure_count, v[i].behaviour_holds, v[i].behaviour_count);
    }
}
