/* Findings: sentences with the figures behind them, and findings.json. */
#include "sim/results/findings.h"
#include "sim/base/arith.h"

static bool look_up(void *finding, const char *name, fs_number_value *out) {
    const fs_finding *f = finding;
    const size_t i = FS_PLACE(f->value, f->values, name, name);
    FS_ASSERT(i < f->values, "a finding names what it does not know");
    *out = (fs_number_value){.number = f->value[i].number, .text = f->value[i].word, .unit = ""};
    return out->text != NULL || isfinite(out->number);
}

void fs_find(fs_findings *findings, const char *key, const char *text, const fs_finding_value *values) {
    FS_ASSERT(findings->count < FS_FINDINGS_MOST, "more findings than places");
    fs_finding *f = &findings->finding[findings->count];
    *f = (fs_finding){.key = key};
    for (; values != NULL && values->name != NULL; values++) {
        FS_ASSERT(f->values < FS_FINDING_MOST, "more values than places");
        f->value[f->values++] = *values;
    }
    f->text = fs_number_fill(findings->arena, text, look_up, f);
    findings->count += f->text != NULL;
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
        for (uint32_t v = 0; v < f->values; v++)
            if (f->value[v].name[0] != '@')
                json_object_set_new(figures, f->value[v].name, number(f->value[v].number));
        json_object_set_new(item, "figures", figures);
        json_array_append_new(list, item);
    }
    fs_status status = fs_results_json(results, "findings.json", root, err);
    json_decref(root);
    return status;
}
