/* Pictures of a run folder. */
#include "reports/read/run_private.h"

#include <png.h>
#include <stdlib.h>

enum { MOST_PIXELS = 1 << 28 }; /* beyond what a run renders: a damaged header, not a picture */

uint8_t *fs_folder_png_rgb(const fs_folder *folder, const char *file, uint32_t *width, uint32_t *height,
                           fs_error *err) {
    const char *path = fs_folder_file(folder, file);
    png_image in = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    bool whole = png_image_begin_read_from_file(&in, path) != 0;
    *width = in.width;
    *height = in.height;
    if (whole && (uint64_t)in.width * in.height > MOST_PIXELS)
        fs_fail(err, FS_INPUT, "%s: no PNG that can be read: too many pixels", path);
    else if (whole) {
        in.format = PNG_FORMAT_RGB;
        pixels = fs_calloc(PNG_IMAGE_SIZE(in) + 1, 1);
        whole = png_image_finish_read(&in, NULL, pixels, 0, NULL) != 0;
    }
    if (!whole) {
        fs_fail(err, FS_INPUT, "%s: no PNG that can be read: %s", path, in.message);
        free(pixels);
        pixels = NULL;
    }
    png_image_free(&in);
    return pixels;
}
