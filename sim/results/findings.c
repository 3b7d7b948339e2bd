/* Findings: sentences with the figures behind them, and findings.json. */
#include "sim/results/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

fs_finding *fs_finding_begin(fs_findings *findings, const char *key) {
    FS_ASSERT(findings->count < FS_FINDINGS_MOST, "more findings than places");
    fs_finding *f = &findings->finding[findings->count++];
    *f = (fs_finding){.key = key};
    return f;
}

void fs_finding_say(fs_finding *f, const char *format, ...) {
    const size_t used = strlen(f->text);
    va_list args;
    va_start(args, format);
    vsnprintf(f->text + used, sizeof f->text - used, format, args);
    va_end(args);
}

void fs_finding_figure(fs_finding *f, const char *name, double value) {
    FS_ASSERT(f->figures < FS_FINDING_MOST, "more figures than places");
    f->figure[f->figures++] = (fs_finding_number){name, value};
}

void fs_finding_figures(fs_finding *f, const fs_finding_number *numbers) {
    for (; numbers->name != NULL; numbers++)
        fs_finding_figure(f, numbers->name, numbers->value);
}

static json_t *number(double value) {
    if (!isfinite(value))
        return json_null();
    const json_int_t whole = value > -1e15 && value < 1e15 ? (json_int_t)value : 0;
    return (double)whole >= value && (double)whole <= value ? json_integer(whole) : json_real(value);
}

fs_status fs_findings_write(const fs_findings *findings, fs_results *results, fs_error *err) {
    json_t *root = json_object(), *list = json_array();
    json_object_set_new(root, "findings", list);
    for (uint32_t i = 0; i < findings->count; i++) {
        const fs_finding *f = &findings->finding[i];
        json_t *item = json_object(), *figures = json_object();
        json_object_set_new(item, "key", json_string(f->key));
        json_object_set_new(item, "text", json_string(f->text));
        for (uint32_t v = 0; v < f->figures; v++)
            json_object_set_new(figures, f->figure[v].name, number(f->figure[v].value));
        json_object_set_new(item, "figures", figures);
        json_array_append_new(list, item);
    }
    fs_status status = fs_results_json(results, "findings.json", root, err);
    json_decref(root);
    return status;
}

/* ---- words ---- */

const char *fs_percent_text(double share, char out[FS_PERCENT_TEXT]) {
    const double p = 100.0 * share;
    if (p > 0 && p < 0.05)
        return "under 0.1 %";
    snprintf(out, FS_PERCENT_TEXT, p > 0 && p < 1 ? "%.1f %%" : "%.0f %%", p);
    return out;
}

const char *fs_at_most_text(double share, char out[FS_AT_MOST_TEXT]) {
    char number[FS_PERCENT_TEXT];
    const char *p = fs_percent_text(share, number);
    if (p != number)
        return "less than 0.1 %";
    snprintf(out, FS_AT_MOST_TEXT, share > 0 ? "at most %s" : "nothing", p);
    return out;
}
