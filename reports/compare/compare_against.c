/* A figure that moves against its parameter: more buffer, more channels or wider links, and it takes longer. Which counters
 * of the links say why, or that they do not. */
#include "reports/compare/compare_page.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys of a network of which more should not cost time. */
static const struct knob {
    const char *key, *more;
} knobs[] = {{"exchange.noc.buffer", "A larger buffer"},
             {"exchange.noc.vcs", "More channels"},
             {"exchange.noc.width", "Wider links"}};

/* Causes for which flits wait before a link: figures, what waits are for, and what it is called. */
static const struct cause {
    const char *figure, *waits, *mechanism;
} causes[] = {{"stalls.no_credit", "for room behind a link", "buffers behind the links fill up"},
              {"stalls.no_channel", "for a channel", "heads block what is behind them"},
              {"stalls.lost", "at the switch", "arbitration takes more"}};
enum { CREDIT, CAUSES = 3 };

/* The one knob in which the two differ, and by which values; NULL: none, or another key of the network differs, too. */
static const struct knob *turned(const fs_judge *j, double *was, double *now) {
    const struct knob *found = NULL;
    for (size_t i = 0; i < j->c->setting_count; i++) {
        const fs_compare_setting *s = &j->c->settings[i];
        const char *a = s->values[j->c->base], *b = s->values[j->run];
        if (strncmp(s->key, "exchange.", 9) != 0 || a == NULL || b == NULL || strcmp(a, b) == 0)
            continue;
        if (found != NULL)
            return NULL;
        for (size_t k = 0; k < FS_COUNT(knobs) && found == NULL; k++)
            found = strcmp(s->key, knobs[k].key) == 0 ? &knobs[k] : NULL;
        if (found == NULL)
            return NULL;
        *was = strtod(a, NULL);
        *now = strtod(b, NULL);
    }
    return found;
}

/* How much worse the run is than the base by the figure that decides: above 1; NAN: none decides. */
static double slower(const fs_judge *j) {
    const fs_compare_figure *f = fs_compare_decides(j->c);
    const double ratio = f == NULL ? NAN : fs_judge_run(j, f->name) / fs_judge_base(j, f->name);
    return f != NULL && f->row != NULL && f->row->better == FS_BETTER_MORE ? 1 / ratio : ratio;
}

static const char *wait_change(const fs_judge *j, size_t cause, double more) {
    return fs_arena_printf(j->c->arena, "%s cycles %s %s", fs_number_short(fabs(more), 2),
                           more > 0 ? "longer" : "shorter", causes[cause].waits);
}

void fs_judge_against(fs_judge *j) {
    static const double noticed = 0.005, told = 0.02; /* of the time; of all waits */
    double was = NAN, now = NAN, more[CAUSES], all = 0;
    const struct knob *knob = turned(j, &was, &now);
    const double ratio = slower(j);
    if (knob == NULL || j->c->works_differ || !(was > 0) || !(now > 0) || isnan(ratio) ||
        !(now > was ? ratio > 1 + noticed : ratio < 1 - noticed))
        return;
    size_t most = 0;
    for (size_t i = 0; i < CAUSES; i++) {
        const double a = fs_judge_base(j, causes[i].figure), b = fs_judge_run(j, causes[i].figure);
        more[i] = now > was ? b - a : a - b; /* of the run with more */
        all = fmax(all, fmax(a, b));
        most = more[i] > more[most] ? i : most;
    }
    const char *head = fs_arena_printf(j->c->arena, "%s, %s against %s, costs %s", knob->more,
                                       fs_number_short(fmax(was, now), 4), fs_number_short(fmin(was, now), 4),
                                       fs_number_percent(fabs(now > was ? ratio - 1 : 1 / ratio - 1)));
    if (!(more[most] > told * all)) {
        fs_judge_say(j, "against",
                     "%s, and the counters of the links do not say why: at none of them flits wait longer.",
                     head);
        return;
    }
    const bool throttled = more[CREDIT] < -told * all && most != CREDIT;
    fs_judge_say(j, "against", "%s: %s. A flit waits %s%s%s.", head,
                 throttled
                     ? fs_arena_printf(j->c->arena, "less of it throttled the sources, which is lost, and %s",
                                       causes[most].mechanism)
                     : causes[most].mechanism,
                 wait_change(j, most, more[most]), throttled ? ", " : "",
                 throttled ? wait_change(j, CREDIT, more[CREDIT]) : "");
}
