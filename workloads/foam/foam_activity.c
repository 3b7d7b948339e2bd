/* A run whose activity is recorded, or that is priced from recorded activity. */
#include "workloads/foam/foam_run.h"

/* Of several frames in flight: each one's picture. */
static void frame_images(fs_recorded *f, fs_foam_run *r) {
    fs_recorded heap = {.writer = f->writer, .recording = f->recording, .err = f->err};
    if (f->writer != NULL ? r->frames8 != NULL : r->setup.in_flight > 0)
        fs_recorded_list(&heap, "frame_images", (void **)&r->frames8,
                         (uint64_t)r->camera[0].width * r->camera[0].height * r->setup.frames, 3);
}

fs_status fs_foam_make_shell(fs_foam_run *r, fs_error *err) {
    const fs_activity_wants wants = {.moved = fs_foam_asks_lanes(r), .pictures = true};
    fs_recorded f = {.recording = r->of.run.replay, .arena = r->of.run.arena, .err = err};
    fs_activity_sections(&f, &r->setup, wants, &r->activity);
    if (err->status != FS_OK || fs_foam_check_finished(r, err))
        return err->status;
    r->sim = fs_activity_shell(&r->activity, &r->setup, r->of.run.arena);
    frame_images(&f, r);
    return err->status;
}

fs_status fs_foam_check_finished(fs_foam_run *r, fs_error *err) {
    if (r->activity.unfinished == NULL)
        return FS_OK;
    /* What is wrong with the machine a run would have said first. */
    return fs_foam_make_device(r, err) ? err->status : fs_fail(err, FS_RUN, "%s", r->activity.unfinished);
}

/* ---- the device's client ---- */

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)at;
    (void)err;
    fs_foam_run *r = self;
    const fs_count_sink sink = fs_foam_sink(r);
    fs_activity_compute(&r->cursor, &sink, &r->active, &r->active_count);
    *active = r->active;
    *active_count = r->active_count;
    return FS_OK;
}

fs_status fs_foam_recorded_exchange(void *run, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)at;
    (void)err;
    fs_activity_exchange(&((fs_foam_run *)run)->cursor, occupied);
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)iteration;
    (void)err;
    fs_activity_decide(&((fs_foam_run *)self)->cursor, visit, stop);
    return FS_OK;
}

fs_status fs_foam_replay_activity(fs_foam_run *r, fs_error *err) {
    fs_device_client client = fs_foam_client(r);
    client.compute = on_compute;
    client.exchange = fs_foam_recorded_exchange;
    client.decide = on_decide;
    fs_activity_begin(&r->cursor, &r->activity, r->sim, &r->programs, &r->setup, r->of.run.arena);
    fs_status status = r->of.run.how->detail == FS_RUN_EVENT ? fs_device_run(r->of.device, &client, err)
                                                             : fs_device_replay(r->of.device, &client, err);
    fs_activity_close_books(&r->activity, &r->books);
    return status;
}

/* ---- pictures ---- */

void fs_foam_replay_image(fs_foam_run *r) {
    const fs_activity_image *image = &r->activity.end.image;
    fs_foam_figures *f = &r->figures;
    f->exact = image->exact != 0;
    f->psnr = image->psnr;
    f->psnr_float = image->psnr_float;
    f->ssim = image->ssim;
    f->cell_length = image->cell_length;
    f->t_step = image->t_step;
    f->note = image->noted ? fs_foam_coarse_note : "";
    f->depth_source = r->payload.carries_depth ? "payload" : "reference";
    r->rgb8 = r->activity.rgb8;
    r->depth16 = r->activity.depth16;
    r->activity.rgb8 = NULL; /* the run frees them */
    r->activity.depth16 = NULL;
}

/* ---- recording ---- */

static void sections(fs_recorded *f, void *self) {
    fs_foam_run *r = self;
    fs_foam_facts_of(f, r);
    fs_activity_sections(f, &r->setup, (fs_activity_wants){.moved = true, .pictures = true}, &r->activity);
    if (r->activity.unfinished == NULL)
        frame_images(f, r);
}

static fs_status record(fs_foam_run *r, fs_error *err) {
    return fs_recorded_write(r->of.run.host->record_activity, FS_RECORDING_ACTIVITY, r->of.run.config,
                             sections, r, err);
}

fs_status fs_foam_write_activity(fs_foam_run *r, fs_error *err) {
    if (r->recorder == NULL)
        return FS_OK;
    const fs_foam_figures *f = &r->figures;
    const fs_activity_image image = {.exact = f->exact,
                                     .psnr = f->psnr,
                                     .psnr_float = f->psnr_float,
                                     .ssim = f->ssim,
                                     .cell_length = f->cell_length,
                                     .t_step = f->t_step,
                                     .noted = f->note[0] != '\0'};
    fs_activity_close(r->recorder, &r->books, &image, r->of.run.arena, &r->activity);
    r->activity.rgb8 = r->rgb8;
    r->activity.depth16 = r->depth16;
    record(r, err);
    r->activity.rgb8 = NULL; /* they stay the run's */
    r->activity.depth16 = NULL;
    fs_activity_free(&r->activity);
    return err->status;
}

void fs_foam_write_unfinished(fs_foam_run *r, const char *why) {
    fs_error ignored = {.status = FS_OK}; /* the run has failed already: that is what is said */
    r->activity.unfinished = why;
    record(r, &ignored);
    r->activity.unfinished = NULL;
}
