/* Pictures that a run made; of several runs the base's, and how the others' differ from it in words. */
#include "reports/sections/sections_private.h"

#include <stdlib.h>

static const char *path_of(const fs_show *s, size_t run, const char *file) {
    return fs_arena_printf(s->arena, "%s/%s", fs_folder_path(s->run[run]), file);
}

static fs_status put_one(fs_show *s, const fs_plan_section *section, fs_error *err) {
    fs_show_begin(s, section, NULL);
    fs_sheet_box(s->sheet, "pictures", NULL);
    for (size_t i = 0; i < section->panel_count; i++) {
        const fs_plan_panel *panel = &section->panels[i];
        const char *title = fs_show_label(panel), *caption;
        if (panel->file == NULL || !fs_folder_has(s->run[0], panel->file))
            continue;
        caption = fs_fill(s->arena, s->run[0], panel->caption, NULL, NULL);
        caption = caption == NULL ? fs_fill(s->arena, s->run[0], panel->otherwise, NULL, NULL) : caption;
        const char *whole = s->whole == NULL || s->whole[0] == '\0'
                                ? s->whole
                                : fs_arena_printf(s->arena, "%s/%s", s->whole, panel->file);
        if (fs_sheet_picture_add(
                s->sheet,
                (fs_sheet_picture){.path = path_of(s, 0, panel->file),
                                   .alt = title,
                                   .id = panel->name,
                                   .title = title,
                                   .caption = fs_sheet_marked(s->sheet, "%s", caption == NULL ? "" : caption),
                                   .whole = whole},
                err))
            return err->status;
    }
    fs_sheet_end(s->sheet);
    return FS_OK;
}

/* How two renders differ: pixels with another colour, and the greatest step of a channel. */
static fs_status say_difference(fs_show *s, const char *file, size_t run, const uint8_t *base, uint32_t width,
                                uint32_t height, fs_error *err) {
    uint32_t w = 0, h = 0;
    uint8_t *rgb = fs_png_read_rgb(path_of(s, run, file), &w, &h, err);
    if (rgb == NULL)
        return err->status;
    size_t differing = 0;
    int most = 0;
    for (size_t k = 0; w == width && h == height && k < (size_t)w * h; k++) {
        bool other = false;
        for (size_t channel = 0; channel < 3; channel++) {
            const int gap = abs(rgb[3 * k + channel] - base[3 * k + channel]);
            other |= gap > 0;
            most = gap > most ? gap : most;
        }
        differing += other;
    }
    free(rgb);
    if (w != width || h != height)
        fs_sheet_note(s->sheet, "%s renders %u x %u pixels, the base %u x %u.", s->label[run], w, h, width,
                      height);
    else if (differing == 0)
        fs_sheet_note(s->sheet, "%s renders the same picture as the base, bit for bit.", s->label[run]);
    else
        fs_sheet_note(s->sheet,
                      "%s: %zu of %zu pixels have another colour than in the base, by at most %d of 255.",
                      s->label[run], differing, (size_t)w * h, most);
    return FS_OK;
}

static fs_status put_images(fs_show *s, const fs_plan_section *section, fs_error *err) {
    if (s->count == 1)
        return put_one(s, section, err);
    const char *file = section->panel_count > 0 ? section->panels[0].file : NULL;
    if (file == NULL || !fs_folder_has(s->run[0], file))
        return FS_OK;
    uint32_t width = 0, height = 0;
    uint8_t *rgb = fs_png_read_rgb(path_of(s, 0, file), &width, &height, err);
    if (rgb == NULL)
        return err->status;
    fs_show_begin(s, section, "the rendered picture, and how the others differ from it");
    fs_sheet_box(s->sheet, "pictures", NULL);
    fs_status status = fs_sheet_picture_add(
        s->sheet,
        (fs_sheet_picture){.path = path_of(s, 0, file),
                           .alt = "the picture that the base renders",
                           .id = section->panels[0].name,
                           .title = s->label[0],
                           .caption = fs_sheet_marked(s->sheet, "%u x %u pixels.", width, height)},
        err);
    fs_sheet_end(s->sheet);
    for (size_t i = 1; i < s->count && status == FS_OK; i++)
        if (fs_folder_has(s->run[i], file))
            status = say_difference(s, file, i, rgb, width, height, err);
    free(rgb);
    return status;
}

const fs_show_kind fs_show_kind_images = {"images", put_images, NULL};
