#include "reports/read/run_fill.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 96 };

static int digit(char letter) {
    return letter >= '0' && letter <= '9' ? letter - '0' : 0;
}

const char *fs_fill_number(double value, const char *form, const char *unit) {
    if (isnan(value))
        return FS_NO_NUMBER;
    if (strcmp(form, "whole") == 0)
        return fs_number_grouped(value);
    if (strcmp(form, "si") == 0) { /* before its unit: "0.87 M", "12 k", "3.4 " */
        const char *letter = value >= 1e9 ? " G " : value >= 1e6 ? " M " : value >= 1e4 ? " k " : " ";
        return fs_number_text("%s%s",
                              fs_number_short(value / (value >= 1e9   ? 1e9
                                                       : value >= 1e6 ? 1e6
                                                       : value >= 1e4 ? 1e3
                                                                      : 1),
                                              3),
                              letter);
    }
    if (form[0] == '.')
        return fs_number_text("%.*f", digit(form[1]), value);
    if (form[0] == '%')
        return form[1] == '\0' ? fs_number_text("%s %%", fs_number_short(100 * value, 3))
                               : fs_number_text("%.*f %%", digit(form[1]), 100 * value);
    if (form[0] >= '1' && form[0] <= '9')
        return fs_number_short(value, digit(form[0]));
    return fs_number_in(value, unit, 3);
}

static bool figure_value(const fs_folder *run, const char *name, fs_fill_value *out) {
    const fs_figure *f = fs_folder_figure(run, name);
    if (f == NULL)
        return false;
    *out = (fs_fill_value){f->value, f->kind == FS_FIGURE_NUMBER ? NULL : f->text, f->unit, f->whole};
    return out->text != NULL || !isnan(f->value);
}

const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_fill_lookup *lookup,
                    void *self) {
    const char *out = "";
    while (text != NULL && text[0] != '\0') {
        const size_t plain = strcspn(text, "{");
        char name[NAME_BYTES], form[16] = "";
        fs_fill_value value = {.number = NAN, .unit = ""};
        out = fs_arena_printf(arena, "%s%.*s", out, (int)plain, text);
        text += plain;
        if (text[0] == '\0')
            break;
        const size_t length = strcspn(++text, "}"), bar = strcspn(text, "|}");
        snprintf(name, sizeof name, "%.*s", (int)bar, text);
        if (bar < length)
            snprintf(form, sizeof form, "%.*s", (int)(length - bar - 1), text + bar + 1);
        text += length + (text[length] == '}');
        bool known = name[0] == '@' ? lookup != NULL && lookup(self, name + 1, &value)
                                    : figure_value(run, name, &value);
        if (!known || (value.text == NULL && isnan(value.number)))
            return NULL;
        out =
            fs_arena_printf(arena, "%s%s", out,
                            value.text != NULL ? value.text : fs_fill_number(value.number, form, value.unit));
    }
    return text == NULL ? NULL : out;
}
