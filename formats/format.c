/* The one list of formats: a new one is a file and a line here. */
#include "formats/format.h"

#include "formats/bytes.h"

#include <string.h>

extern const fs_format fs_format_noc_trace, fs_format_trace_table, fs_format_workload, fs_format_booksim,
    fs_format_netrace, fs_format_chakra, fs_format_accelergy;

const fs_format *const fs_formats[] = {
    &fs_format_noc_trace, &fs_format_trace_table, &fs_format_workload,  &fs_format_booksim,
    &fs_format_netrace,   &fs_format_chakra,      &fs_format_accelergy, NULL};

const fs_format *fs_format_of(const char *path) {
    fs_error err = {0};
    const uint8_t *head;
    const fs_format *found = NULL;
    fs_bytes *bytes = fs_bytes_open(path, &err);
    if (bytes == NULL)
        return NULL;
    const size_t count = fs_bytes_peek(bytes, FS_FORMAT_HEAD, &head);
    for (size_t i = 0; fs_formats[i] != NULL && found == NULL; i++)
        if (fs_formats[i]->is(head, count < FS_FORMAT_HEAD ? count : FS_FORMAT_HEAD))
            found = fs_formats[i];
    fs_bytes_close(bytes, &err);
    return found;
}

const fs_format *fs_format_named(const char *name) {
    for (size_t i = 0; fs_formats[i] != NULL; i++)
        if (strcmp(fs_formats[i]->name, name) == 0)
            return fs_formats[i];
    return NULL;
}

void fs_format_beside(const char *path, fs_format_seen seen, void *self) {
    const fs_format *format = fs_format_of(path);
    if (format != NULL && format->beside != NULL)
        format->beside(path, seen, self);
}
