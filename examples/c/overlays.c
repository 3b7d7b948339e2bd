/* Which overlay network renders a scene soonest? Each is a run of its own, in a folder below the one that is
 * named:
 *
 *     cc -std=c17 overlays.c $(pkg-config --cflags --libs foamsim) -o overlays
 *     ./overlays first-look runs quadtree fat_tree mesh
 */
#include "foamsim.h"

#include <stdio.h>
#include <string.h>

static bool progress(void *self, const char *task, unsigned long long done, unsigned long long total) {
    fprintf(stderr, "\r%s: %s %llu of %llu  ", (const char *)self, task, done, total);
    return true;
}

/* The seconds of a frame, and where they went; false with a sentence. */
static bool try_overlay(const char *experiment, const char *parent, char *overlay, foamsim_error *error) {
    char set[128], name[512];
    snprintf(set, sizeof set, "overlay.kind=%s", overlay);
    snprintf(name, sizeof name, "%s/%s", parent, overlay);
    const char *const sets[] = {set, NULL};
    const foamsim_run_options options = {.replace = true, .progress = progress, .self = overlay};

    foamsim_experiment *e = foamsim_load(experiment, sets, error);
    foamsim_status status = e == NULL ? error->status : foamsim_run(e, name, &options, error);
    foamsim_forget(e);
    fputc('\n', stderr);
    foamsim_folder *run = status == FOAMSIM_OK ? foamsim_open(name, error) : NULL;
    if (run == NULL)
        return false;

    foamsim_figure time;
    if (foamsim_get(run, "device.seconds", &time))
        printf("%s: %.6g %s, %s\n", overlay, time.number, time.unit, time.description);
    const foamsim_table *steps = foamsim_table_of(run, "iterations.csv", error);
    for (size_t c = 0; steps != NULL && foamsim_column(steps, c) != NULL; c++) {
        static const char *const parts[] = {"compute", "sync", "exchange", "host"};
        double sum = 0;
        for (size_t row = 0; row < foamsim_rows(steps); row++)
            sum += foamsim_number(steps, row, c);
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            if (strcmp(foamsim_column(steps, c), parts[p]) == 0)
                printf("  %-9s %12.0f %s\n", parts[p], sum, foamsim_unit(steps, c));
    }
    foamsim_close(run);
    return steps != NULL;
}

int main(int argc, char **argv) {
    foamsim_error error;
    if (argc < 4)
        return fprintf(stderr, "usage: overlays EXPERIMENT FOLDER OVERLAY...\n"), 2;
    for (int i = 3; i < argc; i++)
        if (!try_overlay(argv[1], argv[2], argv[i], &error))
            return fprintf(stderr, "%s: %s\n", argv[i], error.text), (int)error.status;
    return 0;
}
