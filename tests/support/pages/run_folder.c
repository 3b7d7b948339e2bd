#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <png.h>

enum { MAX_PATH = 4096, MAX_FILES = 64 };

static const char *inside(const char *dir, const char *file) {
    static char path[2][MAX_PATH];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, file);
    return path[turn];
}

/* Of the heap, for what is many and looked at once. */
static char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long bytes = ftell(file);
    assert_true(bytes >= 0);
    rewind(file);
    char *text = fs_malloc((size_t)bytes + 1);
    assert_int_equal(fread(text, 1, (size_t)bytes, file), bytes);
    fclose(file);
    text[bytes] = '\0';
    *size = (size_t)bytes;
    return text;
}

char *file_read(const char *path, size_t *size) {
    return test_keep(slurp(path, size));
}

/* ---- CSV ---- */

/* The next cell, ended by NUL in place; a quoted one loses its quotes. *at moves behind it; *last: it ends
 * its line. */
static char *take_cell(char **at, bool *last) {
    char *cell = *at, *end;
    if (*cell == '"') {
        char *to = ++cell;
        for (end = cell; *end != '\0' && (*end != '"' || end[1] == '"'); end++) {
            *to++ = *end;
            end += *end == '"';
        }
        assert_int_equal(*end++, '"');
        *last = *end == '\n';
        *to = '\0';
    } else {
        end = cell + strcspn(cell, ",\n");
        *last = *end == '\n';
    }
    assert_true(*end == ',' || *end == '\n');
    *end = '\0';
    *at = end + 1;
    return cell;
}

struct table table_read(const char *dir, const char *file) {
    size_t size, most = 1;
    struct table t = {.text = file_read(inside(dir, file), &size)};
    for (size_t i = 0; i < size; i++)
        most += t.text[i] == ',' || t.text[i] == '\n';
    t.cell = test_keep(fs_malloc(most * sizeof *t.cell));
    char *at = t.text;
    size_t cells = 0;
    while (at < t.text + size) {
        bool last;
        t.cell[cells++] = take_cell(&at, &last);
        if (last && t.columns == 0)
            t.columns = cells;
        if (t.columns > 0 && last != (cells % t.columns == 0))
            fail_msg("%s/%s:%zu: another number of cells than the header's", dir, file,
                     (cells - 1) / t.columns + 1);
    }
    assert_true(t.columns > 0);
    t.rows = cells / t.columns - 1;
    return t;
}

size_t table_column(const struct table *t, const char *name) {
    for (size_t c = 0; c < t->columns; c++)
        if (strcmp(t->cell[c], name) == 0)
            return c;
    fail_msg("no column \"%s\"", name);
    return 0;
}

const char *table_text(const struct table *t, size_t row, const char *column) {
    assert_true(row < t->rows);
    return t->cell[(row + 1) * t->columns + table_column(t, column)];
}

int64_t table_int(const struct table *t, size_t row, const char *column) {
    const char *text = table_text(t, row, column);
    char *end;
    int64_t value = strtoll(text, &end, 10);
    if (*text == '\0' || *end != '\0')
        fail_msg("row %zu, %s: \"%s\" is no integer", row, column, text);
    return value;
}

int64_t table_sum(const struct table *t, const char *column) {
    int64_t sum = 0;
    for (size_t row = 0; row < t->rows; row++)
        sum += table_int(t, row, column);
    return sum;
}

/* ---- JSON ---- */

static json_t *load(const char *dir, const char *file) {
    json_error_t error;
    json_t *root = json_load_file(inside(dir, file), 0, &error);
    if (root == NULL)
        fail_msg("%s/%s:%d: %s", dir, file, error.line, error.text);
    return root;
}

static void forget(void *root) {
    json_decref(root);
}

json_t *json_keep(json_t *root) {
    assert_non_null(root);
    test_later(forget, root);
    return root;
}

json_t *run_json(const char *dir, const char *file) {
    return json_keep(load(dir, file));
}

const json_t *figure_json(const json_t *summary, const char *name) {
    char word[128];
    const json_t *value = summary;
    for (const char *at = name; value != NULL && *at != '\0';) {
        size_t length = strcspn(at, ".");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        value = json_object_get(value, word);
        at += length + (at[length] == '.');
    }
    if (value == NULL)
        fail_msg("summary.json has no %s", name);
    return value;
}

double figure(const json_t *summary, const char *name) {
    const json_t *value = figure_json(summary, name);
    if (!json_is_number(value))
        fail_msg("%s is no number", name);
    return json_number_value(value);
}

int64_t figure_int(const json_t *summary, const char *name) {
    const json_t *value = figure_json(summary, name);
    if (!json_is_integer(value))
        fail_msg("%s is no integer", name);
    return (int64_t)json_integer_value(value);
}

double run_figure(const char *dir, const char *name) {
    json_t *summary = load(dir, "summary.json");
    double value = figure(summary, name);
    json_decref(summary);
    return value;
}

/* ---- whole folders ---- */

bool files_equal(const char *a, const char *b) {
    size_t an, bn;
    char *at = slurp(a, &an), *bt = slurp(b, &bn);
    bool equal = an == bn && memcmp(at, bt, an) == 0;
    free(at);
    free(bt);
    return equal;
}

void same_file(const char *a, const char *b, const char *name) {
    char x[128], y[128];
    snprintf(x, sizeof x, "%s/%s", a, name);
    snprintf(y, sizeof y, "%s/%s", b, name);
    if (!files_equal(x, y))
        fail_msg("%s and %s differ", x, y);
}

void sha256_of(const char *path, char hex[65]) {
    size_t size;
    char *bytes = slurp(path, &size);
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, size, (const uint8_t *)bytes);
    sha256_digest(&context, sizeof digest, digest);
    free(bytes);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

typedef struct listing {
    char name[MAX_FILES][64];
    size_t count;
} listing;

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The files of a run folder in order; host.json and pictures/ left out. */
static void list(const char *dir, listing *out) {
    DIR *folder = opendir(dir);
    if (folder == NULL)
        fail_msg("%s: %s", dir, strerror(errno));
    out->count = 0;
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        if (e->d_name[0] == '.' || strcmp(e->d_name, "host.json") == 0 || strcmp(e->d_name, "pictures") == 0)
            continue;
        assert_true(out->count < MAX_FILES && strlen(e->d_name) < 64);
        strcpy(out->name[out->count++], e->d_name);
    }
    closedir(folder);
    qsort(out->name, out->count, sizeof out->name[0], by_name);
}

/* Comments and the spaces before them taken out; no value in a resolved.yaml of these tests has a '#'. */
static void strip_comments(char *text) {
    char *to = text;
    for (char *from = text; *from != '\0';) {
        size_t line = strcspn(from, "\n"), length = strcspn(from, "#\n");
        while (length > 0 && from[length - 1] == ' ')
            length--;
        memmove(to, from, length);
        to += length;
        from += line;
        if (*from == '\n')
            *to++ = *from++;
    }
    *to = '\0';
}

static void assert_same_text(const char *a, const char *b, bool comments_count) {
    size_t an, bn;
    char *at = slurp(a, &an), *bt = slurp(b, &bn);
    if (!comments_count) {
        strip_comments(at);
        strip_comments(bt);
        an = strlen(at);
        bn = strlen(bt);
    }
    if (an != bn || memcmp(at, bt, an) != 0) {
        size_t i = 0, line = 1, begin = 0;
        for (; i < an && i < bn && at[i] == bt[i]; i++)
            if (at[i] == '\n') {
                line++;
                begin = i + 1;
            }
        fail_msg("%s and %s differ in line %zu:\n%.*s\n%.*s", a, b, line, (int)strcspn(at + begin, "\n"),
                 at + begin, (int)strcspn(bt + begin, "\n"), bt + begin);
    }
    free(at);
    free(bt);
}

/* Equal but for where the values came from. */
static void assert_same_parameters(const char *a, const char *b) {
    struct table at = table_read(a, "parameters.csv"), bt = table_read(b, "parameters.csv");
    assert_int_equal(at.rows, bt.rows);
    assert_int_equal(at.columns, bt.columns);
    for (size_t i = 0; i < (at.rows + 1) * at.columns; i++)
        if (strcmp(at.cell[i % at.columns], "origin") != 0 && strcmp(at.cell[i], bt.cell[i]) != 0)
            fail_msg("parameters.csv of %s and %s differ in row %zu, %s: %s, %s", a, b, i / at.columns,
                     at.cell[i % at.columns], at.cell[i], bt.cell[i]);
}

void assert_same_run(const char *a, const char *b, int settings) {
    static listing in_a, in_b;
    list(a, &in_a);
    list(b, &in_b);
    assert_true(in_a.count > 0);
    for (size_t i = 0; i < in_a.count || i < in_b.count; i++)
        if (i >= in_a.count || i >= in_b.count || strcmp(in_a.name[i], in_b.name[i]) != 0)
            fail_msg("%s and %s have different files: %s, %s", a, b, i < in_a.count ? in_a.name[i] : "-",
                     i < in_b.count ? in_b.name[i] : "-");
    for (size_t i = 0; i < in_a.count; i++) {
        bool resolved = strcmp(in_a.name[i], "resolved.yaml") == 0;
        if (strcmp(in_a.name[i], "parameters.csv") == 0) {
            if (settings == SAME_SETTINGS)
                assert_same_parameters(a, b);
            continue;
        }
        if (!resolved || settings == SAME_SETTINGS)
            assert_same_text(inside(a, in_a.name[i]), inside(b, in_a.name[i]), !resolved);
    }
}

static void assert_as_listed(const char *dir, const json_t *item) {
    const char *name = json_string_value(json_object_get(item, "file"));
    const json_t *sha256 = json_object_get(item, "sha256");
    assert_non_null(name);
    if (strcmp(name, "resolved.yaml") == 0 || strcmp(name, "parameters.csv") == 0) { /* origins may differ */
        assert_null(sha256);
        return;
    }
    char hex[65];
    size_t size;
    free(slurp(inside(dir, name), &size));
    sha256_of(inside(dir, name), hex);
    if (strcmp(hex, json_string_value(sha256)) != 0)
        fail_msg("%s/%s: digest %s, the manifest says %s", dir, name, hex, json_string_value(sha256));
    assert_int_equal(size, json_integer_value(json_object_get(item, "bytes")));
}

void assert_whole_run(const char *dir) {
    static listing there;
    list(dir, &there);
    json_t *manifest = run_json(dir, "manifest.json");
    const json_t *files = json_object_get(manifest, "files");
    assert_int_equal(json_array_size(files) + 1, there.count); /* and itself */
    for (size_t i = 0; i < json_array_size(files); i++)
        assert_as_listed(dir, json_array_get(files, i));
}

/* ---- pictures ---- */

uint8_t *picture_read(const char *path, uint32_t *width, uint32_t *height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t *pixels = test_keep(fs_malloc(PNG_IMAGE_SIZE(image)));
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
        fail_msg("%s: %s", path, image.message);
    *width = image.width;
    *height = image.height;
    return pixels;
}
