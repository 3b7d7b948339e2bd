/* The canonical text: what a store says, without where and how fast it was made. */
#include "sim/base/csv.h"
#include "sim/store/private.h"

#include <string.h>

/* Each selects text and number columns in the order of the lines; the first cell of a line is `title`. */
static const struct {
    const char *title, *sql;
} parts[] = {
    {"sweep", "SELECT name FROM experiments ORDER BY 1"},
    {"axis",
     "SELECT e.name, a.axis, a.name FROM axes a JOIN experiments e ON e.id = a.experiment ORDER BY 1, 2"},
    {"condition",
     "SELECT e.name, a.axis FROM axes a JOIN experiments e ON e.id = a.experiment WHERE a.condition "
     "ORDER BY 1, 2"},
    {"objective",
     "SELECT e.name, o.position, o.figure, o.better FROM objectives o JOIN experiments e ON e.id = "
     "o.experiment ORDER BY 1, 2"},
    {"constraint", "SELECT e.name, c.position, c.figure, c.op, c.number, c.text FROM constraints c JOIN "
                   "experiments e ON e.id = c.experiment ORDER BY 1, 2"},
    {"member", "SELECT e.name, m.position, m.label, p.key FROM members m JOIN experiments e ON e.id = "
               "m.experiment JOIN points p ON p.id = m.point ORDER BY 1, 2"},
    {"setting",
     "SELECT e.name, s.position, s.axis, s.value, s.number FROM settings s JOIN experiments e ON e.id "
     "= s.experiment ORDER BY 1, 2, 3"},
    {"point",
     "SELECT key, geometry_key, traffic_key, CASE status WHEN 'running' THEN 'pending' ELSE status END, "
     "CASE status WHEN 'failed' THEN error ELSE '' END FROM points ORDER BY 1"},
    {"model", "SELECT p.key, v.version, v.model_version, v.digest FROM provenance v JOIN points p ON p.id = "
              "v.point WHERE p.status = 'done' ORDER BY 1"},
    {"parameter", "SELECT p.key, q.name, q.value, q.number, q.unit FROM parameters q JOIN points p ON p.id = "
                  "q.point ORDER BY 1, 2"},
    {"statistic",
     "SELECT p.key, s.name, s.value, s.unit FROM statistics s JOIN points p ON p.id = s.point ORDER "
     "BY 1, 2"},
    {"judgement", "SELECT e.name, j.kind, j.text FROM judgements j JOIN experiments e ON e.id = j.experiment "
                  "ORDER BY 1, 2"},
};

/* A path without its folders: a quoted text that holds a '/'. */
static const char *without_folders(fs_arena *arena, const char *text) {
    const char *slash = text == NULL ? NULL : strrchr(text, '/');
    if (text == NULL) /* an empty blob of a store made by hand */
        return "";
    return text[0] == '"' && text[1] == '/' && slash != NULL ? fs_arena_printf(arena, "\"%s", slash + 1)
                                                             : text;
}

static void write_cell(fs_arena *arena, sqlite3_stmt *s, int column, FILE *out) {
    fputc(',', out);
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_NULL:
        break;
    case SQLITE_FLOAT:
        fputs(FS_REAL_WORD(sqlite3_column_double(s, column)), out);
        break;
    default:
        fs_csv_field(without_folders(arena, fs_store_text(arena, s, column)), out);
    }
}

static fs_status export_part(fs_store *store, size_t part, FILE *out, fs_error *err) {
    enum { ROWS_OF_AN_ARENA = 256 };
    sqlite3_stmt *s = fs_store_bind(store, err, parts[part].sql, "");
    fs_arena *arena = fs_arena_create();
    size_t rows = 0;
    for (bool row = s != NULL; row; rows++) {
        if (fs_store_step(store, s, &row, err) || !row)
            break;
        if (rows % ROWS_OF_AN_ARENA == ROWS_OF_AN_ARENA - 1) {
            fs_arena_free(arena);
            arena = fs_arena_create();
        }
        fputs(parts[part].title, out);
        for (int c = 0; c < sqlite3_column_count(s); c++)
            write_cell(arena, s, c, out);
        fputc('\n', out);
    }
    fs_arena_free(arena);
    return err->status;
}

fs_status fs_store_export(fs_store *store, FILE *out, fs_error *err) {
    if (fs_store_exec(store, "SAVEPOINT reading", err))
        return err->status;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && err->status == FS_OK; i++)
        export_part(store, i, out, err);
    fs_error ignored = {0};
    fs_store_exec(store, "RELEASE reading", &ignored);
    return err->status;
}
