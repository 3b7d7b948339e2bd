/* PLY 1.0 files: header and elements of fixed-size records, binary_little_endian or ascii.
 *
 * One careful reader for foams, Gaussians and point clouds. Every malformed header or body is FS_INPUT with
 * the file and the header's line, or the element, index and byte. Counts are checked against the size of the
 * file before memory is taken. Elements after the last one asked for are left unread; a list property before
 * it is refused, for its records have no fixed size.
 *
 *     fs_ply ply;
 *     float *x = ...;
 *     const fs_ply_column columns[] = {{"x", FS_PLY_F32, x, 1}};
 *     status = fs_ply_open(path, &ply, err);
 *     if (status == FS_OK)
 *         status = fs_ply_read(&ply, "vertex", columns, 1, err);
 *     fs_ply_close(&ply);
 */
#pragma once

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FS_PLY_NAME = 64, FS_PLY_ELEMENTS = 8, FS_PLY_PROPERTIES = 256 };

typedef enum fs_ply_type {
    FS_PLY_CHAR,
    FS_PLY_UCHAR,
    FS_PLY_SHORT,
    FS_PLY_USHORT,
    FS_PLY_INT,
    FS_PLY_UINT,
    FS_PLY_FLOAT,
    FS_PLY_DOUBLE,
} fs_ply_type;

typedef struct fs_ply_property {
    char name[FS_PLY_NAME];
    fs_ply_type type;
    bool list;
    uint32_t offset; /* bytes into the record */
    uint32_t line;   /* of the header, from 1 */
} fs_ply_property;

typedef struct fs_ply_element {
    char name[FS_PLY_NAME];
    uint64_t count;
    uint32_t line;
    uint32_t properties;
    uint32_t record_bytes; /* of a binary record; 0 with list properties */
    fs_ply_property property[FS_PLY_PROPERTIES];
} fs_ply_element;

typedef struct fs_ply {
    char *path;
    FILE *file;
    bool ascii;
    uint32_t lines;     /* of the header */
    uint64_t body;      /* byte where the records begin */
    uint64_t file_size; /* bytes */
    uint32_t elements;
    fs_ply_element *element; /* [FS_PLY_ELEMENTS] */
} fs_ply;

/* Opens and reads the header. FS_IO if it can't be opened. On failure nothing is left to close. */
fs_status fs_ply_open(const char *path, fs_ply *ply, fs_error *err);
void fs_ply_close(fs_ply *ply);

/* NULL if the file has none of that name. */
const fs_ply_element *fs_ply_element_named(const fs_ply *ply, const char *name);
const fs_ply_property *fs_ply_property_named(const fs_ply_element *element, const char *name);

/* What a column is stored as, and which types of the file go there: float and double; uchar; int and uint
 * (negative values are FS_INPUT). */
typedef enum fs_ply_store { FS_PLY_F32, FS_PLY_U8, FS_PLY_U32 } fs_ply_store;

typedef struct fs_ply_column {
    const char *property;
    fs_ply_store store;
    void *to;        /* [count * stride], the value of record i goes to place i * stride */
    uint32_t stride; /* in values */
} fs_ply_column;

/* FS_INPUT unless the element is there and the file is long enough (binary: to the byte) for its records.
 * *count receives their number, to size the columns' memory with. */
fs_status fs_ply_count(const fs_ply *ply, const char *element, uint64_t max, uint64_t *count, fs_error *err);
/* Reads all records of an element into the columns. Elements must be read in the order of the file. */
fs_status fs_ply_read(fs_ply *ply, const char *element, const fs_ply_column *columns, uint32_t column_count,
                      fs_error *err);
/* FS_INPUT if anything but white space follows the last element. */
fs_status fs_ply_expect_end(fs_ply *ply, fs_error *err);

/* "vertex 12 (byte 4711)" or, in an ascii file, "vertex 12": where record i is, for errors about its values. */
const char *fs_ply_where(const fs_ply *ply, const char *element, uint64_t index, char *text, size_t size);
