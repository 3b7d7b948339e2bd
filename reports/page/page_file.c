/* Files that pages are made from and written to. */
#include "reports/page/page_file.h"

#include "sim/host/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fs_page_read(const char *path, size_t *bytes, fs_error *err) {
    FILE *file = fs_file_regular(path);
    fs_text text = {0};
    char block[1 << 16];
    if (file == NULL)
        return FS_FAIL_NULL(err, FS_IO, "%s: cannot read: %s", path, fs_file_reason());
    fs_page_text_add(&text, "", 0);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        fs_page_text_add(&text, block, got);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed != 0) {
        free(text.text);
        return FS_FAIL_NULL(err, FS_IO, "%s: cannot read: %s", path, strerror(failed));
    }
    if (bytes != NULL)
        *bytes = text.used;
    return text.text;
}
