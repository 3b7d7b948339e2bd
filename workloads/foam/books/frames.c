/* When the frames of a path began and were done, from the notes of the iterations. */
#include "workloads/foam/books/books.h"

static uint64_t end_of(const fs_iteration_note *n) {
    return n->times.start + n->times.compute + n->times.sync + n->times.exchange;
}

uint32_t fs_foam_books_frames(const fs_foam_books *books, fs_frame out[FS_FRAMES_MOST]) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    const uint64_t pixels = (uint64_t)fb->width * fb->height;
    uint64_t made = 0, first[FS_FRAMES_MOST] = {0};
    uint32_t taken = 0;
    for (uint64_t k = 0; k < books->iterations; k++) { /* a batch is of one frame */
        const fs_iteration_note *n = &books->note[k];
        const uint64_t frame = made / pixels;
        if (n->step.generated == 0 || frame >= FS_FRAMES_MOST)
            continue;
        if (made % pixels == 0)
            out[frame].begun = books->note[first[frame] = k].times.start;
        made += n->step.generated;
        if (made % pixels == 0)
            out[frame].made = end_of(n);
    }
    for (; taken < fb->frames && fb->done[taken] != UINT64_MAX; taken++) {
        const fs_iteration_note *last = &books->note[fb->done[taken] - 1];
        const uint64_t pixel = fb->last_pixel[taken];
        out[taken].taken = last->times.start + fs_note_cycles(last);
        out[taken].iterations = (pixel < fb->done[taken] ? pixel + 1 : fb->done[taken]) - first[taken];
        out[taken].complete = pixel < fb->done[taken] ? end_of(&books->note[pixel]) : end_of(last);
    }
    return taken;
}
