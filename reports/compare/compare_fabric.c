/* What joins the tiles of two machines is not the same: one sentence on what that did. */
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

static const char *value_of(const fs_judge *j, size_t run, const char *key) {
    const char *value =
        fs_folder_setting(j->c->runs[run].folder, fs_arena_printf(j->c->arena, "machine.exchange.%s", key));
    return value == NULL ? "" : value;
}

/* "mesh", "fat tree", "ports", "circuits"; "": the machine has no such part. */
static const char *fabric_of(const fs_judge *j, size_t run) {
    const char *kind = value_of(j, run, "kind");
    if (strcmp(kind, "noc") != 0)
        return strcmp(kind, "circuit") == 0 ? "circuits" : kind;
    char *name = fs_arena_strdup(j->c->arena, value_of(j, run, "noc.topology"));
    for (char *at = name; (at = strchr(at, '_')) != NULL;)
        *at = ' ';
    return strcmp(name, "file") == 0 ? "network of a file" : name;
}

/* "buffer 4 instead of 8, width 8 B instead of 4 B": keys of networks that differ. */
static const char *changes_of(const fs_judge *j) {
    static const char begin[] = "exchange.noc.";
    const char *text = "";
    for (size_t i = 0; i < j->c->setting_count; i++) {
        const fs_compare_setting *s = &j->c->settings[i];
        const char *a = s->values[j->c->base], *b = s->values[j->run];
        if (strncmp(s->key, begin, sizeof begin - 1) != 0 || a == NULL || b == NULL || strcmp(a, b) == 0)
            continue;
        text =
            fs_arena_append(j->c->arena, text, ", ", "%s %s instead of %s", s->key + sizeof begin - 1, b, a);
    }
    return text;
}

static const char *with_article(const fs_judge *j, const char *fabric) {
    return strcmp(fabric, "ports") == 0 || strcmp(fabric, "circuits") == 0
               ? fabric
               : fs_arena_printf(j->c->arena, "the %s", fabric);
}

/* "With the torus instead of the mesh", "With buffer 4 instead of 8 in the mesh"; NULL: the fabric is the
 * same. */
static const char *head_of(const fs_judge *j) {
    const char *a = fabric_of(j, j->c->base), *b = fabric_of(j, j->run), *changes = changes_of(j);
    if (a[0] == '\0' || b[0] == '\0')
        return NULL;
    if (strcmp(a, b) != 0)
        return fs_arena_printf(j->c->arena, "With %s instead of %s", with_article(j, b), with_article(j, a));
    return changes[0] == '\0' || strcmp(b, "ports") == 0
               ? NULL
               : fs_arena_printf(j->c->arena, "With %s in the %s", changes, b);
}

/* Of one figure: "in 62 % instead of 66 %", of a run alone "in 66 %"; NULL: the run has none. */
static const char *instead(const fs_judge *j, const char *name) {
    const fs_compare_figure *f = fs_compare_find(j->c, name);
    if (f == NULL || isnan(fs_judge_run(j, name)))
        return NULL;
    const char *now = fs_compare_value(j->c, f, j->run), *was = fs_compare_value(j->c, f, j->c->base);
    return isnan(fs_judge_base(j, name)) || strcmp(now, was) == 0
               ? now
               : fs_arena_printf(j->c->arena, "%s instead of %s", now, was);
}

/* Cycles that a flit waits before a link, of all causes. */
static double waits_of(const fs_judge *j, size_t run) {
    return fs_compare_number(j->c, run, "stalls.no_credit") +
           fs_compare_number(j->c, run, "stalls.no_channel") + fs_compare_number(j->c, run, "stalls.lost");
}

static const char *waits(const fs_judge *j) {
    const double b = waits_of(j, j->run), a = waits_of(j, j->c->base);
    const char *now = fs_number_short(b, 2), *was = fs_number_short(a, 2);
    return isnan(a) || strcmp(now, was) == 0
               ? fs_arena_printf(j->c->arena, "%s cycles", now)
               : fs_arena_printf(j->c->arena, "%s instead of %s cycles", now, was);
}

/* Means of the network's own figures, by their labels: "; latency of a packet 229 instead of 240 cycles". */
static const char *means_of(const fs_judge *j) {
    const char *text = "";
    for (size_t i = 0; i < j->c->main_count; i++) {
        const char *name = j->c->main[i]->name, *end = strrchr(name, '.');
        const char *value =
            strncmp(name, "network.", 8) == 0 && strcmp(end, ".mean") == 0 ? instead(j, name) : NULL;
        if (value != NULL)
            text = fs_arena_printf(j->c->arena, "%s; %s %s", text, j->c->main[i]->label, value);
    }
    return text;
}

/* What the run's links did; of a run over ports nothing. */
static const char *links_of(const fs_judge *j) {
    const char *busy = instead(j, "links.busiest_share");
    if (busy == NULL)
        return "";
    return fs_arena_printf(
        j->c->arena, "the busiest link carries flits in %s of the cycles, a flit waits %s before a link%s",
        busy, waits(j), means_of(j));
}

/* "the exchange takes 20,873 instead of 19,812 cycles (+5.4 %, +0.02 % of the run's time)"; "": no such
 * cycles, or other work. */
static const char *cycles_of(const fs_judge *j) {
    const bool phases = fs_judge_run(j, "device.cycles_exchange") > 0;
    const char *name = phases ? "device.cycles_exchange" : "device.cycles";
    const char *what = phases ? "the exchange" : "the run", *of_run = "";
    const double a = fs_judge_base(j, name), b = fs_judge_run(j, name),
                 all = fs_judge_base(j, "device.cycles");
    if (!(a > 0) || isnan(b) || j->c->works_differ)
        return "";
    if (a == b)
        return fs_arena_printf(j->c->arena, "%s takes as many cycles, %s", what, fs_number_grouped(b));
    if (phases)
        of_run = fs_arena_printf(j->c->arena, ", %s of the run's time", fs_number_change((b - a) / all));
    return fs_arena_printf(j->c->arena, "%s takes %s instead of %s cycles (%s%s)", what, fs_number_grouped(b),
                           fs_number_grouped(a), fs_number_change((b - a) / a), of_run);
}

bool fs_judge_fabric(fs_judge *j) {
    const char *head = head_of(j);
    if (head == NULL)
        return false;
    const char *cycles = cycles_of(j), *links = links_of(j);
    if (cycles[0] == '\0' && links[0] == '\0')
        return false;
    fs_judge_say(j, "fabric", "%s %s%s%s.", head, cycles, cycles[0] == '\0' || links[0] == '\0' ? "" : ": ",
                 links);
    return true;
}

bool fs_judge_of_fabric(const char *figure) {
    return strncmp(figure, "links.", 6) == 0 || strncmp(figure, "network.", 8) == 0;
}
