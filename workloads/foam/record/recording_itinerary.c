/* Itinerary recordings: legs, ends, reference. */
#include "workloads/foam/record/recording.h"

#include "sim/base/host.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(FS_LEG_CHUNK * sizeof(fs_leg) == FS_RECORDING_FRAME,
               "a chunk of legs is a frame, unpacked to where the kernels read it");
enum { HUGE_PAGE = 1 << 21 };

typedef struct rays_head {
    uint32_t width, height, views;
    uint32_t stride; /* FS_LEG_STRIDE, by which the legs are laid */
    uint64_t legs;   /* places, those between the rays included */
} rays_head;

static const char *const first_names[FS_POSES] = {"first", "first_second"};
static const char *const end_names[FS_POSES] = {"ends", "ends_second"};

/* ---- writing ---- */

/* Where the legs are laid: blocks of FS_LEG_STRIDE rays, each in one chunk. */
typedef struct shelf {
    fs_leg **chunk; /* [chunks] zero where no leg is */
    uint8_t **lit;  /* [chunks] the same places; NULL: without harmonics */
    uint32_t chunks;
    uint32_t used; /* of the last chunk */
} shelf;

static uint32_t legs_of(const fs_itinerary *it, uint32_t first) {
    uint32_t legs = 1;
    while (fs_itinerary_leg(it, first)->next != FS_LEG_ENDS) {
        first += FS_LEG_STRIDE;
        legs++;
    }
    return legs;
}

static void lay_block(shelf *s, const fs_itinerary *it, const uint32_t *from, uint32_t *to, uint32_t rays) {
    uint32_t legs[FS_LEG_STRIDE], longest = 0;
    for (uint32_t i = 0; i < rays; i++) {
        legs[i] = legs_of(it, from[i]);
        longest = legs[i] > longest ? legs[i] : longest;
    }
    if (s->chunks == 0 || s->used + longest * FS_LEG_STRIDE > FS_LEG_CHUNK) {
        s->chunk = fs_grow(s->chunk, s->chunks, sizeof *s->chunk);
        if (it->lit != NULL) {
            s->lit = fs_grow(s->lit, s->chunks, sizeof *s->lit);
            s->lit[s->chunks] = fs_calloc(FS_LEG_CHUNK, sizeof **s->lit);
        }
        s->chunk[s->chunks++] = fs_calloc(FS_LEG_CHUNK, sizeof(fs_leg));
        s->used = 0;
    }
    fs_leg *block = s->chunk[s->chunks - 1] + s->used;
    for (uint32_t i = 0; i < rays; i++) {
        to[i] = (s->chunks - 1) * FS_LEG_CHUNK + s->used + i;
        for (uint32_t leg = 0; leg < legs[i]; leg++) {
            const uint32_t at = leg * FS_LEG_STRIDE;
            block[at + i] = *fs_itinerary_leg(it, from[i] + at);
            if (it->lit != NULL)
                s->lit[s->chunks - 1][s->used + at + i] = (uint8_t)fs_itinerary_lit(it, from[i] + at);
        }
    }
    s->used += longest * FS_LEG_STRIDE;
}

/* One byte for each leg, chunk after chunk. */
static void add_lit(fs_recorded *f, const shelf *s, uint64_t legs) {
    uint8_t *all = fs_malloc((size_t)s->chunks * FS_LEG_CHUNK);
    for (uint32_t c = 0; c < s->chunks; c++)
        memcpy(all + (size_t)c * FS_LEG_CHUNK, s->lit[c], FS_LEG_CHUNK);
    fs_recorded_bytes(f, "lit", all, legs);
    free(all);
}

static void add_legs(fs_recorded *f, const fs_itinerary *it, const fs_itinerary_view *view, uint32_t views,
                     shelf *s) {
    const size_t pixels = (size_t)it->width * it->height;
    uint32_t *first = fs_calloc(pixels, sizeof *first);
    FS_ASSERT(views > 0 && views <= FS_POSES, "%u cameras", views);
    for (uint32_t v = 0; v < views; v++) {
        for (size_t p = 0; p < pixels; p += FS_LEG_STRIDE)
            lay_block(s, it, view[v].first + p, first + p,
                      (uint32_t)(pixels - p < FS_LEG_STRIDE ? pixels - p : FS_LEG_STRIDE));
        fs_recorded_bytes(f, first_names[v], first, pixels * sizeof *first);
        fs_recorded_bytes(f, end_names[v], view[v].end, pixels * sizeof *view[v].end);
    }
    free(first);
    rays_head head = {.width = it->width,
                      .height = it->height,
                      .views = views,
                      .stride = FS_LEG_STRIDE,
                      .legs = (uint64_t)(s->chunks - 1) * FS_LEG_CHUNK + s->used};
    fs_recorded_bytes(f, "rays", &head, sizeof head);
    if (s->lit != NULL)
        add_lit(f, s, head.legs);
    if (f->err->status == FS_OK)
        fs_recording_add_frames(f->writer, "legs", (const void *const *)s->chunk, head.legs * sizeof(fs_leg),
                                f->err);
}

void fs_foam_itinerary_write(fs_recorded *f, const fs_itinerary *it, const fs_itinerary_view *view,
                             uint32_t views, const fs_reference *reference) {
    const size_t pixels = (size_t)it->width * it->height;
    shelf s = {0};
    add_legs(f, it, view, views, &s);
    for (uint32_t c = 0; c < s.chunks; c++) {
        free(s.chunk[c]);
        if (s.lit != NULL)
            free(s.lit[c]);
    }
    free(s.chunk);
    free(s.lit);
    fs_recorded_bytes(f, "reference_rgb", reference->rgb, 3 * pixels * sizeof *reference->rgb);
    fs_recorded_bytes(f, "reference_depth", reference->depth, pixels * sizeof *reference->depth);
}

/* ---- reading ---- */

void fs_foam_round_ends(const fs_payload *payload, fs_itinerary_view *view, size_t pixels) {
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++)
        fs_payload_round(payload, &view->end[p]);
}

static void read_legs(fs_recorded *f, uint64_t legs, fs_recorded_rays *out) {
    fs_itinerary *it = &out->itinerary;
    const size_t bytes = (size_t)legs * sizeof(fs_leg);
    if (!fs_recorded_reads(f) || fs_recording_expect(f->recording, "legs", bytes, f->err))
        return;
    it->chunks = (uint32_t)((legs + FS_LEG_CHUNK - 1) / FS_LEG_CHUNK);
    it->chunk_max = UINT32_MAX / FS_LEG_CHUNK;
    it->chunk = FS_NEW(f->arena, fs_leg *, it->chunk_max);
    if (posix_memalign(&out->legs, HUGE_PAGE, (size_t)it->chunks * FS_RECORDING_FRAME) != 0) {
        fs_fail(f->err, FS_MEMORY, "%s: no memory for its %zu MiB of legs", fs_recording_path(f->recording),
                bytes >> 20);
        return;
    }
    fs_prefer_huge_pages(out->legs, (size_t)it->chunks * FS_RECORDING_FRAME);
    for (uint32_t c = 0; c < it->chunks; c++)
        it->chunk[c] = (fs_leg *)out->legs + (size_t)c * FS_LEG_CHUNK;
    fs_recording_read_frames(f->recording, "legs", (void *const *)it->chunk, bytes, f->err);
}

static void read_lit(fs_recorded *f, uint64_t legs, fs_itinerary *it) {
    uint8_t *lit = NULL;
    FS_RECORDED_LIST(f, "lit", &lit, legs);
    it->lit = FS_NEW(f->arena, uint8_t *, it->chunks);
    for (uint32_t c = 0; c < it->chunks && lit != NULL; c++)
        it->lit[c] = lit + (size_t)c * FS_LEG_CHUNK;
}

/* Legs from `first` on until the ray ends; 0 when they leave the chunk or the recording, or a leg leads to no
 * other shard. shard: in which the ray begins. */
static uint32_t walk(const fs_itinerary *it, uint64_t legs, uint32_t first, uint32_t shard, uint32_t shards) {
    if (first >= legs)
        return 0;
    const fs_leg *chunk = it->chunk[first / FS_LEG_CHUNK];
    const uint64_t left = legs - first / FS_LEG_CHUNK * (uint64_t)FS_LEG_CHUNK;
    const uint32_t end = left < FS_LEG_CHUNK ? (uint32_t)left : FS_LEG_CHUNK;
    uint32_t walked = 1;
    for (uint32_t at = first % FS_LEG_CHUNK; at < end; at += FS_LEG_STRIDE, walked++) {
        const uint32_t next = chunk[at].next;
        if (next == FS_LEG_ENDS)
            return walked;
        if (next == FS_LEG_MORE)
            continue;
        if (next >= shards || next == shard)
            return 0;
        shard = next;
    }
    return 0;
}

/* A block of rays that lie side by side, leg by leg, as they were laid: the number of their legs, or 0 where
 * the block is not of that kind or one of its rays does not lead to its end. walk() is what it is held to. */
static inline __attribute__((always_inline)) uint32_t
block_of(const fs_itinerary *it, uint64_t legs, const uint32_t *first, uint16_t shard, uint32_t shards) {
    for (uint32_t i = 1; i < FS_LEG_STRIDE; i++)
        if (first[i] != first[0] + i)
            return 0;
    const uint64_t chunk_begin = first[0] / FS_LEG_CHUNK * (uint64_t)FS_LEG_CHUNK;
    if (first[0] >= legs)
        return 0;
    const fs_leg *leg = it->chunk[first[0] / FS_LEG_CHUNK] + first[0] % FS_LEG_CHUNK;
    uint64_t left =
        (legs - chunk_begin < FS_LEG_CHUNK ? legs - chunk_begin : FS_LEG_CHUNK) - first[0] % FS_LEG_CHUNK;
    uint16_t in[FS_LEG_STRIDE], under_way[FS_LEG_STRIDE]; /* all bits of one that has not ended */
    for (uint32_t i = 0; i < FS_LEG_STRIDE; i++) {
        in[i] = shard;
        under_way[i] = UINT16_MAX;
    }
    uint32_t walked = 0;
    for (; left >= FS_LEG_STRIDE; left -= FS_LEG_STRIDE, leg += FS_LEG_STRIDE) {
        uint16_t next[FS_LEG_STRIDE], astray = 0, rays = 0;
        for (uint32_t i = 0; i < FS_LEG_STRIDE; i++)
            next[i] = leg[i].next;
        for (uint32_t i = 0; i < FS_LEG_STRIDE; i++) {
            const uint16_t on = under_way[i], ends = next[i] == FS_LEG_ENDS ? UINT16_MAX : 0,
                           more = next[i] == FS_LEG_MORE ? UINT16_MAX : 0,
                           nowhere = next[i] == in[i] || next[i] >= shards ? UINT16_MAX : 0;
            astray = (uint16_t)(astray | (nowhere & on & ~ends & ~more));
            in[i] = (uint16_t)(more & in[i]) | (uint16_t)(~more & next[i]);
            under_way[i] = (uint16_t)(on & ~ends);
            rays = (uint16_t)(rays - on);
        }
        if (astray != 0)
            return 0;
        if (rays == 0)
            return walked;
        walked += rays;
    }
    return 0;
}

static uint32_t walk_block(const fs_itinerary *it, uint64_t legs, const uint32_t *first, uint16_t shard,
                           uint32_t shards) {
    return block_of(it, legs, first, shard, shards);
}

#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static uint32_t
walk_block_avx2(const fs_itinerary *it, uint64_t legs, const uint32_t *first, uint16_t shard,
                uint32_t shards) {
    return block_of(it, legs, first, shard, shards);
}

typedef uint32_t block_walk(const fs_itinerary *it, uint64_t legs, const uint32_t *first, uint16_t shard,
                            uint32_t shards);

/* The legs of a row of pixels. *astray: the lowest pixel whose ray does not lead to its end. limit: to stop
 * at. */
static uint64_t walk_row(block_walk *walks, const fs_itinerary *it, uint64_t legs, const uint32_t *first,
                         uint64_t begin, uint64_t end, uint32_t shard, uint32_t shards, uint64_t limit,
                         uint64_t *astray) {
    uint64_t row = 0;
    for (uint64_t p = begin; p < end && row <= limit;) {
        const uint32_t block =
            end - p >= FS_LEG_STRIDE ? walks(it, legs, first + p, (uint16_t)shard, shards) : 0;
        if (block > 0) {
            row += block;
            p += FS_LEG_STRIDE;
            continue;
        }
        for (const uint64_t stop = end - p >= FS_LEG_STRIDE ? p + FS_LEG_STRIDE : end; p < stop; p++) {
            const uint32_t steps = walk(it, legs, first[p], shard, shards);
            *astray = steps == 0 && p < *astray ? p : *astray;
            row += steps;
        }
    }
    return row;
}

/* Rays have their legs to themselves, so that all of them together are no more than there are. */
static void check_rays(fs_recorded *f, const fs_itinerary *it, const fs_itinerary_view *view, uint64_t legs,
                       uint32_t shard, uint32_t shards) {
    if (!fs_recorded_reads(f))
        return;
    block_walk *const walks = fs_host_has_avx2() ? walk_block_avx2 : walk_block; /* asked once: it may trap */
    uint64_t walked = 0;
    uint64_t astray = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : astray)
    for (uint32_t y = 0; y < it->height; y++) {
        uint64_t before, row;
#pragma omp atomic read
        before = walked;
        row = before > legs ? 0
                            : walk_row(walks, it, legs, view->first, (uint64_t)y * it->width,
                                       (y + 1ULL) * it->width, shard, shards, legs - before, &astray);
#pragma omp atomic
        walked += row;
    }
    if (astray != UINT64_MAX)
        fs_recorded_wrong(f, "the ray of pixel (%llu, %llu) has a leg that leads nowhere",
                          (unsigned long long)(astray % it->width), (unsigned long long)(astray / it->width));
    else if (walked > legs)
        fs_recorded_wrong(f, "its rays have more legs than the %llu that it holds", (unsigned long long)legs);
}

static void check_head(fs_recorded *f, const rays_head *head, const fs_foam_expected *expected) {
    if (head->width != expected->width || head->height != expected->height)
        fs_recorded_wrong(f, "its rays are of %u x %u pixels, its key of %u x %u", head->width, head->height,
                          expected->width, expected->height);
    else if (head->views != expected->cameras)
        fs_recorded_wrong(f, "its rays are of %u cameras, its key of %u", head->views, expected->cameras);
    else if (head->stride != FS_LEG_STRIDE || head->legs > (uint64_t)UINT32_MAX)
        fs_recorded_wrong(f, "its rays are laid in another way");
}

static void read_view(fs_recorded *f, uint32_t v, size_t pixels, fs_itinerary_view *view) {
    const size_t bytes = pixels * sizeof *view->end;
    FS_RECORDED_LIST(f, first_names[v], &view->first, pixels);
    if (!fs_recorded_reads(f) || fs_recording_expect(f->recording, end_names[v], bytes, f->err))
        return;
    view->end = FS_NEW(f->arena, fs_ray_state, pixels);
    fs_prefer_huge_pages(view->end, bytes);
    fs_recorded_bytes(f, end_names[v], view->end, bytes);
}

void fs_foam_itinerary_read(fs_recorded *f, const fs_foam_expected *expected, const uint32_t *entry,
                            const fs_payload *payload, fs_recorded_rays *out, fs_reference *reference) {
    rays_head head;
    *out = (fs_recorded_rays){0};
    fs_recorded_bytes(f, "rays", &head, sizeof head);
    if (fs_recorded_reads(f))
        check_head(f, &head, expected);
    if (f->err->status != FS_OK)
        return;
    const size_t pixels = (size_t)head.width * head.height;
    out->itinerary = (fs_itinerary){
        .width = head.width, .height = head.height, .turning = {.chunk = UINT32_MAX}, .arena = f->arena};
    read_legs(f, head.legs, out);
    if (expected->degree > 0)
        read_lit(f, head.legs, &out->itinerary);
    for (uint32_t v = 0; v < FS_POSES && v < head.views; v++) {
        fs_itinerary_view *view = &out->view[v];
        read_view(f, v, pixels, view);
        check_rays(f, &out->itinerary, view, head.legs, entry[v], expected->shards);
        if (payload != NULL && fs_recorded_reads(f))
            fs_foam_round_ends(payload, view, pixels);
    }
    fs_recorded heap = {.recording = f->recording, .err = f->err};
    *reference = (fs_reference){.width = head.width, .height = head.height};
    FS_RECORDED_LIST(&heap, "reference_rgb", &reference->rgb, 3 * pixels);
    FS_RECORDED_LIST(&heap, "reference_depth", &reference->depth, pixels);
}

void fs_foam_recorded_rays_free(fs_recorded_rays *rays) {
    free(rays->legs);
    rays->legs = NULL;
}
