/* The library for C: experiments, checked in this process. */
#include "api/private.h"
#include "registry/registry.h"
#include "sim/base/alloc.h"
#include "sim/host/places.h"
#include "sim/host/voice.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>

/* Remarks on an experiment are for who sits before the program; jansson's seed is set before two threads ask for it. */
static void begin(void) {
    fs_say_quiet(true);
    json_object_seed(0);
}

static bool has_plugins(void) {
    const char *named = getenv("FOAMSIM_PLUGINS");
    return named != NULL && named[0] != '\0';
}

/* Overrides after those of `before` (may be NULL). */
static foamsim_experiment *experiment_of(const char *name, const foamsim_experiment *before,
                                         const char *const *sets) {
    fs_arena *arena = fs_arena_create();
    foamsim_experiment *e = FS_NEW(arena, foamsim_experiment, 1);
    const size_t had = before == NULL ? 0 : before->count;
    size_t more = 0;
    while (sets != NULL && sets[more] != NULL)
        more++;
    const char **all = FS_NEW(arena, const char *, had + more + 1);
    for (size_t i = 0; i < had; i++)
        all[i] = fs_arena_strdup(arena, before->sets[i]);
    for (size_t i = 0; i < more; i++)
        all[had + i] = fs_arena_strdup(arena, sets[i]);
    e->arena = arena;
    e->name = fs_arena_strdup(arena, name);
    e->sets = all;
    e->count = had + more;
    atomic_init(&e->uses, 1);
    return e;
}

static const fs_config *read_config(foamsim_experiment *e, foamsim_error *error) {
    fs_error *err = fs_calloc(1, sizeof *err);
    const fs_config *config = NULL;
    if (fs_data_check(err) == FS_OK)
        config = fs_experiment_load(&fs_registry_all, e->arena, e->name, e->sets, e->count, err);
    fs_api_tell(err, error);
    free(err);
    return config;
}

/* The experiment if it holds, else nothing of it. */
static foamsim_experiment *checked(foamsim_experiment *e, foamsim_error *error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    fs_api_calm(error);
    if (has_plugins())
        e->resolved = fs_api_shown(e, error);
    else
        e->config = read_config(e, error);
    if (error->status == FOAMSIM_OK)
        return e;
    foamsim_forget(e);
    return NULL;
}

foamsim_experiment *foamsim_load(const char *experiment, const char *const *sets, foamsim_error *error) {
    FS_API_ENTER;
    return checked(experiment_of(experiment, NULL, sets), error);
}

foamsim_experiment *foamsim_change(const foamsim_experiment *experiment, const char *const *sets,
                                   foamsim_error *error) {
    FS_API_ENTER;
    return checked(experiment_of(experiment->name, experiment, sets), error);
}

void foamsim_forget(foamsim_experiment *experiment) {
    if (experiment != NULL && atomic_fetch_sub(&experiment->uses, 1) == 1)
        fs_arena_free(experiment->arena);
}

/* Written when it is asked for: what is priced by the thousand is not. */
const char *foamsim_resolved(const foamsim_experiment *experiment) {
    FS_API_ENTER;
    foamsim_experiment *e = (foamsim_experiment *)experiment;
    if (e->resolved == NULL) {
        fs_memory text;
        fs_config_write_resolved(e->config, fs_memory_open(&text), NULL, NULL);
        e->resolved = fs_arena_strdup(e->arena, fs_memory_close(&text));
        free(text.text);
    }
    return e->resolved;
}
