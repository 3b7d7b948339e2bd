/* The three details of the traversal engine: the same cycles and figures on random machines. FOAMSIM_ENGINES
 * says on how many, FOAMSIM_SEED from which seed on. */
#include "tests/support/engine_case.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { ENGINES = 60, RAYS = 60, REQUESTS = 24 };

/* What became of each request: its times, by number. */
typedef struct spans {
    fs_engine_span *span;
    uint64_t told;
} spans;

static void hear(void *self, const fs_engine_span *span) {
    spans *s = self;
    s->span[span->request] = *span;
    s->told++;
}

static bool run(const fs_fpga_params *m, const fs_engine_itinerary *it, fs_engine_detail detail,
                fs_arena *arena, spans *heard, fs_engine_results *results) {
    fs_error err = {0};
    *heard = (spans){.span = FS_NEW(arena, fs_engine_span, it->first[it->rays])};
    const fs_engine_listener listener = {.self = heard, .served = hear};
    if (fs_engine_run(m, it, detail, &listener, arena, results, &err) == FS_OK)
        return true;
    printf("detail %d: %s\n", (int)detail, err.text);
    return false;
}

static bool same_span(const fs_engine_span *s, const fs_engine_span *t) {
    return s->ray == t->ray && s->place == t->place && s->leaf == t->leaf && s->cached == t->cached &&
           s->raised == t->raised && s->granted == t->granted && s->first == t->first && s->last == t->last &&
           s->answered == t->answered;
}

static bool same(const fs_engine_itinerary *it, const fs_engine_results *a, const spans *x,
                 const fs_engine_results *b, const spans *y, const char *names) {
    const char *differs = engine_difference(a, b);
    if (differs != NULL)
        printf("%s differ in %s; cycles %llu and %llu\n", names, differs, (unsigned long long)a->cycles,
               (unsigned long long)b->cycles);
    for (uint64_t i = 0; i < it->first[it->rays]; i++)
        if (!same_span(&x->span[i], &y->span[i])) {
            const fs_engine_span *s = &x->span[i], *t = &y->span[i];
            printf(
                "%s differ first in request %llu: place %u %u raised %llu %llu granted %llu %llu first %llu "
                "%llu last %llu %llu answered %llu %llu\n",
                names, (unsigned long long)i, s->place, t->place, (unsigned long long)s->raised,
                (unsigned long long)t->raised, (unsigned long long)s->granted, (unsigned long long)t->granted,
                (unsigned long long)s->first, (unsigned long long)t->first, (unsigned long long)s->last,
                (unsigned long long)t->last, (unsigned long long)s->answered,
                (unsigned long long)t->answered);
            return false;
        }
    return differs == NULL && x->told == y->told;
}

static bool one(uint64_t seed) {
    fs_arena *arena = test_arena();
    fs_rng rng = fs_rng_stream(seed, "test/engine");
    const fs_fpga_params m = engine_random_machine(arena, &rng);
    const fs_engine_itinerary it =
        engine_random_rays(arena, &rng, 1 + fs_rng_below(&rng, RAYS), REQUESTS, fs_engine_queue_capacity(&m));
    fs_engine_results event, cycle, phase;
    spans of_event, of_cycle, of_phase;
    fs_error err = {0};
    bool good = fs_engine_itinerary_check(&it, &err) == FS_OK &&
                run(&m, &it, FS_ENGINE_CYCLE, arena, &of_cycle, &cycle) &&
                run(&m, &it, FS_ENGINE_EVENT, arena, &of_event, &event) &&
                same(&it, &event, &of_event, &cycle, &of_cycle, "event and cycle");
    if (good && m.memory.kind == FS_MEMORY_FIXED && m.cache.kind == FS_CACHE_NONE)
        good = run(&m, &it, FS_ENGINE_PHASE, arena, &of_phase, &phase) &&
               same(&it, &phase, &of_phase, &cycle, &of_cycle, "phase and cycle");
    if (!good)
        printf("%s\n", err.text);
    return good;
}

TEST(details_are_equal) {
    const uint64_t seed = test_seed(1);
    const long count = (long)test_number("FOAMSIM_ENGINES", ENGINES);
    printf("%ld machines from seed %llu\n", count, (unsigned long long)seed);
    for (long i = 0; i < count; i++) {
        fflush(NULL);
        const pid_t child = fork(); /* one kernel to a process */
        if (child == 0) {
            const bool good = one(seed + (uint64_t)i);
            fflush(NULL);
            _exit(good ? 0 : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0)
            fail_msg("machine of seed %llu", (unsigned long long)(seed + (uint64_t)i));
    }
}

RUN_TESTS(NULL, NULL)
