/* The kernel's order, times and refusals. One simulation to a process: each case runs in a fork and ends with
 * status 0 when its checks hold. */
#include "sim/base/rng.h"
#include "sim/kernel/kernel.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static int in_fork(void (*body)(void)) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        body();
        exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

typedef struct note {
    uint64_t time;
    uint32_t actor;
} note;

enum { MAX_NOTES = 200000, ACTORS = 100 };

typedef struct world {
    fs_kernel *kernel;
    fs_rng rng;
    note notes[MAX_NOTES];
    size_t count;
    struct actor {
        struct world *world;
        fs_process_id id;
        uint64_t delay; /* between its own wake-ups */
        int left;
    } actor[ACTORS];
} world;

static world the;

static void take_note(struct actor *a) {
    CHECK(the.count < MAX_NOTES);
    the.notes[the.count++] = (note){fs_kernel_now(the.kernel), a->id};
}

static void build(size_t actors, fs_process_fn fn) {
    fs_error err = {0};
    the.kernel = fs_kernel_create(&err);
    CHECK(the.kernel != NULL);
    for (size_t i = 0; i < actors; i++) {
        char name[32];
        snprintf(name, sizeof name, "tile %zu.worker", i); /* any text is a name */
        the.actor[i].id = fs_kernel_process(the.kernel, name, fn, &the.actor[i]);
        CHECK(the.actor[i].id == i);
    }
}

static void run(void) {
    fs_error err = {0};
    CHECK(fs_kernel_run(the.kernel, &err) == FS_OK);
}

static void note_and_repeat(void *self) {
    struct actor *a = self;
    take_note(a);
    if (a->left-- > 0)
        fs_kernel_wake(the.kernel, a->id, a->delay);
}

/* Actors with periods that meet in many common multiples, first woken in shuffled order: at each time the ids
 * ascend, and the times are those of the periods. */
static void body_order(void) {
    build(ACTORS, note_and_repeat);
    fs_rng rng = fs_rng_stream(1, "test/kernel/order");
    fs_process_id shuffled[ACTORS];
    for (uint32_t i = 0; i < ACTORS; i++) {
        the.actor[i].delay = 1 + i % 6;
        the.actor[i].left = 59;
        uint32_t j = fs_rng_below(&rng, i + 1);
        shuffled[i] = shuffled[j];
        shuffled[j] = i;
    }
    for (uint32_t i = 0; i < ACTORS; i++)
        fs_kernel_wake(the.kernel, shuffled[i], the.actor[shuffled[i]].delay);
    run();
    CHECK(the.count == ACTORS * 60);
    CHECK(fs_kernel_activations(the.kernel) == the.count);
    size_t seen[ACTORS] = {0};
    for (size_t i = 0; i < the.count; i++) {
        note n = the.notes[i];
        CHECK(n.time == ++seen[n.actor] * the.actor[n.actor].delay);
        if (i > 0)
            CHECK(the.notes[i - 1].time < n.time ||
                  (the.notes[i - 1].time == n.time && the.notes[i - 1].actor < n.actor));
    }
    CHECK(fs_kernel_now(the.kernel) == 360);
    fs_kernel_free(the.kernel);
}

static void wake_all_descending(void *self) {
    struct actor *a = self;
    take_note(a);
    if (a->left-- <= 0)
        return;
    for (uint32_t i = ACTORS; i-- > 0;) /* includes itself */
        fs_kernel_wake(the.kernel, i, 0);
}

/* Wake-ups without delay come a round later, again in order of id, and time stands still. Each actor wakes
 * all of them in its first two activations, so there are three rounds of all after the first of one. */
static void body_rounds(void) {
    build(ACTORS, wake_all_descending);
    for (uint32_t i = 0; i < ACTORS; i++)
        the.actor[i].left = 2;
    fs_kernel_wake(the.kernel, 7, 5);
    run();
    CHECK(the.notes[0].actor == 7);
    CHECK(the.count == 1 + 3 * ACTORS);
    for (size_t i = 0; i < the.count; i++) {
        CHECK(the.notes[i].time == 5);
        if (i > 0)
            CHECK(the.notes[i].actor == (i - 1) % ACTORS);
    }
    fs_kernel_free(the.kernel);
}

static void note_only(void *self) {
    take_note(self);
}

/* An earlier wake-up replaces a later one, a later one is ignored. */
static void body_replace(void) {
    build(3, note_only);
    fs_kernel_wake(the.kernel, 0, 10);
    fs_kernel_wake(the.kernel, 0, 4);
    fs_kernel_wake(the.kernel, 0, 6);
    fs_kernel_wake(the.kernel, 1, 3);
    fs_kernel_wake(the.kernel, 1, 0);
    fs_kernel_wake(the.kernel, 2, UINT64_C(1) << 62); /* far beyond any unit of seconds */
    run();
    CHECK(the.count == 3);
    CHECK(the.notes[0].actor == 1 && the.notes[0].time == 0);
    CHECK(the.notes[1].actor == 0 && the.notes[1].time == 4);
    CHECK(the.notes[2].actor == 2 && the.notes[2].time == UINT64_C(1) << 62);
    fs_kernel_free(the.kernel);
}

static void stop_at_ten(void *self) {
    struct actor *a = self;
    take_note(a);
    fs_kernel_wake(the.kernel, a->id, 1);
    if (fs_kernel_now(the.kernel) == 10 && a->id == 0)
        fs_kernel_stop(the.kernel);
}

/* stop lets the round end, and a further run goes on from there. */
static void body_stop(void) {
    build(3, stop_at_ten);
    for (uint32_t i = 0; i < 3; i++)
        fs_kernel_wake(the.kernel, i, 1);
    run();
    CHECK(fs_kernel_now(the.kernel) == 10);
    CHECK(the.count == 30 && the.notes[29].actor == 2);
    fs_kernel_free(the.kernel); /* with wake-ups pending */
}

static void stop_every_time(void *self) {
    take_note(self);
    fs_kernel_stop(the.kernel);
}

static void body_resume(void) {
    build(3, stop_every_time);
    for (uint32_t i = 0; i < 3; i++)
        fs_kernel_wake(the.kernel, i, 2 * i + 1);
    for (size_t i = 0; i < 3; i++) {
        run();
        CHECK(the.count == i + 1 && fs_kernel_now(the.kernel) == 2 * i + 1);
    }
    run(); /* nothing is pending */
    fs_kernel_wake(the.kernel, 1, 2);
    run();
    CHECK(the.count == 4 && fs_kernel_now(the.kernel) == 7);
    fs_kernel_free(the.kernel);
}

static void body_second_kernel(void) {
    fs_error err = {0};
    fs_kernel *first = fs_kernel_create(&err);
    CHECK(first != NULL && err.status == FS_OK);
    CHECK(fs_kernel_create(&err) == NULL);
    CHECK(err.status == FS_RUN && strstr(err.text, "one simulation to a process") != NULL);
    fs_kernel_free(first);
    err = (fs_error){0};
    CHECK(fs_kernel_create(&err) == NULL && err.status == FS_RUN); /* not after the first one either */
    fs_kernel_free(NULL);
}

static void body_duplicate_name(void) {
    CHECK(freopen("/dev/null", "w", stderr) != NULL);
    fs_error err = {0};
    fs_kernel *kernel = fs_kernel_create(&err);
    fs_kernel_process(kernel, "tile", note_only, &the.actor[0]);
    fs_kernel_process(kernel, "tile", note_only, &the.actor[1]);
}

/* Nothing but what the model prints: SystemC's banner and reports are silenced. */
static void body_silence(void) {
    char path[] = "kernel-silence-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    unlink(path);
    CHECK(dup2(fd, STDOUT_FILENO) >= 0 && dup2(fd, STDERR_FILENO) >= 0);
    body_stop();
    fflush(NULL);
    CHECK(lseek(fd, 0, SEEK_END) == 0);
}

/* Random delays with a full record, compared with a plain loop over a table of next times. */
static void random_actor(void *self) {
    struct actor *a = self;
    take_note(a);
    if (a->left-- > 0) {
        fs_rng rng = fs_rng_sub(the.rng, a->id * UINT64_C(1000) + (uint64_t)a->left);
        fs_kernel_wake(the.kernel, a->id, 1 + fs_rng_below(&rng, 7));
    }
}

static void body_random(void) {
    uint64_t seed = 20240511;
    fprintf(stderr, "seed %" PRIu64 "\n", seed);
    the.rng = fs_rng_stream(seed, "test/kernel/random");
    build(ACTORS, random_actor);
    uint64_t next[ACTORS];
    int left[ACTORS];
    for (uint32_t i = 0; i < ACTORS; i++) {
        the.actor[i].left = left[i] = 500;
        fs_kernel_wake(the.kernel, ACTORS - 1 - i, next[ACTORS - 1 - i] = 1 + i % 3);
    }
    run();
    size_t at = 0;
    for (uint64_t now = 0, last = 0; last < ACTORS; now++) {
        for (uint32_t i = 0; i < ACTORS; i++) {
            if (next[i] != now)
                continue;
            CHECK(at < the.count && the.notes[at].time == now && the.notes[at].actor == i);
            at++;
            if (left[i]-- > 0) {
                fs_rng rng = fs_rng_sub(the.rng, i * UINT64_C(1000) + (uint64_t)left[i]);
                next[i] = now + 1 + fs_rng_below(&rng, 7);
            } else {
                last++;
            }
        }
    }
    CHECK(at == the.count);
    fs_kernel_free(the.kernel);
}

static void tick(void *self) {
    struct actor *a = self;
    if (a->left-- > 0)
        fs_kernel_wake(the.kernel, a->id, a->delay);
}

/* Printed only: the cost of an event decides how many of them an iteration may have. */
static void body_rate(void) {
    build(ACTORS, tick);
    for (uint32_t i = 0; i < ACTORS; i++) {
        the.actor[i].left = 10000;
        the.actor[i].delay = 1 + i % 17;
        fs_kernel_wake(the.kernel, i, 1);
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    run();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    CHECK(fs_kernel_activations(the.kernel) == ACTORS * 10001);
    fprintf(stderr, "%.2f million activations a second\n",
            1e-6 * (double)fs_kernel_activations(the.kernel) / seconds);
    fs_kernel_free(the.kernel);
}

#define CASE(name)                                                                                           \
    TEST(name) {                                                                                             \
        assert_int_equal(in_fork(body_##name), 0);                                                           \
    }
CASE(order)
CASE(rounds)
CASE(replace)
CASE(stop)
CASE(resume)
CASE(second_kernel)
CASE(silence)
CASE(random)
CASE(rate)

TEST(duplicate_name) {
    assert_int_equal(in_fork(body_duplicate_name), 128 + 6); /* SIGABRT */
}

RUN_TESTS(NULL, NULL)
