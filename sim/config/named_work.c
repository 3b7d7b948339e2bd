/* A named work (section `work`): its keys become those of the workload, and its scene the experiment's, so that
 * machines of different kinds do the same. */
#include "sim/config/section.h"
#include "sim/host/voice.h"

#include <string.h>

typedef struct works {
    fs_report *report;
    fs_arena *arena;
    const fs_section_ruler *ruler;
    const fs_section_text *work;
    const fs_param_table *table; /* of the work's own rows */
    const char *left_out;        /* keys that a work laid over them replaced, for one line to the person */
} works;

static fs_section_text *text_called(fs_section_text *texts, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i].section->name, name) == 0)
            return &texts[i];
    return NULL;
}

/* The entry of "a.b" in nested mappings; NULL. */
static const fs_entry *entry_at(const fs_node *node, const char *path) {
    const fs_entry *entry = NULL;
    for (; *path != '\0' && node != NULL; path += strcspn(path, ".") + (path[strcspn(path, ".")] == '.')) {
        entry = fs_tree_entry(node, path, strcspn(path, "."));
        node = entry == NULL ? NULL : entry->value;
    }
    return node == NULL ? NULL : entry;
}

static void leave_out(works *w, const char *key, fs_mark mark) {
    w->left_out = fs_arena_append(w->arena, w->left_out, ", ", "%s (%s)", key, fs_mark_text(w->arena, mark));
}

/* What the work says of a row; what it has by default where it is silent. */
static const fs_node *said_of(const works *w, const char *key) {
    const fs_entry *entry = entry_at(w->work->content.node, key);
    const size_t row = fs_table_row(w->table, key);
    FS_ASSERT(row < w->table->count && w->table->rows[row].def != NULL, "a work has no optional \"%s\"", key);
    return entry != NULL ? entry->value
                         : fs_tree_scalar(w->arena, w->work->entry->value->mark, w->table->rows[row].def);
}

/* Whether two nodes say the same of a row, each right by itself. */
static bool agree(const works *w, const fs_param_table *table, const char *row, const fs_node *a,
                  const fs_node *b) {
    fs_report *report = fs_report_create(w->arena);
    const fs_param *p = &table->rows[fs_table_row(table, row)];
    void *left = fs_arena_alloc(w->arena, 1, table->size), *right = fs_arena_alloc(w->arena, 1, table->size);
    return fs_value_bind(report, w->arena, p, "", a, left) &&
           fs_value_bind(report, w->arena, p, "", b, right) && fs_params_equal(table, row, left, right);
}

/* ---- one key ---- */

/* The workload's own key takes the value; one that stands there and says another is refused, or left out where the
 * work is laid over it. */
static void give(works *w, fs_section_text *workload, const char *own, const fs_node *value) {
    const fs_param_table *table = fs_section_find_kind(w->ruler->of, w->ruler->kind)->table;
    const fs_entry *there = entry_at(workload->content.node, own);
    const char *key = fs_arena_printf(w->arena, "%s.%s", w->ruler->section, own);
    FS_ASSERT(fs_table_row(table, own) < table->count, "the workload %s has no \"%s\"", w->ruler->kind, own);
    if (there != NULL && !agree(w, table, own, there->value, value)) {
        if (!fs_kind_is_over(w->work->entry->value, there))
            fs_report_add(w->report, there->mark, key, "the work says %s (%s), found %s: leave it out",
                          fs_node_found(w->arena, value), fs_mark_text(w->arena, value->mark),
                          fs_node_found(w->arena, there->value));
        else
            leave_out(w, key, there->mark);
    }
    fs_node *over = fs_tree_nest(w->arena, value->mark, own, fs_tree_over(w->arena, value));
    workload->content.node =
        workload->content.node == NULL ? over : fs_tree_merge(w->arena, workload->content.node, over);
}

static void apply(works *w, fs_section_text *workload, const fs_work_key *k) {
    if (k->work == NULL) {
        give(w, workload, k->own, fs_tree_scalar(w->arena, w->work->entry->value->mark, k->must));
        return;
    }
    const fs_node *value = said_of(w, k->work);
    if (k->must != NULL &&
        !agree(w, w->table, k->work, value, fs_tree_scalar(w->arena, value->mark, k->must)))
        fs_report_add(w->report, value->mark, fs_arena_printf(w->arena, "work.%s", k->work),
                      "the %s %s %s: expected %s, found %s", w->ruler->section, w->ruler->kind, k->why,
                      k->must, fs_node_found(w->arena, value));
    if (k->own != NULL)
        give(w, workload, k->own, value);
}

/* ---- the scene ---- */

static bool same_scene(const works *w, const fs_section *section, fs_merged a, fs_merged b) {
    const fs_section_ruler nobody = {.section = ""};
    fs_report *report = fs_report_create(w->arena);
    fs_config_part left = {.section = section}, right = {.section = section};
    fs_section_bind(report, w->arena, &left, a, &nobody);
    fs_section_bind(report, w->arena, &right, b, &nobody);
    return fs_report_count(report) == 0 && strcmp(left.kind->kind, right.kind->kind) == 0 &&
           fs_params_equal(left.kind->table, "", left.params, right.params);
}

/* A work without a scene leaves the experiment's. */
static void give_scene(works *w, fs_parts *parts, fs_section_text *scene) {
    const fs_entry *said = fs_tree_entry(w->work->content.node, "scene", strlen("scene"));
    if (said == NULL)
        return;
    const fs_merged content = fs_parts_section(parts, scene->section, said->value);
    if (scene->entry != NULL && content.node != NULL &&
        !same_scene(w, scene->section, scene->content, content)) {
        if (!fs_kind_is_over(w->work->entry->value, scene->entry))
            fs_report_add(w->report, scene->entry->mark, "scene",
                          "the work has another scene (%s): leave this one out",
                          fs_mark_text(w->arena, said->mark));
        else
            leave_out(w, "scene", scene->entry->mark);
    }
    scene->entry = said;
    scene->content = content;
}

/* ---- all of it ---- */

void fs_section_work(fs_report *report, fs_arena *arena, fs_parts *parts, const fs_section_ruler *ruler,
                     fs_section_text *texts, size_t count) {
    fs_section_text *work = text_called(texts, count, FS_SECTION_WORK);
    if (work == NULL || work->entry == NULL || ruler->rules == NULL)
        return;
    if (ruler->rules->work == NULL) {
        fs_report_add(report, work->entry->mark, FS_SECTION_WORK,
                      "the %s %s takes no named work: %s: leave it out", ruler->section, ruler->kind,
                      ruler->rules->no_work == NULL ? "it has no rays through a mesh"
                                                    : ruler->rules->no_work);
        return;
    }
    fs_section_text *workload = text_called(texts, count, ruler->section),
                    *scene = text_called(texts, count, "scene");
    if (work->content.node == NULL) { /* that is reported: what it would have said is not known */
        workload->content.incomplete = scene->content.incomplete = true;
        return;
    }
    works w = {.report = report,
               .arena = arena,
               .ruler = ruler,
               .work = work,
               .table = work->section->kinds[0].table,
               .left_out = ""};
    for (const fs_work_key *k = ruler->rules->work; k->work != NULL || k->own != NULL; k++)
        apply(&w, workload, k);
    give_scene(&w, parts, scene);
    work->content.node = fs_tree_without(arena, work->content.node, "scene");
    if (w.left_out[0] != '\0')
        fs_say("%s: the work stands in for %s: left out", fs_mark_text(arena, work->entry->value->mark),
               w.left_out);
}
