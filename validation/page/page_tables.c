/* The tables of a validation's page: what sets the pace, behaviours, checks of the machine, all figures. */
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "validation/cases/words.h"
#include "validation/machine/checks.h"
#include "validation/page/page_private.h"
#include "validation/results/columns.h"

#include <math.h>

static void put_words(fs_rows *t, const char *words) {
    fs_cell(t, words == NULL ? "" : words);
    fs_cell_add(t, (fs_cell_more){.look = "words"});
}

/* ---- pace ---- */

static void put_pace_row(fs_validation_sheet *p, fs_rows *t, const fs_pace *pace, double full) {
    const fs_pace_terms *terms = &p->v->paper->pace;
    double *shares = FS_NEW(p->arena, double, terms->share_count + 1);
    const char **names = FS_NEW(p->arena, const char *, terms->share_count + 1);
    const char **colours = FS_NEW(p->arena, const char *, terms->share_count + 1);
    for (size_t i = 0; i < terms->share_count; i++) {
        shares[i] = pace->shares[i] > 0 ? pace->shares[i] : 0;
        names[i] = terms->shares[i].name;
        colours[i] = terms->shares[i].colour;
    }
    fs_rows_add(t);
    fs_cell_head(t, "%s", pace->variant);
    fs_cell_stack(t, shares, names, colours, terms->share_count);
    for (size_t i = 0; i < terms->mean_count; i++)
        if (isnan(pace->means[i]))
            fs_cell_number(t, "", NAN);
        else
            fs_cell_bar(t, fs_number_grouped(pace->means[i]), pace->means[i], full, "plain");
    put_words(t, pace->words == NULL ? "" : pace->words);
}

static void put_case_pace(fs_validation_sheet *p, const fs_validation_case *of) {
    const fs_pace_terms *terms = &p->v->paper->pace;
    const size_t count = terms->mean_count + 3;
    fs_rows_column *columns = FS_NEW(p->arena, fs_rows_column, count);
    double full = 0;
    columns[0] = (fs_rows_column){"variant", NULL, false, NULL};
    columns[1] = (fs_rows_column){"pace set by", "share of iterations", false, NULL};
    for (size_t i = 0; i < terms->mean_count; i++)
        columns[2 + i] =
            (fs_rows_column){terms->means[i].name, "cycles an iteration", true, terms->means[i].about};
    columns[count - 1] = (fs_rows_column){"what it means", NULL, false, NULL};
    for (size_t i = 0; i < of->pace_count; i++)
        for (size_t k = 0; k < terms->mean_count; k++)
            full = of->paces[i].means[k] > full ? of->paces[i].means[k] : full;
    fs_sheet_say_as(p->sheet, "h3", "%s", of->title);
    fs_rows *t = fs_sheet_table_of(p->sheet, NULL, columns, count);
    for (size_t i = 0; i < of->pace_count; i++)
        put_pace_row(p, t, &of->paces[i], full);
}

void fs_validation_put_pace(fs_validation_sheet *p) {
    const fs_pace_terms *terms = &p->v->paper->pace;
    size_t count = 0;
    fs_sheet_section(p->sheet, "pace", "What sets the pace", "which role the iterations wait for");
    for (size_t i = 0; i < p->v->case_count; i++) {
        if (p->v->cases[i].pace_count == 0)
            continue;
        if (count++ == 0) {
            fs_sheet_say(p->sheet, "%s", terms->about);
            fs_sheet_box(p->sheet, "legend", NULL);
            for (size_t k = 0; k < terms->share_count; k++)
                fs_sheet_key(p->sheet, terms->shares[k].colour, terms->shares[k].name);
            fs_sheet_end(p->sheet);
        }
        put_case_pace(p, &p->v->cases[i]);
    }
    if (count == 0)
        fs_sheet_note(p->sheet, "No case says what set its pace.");
}

/* ---- behaviours ---- */

void fs_validation_put_behaviours(fs_validation_sheet *p) {
    fs_rows *t = NULL;
    fs_sheet_section(p->sheet, "behaviours", "Behaviours", "trends that the paper reports, kept or broken");
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++) {
            const fs_claim *c = &p->v->cases[i].claims[j];
            if (c->use != FS_USE_BEHAVIOUR)
                continue;
            if (t == NULL)
                t = fs_sheet_table(p->sheet, NULL, "what the paper describes", "seen",
                                   "#at least|the factor that the relation must reach",
                                   "#simulated|median over the stand-ins", "range", "what was found",
                                   "source", NULL);
            fs_rows_add(t);
            put_words(t, c->name);
            fs_cell(t, "");
            fs_cell_chip(t, c->reached ? "equal" : "worse", NULL, "", fs_claim_state(c, p->arena));
            fs_cell_number(t, fs_words_value(p->arena, c->published, c->unit), c->published);
            fs_cell_number(t, fs_words_value(p->arena, c->median, c->unit), c->median);
            fs_cell(t, fs_words_range(p->arena, c->low, c->high));
            put_words(t, c->words != NULL ? c->words : fs_claim_there(c) ? "" : fs_claim_why(c));
            fs_cell(t, c->source);
        }
    if (t == NULL)
        fs_sheet_note(p->sheet, "No behaviour was asked for.");
}

/* ---- checks of the machine ---- */

static fs_status put_kind_checks(fs_validation_sheet *p, const fs_machine_checks *kind,
                                 const fs_rows_column *columns, size_t column_count, fs_error *err) {
    fs_machine_check *check = FS_NEW(p->arena, fs_machine_check, kind->count);
    if (kind->simulate(check, err))
        return err->status;
    fs_rows *t = fs_sheet_table_of(
        p->sheet,
        fs_arena_printf(p->arena,
                        "Machines of kind %s: small programs on the whole of it, against what others "
                        "measured: figures that come out of the model and are none of its parameters.",
                        kind->kind),
        columns, column_count);
    for (size_t i = 0; i < kind->count; i++) {
        const fs_machine_check *c = &check[i];
        double error = fs_measured_error(c);
        fs_rows_add(t);
        put_words(t, c->name);
        fs_cell_number(t,
                       fs_arena_printf(p->arena, "%s %s",
                                       fs_words_range(p->arena, c->published_low, c->published_high),
                                       c->unit),
                       c->published_low);
        fs_cell_number(t, fs_words_value(p->arena, c->simulated, c->unit), c->simulated);
        fs_cell_number(t, fs_words_change(p->arena, error), error);
        put_words(t, c->note);
        put_words(t, c->source);
    }
    return FS_OK;
}

fs_status fs_validation_put_checks(fs_validation_sheet *p, fs_error *err) {
    static const fs_rows_column columns[] = {
        {"figure", NULL, false, NULL},   {"published", NULL, true, NULL},
        {"simulated", NULL, true, NULL}, {"error", NULL, true, "against the nearer end of what is published"},
        {"program", NULL, false, NULL},  {"source", NULL, false, NULL}};
    fs_sheet_section(p->sheet, "machine", "The machine alone", "the machine against measurements of its own");
    for (const fs_machine_checks *const *kind = fs_machine_check_kinds; *kind != NULL; kind++)
        if (put_kind_checks(p, *kind, columns, sizeof columns / sizeof *columns, err))
            return err->status;
    return FS_OK;
}

/* ---- all figures ---- */

static const char *state(const fs_claim *c, const fs_validation_case *of, fs_arena *arena) {
    (void)of;
    return fs_claim_state(c, arena);
}

static const char *within(const fs_claim *c, const fs_validation_case *of, fs_arena *arena) {
    (void)of;
    (void)arena;
    return isnan(c->low) || isnan(c->published) || c->use == FS_USE_BEHAVIOUR ? FS_NO_NUMBER
           : c->within                                                        ? "yes"
                                                                              : "no";
}

/* Over the stand-ins, and how many of them failed. */
static const char *range(const fs_claim *c, const fs_validation_case *of, fs_arena *arena) {
    const size_t failed = fs_claim_there(c) ? fs_claim_failed(of, c) : 0;
    const char *text = fs_words_range(arena, c->low, c->high);
    return failed == 0
               ? text
               : fs_arena_printf(arena, "%s (%zu of %zu stand-ins failed)", text, failed, of->standin_count);
}

void fs_validation_put_claims(fs_validation_sheet *p) {
    static const char *const uses[] = {"structure", "calibrated", "predicted", "input", "behaviour"};
    static const fs_claim_column columns[] = {FS_CLAIM_OF_CASE("case", title),
                                              {.name = "use",
                                               .hint =
                                                   "structure: must be exact; calibrated: scenes are made by "
                                                   "it; predicted: held out; input: goes into the model",
                                               .cell = FS_CLAIM_USE,
                                               .uses = uses},
                                              FS_CLAIM_SAYS("result", state),
                                              FS_CLAIM_OF("figure", TEXT, name),
                                              FS_CLAIM_OF("published", VALUE, published),
                                              FS_CLAIM_OF("simulated", MISSING, median),
                                              FS_CLAIM_OF("error", CHANGE, error),
                                              FS_CLAIM_SAYS("four fifths", range),
                                              FS_CLAIM_OF("by the other tables", REAL, held.median),
                                              FS_CLAIM_OF("its four fifths", RANGE, held.low),
                                              FS_CLAIM_SAYS("within", within),
                                              FS_CLAIM_OF("source", TEXT, source)};
    enum { SELECTABLE = 3 };
    fs_sheet_section(p->sheet, "figures", "All figures", "every published figure beside the simulated one");
    fs_sheet_note(p->sheet, "Simulated: median over the draws, and the range that holds four fifths of them; "
                            "by the other tables: the same, weighted by how well each draw gives these. "
                            "Within: the published value lies in the first range.");
    fs_rows *t = fs_claim_table(p->sheet, columns, FS_COUNT(columns));
    fs_rows_filter(t, "all-figures", "figures", SELECTABLE, FS_COUNT(columns));
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++)
            fs_claim_row(t, p->sheet, columns, FS_COUNT(columns), &p->v->cases[i], &p->v->cases[i].claims[j]);
}
