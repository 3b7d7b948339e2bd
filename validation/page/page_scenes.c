/* The stand-in scenes of a validation: their pictures, how alike they are, and their maps. */
#include "reports/read/run_folder.h"
#include "validation/page/sheet.h"

#include <stdlib.h>
#include <string.h>

enum { THUMBNAIL = 240 }; /* pixels across */

/* Calls for each ensemble with its first stand-in. */
static bool first_of_ensemble(const fs_validation *v, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(v->standins[i].ensemble, v->standins[at].ensemble) == 0)
            return false;
    return true;
}

/* ---- likeness ---- */

static void put_published(fs_validation_sheet *p, const fs_likeness *k, size_t count) {
    fs_page_row(p->page);
    fs_page_put(p->page, "<th scope=\"row\"><b>published</b></th>");
    for (size_t r = 0; r < count; r++)
        fs_page_cell_number(p->page, fs_words_number(p->arena, k[r].published), k[r].published);
}

static void put_standin(fs_validation_sheet *p, const fs_standin *s) {
    const fs_likeness *k = s->likeness;
    fs_page_row(p->page);
    fs_page_put(p->page, "<th scope=\"row\"><a href=\"#standin-%s\">%s</a></th>", s->name, s->name);
    for (size_t r = 0; r < s->likeness_count; r++) {
        double value = k[r].value;
        fs_page_put(
            p->page,
            "<td class=\"number\" data-value=\"%.17g\">%s<span class=\"bar-text note\">%s</span></td>", value,
            fs_words_number(p->arena, value), fs_words_change(p->arena, value / k[r].published - 1));
    }
}

static void put_ensemble(fs_validation_sheet *p, size_t first) {
    const fs_validation *v = p->v;
    const fs_standin *of = &v->standins[first];
    const fs_likeness *k = of->likeness;
    size_t count = of->likeness_count;
    if (count == 0) {
        fs_page_note(p->page, "No case holds published statistics of the scenes in %s's place.",
                     of->ensemble);
        return;
    }
    fs_page_column *columns = FS_NEW(p->arena, fs_page_column, count + 1);
    columns[0] = (fs_page_column){of->ensemble, NULL, false, NULL};
    for (size_t r = 0; r < count; r++)
        columns[r + 1] = (fs_page_column){k[r].name, k[r].unit, true, NULL};
    fs_page_table(p->page,
                  fs_arena_printf(p->arena,
                                  "Stand-ins for %s: published statistics, and each one's own with its "
                                  "deviation.",
                                  of->ensemble),
                  columns, count + 1);
    put_published(p, k, count);
    for (size_t i = first; i < v->standin_count; i++)
        if (strcmp(v->standins[i].ensemble, of->ensemble) == 0)
            put_standin(p, &v->standins[i]);
    fs_page_table_end(p->page);
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
    fs_page_put(p->page, "<figure id=\"standin-%s\">\n", s->name);
    if (drawn) {
        const char *path = fs_arena_printf(p->arena, "%s/%s.png", p->d->folder, s->name);
        if (fs_validation_thumbnail(s, THUMBNAIL, path, err) ||
            fs_page_png(p->page, path, fs_arena_printf(p->arena, "%s as the chip renders it", s->name), NULL,
                        err))
            return err->status;
    } else
        fs_page_note(p->page, s->run == NULL ? "No picture: there is no run of it."
                                             : "No picture: its rays are no camera's.");
    fs_page_put(p->page, "<figcaption><b>%s</b>: %s", s->name, s->about == NULL ? "" : s->about);
    fs_page_put(p->page, "<br><code>%s</code></figcaption>\n", fs_words_path(p->arena, s->path));
    const char *told = comment_of(p->arena, s->path);
    if (told[0] != '\0') {
        fs_page_fold(p->page, "what was tuned, and how well it matches");
        fs_page_put(p->page, "<pre>%s</pre>\n", told);
        fs_page_fold_end(p->page);
    }
    fs_page_put(p->page, "</figure>\n");
    return FS_OK;
}

fs_status fs_validation_put_scenes(fs_validation_sheet *p, fs_error *err) {
    fs_page_folded(p->page, "scenes", "Stand-in scenes", "the scenes that stand in for the paper's");
    fs_page_put(
        p->page,
        "<p>%s Each figure is the median over an ensemble of them, and the range over it says how much "
        "the scene alone decides.</p>\n",
        p->v->paper->scenes);
    if (p->v->standin_count == 0)
        fs_page_note(p->page, "There is no stand-in.");
    for (size_t i = 0; i < p->v->standin_count; i++)
        if (first_of_ensemble(p->v, i))
            put_ensemble(p, i);
    fs_page_put(p->page, "<div class=\"thumbnails\">\n");
    for (size_t i = 0; i < p->v->standin_count; i++)
        if (put_thumbnail(p, &p->v->standins[i], err))
            return err->status;
    fs_page_put(p->page, "</div>\n");
    return FS_OK;
}

fs_status fs_validation_put_maps(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    if (p->v->paper->pixel_count == 0)
        return FS_OK;
    fs_page_folded(p->page, "maps", "Visits of each pixel", "visits of each pixel beside the paper's");
    fs_page_put(p->page, "<p>%s</p>\n", p->v->paper->maps);
    fs_status status = fs_validation_put_grid(p, FS_PICTURE_MAP, &count, err);
    if (count == 0)
        fs_page_note(p->page, "No stand-in has a run with hops of each pixel.");
    return status;
}
