/* The stand-in scenes of a validation: their pictures, how alike they are, and their maps. */
#include "reports/page/page_file.h"
#include "reports/read/run_folder.h"
#include "validation/page/page_private.h"

#include <stdlib.h>
#include <string.h>

/* Calls for each ensemble with its first stand-in. */
static bool first_of_ensemble(const fs_validation *v, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(v->standins[i].ensemble, v->standins[at].ensemble) == 0)
            return false;
    return true;
}

/* ---- likeness ---- */

static void put_published(fs_validation_sheet *p, fs_rows *t, const fs_likeness *k, size_t count) {
    fs_rows_add(t);
    fs_cell_head(t, "<b>published</b>");
    for (size_t r = 0; r < count; r++)
        fs_cell_number(t, fs_words_number(p->arena, k[r].published), k[r].published);
}

static void put_standin(fs_validation_sheet *p, fs_rows *t, const fs_standin *s) {
    const fs_likeness *k = s->likeness;
    fs_rows_add(t);
    fs_cell_head(t, "<a href=\"#standin-%s\">%s</a>", s->name, s->name);
    for (size_t r = 0; r < s->likeness_count; r++) {
        double value = k[r].value;
        fs_cell_say(t, "%s<span class=\"bar-text note\">%s</span>", fs_words_number(p->arena, value),
                    fs_words_change(p->arena, value / k[r].published - 1));
        fs_cell_add(t, (fs_cell_more){.look = "number", .value = &k[r].value});
    }
}

static void put_ensemble(fs_validation_sheet *p, size_t first) {
    const fs_validation *v = p->v;
    const fs_standin *of = &v->standins[first];
    const fs_likeness *k = of->likeness;
    size_t count = of->likeness_count;
    if (count == 0) {
        fs_sheet_note(p->sheet, "No case holds published statistics of the scenes in %s's place.",
                      of->ensemble);
        return;
    }
    fs_rows_column *columns = FS_NEW(p->arena, fs_rows_column, count + 1);
    columns[0] = (fs_rows_column){of->ensemble, NULL, false, NULL};
    for (size_t r = 0; r < count; r++)
        columns[r + 1] = (fs_rows_column){k[r].name, k[r].unit, true, NULL};
    fs_rows *t = fs_sheet_table_of(
        p->sheet,
        fs_arena_printf(p->arena,
                        "Stand-ins for %s: published statistics, and each one's own with its "
                        "deviation.",
                        of->ensemble),
        columns, count + 1);
    put_published(p, t, k, count);
    for (size_t i = first; i < v->standin_count; i++)
        if (strcmp(v->standins[i].ensemble, of->ensemble) == 0)
            put_standin(p, t, &v->standins[i]);
}

/* ---- pictures ---- */

/* The comment at the head of a stand-in's file, without its marks; "" when there is none. */
static const char *comment_of(fs_arena *arena, const char *path) {
    fs_error ignored = {0};
    char *text = fs_page_read(path, NULL, &ignored);
    if (text == NULL)
        return "";
    char *out = FS_NEW(arena, char, strlen(text) + 1), *to = out;
    for (const char *line = text; *line == '#';) {
        size_t length = strcspn(line, "\n"), marks = strncmp(line, "# ", 2) == 0 ? 2 : 1;
        memcpy(to, line + marks, length - marks);
        to += length - marks;
        *to++ = '\n';
        line += length + (line[length] == '\n');
    }
    *to = '\0';
    free(text);
    return out;
}

static fs_status put_thumbnail(fs_validation_sheet *p, const fs_standin *s, fs_error *err) {
    fs_folder *run = s->run == NULL ? NULL : fs_folder_open(s->run, NULL, err);
    if (s->run != NULL && run == NULL)
        return err->status;
    const bool drawn = run != NULL && fs_folder_has(run, "image.png");
    fs_folder_close(run);
    fs_sheet_box(p->sheet, "", fs_arena_printf(p->arena, "standin-%s", s->name));
    if (!drawn)
        fs_sheet_note(p->sheet, "%s",
                      s->run == NULL ? "No picture: there is no run of it."
                                     : "No picture: its rays are no camera's.");
    else if (fs_sheet_picture_add(
                 p->sheet,
                 (fs_sheet_picture){.path = fs_arena_printf(p->arena, "%s/image.png", s->run),
                                    .alt = fs_arena_printf(p->arena, "%s as the chip renders it", s->name),
                                    .small = true},
                 err))
        return err->status;
    fs_sheet_say(p->sheet, "<b>%s</b>: %s<br><code>%s</code>", s->name, s->about == NULL ? "" : s->about,
                 fs_words_path(p->arena, s->path));
    const char *said = comment_of(p->arena, s->path);
    if (said[0] != '\0') {
        fs_sheet_fold(p->sheet, false, "what was tuned, and how well it matches");
        fs_sheet_say_as(p->sheet, "pre", "%s", said);
        fs_sheet_end(p->sheet);
    }
    fs_sheet_end(p->sheet);
    return FS_OK;
}

fs_status fs_validation_put_scenes(fs_validation_sheet *p, fs_error *err) {
    fs_sheet_section(p->sheet, "scenes", "Stand-in scenes", "the scenes that stand in for the paper's");
    fs_sheet_say(p->sheet,
                 "%s Each figure is the median over an ensemble of them, and the range over it says how much "
                 "the scene alone decides.",
                 p->v->paper->scenes);
    if (p->v->standin_count == 0)
        fs_sheet_note(p->sheet, "There is no stand-in.");
    for (size_t i = 0; i < p->v->standin_count; i++)
        if (first_of_ensemble(p->v, i))
            put_ensemble(p, i);
    fs_sheet_box(p->sheet, "thumbnails", NULL);
    for (size_t i = 0; i < p->v->standin_count; i++)
        if (put_thumbnail(p, &p->v->standins[i], err))
            return err->status;
    fs_sheet_end(p->sheet);
    return FS_OK;
}

fs_status fs_validation_put_maps(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    if (p->v->paper->pixel_count == 0)
        return FS_OK;
    fs_sheet_section(p->sheet, "maps", "Visits of each pixel", "visits of each pixel beside the paper's");
    fs_sheet_say(p->sheet, "%s", p->v->paper->maps);
    fs_status status = fs_validation_put_grid(p, FS_VALIDATION_MAP, &count, err);
    if (count == 0)
        fs_sheet_note(p->sheet, "No stand-in has a run with hops of each pixel.");
    return status;
}
