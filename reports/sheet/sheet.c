/* A sheet while it is made: items in the order in which they are said. */
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <stdlib.h>

fs_sheet *fs_sheet_create(const char *title) {
    fs_arena *arena = fs_arena_create();
    fs_sheet *s = FS_NEW(arena, fs_sheet, 1);
    s->arena = arena;
    s->title = fs_arena_strdup(arena, title);
    s->root.kind = FS_ITEM_BOX;
    s->open = &s->root;
    return s;
}

static void free_json(fs_item *item) {
    for (; item != NULL; item = item->next) {
        json_decref(item->json);
        free_json(item->first);
    }
}

void fs_sheet_free(fs_sheet *s) {
    if (s == NULL)
        return;
    free_json(&s->root);
    fs_arena_free(s->arena);
}

fs_arena *fs_sheet_arena(fs_sheet *s) {
    return s->arena;
}

void fs_sheet_headline(fs_sheet *s, const char *verdict) {
    s->headline = fs_arena_strdup(s->arena, verdict);
}

void fs_sheet_reload(fs_sheet *s, unsigned seconds) {
    s->reload = seconds;
}

static const char *kept(fs_sheet *s, const char *text) {
    return text == NULL ? NULL : fs_arena_strdup(s->arena, text);
}

fs_item *fs_item_add(fs_sheet *s, fs_item_kind kind, const char *id, const char *look, const char *text) {
    fs_item *item = FS_NEW(s->arena, fs_item, 1);
    *item = (fs_item){.kind = kind, .id = kept(s, id), .look = kept(s, look), .text = text, .up = s->open};
    *(s->open->first == NULL ? &s->open->first : &s->open->end->next) = item;
    s->open->end = item;
    if (kind <= FS_ITEM_PANEL)
        s->open = item;
    return item;
}

/* ---- structure ---- */

void fs_sheet_section(fs_sheet *s, const char *id, const char *title, const char *inside) {
    s->open = &s->root;
    fs_item_add(s, FS_ITEM_SECTION, id, NULL, kept(s, title))->more = kept(s, inside);
}

void fs_sheet_fold(fs_sheet *s, bool open, const char *title, ...) {
    FS_VARIADIC(args, title,
                fs_item_add(s, FS_ITEM_FOLD, NULL, NULL, fs_marked(s->arena, title, args))->open = open);
}

void fs_sheet_box(fs_sheet *s, const char *look, const char *id) {
    fs_item_add(s, FS_ITEM_BOX, id, look, NULL);
}

void fs_sheet_list(fs_sheet *s, bool numbered, const char *look) {
    fs_item_add(s, FS_ITEM_LIST, NULL, look, NULL)->open = numbered;
}

void fs_sheet_choice(fs_sheet *s, const char *id, const char *what) {
    fs_item_add(s, FS_ITEM_CHOICE, id, NULL, kept(s, what));
}

void fs_sheet_panel(fs_sheet *s, const char *label) {
    FS_ASSERT(s->open->kind == FS_ITEM_CHOICE || s->open->kind == FS_ITEM_PANEL,
              "a panel outside a choice: %s", label);
    s->open = s->open->kind == FS_ITEM_PANEL ? s->open->up : s->open;
    fs_item_add(s, FS_ITEM_PANEL, NULL, NULL, kept(s, label));
}

void fs_sheet_end(fs_sheet *s) {
    FS_ASSERT(s->open != &s->root && s->open->kind != FS_ITEM_SECTION, "nothing is open");
    s->open = s->open->kind == FS_ITEM_PANEL ? s->open->up->up : s->open->up;
}

/* ---- sentences ---- */

void fs_sheet_put(fs_sheet *s, const char *look, const char *id, const char *marked) {
    fs_item_add(s, FS_ITEM_SAY, id, look, kept(s, marked));
}

const char *fs_sheet_marked(fs_sheet *s, const char *format, ...) {
    const char *text;
    FS_VARIADIC(args, format, text = fs_marked(s->arena, format, args));
    return text;
}

void fs_sheet_say(fs_sheet *s, const char *format, ...) {
    FS_VARIADIC(args, format, fs_item_add(s, FS_ITEM_SAY, NULL, "", fs_marked(s->arena, format, args)));
}

void fs_sheet_note(fs_sheet *s, const char *format, ...) {
    FS_VARIADIC(args, format, fs_item_add(s, FS_ITEM_SAY, NULL, "note", fs_marked(s->arena, format, args)));
}

void fs_sheet_say_as(fs_sheet *s, const char *look, const char *format, ...) {
    FS_VARIADIC(args, format, fs_item_add(s, FS_ITEM_SAY, NULL, look, fs_marked(s->arena, format, args)));
}

void fs_sheet_item(fs_sheet *s, const char *id, const char *format, ...) {
    FS_VARIADIC(args, format, fs_item_add(s, FS_ITEM_SAY, id, "item", fs_marked(s->arena, format, args)));
}

void fs_sheet_markdown(fs_sheet *s, const char *text) {
    fs_item_add(s, FS_ITEM_MARKDOWN, NULL, NULL, kept(s, text));
}

void fs_sheet_card(fs_sheet *s, const char *label, const char *value, const char *more) {
    fs_item *item = fs_item_add(s, FS_ITEM_CARD, NULL, NULL, kept(s, label));
    item->more = kept(s, value);
    item->last = kept(s, more);
}

void fs_sheet_share(fs_sheet *s, const char *what, double share, const char *colour, const char *figure) {
    fs_item *item = fs_item_add(s, FS_ITEM_SHARE, NULL, colour, kept(s, what));
    item->share = fmin(1, fmax(0, share));
    item->more = kept(s, figure);
}

void fs_sheet_key(fs_sheet *s, const char *colour, const char *words) {
    fs_item_add(s, FS_ITEM_KEY, NULL, colour, kept(s, words));
}

void fs_sheet_json(fs_sheet *s, const char *id, json_t *value) {
    fs_item_add(s, FS_ITEM_JSON, id, NULL, NULL)->json = value;
}

/* ---- pictures ---- */

const char *fs_sheet_png(fs_sheet *s, const char *path, bool small, bool *reduced, fs_error *err) {
    enum { LIGHT = 48 << 10, DOTS = 1 << 19 }; /* left as it is; 720 x 720 pixels are fewer than DOTS */
    enum { SMALL_LIGHT = 12 << 10, SMALL_DOTS = 320 * 240 };
    size_t bytes = 0;
    char *file =
        fs_page_small_png(path, small ? SMALL_LIGHT : LIGHT, small ? SMALL_DOTS : DOTS, &bytes, reduced, err);
    if (file == NULL)
        return NULL;
    char *text = FS_NEW(s->arena, char, 4 * ((bytes + 2) / 3) + 1);
    fs_page_base64(file, bytes, text);
    free(file);
    return text;
}

fs_status fs_sheet_picture_add(fs_sheet *s, fs_sheet_picture picture, fs_error *err) {
    const char **text[] = {&picture.path,    &picture.alt,   &picture.id,  &picture.title,
                           &picture.caption, &picture.whole, &picture.link};
    for (size_t i = 0; i < FS_COUNT(text); i++)
        *text[i] = kept(s, *text[i]);
    fs_item *item = fs_item_add(s, FS_ITEM_PICTURE, NULL, NULL, NULL);
    item->picture = picture;
    if (picture.path != NULL)
        item->png = fs_sheet_png(s, picture.path, picture.small, &item->reduced, err);
    return err->status;
}

void fs_sheet_picture_again(fs_sheet *s, const char *id, const char *alt) {
    fs_item_add(s, FS_ITEM_AGAIN, id, NULL, kept(s, alt));
}
