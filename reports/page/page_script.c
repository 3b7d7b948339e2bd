/* Text that becomes a file: gnuplot scripts, their data, markdown. */
#include "reports/page/page_file.h"

#include "sim/host/file.h"

#include <stdio.h>
#include <stdlib.h>

void fs_page_text_vprint(fs_text *text, const char *format, va_list args) {
    va_list again;
    FS_ASSERT(format != NULL, "fs_page_text_print: no format");
    va_copy(again, args);
    char brief[256];
    const int length = vsnprintf(brief, sizeof brief, format, args);
    FS_ASSERT(length >= 0, "fs_page_text_print: format %s", format);
    char *line = (size_t)length < sizeof brief ? brief : fs_malloc((size_t)length + 1);
    if (line != brief)
        vsnprintf(line, (size_t)length + 1, format, again);
    va_end(again);
    fs_page_text_add(text, line, (size_t)length);
    if (line != brief)
        free(line);
}

void fs_page_text_print(fs_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fs_page_text_vprint(text, format, args);
    va_end(args);
}

fs_status fs_page_text_save(fs_text *text, const char *folder, const char *name, const char *ending,
                            fs_error *err) {
    fs_text path = {0};
    fs_page_text_print(&path, "%s/%s.%s", folder, name, ending);
    fs_status status =
        fs_file_write(path.text, text->text == NULL ? "" : text->text, text->used, FS_LIGHT, err);
    free(path.text);
    text->used = 0;
    return status;
}
