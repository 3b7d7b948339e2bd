/* When the frames of a path began and were done, from the notes of the iterations. */
#include "workloads/foam/books/books.h"

static uint64_t end_of(const fs_iteration_note *n) {
    return n->times.start + n->times.compute + n->times.sync + n->times.exchange;
}

uint32_t fs_foam_books_begins(const fs_foam_books *books, uint64_t first[FS_FRAMES_MOST]) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    const uint64_t pixels = (uint64_t)fb->width * fb->height;
    uint64_t made = 0;
    uint32_t begun = 0;
    for (uint64_t k = 0; k < books->iterations && begun < FS_FRAMES_MOST; k++) { /* a batch is of one frame */
        if (books->note[k].step.generated > 0 && made % pixels == 0)
            first[begun++] = k;
        made += books->note[k].step.generated;
    }
    return begun;
}

uint32_t fs_foam_books_frames(const fs_foam_books *books, fs_frame out[FS_FRAMES_MOST]) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    const uint64_t pixels = (uint64_t)fb->width * fb->height;
    uint64_t first[FS_FRAMES_MOST] = {0}, made = 0;
    const uint32_t begun = fs_foam_books_begins(books, first);
    uint32_t taken = 0;
    for (uint64_t k = 0; k < books->iterations; k++) {
        const fs_iteration_note *n = &books->note[k];
        if (n->step.generated > 0 && made / pixels < begun)
            out[made / pixels].made = end_of(n);
        made += n->step.generated;
    }
    for (uint32_t f = 0; f < begun; f++)
        out[f].begun = books->note[first[f]].times.start;
    for (; taken < fb->frames && fb->done[taken] != UINT64_MAX; taken++) {
        const fs_iteration_note *last = &books->note[fb->done[taken] - 1];
        const uint64_t pixel = fb->last_pixel[taken];
        out[taken].taken = last->times.start + fs_note_cycles(last);
        out[taken].iterations = (pixel < fb->done[taken] ? pixel + 1 : fb->done[taken]) - first[taken];
        out[taken].complete = pixel < fb->done[taken] ? end_of(&books->note[pixel]) : end_of(last);
    }
    return taken;
}
