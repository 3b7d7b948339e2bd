/* The tables of a validation's page: what sets the pace, behaviours, checks of the machine, all figures. */
#include "validation/machine_checks.h"
#include "validation/page.h"

#include <math.h>
#include <string.h>

/* A cell of a number, or of why there is none. */
static void put_number(fs_validation_sheet *p, const char *text, double value, const char *why) {
    if (isnan(value) && why != NULL)
        fs_page_put(p->page, "<td class=\"number\" data-value=\"nan\" title=\"%s\">missing</td>", why);
    else if (isnan(value))
        fs_page_put(p->page, "<td class=\"number\" data-value=\"nan\">–</td>");
    else
        fs_page_cell_number(p->page, text, value);
}

/* ---- pace ---- */

static void put_pace_row(fs_validation_sheet *p, const fs_pace *pace, double full) {
    static const char *const names[] = {"the camera's tracer", "other tracers", "routers", "generator"},
                             *const colours[] = {"compute", "tracer", "router", "generator"};
    double shares[] = {pace->camera, pace->tracer - pace->camera, pace->router, pace->generator};
    for (size_t i = 0; i < 4; i++)
        shares[i] = shares[i] > 0 ? shares[i] : 0;
    fs_page_row(p->page);
    fs_page_put(p->page, "<th scope=\"row\">%s</th>", pace->variant);
    fs_page_cell_stack(p->page, shares, names, colours, 4);
    const double cycles[] = {pace->cycles_injecting, pace->cycles_draining};
    for (size_t i = 0; i < 2; i++)
        if (isnan(cycles[i]))
            put_number(p, "", NAN, NULL);
        else
            fs_page_cell_bar(p->page, fs_number_grouped(cycles[i]), cycles[i], full, "plain");
    fs_page_put(p->page, "<td class=\"words\">%s</td>", pace->words == NULL ? "" : pace->words);
}

static void put_case_pace(fs_validation_sheet *p, const fs_validation_case *of) {
    static const fs_page_column columns[] = {
        {"variant", NULL, false, NULL},
        {"pace set by", "share of iterations", false, NULL},
        {"injecting", "cycles an iteration", true, "mean while rays enter"},
        {"draining", "cycles an iteration", true, "mean after the last ray has entered"},
        {"what it means", NULL, false, NULL}};
    double full = 0;
    for (size_t i = 0; i < of->pace_count; i++) {
        full = of->paces[i].cycles_injecting > full ? of->paces[i].cycles_injecting : full;
        full = of->paces[i].cycles_draining > full ? of->paces[i].cycles_draining : full;
    }
    fs_page_put(p->page, "<h3>%s</h3>\n", of->title);
    fs_page_table(p->page, NULL, columns, 5);
    for (size_t i = 0; i < of->pace_count; i++)
        put_pace_row(p, &of->paces[i], full);
    fs_page_table_end(p->page);
}

void fs_sheet_put_pace(fs_validation_sheet *p) {
    size_t count = 0;
    fs_page_section(p->page, "pace", "What sets the pace");
    fs_page_put(
        p->page,
        "<p>In each iteration one tile is the last to finish and all others wait for it. Which kind of "
        "tile that was, in the run of the middle stand-in:</p>\n<p class=\"legend\"><span><i "
        "class=\"key compute\"></i>the camera's tracer</span><span><i class=\"key tracer\"></i>other "
        "tracers</span><span><i class=\"key router\"></i>routers</span><span><i class=\"key "
        "generator\"></i>generator</span></p>\n");
    for (size_t i = 0; i < p->v->case_count; i++)
        if (p->v->cases[i].pace_count > 0) {
            put_case_pace(p, &p->v->cases[i]);
            count++;
        }
    if (count == 0)
        fs_page_note(p->page, "No case says what set its pace.");
}

/* ---- behaviours ---- */

void fs_sheet_put_behaviours(fs_validation_sheet *p) {
    static const fs_page_column columns[] = {
        {"what the paper describes", NULL, false, NULL},
        {"seen", NULL, false, NULL},
        {"at least", NULL, true, "the factor that the relation must reach"},
        {"simulated", NULL, true, "median over the stand-ins"},
        {"range", NULL, false, NULL},
        {"what was found", NULL, false, NULL},
        {"source", NULL, false, NULL}};
    size_t count = 0;
    fs_page_section(p->page, "behaviours", "Behaviours");
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++) {
            const fs_claim *c = &p->v->cases[i].claims[j];
            if (c->use != FS_USE_BEHAVIOUR)
                continue;
            if (count++ == 0)
                fs_page_table(p->page, NULL, columns, 7);
            fs_page_row(p->page);
            fs_page_put(p->page, "<td class=\"words\">%s</td>", c->name);
            fs_page_put(p->page, "<td><span class=\"chip %s\"><b>%s</b></span></td>",
                        c->reached ? "equal" : "worse", fs_claim_state(c, p->arena));
            put_number(p, fs_words_value(p->arena, c->published, c->unit), c->published, NULL);
            put_number(p, fs_words_value(p->arena, c->median, c->unit), c->median, NULL);
            fs_page_cell(p->page, fs_words_range(p->arena, c->low, c->high, c->unit));
            fs_page_put(p->page, "<td class=\"words\">%s</td>",
                        c->words != NULL    ? c->words
                        : fs_claim_there(c) ? ""
                                            : fs_claim_why(c));
            fs_page_cell(p->page, c->source);
        }
    if (count > 0)
        fs_page_table_end(p->page);
    else
        fs_page_note(p->page, "No behaviour was asked for.");
}

/* ---- checks of the machine ---- */

fs_status fs_sheet_put_checks(fs_validation_sheet *p, fs_error *err) {
    static const fs_page_column columns[] = {
        {"figure", NULL, false, NULL},   {"published", NULL, true, NULL},
        {"simulated", NULL, true, NULL}, {"error", NULL, true, "against the nearer end of what is published"},
        {"program", NULL, false, NULL},  {"source", NULL, false, NULL}};
    fs_machine_check check[FS_MACHINE_CHECKS];
    size_t count = 0;
    if (fs_machine_checks(check, FS_MACHINE_CHECKS, &count, err))
        return err->status;
    fs_page_section(p->page, "machine", "The machine alone");
    fs_page_table(
        p->page,
        "Small programs on the whole machine, against what others measured: figures that come out of "
        "the model and are none of its parameters.",
        columns, 6);
    for (size_t i = 0; i < count; i++) {
        const fs_machine_check *c = &check[i];
        double error = fs_machine_check_error(c);
        fs_page_row(p->page);
        fs_page_put(p->page, "<td class=\"words\">%s</td>", c->name);
        fs_page_cell_number(
            p->page,
            fs_arena_printf(p->arena, "%s %s",
                            fs_words_range(p->arena, c->published_low, c->published_high, c->unit), c->unit),
            c->published_low);
        fs_page_cell_number(p->page, fs_words_value(p->arena, c->simulated, c->unit), c->simulated);
        fs_page_cell_number(p->page, fs_words_change(p->arena, error), error);
        fs_page_put(p->page, "<td class=\"words\">%s</td><td class=\"words\">%s</td>", c->note, c->source);
    }
    fs_page_table_end(p->page);
    return FS_OK;
}

/* ---- all figures ---- */

static const char *use_word(fs_use use) {
    static const char *const words[] = {"structure", "calibrated", "predicted", "behaviour"};
    return words[use];
}

static void put_claim(fs_validation_sheet *p, const fs_validation_case *of, const fs_claim *c) {
    const char *why = fs_claim_there(c) ? NULL : fs_claim_why(c);
    size_t failed = why == NULL ? fs_claim_failed(of, c) : 0;
    fs_page_row(p->page);
    fs_page_cell(p->page, of->title);
    fs_page_cell(p->page, use_word(c->use));
    fs_page_cell(p->page, fs_claim_state(c, p->arena));
    fs_page_cell(p->page, c->name);
    put_number(p, fs_words_value(p->arena, c->published, c->unit), c->published, NULL);
    put_number(p, fs_words_value(p->arena, c->median, c->unit), c->median, why);
    put_number(p, fs_words_change(p->arena, c->error), c->error, NULL);
    fs_page_put(p->page, "<td data-value=\"%.17g\">%s%s</td>", c->low,
                fs_words_range(p->arena, c->low, c->high, c->unit),
                failed == 0
                    ? ""
                    : fs_arena_printf(p->arena, " (%zu of %zu stand-ins failed)", failed, of->standin_count));
    fs_page_cell(p->page, fs_words_range(p->arena, c->uncertain_low, c->uncertain_high, c->unit));
    fs_page_cell(p->page, isnan(c->low) || isnan(c->published) || c->use == FS_USE_BEHAVIOUR ? "–"
                          : c->within                                                        ? "yes"
                                                                                             : "no");
    fs_page_cell(p->page, c->source);
}

void fs_sheet_put_claims(fs_validation_sheet *p) {
    static const fs_page_column columns[] = {
        {"case", NULL, false, NULL},
        {"use", NULL, false, "structure: must be exact; calibrated: may be fitted on; predicted: held out"},
        {"result", NULL, false, NULL},
        {"figure", NULL, false, NULL},
        {"published", NULL, true, NULL},
        {"simulated", NULL, true, "median over the stand-ins"},
        {"error", NULL, true, NULL},
        {"range over stand-ins", NULL, false, NULL},
        {"over parameters", NULL, false, "of the median, over the ranges of the uncertain parameters"},
        {"within", NULL, false, "the published value lies within the range over the stand-ins"},
        {"source", NULL, false, NULL}};
    enum { COLUMNS = sizeof columns / sizeof *columns, SELECTABLE = 3 };
    fs_page_section(p->page, "figures", "All figures");
    fs_page_put(p->page,
                "<div class=\"filterable\" id=\"all-figures\" data-select=\"%d\" data-noun=\"figures\">\n",
                SELECTABLE);
    fs_page_table(p->page, NULL, columns, COLUMNS);
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++)
            put_claim(p, &p->v->cases[i], &p->v->cases[i].claims[j]);
    fs_page_table_end(p->page);
    fs_page_put(p->page, "</div>\n");
}
