/* PLY files: header, binary and text columns, each error with its element and index. */
#include "workloads/scene/files/ply.h"
#include "sim/host/file.h"

#include "sim/base/alloc.h"
#include "sim/host/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are read as they lie in the file");

static const struct {
    const char *name, *alias;
    uint32_t bytes;
} types[] = {
    [FS_PLY_CHAR] = {"char", "int8", 1},      [FS_PLY_UCHAR] = {"uchar", "uint8", 1},
    [FS_PLY_SHORT] = {"short", "int16", 2},   [FS_PLY_USHORT] = {"ushort", "uint16", 2},
    [FS_PLY_INT] = {"int", "int32", 4},       [FS_PLY_UINT] = {"uint", "uint32", 4},
    [FS_PLY_FLOAT] = {"float", "float32", 4}, [FS_PLY_DOUBLE] = {"double", "float64", 8},
};
enum { TYPES = sizeof types / sizeof types[0], LINE_MAX_BYTES = 1024, WORDS_MAX = 6 };

/* ---- header ---- */

/* A header line without its end, cut into words. False: end of file, or a line too long or with a NUL. */
typedef struct header_line {
    char text[LINE_MAX_BYTES];
    char copy[LINE_MAX_BYTES];
    char *word[WORDS_MAX];
    uint32_t words;
} header_line;

static bool next_line(fs_ply *ply, header_line *line) {
    size_t length = 0;
    int c;
    while ((c = getc(ply->file)) != EOF && c != '\n') {
        if (c == '\0' || length + 1 >= sizeof line->text)
            return false;
        line->text[length++] = (char)c;
    }
    if (c == EOF)
        return false;
    if (length > 0 && line->text[length - 1] == '\r')
        length--;
    line->text[length] = '\0';
    memcpy(line->copy, line->text, length + 1);
    line->words = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line->copy, " \t", &rest); w != NULL && line->words < WORDS_MAX;
         w = strtok_r(NULL, " \t", &rest))
        line->word[line->words++] = w;
    ply->lines++;
    return true;
}

static bool is_word(const header_line *line, uint32_t i, const char *text) {
    return i < line->words && strcmp(line->word[i], text) == 0;
}

static fs_status header_error(const fs_ply *ply, const char *what, const char *found, fs_error *err) {
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": %s, found \"%.80s\"", ply->path, ply->lines, what, found);
}

static int type_named(const char *name) {
    for (int t = 0; t < TYPES; t++)
        if (strcmp(name, types[t].name) == 0 || strcmp(name, types[t].alias) == 0)
            return t;
    return -1;
}

static fs_status read_format(fs_ply *ply, const header_line *line, fs_error *err) {
    if (is_word(line, 1, "ascii"))
        ply->ascii = true;
    else if (!is_word(line, 1, "binary_little_endian"))
        return header_error(ply, "expected format binary_little_endian or ascii", line->text, err);
    if (!is_word(line, 2, "1.0"))
        return header_error(ply, "expected version 1.0", line->text, err);
    return FS_OK;
}

static fs_status read_element(fs_ply *ply, const header_line *line, fs_error *err) {
    if (line->words != 3 || strlen(line->word[1]) >= FS_PLY_NAME)
        return header_error(ply, "expected `element NAME COUNT`", line->text, err);
    if (ply->elements == FS_PLY_ELEMENTS)
        return header_error(ply, "more than 8 elements", line->text, err);
    if (fs_ply_element_named(ply, line->word[1]) != NULL)
        return header_error(ply, "an element of that name was declared before", line->text, err);
    char *end;
    errno = 0;
    unsigned long long count = strtoull(line->word[2], &end, 10);
    if (errno != 0 || *end != '\0' || line->word[2][0] < '0' || line->word[2][0] > '9')
        return header_error(ply, "expected a number of records", line->word[2], err);
    fs_ply_element *e = &ply->element[ply->elements++];
    *e = (fs_ply_element){.count = count, .line = ply->lines};
    memcpy(e->name, line->word[1], strlen(line->word[1]) + 1);
    return FS_OK;
}

static fs_status read_property(fs_ply *ply, const header_line *line, fs_error *err) {
    if (ply->elements == 0)
        return header_error(ply, "a property before any element", line->text, err);
    fs_ply_element *e = &ply->element[ply->elements - 1];
    bool list = is_word(line, 1, "list");
    if (line->words != (list ? 5u : 3u) || strlen(line->word[line->words - 1]) >= FS_PLY_NAME)
        return header_error(ply, "expected `property TYPE NAME`", line->text, err);
    const char *name = line->word[line->words - 1];
    int type = type_named(line->word[list ? 3 : 1]);
    if (type < 0 || (list && type_named(line->word[2]) < 0))
        return header_error(ply, "expected a type (char, uchar, short, ushort, int, uint, float, double)",
                            line->text, err);
    if (fs_ply_property_named(e, name) != NULL)
        return header_error(ply, "a property of that name was declared before", line->text, err);
    if (e->properties == FS_PLY_PROPERTIES)
        return header_error(ply, "more than 256 properties", line->text, err);
    fs_ply_property *p = &e->property[e->properties];
    *p = (fs_ply_property){
        .type = (fs_ply_type)type, .list = list, .line = ply->lines, .offset = e->record_bytes};
    memcpy(p->name, name, strlen(name) + 1);
    e->properties++;
    e->record_bytes += types[type].bytes;
    return FS_OK;
}

static fs_status read_header(fs_ply *ply, fs_error *err) {
    header_line line;
    bool format = false;
    if (!next_line(ply, &line) || strcmp(line.text, "ply") != 0)
        return fs_fail(err, FS_INPUT, "%s:1: not a PLY file: it does not begin with the line `ply`",
                       ply->path);
    for (;;) {
        if (!next_line(ply, &line))
            return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": the header ends early: expected `end_header`",
                           ply->path, ply->lines + 1);
        if (is_word(&line, 0, "end_header"))
            break;
        if (is_word(&line, 0, "format") && !format) {
            read_format(ply, &line, err);
            format = true;
        } else if (is_word(&line, 0, "element")) {
            read_element(ply, &line, err);
        } else if (is_word(&line, 0, "property")) {
            read_property(ply, &line, err);
        } else if (!is_word(&line, 0, "comment") && !is_word(&line, 0, "obj_info")) {
            header_error(ply, "expected format, element, property, comment or end_header", line.text, err);
        }
        if (err->status)
            return err->status;
    }
    if (!format)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": the header has no `format` line", ply->path,
                       ply->lines);
    ply->body = (uint64_t)ftell(ply->file);
    return FS_OK;
}

fs_status fs_ply_open(const char *path, fs_ply *ply, fs_error *err) {
    *ply = (fs_ply){.file = fs_file_regular(path)};
    if (ply->file == NULL)
        return fs_fail(err, errno == ENOENT || errno == EINVAL || errno == EISDIR ? FS_INPUT : FS_IO,
                       "%s: cannot open: %s", path, fs_file_reason());
    ply->path = fs_strdup(path);
    ply->element = fs_calloc(FS_PLY_ELEMENTS, sizeof *ply->element);
    struct stat about;
    if (fstat(fileno(ply->file), &about) != 0) {
        fs_fail(err, FS_IO, "%s: cannot read: %s", path, strerror(errno));
    } else {
        ply->file_size = (uint64_t)about.st_size;
        read_header(ply, err);
    }
    if (err->status)
        fs_ply_close(ply);
    return err->status;
}

void fs_ply_close(fs_ply *ply) {
    if (ply->file != NULL)
        fclose(ply->file);
    free(ply->path);
    free(ply->element);
    *ply = (fs_ply){0};
}

const fs_ply_element *fs_ply_element_named(const fs_ply *ply, const char *name) {
    for (uint32_t i = 0; i < ply->elements; i++)
        if (strcmp(ply->element[i].name, name) == 0)
            return &ply->element[i];
    return NULL;
}

const fs_ply_property *fs_ply_property_named(const fs_ply_element *element, const char *name) {
    for (uint32_t i = 0; i < element->properties; i++)
        if (strcmp(element->property[i].name, name) == 0)
            return &element->property[i];
    return NULL;
}

/* ---- body ---- */

/* Byte where a binary element begins; false if a list property stands before its end. */
static bool element_start(const fs_ply *ply, const fs_ply_element *element, uint64_t *start) {
    *start = ply->body;
    for (const fs_ply_element *e = ply->element; e <= element; e++) {
        for (uint32_t p = 0; p < e->properties; p++)
            if (e->property[p].list)
                return false;
        if (e < element)
            *start += e->count * e->record_bytes; /* checked against the file's size by fs_ply_count */
    }
    return true;
}

/* Least bytes of an element's records: to refuse counts that the file can't hold. */
static bool element_fits(const fs_ply *ply, const fs_ply_element *e, uint64_t left) {
    uint64_t least = ply->ascii ? 2 * (uint64_t)e->properties : e->record_bytes;
    return least == 0 || e->count <= (left + ply->ascii) / least; /* the last line may lack its end */
}

fs_status fs_ply_count(const fs_ply *ply, const char *element, uint64_t max, uint64_t *count, fs_error *err) {
    const fs_ply_element *wanted = fs_ply_element_named(ply, element);
    if (wanted == NULL)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": the header has no element `%s`", ply->path, ply->lines,
                       element);
    uint64_t left = ply->file_size - ply->body;
    for (const fs_ply_element *e = ply->element; e <= wanted; e++) {
        for (uint32_t p = 0; p < e->properties; p++)
            if (e->property[p].list)
                return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": %s.%s: a list property cannot be read here",
                               ply->path, e->property[p].line, e->name, e->property[p].name);
        if (!element_fits(ply, e, left))
            return fs_fail(err, FS_INPUT,
                           "%s:%" PRIu32 ": element %s: %" PRIu64 " records do not fit in the %" PRIu64
                           " bytes that follow: the file is truncated",
                           ply->path, e->line, e->name, e->count, left);
        left -= ply->ascii ? 0 : e->count * e->record_bytes;
    }
    if (wanted->count > max)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": element %s: %" PRIu64 " records; at most %" PRIu64 " are allowed",
                       ply->path, wanted->line, element, wanted->count, max);
    *count = wanted->count;
    return FS_OK;
}

const char *fs_ply_where(const fs_ply *ply, const char *element, uint64_t index, char *text, size_t size) {
    const fs_ply_element *e = fs_ply_element_named(ply, element);
    uint64_t start;
    if (e != NULL && !ply->ascii && element_start(ply, e, &start))
        snprintf(text, size, "%s %" PRIu64 " (byte %" PRIu64 ")", element, index,
                 start + index * e->record_bytes);
    else
        snprintf(text, size, "%s %" PRIu64, element, index);
    return text;
}

/* A value of a record as a double: exact for every type of the format. */
static double value_of(fs_ply_type type, const unsigned char *bytes) {
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } v;
    memcpy(&v, bytes, types[type].bytes);
    switch (type) {
    case FS_PLY_CHAR:
        return v.i8;
    case FS_PLY_UCHAR:
        return v.u8;
    case FS_PLY_SHORT:
        return v.i16;
    case FS_PLY_USHORT:
        return v.u16;
    case FS_PLY_INT:
        return v.i32;
    case FS_PLY_UINT:
        return v.u32;
    case FS_PLY_FLOAT:
        return (double)v.f32;
    case FS_PLY_DOUBLE:
        return v.f64;
    }
    return 0;
}

static bool store_takes(fs_ply_store store, fs_ply_type type) {
    switch (store) {
    case FS_PLY_F32:
        return type == FS_PLY_FLOAT || type == FS_PLY_DOUBLE;
    case FS_PLY_U8:
        return type == FS_PLY_UCHAR;
    case FS_PLY_U32:
        return type == FS_PLY_UINT || type == FS_PLY_INT;
    }
    return false;
}

static const char *const store_wants[] = {
    [FS_PLY_F32] = "float", [FS_PLY_U8] = "uchar", [FS_PLY_U32] = "uint"};

/* False: the value does not fit the column. */
static bool store_value(const fs_ply_column *c, uint64_t index, double value) {
    uint64_t place = index * c->stride;
    switch (c->store) {
    case FS_PLY_F32:
        ((float *)c->to)[place] = (float)value;
        return true;
    case FS_PLY_U8:
        if (!(value >= 0 && value <= 255) || value != (double)(uint8_t)value)
            return false;
        ((uint8_t *)c->to)[place] = (uint8_t)value;
        return true;
    case FS_PLY_U32:
        if (!(value >= 0 && value <= 4294967295.0) || value != (double)(uint32_t)value)
            return false;
        ((uint32_t *)c->to)[place] = (uint32_t)value;
        return true;
    }
    return false;
}

static fs_status bad_value(const fs_ply *ply, const fs_ply_element *e, uint64_t index, const fs_ply_column *c,
                           double value, fs_error *err) {
    char where[128];
    return fs_fail(err, FS_INPUT, "%s: %s: %s: expected a whole number from 0 to %s, found %.17g", ply->path,
                   fs_ply_where(ply, e->name, index, where, sizeof where), c->property,
                   c->store == FS_PLY_U8 ? "255" : "4294967295", value);
}

static fs_status read_binary(fs_ply *ply, const fs_ply_element *e, const fs_ply_column *columns,
                             const fs_ply_property **from, uint32_t n, fs_error *err) {
    enum { BLOCK = 4096 };
    uint64_t start;
    if (!element_start(ply, e, &start) || fseek(ply->file, (long)start, SEEK_SET) != 0)
        return fs_fail(err, FS_IO, "%s: cannot go to element %s", ply->path, e->name);
    unsigned char *block = fs_malloc((size_t)BLOCK * e->record_bytes);
    fs_progress progress;
    fs_progress_begin(&progress, e->name, e->count);
    fs_status status = FS_OK;
    for (uint64_t first = 0; first < e->count && status == FS_OK; first += BLOCK) {
        size_t records = e->count - first < BLOCK ? (size_t)(e->count - first) : BLOCK;
        if (fread(block, e->record_bytes, records, ply->file) != records) {
            status = fs_fail(err, FS_IO, "%s: cannot read element %s: %s", ply->path, e->name,
                             ferror(ply->file) ? strerror(errno) : "the file ends early");
            break;
        }
        for (uint32_t c = 0; c < n && status == FS_OK; c++)
            for (size_t i = 0; i < records; i++) {
                double value = value_of(from[c]->type, block + i * e->record_bytes + from[c]->offset);
                if (!store_value(&columns[c], first + i, value)) {
                    status = bad_value(ply, e, first + i, &columns[c], value, err);
                    break;
                }
            }
        fs_progress_update(&progress, first + records);
    }
    fs_progress_end(&progress);
    free(block);
    return status;
}

/* One number of an ascii body; false if there is none. */
static bool next_number(fs_ply *ply, double *value) {
    char text[64];
    size_t length = 0;
    int c;
    while ((c = getc(ply->file)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        continue;
    for (; c != EOF && c != ' ' && c != '\t' && c != '\n' && c != '\r'; c = getc(ply->file)) {
        if (length + 1 >= sizeof text)
            return false;
        text[length++] = (char)c;
    }
    text[length] = '\0';
    char *end;
    *value = strtod(text, &end);
    return length > 0 && end == text + length;
}

static fs_status read_ascii(fs_ply *ply, const fs_ply_element *e, const fs_ply_column *columns,
                            const fs_ply_property **from, uint32_t n, fs_error *err) {
    for (uint64_t i = 0; i < e->count; i++)
        for (uint32_t p = 0; p < e->properties; p++) {
            double value;
            if (!next_number(ply, &value))
                return fs_fail(err, FS_INPUT, "%s: %s %" PRIu64 ": %s: expected a number%s", ply->path,
                               e->name, i, e->property[p].name, feof(ply->file) ? ", the file ends" : "");
            for (uint32_t c = 0; c < n; c++)
                if (from[c] == &e->property[p] && !store_value(&columns[c], i, value))
                    return bad_value(ply, e, i, &columns[c], value, err);
        }
    return FS_OK;
}

fs_status fs_ply_read(fs_ply *ply, const char *element, const fs_ply_column *columns, uint32_t column_count,
                      fs_error *err) {
    uint64_t count;
    if (fs_ply_count(ply, element, UINT64_MAX, &count, err))
        return err->status;
    const fs_ply_element *e = fs_ply_element_named(ply, element);
    enum { COLUMNS = 64 };
    const fs_ply_property *from[COLUMNS];
    FS_ASSERT(column_count <= COLUMNS, "%u columns asked of a PLY element", column_count);
    for (uint32_t c = 0; c < column_count; c++) {
        from[c] = fs_ply_property_named(e, columns[c].property);
        if (from[c] == NULL)
            return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": element %s has no property `%s`", ply->path,
                           e->line, e->name, columns[c].property);
        if (!store_takes(columns[c].store, from[c]->type))
            return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": %s.%s: expected type %s, found %s", ply->path,
                           from[c]->line, e->name, columns[c].property, store_wants[columns[c].store],
                           types[from[c]->type].name);
    }
    return ply->ascii ? read_ascii(ply, e, columns, from, column_count, err)
                      : read_binary(ply, e, columns, from, column_count, err);
}

fs_status fs_ply_expect_end(fs_ply *ply, fs_error *err) {
    if (ply->ascii) {
        int c;
        while ((c = getc(ply->file)) == ' ' || c == '\t' || c == '\n' || c == '\r')
            continue;
        return c == EOF ? FS_OK : fs_fail(err, FS_INPUT, "%s: text follows the last element", ply->path);
    }
    uint64_t end;
    const fs_ply_element *last = &ply->element[ply->elements - 1];
    if (!element_start(ply, last, &end))
        return FS_OK;
    end += last->count * last->record_bytes;
    if (end != ply->file_size)
        return fs_fail(err, FS_INPUT,
                       "%s: %" PRIu64 " bytes follow the last element, which ends at byte %" PRIu64,
                       ply->path, ply->file_size - end, end);
    return FS_OK;
}
