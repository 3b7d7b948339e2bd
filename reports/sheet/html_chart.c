/* Charts of a sheet as HTML: their values once, deflated, in base64, and what is drawn from them as JSON for chart.js. */
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { IN_PLACE = 24 }; /* values that stand in the chart itself */

/* ---- values ---- */

/* Bytes of a width as planes: the lowest of all, then the next; like ones are neighbours, and so pack well. */
static void put_planes(fs_text *out, const uint32_t *word, size_t count, size_t width) {
    uint8_t *plane = fs_malloc(count + 1);
    for (size_t k = 0; k < width; k++) {
        for (size_t i = 0; i < count; i++)
            plane[i] = (uint8_t)(word[i] >> (8 * k));
        fs_page_text_add(out, (const char *)plane, count);
    }
    free(plane);
}

/* What is left from one value to the next, of either sign as a small number. */
static void differences(uint32_t *word, size_t count, unsigned bits) {
    const uint32_t mask = bits == 32 ? UINT32_MAX : (1U << bits) - 1;
    for (size_t i = count; i-- > 0;) {
        const uint32_t d = (word[i] - (i == 0 ? 0 : word[i - 1])) & mask;
        word[i] = (d << 1 ^ (d >> (bits - 1) != 0 ? mask : 0)) & mask;
    }
}

/* "u16": whole numbers that fit, the greatest for none; "i32": those that do not; "f32": all others; "words". */
static const char *raw(const fs_values *v, fs_text *out) {
    uint32_t *word = NULL;
    int64_t most = 0;
    if (v->kind == FS_VALUES_WORDS) {
        for (size_t i = 0; i < v->count; i++) {
            const char *text = fs_values_word(v, i);
            fs_page_text_add(out, text, strlen(text) + (i + 1 < v->count)); /* NUL between them */
        }
        return "words";
    }
    for (size_t i = 0; v->kind == FS_VALUES_WHOLE && i < v->count; i++)
        most = v->whole[i] > most ? v->whole[i] : most;
    const bool whole = v->kind == FS_VALUES_WHOLE && most < INT32_MAX, narrow = whole && most < UINT16_MAX;
    word = fs_calloc(v->count + 1, sizeof *word);
    for (size_t i = 0; i < v->count; i++)
        if (whole)
            word[i] = v->whole[i] < 0 ? (narrow ? UINT16_MAX : (uint32_t)INT32_MAX) : (uint32_t)v->whole[i];
        else {
            const float real = (float)fs_values_at(v, i);
            memcpy(&word[i], &real, sizeof real);
        }
    if (whole)
        differences(word, v->count, narrow ? 16 : 32);
    put_planes(out, word, v->count, narrow ? 2 : 4);
    free(word);
    return narrow ? "u16" : whole ? "i32" : "f32";
}

/* In the page under "v1", "v2", ...; what is there already is not put again. */
static size_t put_values(fs_html *h, const fs_values *v) {
    fs_text bytes = {0}, text = {0};
    fs_page_text_add(&bytes, "", 0);
    const char *kind = raw(v, &bytes);
    uLong room = compressBound((uLong)bytes.used);
    uint8_t *packed = fs_malloc(room);
    const int failed =
        compress2(packed, &room, (const uint8_t *)bytes.text, (uLong)bytes.used, Z_BEST_COMPRESSION);
    FS_ASSERT(failed == Z_OK, "zlib: compress2 says %d", failed);
    char *base = fs_malloc(4 * ((room + 2) / 3) + 1);
    fs_page_base64(packed, room, base);
    fs_page_text_print(&text, "data-kind=\"%s\" data-count=\"%zu\" data-scale=\"%.17g\">%s", kind, v->count,
                       strcmp(kind, "f32") == 0 || v->kind != FS_VALUES_WHOLE ? 1 : v->scale, base);
    free(base);
    free(packed);
    free(bytes.text);
    size_t at = 0;
    while (at < h->values &&
           (h->written[at].used != text.used || memcmp(h->written[at].text, text.text, text.used) != 0))
        at++;
    if (at < h->values) {
        free(text.text);
        return at + 1;
    }
    h->written = fs_grow(h->written, h->values, sizeof *h->written);
    h->written[h->values++] = text;
    fs_html_put(h, "<script type=\"application/octet-stream\" id=\"v%zu\" ", h->values);
    fs_page_text_add(&h->out, text.text, text.used);
    fs_html_put(h, "</script>\n");
    return h->values;
}

static json_t *in_place(const fs_values *v) {
    json_t *list = json_array();
    for (size_t i = 0; i < v->count; i++) {
        const double value = fs_values_at(v, i);
        json_array_append_new(list, v->kind == FS_VALUES_WORDS ? json_string(fs_values_word(v, i))
                                    : isnan(value)             ? json_null()
                                    : value == floor(value) && fabs(value) < 1e15
                                        ? json_integer((json_int_t)value)
                                        : json_real(value));
    }
    return list;
}

/* What a chart says of values: a list, "v3", {"from", "step", "count"} or others in another way. NULL: nothing. */
static json_t *ref(fs_html *h, const fs_values *v) {
    if (v == NULL)
        return NULL;
    if (v->of == NULL && v->kind == FS_VALUES_STEPS)
        return json_pack("{s:f, s:f, s:I}", "from", v->first, "step", v->step, "count", (json_int_t)v->count);
    if (v->count <= IN_PLACE && (v->of == NULL || v->where == NULL))
        return in_place(v);
    if (v->of != NULL)
        return json_pack("{s:o, s:o*, s:o*, s:s*}", "of", ref(h, v->of), "less", ref(h, v->less), "where",
                         ref(h, v->where), "is", v->is);
    if (v->place == 0)
        ((fs_values *)(uintptr_t)v)->place = put_values(h, v); /* its own mark for this writer */
    return json_sprintf("v%zu", v->place);
}

/* ---- what is drawn ---- */

static void set(json_t *to, const char *key, json_t *value) {
    if (value != NULL)
        json_object_set_new(to, key, value);
}

static void set_text(json_t *to, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0')
        set(to, key, json_string(text));
}

static void set_number(json_t *to, const char *key, double value) {
    if (value != 0 && !isnan(value))
        set(to, key,
            value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value) : json_real(value));
}

static json_t *axis_json(fs_html *h, const fs_axis *a) {
    json_t *out = json_object();
    set_text(out, "label", a->label);
    if (a->low < a->high) {
        set(out, "low", json_real(a->low));
        set(out, "high", json_real(a->high));
    }
    set_number(out, "log", a->log);
    set_number(out, "scale", a->scale);
    set_number(out, "down", a->down);
    set(out, "names", ref(h, a->names));
    set(out, "tics", ref(h, a->tics));
    return out;
}

static json_t *panel_json(fs_html *h, const fs_panel *p);

static json_t *series_json(fs_html *h, const fs_chart_series *s) {
    static const char *const as[] = {"line",  "steps", "stack",  "band",  "dots",  "range", "bars",
                                     "spans", "tail",  "matrix", "cells", "links", "told"};
    const struct {
        const char *key;
        const fs_values *values;
    } shown[] = {{"x", s->x},         {"y", s->y},         {"x2", s->x2},       {"y2", s->y2},
                 {"low", s->low},     {"high", s->high},   {"value", s->value}, {"hollow", s->hollow},
                 {"texts", s->texts}, {"names", s->names}, {"at", s->at}};
    json_t *out = json_object();
    set_text(out, "as", as[s->as]);
    set_text(out, "label", s->label);
    set_text(out, "unit", s->unit);
    set_text(out, "colour", s->colour);
    if (s->shades > 0)
        set(out, "shade", json_pack("[i, i]", (int)s->shade, (int)s->shades));
    set_number(out, "width", s->width);
    set_number(out, "dash", s->dash);
    set_number(out, "form", s->form);
    set_number(out, "size", s->size);
    set_number(out, "cols", (double)s->cols);
    set_number(out, "row", (double)s->row);
    set_number(out, "rows", (double)s->rows);
    set_number(out, "ends", s->ends);
    set_text(out, "points", s->points == NULL ? NULL : s->points->id);
    for (size_t i = 0; i < FS_COUNT(shown); i++)
        set(out, shown[i].key, ref(h, shown[i].values));
    json_t *frames = s->frames == NULL ? NULL : json_array();
    for (const fs_chart_frames *f = s->frames; f != NULL; f = f->next)
        json_array_append_new(frames,
                              json_pack("{s:o, s:o}", "of", panel_json(h, f->of), "row", ref(h, f->row)));
    set(out, "frames", frames);
    return out;
}

static json_t *mark_json(const fs_chart_mark *m) {
    static const char *const kind[] = {"across", "up", "line", "box", "ground", "ring", "text"};
    json_t *out = json_pack("{s:s, s:f, s:f}", "kind", kind[m->kind], "x", m->x, "y", m->y);
    set_number(out, "x2", m->x2);
    set_number(out, "y2", m->y2);
    set_text(out, "text", m->text);
    set_text(out, "colour", m->colour);
    set_number(out, "dash", m->dash);
    set_number(out, "side", m->side);
    return out;
}

static json_t *panel_json(fs_html *h, const fs_panel *p) {
    json_t *out = json_object(), *series = json_array(), *marks = json_array();
    set_text(out, "title", p->title);
    set_text(out, "note", p->note);
    set_text(out, "corner", p->corner);
    set(out, "x", axis_json(h, &p->x));
    set(out, "y", axis_json(h, &p->y));
    set(out, "colour", axis_json(h, &p->colour));
    set_number(out, "colours", p->colours);
    set_number(out, "dark", p->dark);
    set_number(out, "tall", p->tall);
    set_number(out, "flat", p->flat);
    for (size_t i = 0; i < p->count; i++)
        json_array_append_new(series, series_json(h, p->series[i]));
    for (size_t i = 0; i < p->marks; i++)
        json_array_append_new(marks, mark_json(&p->mark[i]));
    set(out, "series", series);
    set(out, "marks", marks);
    return out;
}

static json_t *chart_json(fs_html *h, const fs_chart *c) {
    json_t *out = json_object(), *panels = json_array();
    set_number(out, "columns", (double)c->columns);
    set_number(out, "beside", c->beside);
    set_number(out, "linked", c->linked);
    for (size_t i = 0; i < c->panels; i++)
        json_array_append_new(panels, panel_json(h, c->panel[i]));
    set(out, "panels", panels);
    return out;
}

static bool is_section(const fs_html *h, const char *id) {
    for (const fs_item *item = h->sheet->root.first; item != NULL; item = item->next)
        if (item->kind == FS_ITEM_SECTION && strcmp(item->id, id) == 0)
            return true;
    return false;
}

/* A chart that is called as its section has its place. */
void fs_html_chart(fs_html *h, const fs_chart *c) {
    json_t *json = chart_json(h, c);
    h->charts++;
    fs_html_put(h, is_section(h, c->id) ? "<figure%s" : "<figure id=\"%s\"",
                is_section(h, c->id) ? "" : c->id);
    fs_html_put(h, " class=\"chart %s\">\n<h3>%s</h3>\n<div class=\"plot-box\"></div>\n",
                c->half ? "half" : "wide", c->title);
    fs_html_put(h, "<figcaption>%s</figcaption>\n</figure>\n", c->caption);
    fs_html_json(h, fs_arena_printf(h->sheet->arena, "%s-chart", c->id), "chart", 9, json);
    json_decref(json);
}

void fs_html_points(fs_html *h, const fs_chart_points *p) {
    json_t *json = panel_json(h, p->panel);
    set(json, "names", ref(h, p->names));
    fs_html_json(h, p->id, "points", 9, json);
    json_decref(json);
}
