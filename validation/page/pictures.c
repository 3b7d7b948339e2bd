/* The pictures of a validation: scripts, data, what lies under the pointer. */
#include "validation/page/pictures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures ---- */

const char *fs_validation_word(const char *figure) {
    const char *dot = strrchr(figure, '.');
    if (strstr(figure, " / ") != NULL)
        return "quotient";
    return dot == NULL ? figure : dot + 1;
}

static bool taken(const fs_validation_drawing *d, const char *name) {
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->picture[i].name, name) == 0)
            return true;
    return false;
}

fs_validation_picture *fs_validation_new_picture(fs_validation_drawing *d, fs_picture_kind kind,
                                                 const char *of, const char *word) {
    char name[FS_PLOT_NAME];
    snprintf(name, sizeof name, "%.14s-%.12s", of, word);
    for (char *c = name; *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    size_t length = strlen(name);
    for (unsigned i = 2; taken(d, name); i++)
        snprintf(name + length, sizeof name - length, "-%u", i % 100);
    d->picture = fs_grow(d->picture, d->count, sizeof *d->picture);
    fs_validation_picture *p = &d->picture[d->count++];
    *p = (fs_validation_picture){.kind = kind};
    memcpy(p->name, name, sizeof name);
    return p;
}

const fs_validation_picture *fs_validation_next(const fs_validation_drawing *d, fs_picture_kind kind,
                                                const fs_validation_case *of,
                                                const fs_validation_picture *after) {
    for (size_t i = after == NULL ? 0 : (size_t)(after - d->picture) + 1; i < d->count; i++)
        if (d->picture[i].kind == kind && (of == NULL || d->picture[i].of == of))
            return &d->picture[i];
    return NULL;
}

const fs_validation_picture *fs_validation_named(const fs_validation_drawing *d, const char *name) {
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->picture[i].name, name) == 0)
            return &d->picture[i];
    return NULL;
}

/* ---- scripts ---- */

/* Titles stand in documents too: what is markup there is left out. */
static const char *plain(fs_arena *arena, const char *text) {
    char *out = fs_arena_strdup(arena, text), *to = out;
    for (const char *c = out; *c != '\0'; c++)
        if (strchr("{}^_@&~\\\"", *c) == NULL)
            *to++ = *c;
        else if (*c == '_')
            *to++ = ' ';
    *to = '\0';
    return out;
}

void fs_validation_put_text(fs_validation_drawing *d, const char *variable, const char *text) {
    fs_plot_put_text(&d->text, d->arena, variable, text);
}

void fs_validation_begin_script(fs_validation_drawing *d, fs_validation_picture *p, const char *title,
                                const char *caption) {
    p->title = plain(d->arena, title);
    p->caption = plain(d->arena, caption);
    fs_page_text_print(&d->text, "bare = 1\nload 'style.gp'\nfile = '%s'\ndata = '%s.dat'\n", p->name,
                       p->name);
    fs_validation_put_text(d, "words", p->title);
    fs_validation_put_text(d, "more", p->caption);
}

fs_status fs_validation_save(fs_validation_drawing *d, const fs_validation_picture *p, const char *ending,
                             fs_error *err) {
    return fs_page_text_save(&d->text, d->folder, p->name, ending, err);
}

/* ---- logarithmic axes ---- */

void fs_range_widen(fs_range *r, double value) {
    if (!(value > 0))
        return;
    r->low = value < r->low ? value : r->low;
    r->high = value > r->high ? value : r->high;
}

/* 1, 2 or 5 times a power of ten: the least that is not below `least`. */
static double round_step(double least) {
    static const double of[] = {1, 2, 5};
    double power = 1e-12;
    for (int digit = 0; digit < 27; digit++, power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (of[i] * power >= least)
                return of[i] * power;
    return least;
}

static void put_marks(fs_validation_drawing *d, char axis, double low, double high) {
    size_t count = 0, steps = high / low < 100 ? 3 : 1;
    double power = 1e-9;
    fs_page_text_print(&d->text, "set %ctics (", axis);
    if (high / low < 4) { /* as on a linear axis */
        double step = round_step((high - low) / 6);
        for (size_t i = (size_t)ceil(low / step); (double)i * step <= high; i++)
            fs_page_text_print(&d->text, "%s%.9g", count++ > 0 ? ", " : "", (double)i * step);
    } else
        for (int digit = 0; digit < 21; digit++, power *= 10)
            for (size_t i = 0; i < steps; i++) {
                double mark = (i == 0 ? 1 : i == 1 ? 2 : 5) * power;
                if (mark >= low && mark <= high)
                    fs_page_text_print(&d->text, "%s%.9g", count++ > 0 ? ", " : "", mark);
            }
    fs_page_text_print(&d->text, ")\n");
}

void fs_validation_put_marks(fs_validation_drawing *d, const char *axes, double low, double high) {
    for (; *axes != '\0'; axes++)
        put_marks(d, *axes, low, high);
}

/* ---- under the pointer ---- */

static const char *const layers[] = {"published", "simulated", "least of the stand-ins",
                                     "most of the stand-ins"};
enum { LAYERS = sizeof layers / sizeof *layers };

json_t *fs_validation_places(const char *unit) {
    json_t *all = json_array();
    for (size_t i = 0; i < LAYERS; i++)
        json_array_append_new(all, json_pack("{s:s, s:s, s:[], s:s}", "what", layers[i], "unit", unit,
                                             "values", "none", "none"));
    json_array_append_new(
        all, json_pack("{s:s, s:s, s:[], s:s}", "what", "error", "unit", "%", "values", "none", "none"));
    return json_pack("{s:[], s:[], s:[], s:o}", "x", "y", "labels", "layers", all);
}

/* JSON has no NAN: "none". */
static json_t *value(double v) {
    return isnan(v) ? json_string("none") : json_real(v);
}

void fs_validation_add_place(json_t *places, double x, double y, const char *label, const fs_claim *c) {
    const double figure[LAYERS + 1] = {c->published, c->median, c->low, c->high, 100 * c->error};
    json_array_append_new(json_object_get(places, "x"), json_real(x));
    json_array_append_new(json_object_get(places, "y"), json_real(y));
    char *words = fs_malloc(strlen(label) + strlen(fs_claim_why(c)) + 16);
    if (fs_claim_there(c))
        strcpy(words, label);
    else
        sprintf(words, "%s; missing: %s", label, fs_claim_why(c));
    json_array_append_new(json_object_get(places, "labels"), json_string(words));
    free(words);
    for (size_t i = 0; i <= LAYERS; i++)
        json_array_append_new(json_object_get(json_array_get(json_object_get(places, "layers"), i), "values"),
                              value(figure[i]));
}

/* ---- all of them ---- */

fs_status fs_validation_draw(fs_validation_drawing *d, unsigned formats, fs_error *err) {
    static fs_status (*const write[])(fs_validation_drawing *, fs_error *) = {
        fs_validation_write_scatter, fs_validation_write_charts, fs_validation_write_errors,
        fs_validation_write_tornados, fs_validation_write_maps};
    d->drawing = fs_drawing_open(d->target, "../validation/page", err);
    if (d->drawing == NULL)
        return err->status;
    d->folder = fs_drawing_folder(d->drawing);
    fs_status status = FS_OK;
    for (size_t i = 0; i < sizeof write / sizeof *write && status == FS_OK; i++)
        status = write[i](d, err);
    if (status != FS_OK || d->count == 0)
        return status;
    const char **name = FS_NEW(d->arena, const char *, d->count);
    fs_plot *plots = FS_NEW(d->arena, fs_plot, d->count);
    for (size_t i = 0; i < d->count; i++)
        name[i] = d->picture[i].name;
    status = fs_drawing_run(d->drawing, name, d->count, formats, plots, err);
    for (size_t i = 0; i < d->count; i++)
        d->picture[i].plot = plots[i];
    return status;
}

fs_status fs_validation_drawing_end(fs_validation_drawing *d, bool keep, fs_error *err) {
    fs_status status = fs_drawing_close(d->drawing, keep, err);
    for (size_t i = 0; i < d->count; i++) {
        json_decref(d->picture[i].data);
        free(d->picture[i].values);
    }
    free(d->picture);
    free(d->text.text);
    return status;
}
