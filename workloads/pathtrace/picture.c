/* Pictures: toned, written, recorded. */
#include "workloads/pathtrace/record.h"

#include "sim/base/alloc.h"
#include "workloads/image/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pixels_of(const fs_pathtrace_params *p) {
    return (uint64_t)p->width * (uint64_t)p->height;
}

void fs_pathtrace_picture_create(fs_pathtrace_picture *picture, uint64_t pixels) {
    picture->rgb = fs_calloc(pixels, 3);
    picture->cost = fs_calloc(pixels, sizeof *picture->cost);
}

void fs_pathtrace_picture_free(fs_pathtrace_picture *picture) {
    free(picture->rgb);
    free(picture->cost);
    *picture = (fs_pathtrace_picture){.rgb = NULL};
}

/* ---- files of a run ---- */

/* A cost as grey: black is 0, white the greatest of all pixels. cost: that of the first pixel. */
static fs_status write_cost(const uint32_t *cost, const fs_pathtrace_params *p, const char *name,
                            fs_results *results, fs_error *err) {
    enum { STRIDE = sizeof(fs_pathtrace_pixel_cost) / sizeof *cost };
    const uint64_t pixels = pixels_of(p);
    uint16_t *grey = fs_malloc(pixels * sizeof *grey);
    fs_image_grey16(cost, STRIDE, pixels, grey);
    const fs_status status =
        fs_results_png(results, name, FS_PICTURE_GREY(grey, (uint32_t)p->width, (uint32_t)p->height), err);
    free(grey);
    return status;
}

fs_status fs_pathtrace_picture_write(const fs_pathtrace_picture *picture, const fs_pathtrace_params *params,
                                     fs_results *results, fs_error *err) {
    return fs_results_png(results, "render.png",
                          FS_PICTURE_RGB(picture->rgb, (uint32_t)params->width, (uint32_t)params->height),
                          err) ||
                   write_cost(&picture->cost->nodes, params, "nodes.png", results, err) ||
                   write_cost(&picture->cost->tests, params, "tests.png", results, err) ||
                   write_cost(&picture->cost->segments, params, "segments.png", results, err)
               ? err->status
               : FS_OK;
}

/* ---- recordings ---- */

/* What lights the picture: prices change a network, and with it a picture that it lights. */
enum { LIGHT, HIDDEN, LAYERS, OCTAVES, TYPE, LIT };

static void lit_by(const fs_pathtrace_params *p, int64_t lit[LIT]) {
    const bool network = p->light == FS_PATHTRACE_NETWORK;
    lit[LIGHT] = p->light;
    lit[HIDDEN] = network ? p->nif.hidden : 0;
    lit[LAYERS] = network ? p->nif.layers : 0;
    lit[OCTAVES] = network ? p->nif.octaves : 0;
    lit[TYPE] = network ? p->nif.type : 0;
}

static void check_light(fs_recorded *f, const int64_t lit[LIT], const int64_t here[LIT]) {
    if (memcmp(lit, here, LIT * sizeof *lit) != 0)
        fs_fail(f->err, FS_INPUT,
                "%s: its picture is lit by a network of H %" PRId64 ", L %" PRId64 ", here of H %" PRId64
                ", L %" PRId64 "; expected the same network, or run.outputs summary",
                fs_recording_path(f->recording), lit[HIDDEN], lit[LAYERS], here[HIDDEN], here[LAYERS]);
}

void fs_pathtrace_picture_sections(fs_recorded *f, const fs_pathtrace_params *params,
                                   fs_pathtrace_picture *picture) {
    int64_t lit[LIT], here[LIT];
    lit_by(params, here);
    memcpy(lit, here, sizeof lit);
    if (fs_recorded_reads(f) && fs_recording_bytes(f->recording, "lit") == SIZE_MAX)
        fs_fail(f->err, FS_INPUT,
                "%s: it holds no picture, since its run had run.outputs summary; expected a recording "
                "of a run with all outputs, or run.outputs summary here",
                fs_recording_path(f->recording));
    fs_recorded_bytes(f, "lit", lit, sizeof lit);
    if (fs_recorded_reads(f))
        check_light(f, lit, here);
    fs_recorded_list(f, "picture", (void **)&picture->rgb, pixels_of(params), 3);
    FS_RECORDED_LIST(f, "costs", &picture->cost, pixels_of(params));
}
