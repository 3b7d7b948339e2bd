/* Prices of a design by Accelergy: energies of actions (ERT) and areas (ART), as a machine with them. Which of them is which
 * price of foamsim says a map that the person writes, map.yaml beside the table. */
#include "formats/format.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/tree.h"
#include "sim/yaml/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energies in pJ an action, areas in um2 each. */
enum { ENERGY, AREA, TABLES };
static const char *const keys[] = {"ERT", "ART"}, *const parts[] = {"energy", "area"},
                         *const units[] = {"pJ", "um2"};

typedef struct reader {
    fs_arena *arena;
    fs_report *report;
    fs_notes *notes;
    const char *path[TABLES], *map_path;
    const fs_node *table[TABLES]; /* lists of tables; NULL: the map wants none of it */
    FILE *out;
    uint64_t prices;
} reader;

/* ---- files ---- */

static const fs_node *parse(reader *r, const char *path, fs_error *err) {
    const char *text = fs_file_table(r->arena, path, err);
    if (text == NULL)
        return NULL;
    fs_source *source = FS_NEW(r->arena, fs_source, 1);
    *source = (fs_source){.name = fs_arena_strdup(r->arena, path), .dir = "", .real = path};
    return fs_tree_parse(r->report, r->arena, source, "", text, strlen(text));
}

__attribute__((format(printf, 3, 4))) static bool wrong(reader *r, const fs_node *node, const char *format,
                                                        ...) {
    FS_VARIADIC(args, format,
                fs_report_add(r->report, node->mark, "", "%s", fs_arena_vprintf(r->arena, format, args)));
    return false;
}

/* The list of tables of a file; NULL, reported: it has none. */
static const fs_node *tables_of(reader *r, int kind, fs_error *err) {
    const fs_node *root = parse(r, r->path[kind], err);
    const char *summary = fs_arena_printf(r->arena, "%s_summary", keys[kind]);
    if (root == NULL)
        return NULL;
    const fs_node *list = fs_tree_get(fs_tree_get(root, keys[kind]), "tables");
    if (fs_tree_get(root, summary) != NULL)
        wrong(r, root, "%s: a summary has means alone; expected the table, %s", summary, keys[kind]);
    else if (list == NULL || list->kind != FS_NODE_LIST)
        wrong(r, root, "%s: expected tables, a list, found none", keys[kind]);
    return list != NULL && list->kind == FS_NODE_LIST ? list : NULL;
}

/* ---- what fits ---- */

static const char *text_of(const fs_node *node) {
    return node != NULL && node->kind == FS_NODE_SCALAR ? node->text : "";
}

/* A name without its ranges: "chip.tile[0..1471].alu" is "chip.tile.alu". */
static const char *without_ranges(fs_arena *arena, const char *name) {
    char *out = fs_arena_strdup(arena, name), *to = out;
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '[')
            at += strcspn(at, "]");
        else
            *to++ = *at;
        if (*at == '\0')
            break;
    }
    *to = '\0';
    return out;
}

/* Every argument that the map names has that value. */
static bool has_arguments(const fs_node *action, const fs_node *wanted) {
    const fs_node *has = fs_tree_get(action, "arguments");
    for (size_t i = 0; wanted != NULL && wanted->kind == FS_NODE_MAPPING && i < wanted->count; i++) {
        const fs_node *value = fs_tree_get(has, wanted->entries[i].key);
        if (value == NULL || strcmp(text_of(value), text_of(wanted->entries[i].value)) != 0)
            return false;
    }
    return true;
}

/* The one item of a list that the entry of the map names by `key`; NULL, reported: none or several. */
static const fs_node *find(reader *r, const fs_node *entry, const char *key, const fs_node *list,
                           const char *where) {
    const fs_node *wanted = fs_tree_get(entry, key), *found = NULL;
    const bool component = strcmp(key, "component") == 0;
    if (text_of(wanted)[0] == '\0')
        return wrong(r, entry, "%s: expected a name, found none", key) ? entry : NULL;
    const char **names = FS_NEW(r->arena, const char *, list->count + 1);
    size_t fits = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = text_of(fs_tree_get(list->items[i], "name"));
        names[i] = component ? without_ranges(r->arena, name) : name;
        const bool same = strcmp(names[i], text_of(wanted)) == 0 || strcmp(name, text_of(wanted)) == 0;
        if (!same || (!component && !has_arguments(list->items[i], fs_tree_get(entry, "arguments"))))
            continue;
        found = list->items[i];
        fits++;
    }
    if (fits == 0)
        wrong(r, wanted, "%s: %s has no %s%s%s", key, where, fs_quoted(r->arena, text_of(wanted)),
              fs_listed_word(text_of(wanted), names) ? " with these arguments" : "",
              FS_MEANT(text_of(wanted), names));
    if (fits > 1)
        wrong(r, wanted, "%s: %zu of %s are %s%s", key, fits, where, fs_quoted(r->arena, text_of(wanted)),
              component ? ": name its range, too" : "; arguments say which");
    return fits == 1 ? found : NULL;
}

static bool take_number(reader *r, const fs_node *node, const char *what, bool positive, double *out) {
    char *end = NULL;
    const char *text = text_of(node);
    *out = text[0] != '\0' ? strtod(text, &end) : -1;
    if (end != NULL && *end == '\0' && isfinite(*out) && *out >= 0 && (*out > 0 || !positive) && *out < 1e15)
        return true;
    return wrong(r, node, "%s: expected a number%s, found %s", what, positive ? " above 0" : " of at least 0",
                 fs_quoted(r->arena, text));
}

/* ---- prices ---- */

static void put_price(reader *r, int kind, const char *price, const fs_node *value, const char *about,
                      double amount) {
    const char *file = strrchr(value->mark.source->name, '/');
    file = fs_shown(r->arena, file == NULL ? value->mark.source->name : file + 1);
    fprintf(r->out, "  %s: %.12g %s # [A] %s:%d, %s\n", price, amount, units[kind], file, value->mark.line,
            about);
    fs_notes_add(r->notes,
                 (fs_note){.kind = FS_NOTE_TAKEN,
                           .what = fs_arena_printf(r->arena, "%s.%s", parts[kind], price),
                           .words = fs_arena_printf(r->arena, "%.12g %s, %s", amount, units[kind], about),
                           .file = value->mark.source->name,
                           .line = (uint64_t)value->mark.line,
                           .column = (uint64_t)value->mark.column});
    r->prices++;
}

/* `energy.int_op: { component: chip.tile.alu, action: int_add, times: 2 }` */
static void take_price(reader *r, int kind, const fs_entry *entry) {
    static const char *const known[] = {"component", "action", "arguments", "times", NULL};
    const char *prefix = fs_arena_printf(r->arena, "%s.", parts[kind]), *price = entry->key + strlen(prefix);
    const fs_node *node = entry->value, *times = fs_tree_get(node, "times");
    double amount, factor = 1;
    if (strncmp(entry->key, prefix, strlen(prefix)) != 0 ||
        strspn(price, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(price)) {
        wrong(r, node, "%s: expected a price, %sNAME", fs_shown(r->arena, entry->key), prefix);
        return;
    }
    for (size_t i = 0; node->kind == FS_NODE_MAPPING && i < node->count; i++)
        if (!fs_listed_word(node->entries[i].key, known))
            wrong(r, node->entries[i].value, "%s: expected %s%s", fs_shown(r->arena, node->entries[i].key),
                  fs_listed_words(r->arena, known, "or"), FS_MEANT(node->entries[i].key, known));
    const fs_node *table = find(r, node, "component", r->table[kind], keys[kind]);
    if (table == NULL || (times != NULL && !take_number(r, times, "times", true, &factor)))
        return;
    const char *name = fs_shown(r->arena, text_of(fs_tree_get(table, "name"))), *about = name;
    const fs_node *value = fs_tree_get(table, "area");
    if (kind == ENERGY) {
        const fs_node *actions = fs_tree_get(table, "actions");
        const fs_node *action =
            actions == NULL || actions->kind != FS_NODE_LIST ? NULL : find(r, node, "action", actions, name);
        if (actions == NULL || actions->kind != FS_NODE_LIST)
            wrong(r, table, "%s: expected actions, a list, found none", name);
        if (action == NULL)
            return;
        value = fs_tree_get(action, "energy");
        about = fs_arena_printf(r->arena, "%s %s", name,
                                fs_shown(r->arena, text_of(fs_tree_get(action, "name"))));
        if (value == NULL)
            value = action;
    }
    if (value == NULL)
        wrong(r, table, "%s: expected an area, found none", name);
    else if (take_number(r, value, kind == ENERGY ? "energy" : "area", false, &amount))
        put_price(r, kind, price, value,
                  factor < 1 || factor > 1 ? fs_arena_printf(r->arena, "%s times %g", about, factor) : about,
                  amount * factor);
}

static void take_prices(reader *r, const fs_node *map, int kind, fs_error *err) {
    const fs_node *list = fs_tree_get(map, parts[kind]);
    if (list == NULL || list->kind != FS_NODE_MAPPING || list->count == 0)
        return;
    if ((r->table[kind] = tables_of(r, kind, err)) == NULL)
        return;
    fprintf(r->out, "%s:\n", parts[kind]);
    for (size_t i = 0; i < list->count; i++)
        take_price(r, kind, &list->entries[i]);
}

/* ---- the whole ---- */

/* Letters of a table's first key, behind comments: "ERT", "ART", or their summaries. -1: another. */
static int kind_of(const uint8_t *head, size_t bytes) {
    for (size_t at = 0; at + 4 < bytes;) {
        for (int k = 0; k < TABLES; k++)
            if (memcmp(head + at, keys[k], 3) == 0 && (head[at + 3] == ':' || head[at + 3] == '_'))
                return k;
        if (head[at] != '#' && head[at] != '\n' && head[at] != '-')
            return -1;
        while (at < bytes && head[at] != '\n')
            at++;
        at++;
    }
    return -1;
}

static bool is_accelergy(const uint8_t *head, size_t bytes) {
    return kind_of(head, bytes) >= 0;
}

/* A file beside another one. */
static const char *beside(fs_arena *arena, const char *path, const char *name) {
    return fs_path_join(arena, fs_path_dir(arena, path), name);
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    const char *text = fs_file_table(arena, path, err);
    if (text == NULL)
        return err->status;
    const size_t length = strlen(text);
    const int own = kind_of((const uint8_t *)text, length);
    const bool given = asked->map != NULL && asked->map[0] != '\0';
    reader r = {.arena = arena,
                .report = fs_report_create(arena),
                .notes = notes,
                .map_path = given ? asked->map : beside(arena, path, "map.yaml")};
    for (int k = 0; k < TABLES; k++)
        r.path[k] = k == own ? path : beside(arena, path, k == ENERGY ? "ERT.yaml" : "ART.yaml");
    if (!fs_path_is_file(r.map_path))
        return fs_fail(
            err, FS_INPUT,
            "%s: which of it is which price says a map, map.yaml beside it or --map FILE; %s is no file",
            path, r.map_path);
    fs_memory prices;
    r.out = fs_memory_open(&prices);
    const fs_node *map = parse(&r, r.map_path, err);
    for (int k = 0; map != NULL && k < TABLES; k++)
        take_prices(&r, map, k, err);
    fs_memory_close(&prices);
    if (err->status == FS_OK && fs_report_finish(r.report, err) == FS_OK && r.prices == 0)
        fs_fail(err, FS_INPUT, "%s: expected prices, energy or area, found none", r.map_path);
    fs_notes_add(notes, (fs_note){.kind = FS_NOTE_IGNORED,
                                  .what = "prices that the map does not name",
                                  .words = "keep foamsim's",
                                  .file = r.map_path});
    *out = (fs_format_told){.yaml = fs_arena_strdup(arena, prices.text),
                            .machine = "gc200",
                            .part = "machine",
                            .records = r.prices,
                            .unit = "prices"};
    free(prices.text);
    return err->status;
}

const fs_format fs_format_accelergy = {
    .name = "accelergy", .what = "prices of Accelergy", .is = is_accelergy, .tell = tell};
