/* docs/validation.md: what the page says, as a document with small pictures. */
#include "validation/machine_checks.h"
#include "validation/pictures.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THUMBNAIL = 160 }; /* pixels across */

typedef struct document {
    const fs_validation *v;
    fs_arena *arena;
    fs_validation_drawing *d;
    const char *pictures; /* DOCS/validation */
    fs_text text;
} document;

/* ---- markdown ---- */

/* Text in which nothing is markup. */
static const char *plain(document *m, const char *text) {
    char *out = FS_NEW(m->arena, char, 2 * strlen(text) + 1), *to = out;
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]<>|#", *text) != NULL)
            *to++ = '\\';
        *to++ = *text;
        if (*text == '\n')
            to[-1] = ' ';
    }
    return out;
}

static void put_heading(document *m, const char *title) {
    fs_text_print(&m->text, "\n## %s\n\n", title);
}

static void put_cell(document *m, const char *text) {
    fs_text_print(&m->text, " %s |", plain(m, text));
}

static void begin_row(document *m) {
    fs_text_print(&m->text, "|");
}

static void end_row(document *m) {
    fs_text_print(&m->text, "\n");
}

/* heads [count], of which the first `words` hold words, the others numbers. */
static void put_heads(document *m, const char *const *heads, size_t count, size_t words) {
    begin_row(m);
    for (size_t i = 0; i < count; i++)
        put_cell(m, heads[i]);
    fs_text_print(&m->text, "\n|");
    for (size_t i = 0; i < count; i++)
        fs_text_print(&m->text, i < words ? " --- |" : " ---: |");
    end_row(m);
}

/* ---- pictures ---- */

static fs_status put_picture(document *m, const fs_validation_picture *q, fs_error *err) {
    const char *from = fs_arena_printf(m->arena, "%s/%s.png", m->d->folder, q->name);
    const char *to = fs_arena_printf(m->arena, "%s/%s.png", m->pictures, q->name);
    fs_text_print(&m->text, "**%s.** %s\n\n![%s](validation/%s.png)\n\n", plain(m, q->title),
                  plain(m, q->caption), plain(m, q->title), q->name);
    return fs_png_shrink(from, to, err);
}

static fs_status put_pictures(document *m, fs_picture_kind kind, const fs_validation_case *of,
                              fs_error *err) {
    for (const fs_validation_picture *q = NULL; (q = fs_validation_next(m->d, kind, of, q)) != NULL;)
        if (put_picture(m, q, err))
            return err->status;
    return FS_OK;
}

/* Pictures of cases that are gone. */
static fs_status clear(const char *folder, fs_error *err) {
    if (fs_page_folder(folder, err))
        return err->status;
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".png") == 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
    return FS_OK;
}

/* ---- sections ---- */

static void put_verdict(document *m) {
    static const char *const heads[] = {"score", "reached", "wanted"};
    size_t count = 0;
    const char *const *sentence = fs_validation_verdict(m->v, m->arena, &count);
    fs_text_print(&m->text,
                  "# The paper, predicted and measured against\n\nWritten by `make validate-docs` "
                  "(%s); `foamsim validate -o DIR` makes the same as a page with values under the "
                  "pointer.\n\n",
                  m->v->version == NULL ? "foamsim" : plain(m, m->v->version));
    for (size_t i = 0; i < count; i++)
        fs_text_print(&m->text, "%zu. %s\n", i + 1, plain(m, sentence[i]));
    end_row(m);
    const fs_score *score = fs_validation_scores(m->v, m->arena, &count);
    put_heads(m, heads, 3, 1);
    for (size_t i = 0; i < count; i++) {
        begin_row(m);
        put_cell(m, score[i].name);
        put_cell(m, score[i].value);
        put_cell(m, score[i].aim);
        end_row(m);
    }
}

static fs_status put_tables(document *m, fs_error *err) {
    put_heading(m, "Published against simulated");
    if (put_pictures(m, FS_PICTURE_SCATTER, NULL, err))
        return err->status;
    for (size_t i = 0; i < m->v->case_count; i++) {
        const fs_validation_case *of = &m->v->cases[i];
        if (fs_validation_next(m->d, FS_PICTURE_CHART, of, NULL) == NULL)
            continue;
        put_heading(m, plain(m, of->title));
        fs_text_print(&m->text, "%s: %s", of->source, of->about == NULL ? "" : plain(m, of->about));
        if (isfinite(of->mean_error))
            fs_text_print(&m->text, " Held out, it is off by %s on average.",
                          fs_words_share(m->arena, of->mean_error));
        if (isfinite(of->order))
            fs_text_print(&m->text, " Pairs in the published order: %s.",
                          fs_words_share(m->arena, of->order));
        fs_text_print(&m->text, "\n\n");
        if (put_pictures(m, FS_PICTURE_CHART, of, err) || put_pictures(m, FS_PICTURE_ERRORS, of, err))
            return err->status;
    }
    return FS_OK;
}

static void put_pace(document *m) {
    static const char *const heads[] = {"case",    "variant",   "camera's tracer", "other tracers",
                                        "routers", "generator", "injecting",       "draining"};
    bool begun = false;
    for (size_t i = 0; i < m->v->case_count; i++)
        for (size_t j = 0; j < m->v->cases[i].pace_count; j++) {
            const fs_pace *pace = &m->v->cases[i].paces[j];
            if (!begun) {
                put_heading(m, "What sets the pace");
                fs_text_print(&m->text,
                              "Shares of iterations whose last tile was of that kind, and mean cycles "
                              "of an iteration while rays enter and after, in the run of the middle "
                              "stand-in.\n\n");
                put_heads(m, heads, 8, 2);
                begun = true;
            }
            begin_row(m);
            put_cell(m, m->v->cases[i].source);
            put_cell(m, pace->variant);
            put_cell(m, fs_words_share(m->arena, pace->camera));
            put_cell(m, fs_words_share(m->arena, pace->tracer - pace->camera));
            put_cell(m, fs_words_share(m->arena, pace->router));
            put_cell(m, fs_words_share(m->arena, pace->generator));
            put_cell(m, fs_words_number(m->arena, round(pace->cycles_injecting), "cycles"));
            put_cell(m, fs_words_number(m->arena, round(pace->cycles_draining), "cycles"));
            end_row(m);
        }
}

static void put_likeness(document *m, const fs_standin *s) {
    for (size_t r = 0; r < s->likeness_count; r++) {
        const fs_likeness *k = &s->likeness[r];
        begin_row(m);
        put_cell(m, r == 0 ? s->name : "");
        put_cell(m, k->name);
        put_cell(m, fs_words_value(m->arena, k->published, k->unit));
        put_cell(m, fs_words_value(m->arena, k->value, k->unit));
        put_cell(m, fs_words_change(m->arena, k->value / k->published - 1));
        end_row(m);
    }
}

static fs_status put_scenes(document *m, fs_error *err) {
    static const char *const heads[] = {"stand-in", "statistic", "published", "its own", "deviation"};
    put_heading(m, "Stand-in scenes");
    fs_text_print(&m->text,
                  "The paper's trained scenes are not to be had. These take their places: made to the "
                  "published statistics, never to a time.\n\n");
    for (size_t i = 0; i < m->v->standin_count; i++) {
        const fs_standin *s = &m->v->standins[i];
        fs_text_print(&m->text, "- `%s`: %s\n", s->name, s->about == NULL ? "" : plain(m, s->about));
    }
    end_row(m);
    for (size_t i = 0; i < m->v->standin_count; i++) {
        const fs_standin *s = &m->v->standins[i];
        if (s->run == NULL)
            continue;
        const char *path = fs_arena_printf(m->arena, "%s/%s.png", m->pictures, s->name);
        if (fs_validation_thumbnail(s, THUMBNAIL, path, err) || fs_png_shrink(path, path, err))
            return err->status;
        fs_text_print(&m->text, "![%s](validation/%s.png)\n", s->name, s->name);
    }
    end_row(m);
    put_heads(m, heads, 5, 2);
    for (size_t i = 0; i < m->v->standin_count; i++)
        put_likeness(m, &m->v->standins[i]);
    fs_text_print(&m->text, "\n");
    return put_pictures(m, FS_PICTURE_MAP, NULL, err);
}

static void put_behaviours(document *m) {
    static const char *const heads[] = {"what the paper describes", "seen", "what was found", "source"};
    bool begun = false;
    for (size_t i = 0; i < m->v->case_count; i++)
        for (size_t j = 0; j < m->v->cases[i].claim_count; j++) {
            const fs_claim *c = &m->v->cases[i].claims[j];
            if (c->use != FS_USE_BEHAVIOUR)
                continue;
            if (!begun) {
                put_heading(m, "Behaviours");
                put_heads(m, heads, 4, 4);
                begun = true;
            }
            begin_row(m);
            put_cell(m, c->name);
            put_cell(m, fs_claim_state(c, m->arena));
            put_cell(m, c->words != NULL    ? c->words
                        : fs_claim_there(c) ? ""
                                            : fs_claim_first_why(c, m->arena));
            put_cell(m, c->source);
            end_row(m);
        }
}

static fs_status put_checks(document *m, fs_error *err) {
    static const char *const heads[] = {"figure", "program", "published", "simulated", "error"};
    fs_machine_check check[FS_MACHINE_CHECKS];
    size_t count = 0;
    if (fs_machine_checks(check, FS_MACHINE_CHECKS, &count, err))
        return err->status;
    put_heading(m, "The machine alone");
    put_heads(m, heads, 5, 2);
    for (size_t i = 0; i < count; i++) {
        const fs_machine_check *c = &check[i];
        begin_row(m);
        put_cell(m, c->name);
        put_cell(m, c->note);
        put_cell(m, fs_arena_printf(m->arena, "%s %s",
                                    fs_words_range(m->arena, c->published_low, c->published_high, c->unit),
                                    c->unit));
        put_cell(m, fs_words_value(m->arena, c->simulated, c->unit));
        put_cell(m, fs_words_change(m->arena, fs_machine_check_error(c)));
        end_row(m);
    }
    return FS_OK;
}

static void put_claims(document *m) {
    static const char *const heads[] = {
        "source", "figure", "result", "published", "simulated", "range over stand-ins", "error"};
    put_heading(m, "All figures");
    fs_text_print(&m->text, "Simulated: the median over the stand-ins.\n\n");
    put_heads(m, heads, 7, 3);
    for (size_t i = 0; i < m->v->case_count; i++)
        for (size_t j = 0; j < m->v->cases[i].claim_count; j++) {
            const fs_claim *c = &m->v->cases[i].claims[j];
            if (c->use == FS_USE_BEHAVIOUR)
                continue;
            bool there = fs_claim_there(c);
            begin_row(m);
            put_cell(m, c->source);
            put_cell(m, c->name);
            put_cell(m, there ? fs_claim_state(c, m->arena)
                              : fs_arena_printf(m->arena, "missing: %s", fs_claim_first_why(c, m->arena)));
            put_cell(m, fs_words_value(m->arena, c->published, c->unit));
            put_cell(m, fs_words_value(m->arena, c->median, c->unit));
            put_cell(m, fs_words_range(m->arena, c->low, c->high, c->unit));
            put_cell(m, fs_words_change(m->arena, c->error));
            end_row(m);
        }
}

static void put_decisions(document *m) {
    put_heading(m, "Where the paper is silent");
    for (size_t i = 0; i < m->v->case_count; i++) {
        const fs_validation_case *of = &m->v->cases[i];
        bool open = of->open != NULL && of->open[0] != '\0';
        if (open || of->choice_count > 0)
            fs_text_print(&m->text, "- *%s.* %s\n", plain(m, of->title), open ? plain(m, of->open) : "");
        for (size_t k = 0; k < of->choice_count; k++)
            fs_text_print(&m->text, "  - Read as *%s*: times %s, mean error %s instead of %s.\n",
                          plain(m, of->choices[k].name),
                          fs_words_change(m->arena, of->choices[k].mean_change),
                          fs_words_share(m->arena, of->choices[k].mean_error),
                          fs_words_share(m->arena, of->mean_error));
    }
}

static void put_calibration(document *m) {
    static const char *const heads[] = {"",          "mean error held out", "without saturated",
                                        "saturated", "within range",        "published order"};
    const fs_scores *const scores[] = {&m->v->unfitted, &m->v->fitted};
    put_heading(m, "Calibration");
    fs_text_print(&m->text, "%s\n\n",
                  m->v->calibration == NULL || m->v->calibration[0] == '\0'
                      ? "No scalar of the cost model was fitted: all parameters come from their sources."
                      : plain(m, m->v->calibration));
    if (isnan(scores[0]->mean_error) || isnan(scores[1]->mean_error))
        return;
    put_heads(m, heads, 6, 1);
    for (size_t i = 0; i < 2; i++) {
        const double value[] = {scores[i]->mean_error, scores[i]->mean_error_plain,
                                scores[i]->mean_error_saturated, scores[i]->within, scores[i]->order};
        begin_row(m);
        put_cell(m, i == 0 ? "nothing fitted" : "fitted");
        for (size_t k = 0; k < 5; k++)
            put_cell(m, fs_words_share(m->arena, value[k]));
        end_row(m);
    }
}

static fs_status put_all(document *m, fs_error *err) {
    put_verdict(m);
    if (put_tables(m, err))
        return err->status;
    if (fs_validation_next(m->d, FS_PICTURE_TORNADO, NULL, NULL) != NULL)
        put_heading(m, "What the times depend on");
    if (put_pictures(m, FS_PICTURE_TORNADO, NULL, err))
        return err->status;
    put_pace(m);
    if (put_scenes(m, err))
        return err->status;
    put_behaviours(m);
    if (put_checks(m, err))
        return err->status;
    put_claims(m);
    put_decisions(m);
    put_calibration(m);
    return FS_OK;
}

fs_status fs_validation_markdown(const fs_validation *v, const char *folder, const char *docs,
                                 fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_validation_drawing d = {
        .v = v, .arena = arena, .folder = fs_arena_printf(arena, "%s/pictures", folder)};
    document m = {.v = v, .arena = arena, .d = &d, .pictures = fs_arena_printf(arena, "%s/validation", docs)};
    fs_status status = fs_validation_draw(&d, FS_PLOT_PNG, err);
    if (status == FS_OK)
        status = clear(m.pictures, err);
    if (status == FS_OK)
        status = put_all(&m, err);
    if (status == FS_OK)
        status = fs_text_save(&m.text, docs, "validation", "md", err);
    free(m.text.text);
    fs_validation_drawing_end(&d);
    fs_arena_free(arena);
    return status;
}
