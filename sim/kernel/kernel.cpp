/* The one file that sees SystemC.
 *
 * Pending wake-ups wait in a radix heap; SystemC holds one event, the dispatcher's, at the earliest of them.
 * Time never goes back, so the heap is monotone: an entry lies in the bucket of the highest bit in which its
 * time differs from that of the last round, buckets are emptied from below, and an entry moves down only
 * (Ahuja, Mehlhorn, Orlin and Tarjan, 1990). A method of SystemC for each process, with an event each, cost
 * five times as much: two delta cycles a round, and a heap of pointers through which every event is compared.
 */
extern "C" {
#define _Noreturn [[noreturn]] /* C's word in the shared headers */
#include "sim/kernel/kernel.h"
#include "sim/base/alloc.h"
#undef _Noreturn
}

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <systemc>
#include <unordered_set>
#include <vector>

namespace {

constexpr uint64_t never = UINT64_MAX;

struct process {
    fs_process_fn fn;
    void *self;
    uint64_t due; /* cycle of its pending wake-up, or never */
};

struct wake_up {
    uint64_t time;
    fs_process_id id;
};

bool created = false; /* SystemC has one simulation context for the life of the process */

} // namespace

struct fs_kernel {
    std::vector<process> processes;
    std::unordered_set<std::string> names;
    std::array<std::vector<wake_up>, 65>
        bucket;          /* 0: of `last`; b: of times whose highest other bit is b - 1 */
    uint64_t filled = 0; /* bit b - 1: bucket b may hold something */
    uint64_t last = 0;   /* no wake-up is due before this cycle */
    uint64_t now = 0;
    std::vector<fs_process_id> round; /* the ones now called, sorted */
    sc_core::sc_event dispatch;
    uint64_t asked = never; /* cycle for which SystemC has been asked to dispatch */
    uint64_t activations = 0;
    bool running = false;
    bool started = false;
    bool stopped = false;
    bool failed = false;
    std::string failure; /* text of the first exception, told by fs_kernel_run */

    void fail(const char *text) {
        if (!failed)
            failure = text;
        failed = stopped = true;
        if (running)
            sc_core::sc_pause();
    }

    /* A process is woken before the time of an entry that lies in the heap already: that one is passed over
     * when its turn comes, as it isn't what the process is due at. */
    bool is_due(const wake_up &w) const { return processes[w.id].due == w.time; }

    void push(wake_up w) {
        const uint64_t other = w.time ^ last;
        const unsigned b = other == 0 ? 0 : 64 - (unsigned)__builtin_clzll(other);
        bucket[b].push_back(w);
        if (b > 0)
            filled |= UINT64_C(1) << (b - 1);
    }

    void wake(fs_process_id id, uint64_t time) {
        if (time >= processes[id].due)
            return;
        processes[id].due = time;
        if (time < last)
            rewind();
        push({time, id});
    }

    /* Between runs somebody is woken before what SystemC was asked for. */
    void rewind() {
        std::vector<wake_up> all;
        for (std::vector<wake_up> &b : bucket) {
            for (const wake_up &w : b)
                if (is_due(w))
                    all.push_back(w);
            b.clear();
        }
        filled = 0;
        last = now;
        for (const wake_up &w : all)
            push(w);
    }

    /* Moves what is due next to bucket 0; false when nothing is. */
    bool reach_next() {
        while (bucket[0].empty()) {
            if (filled == 0)
                return false;
            std::vector<wake_up> &lowest = bucket[(unsigned)__builtin_ctzll(filled) + 1];
            filled &= filled - 1;
            uint64_t earliest = never;
            for (const wake_up &w : lowest)
                if (is_due(w) && w.time < earliest)
                    earliest = w.time;
            if (earliest != never)
                last = earliest;
            for (const wake_up &w : lowest)
                if (is_due(w))
                    push(w); /* into a lower one */
            lowest.clear();
        }
        return true;
    }

    void run_round() {
        for (const wake_up &w : bucket[0])
            if (is_due(w)) {
                processes[w.id].due = never;
                round.push_back(w.id);
            }
        bucket[0].clear();
        if (round.size() > 1)
            std::sort(round.begin(), round.end());
        for (fs_process_id id : round)
            processes[id].fn(processes[id].self);
        activations += round.size();
        round.clear();
    }

    /* All rounds of this cycle; then SystemC is asked for the next one. */
    void run_cycle() {
        asked = never;
        now = sc_core::sc_time_stamp().value();
        while (!stopped && reach_next() && last <= now)
            run_round();
        ask();
    }

    void ask() {
        if (stopped || !reach_next() || last >= asked)
            return;
        asked = last;
        dispatch.notify(sc_core::sc_time::from_value(last - now));
    }
};

namespace {

/* Runs `body`; what it throws becomes the kernel's failure. SystemC's own unwinding of a killed process has
 * to pass. */
template <typename Body> void guarded(fs_kernel *kernel, Body body) {
    try {
        body();
    } catch (const sc_core::sc_unwind_exception &) {
        throw;
    } catch (const std::exception &e) {
        kernel->fail(e.what());
    } catch (...) {
        kernel->fail("unknown exception");
    }
}

void spawn_dispatcher(fs_kernel *kernel) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&kernel->dispatch);
    sc_core::sc_spawn([=] { guarded(kernel, [=] { kernel->run_cycle(); }); }, "dispatcher", &options);
}

/* SystemC speaks through its report handler: information is noise here, and a warning (a clash of names, a
 * misuse) is a defect of this file, so it throws like an error. */
void quiet_reports() {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
}

} // namespace

extern "C" {

/* libsystemc's main() wants it; foamsim's own main() is linked instead and never calls it. */
int sc_main(int, char **) {
    return 1;
}

fs_kernel *fs_kernel_create(fs_error *err) {
    if (created) {
        fs_fail(err, FS_RUN, "one simulation to a process: this process already had a kernel");
        return nullptr;
    }
    created = true;
    fs_kernel *kernel = nullptr;
    try {
        quiet_reports();
        kernel = new fs_kernel;
        spawn_dispatcher(kernel);
        return kernel;
    } catch (const std::exception &e) {
        fs_fail(err, FS_RUN, "SystemC: %s", e.what());
    } catch (...) {
        fs_fail(err, FS_RUN, "SystemC: unknown exception");
    }
    return nullptr; /* what SystemC may still refer to stays allocated */
}

void fs_kernel_free(fs_kernel *kernel) {
    delete kernel; /* its methods stay with SystemC, which never runs again: fs_kernel_create refuses */
}

fs_process_id fs_kernel_process(fs_kernel *kernel, const char *name, fs_process_fn fn, void *self) {
    FS_ASSERT(!kernel->started, "process %s is registered after the start of the run", name);
    FS_ASSERT(name[0] != '\0' && fn != nullptr, "a process has a name and a function");
    const char *failure = nullptr;
    try {
        FS_ASSERT(kernel->names.insert(name).second, "two processes are called %s", name);
        fs_process_id id = (fs_process_id)kernel->processes.size();
        kernel->processes.push_back({fn, self, never});
        kernel->round.reserve(id + 1);
        return id;
    } catch (const std::bad_alloc &) {
        fs_no_memory();
    } catch (const std::exception &e) {
        failure = e.what();
        FS_ASSERT(false, "process %s: %s", name, failure);
    } catch (...) {
        FS_ASSERT(false, "process %s: unknown exception", name);
    }
}

void fs_kernel_wake(fs_kernel *kernel, fs_process_id process, uint64_t delay) {
    FS_ASSERT(process < kernel->processes.size(), "process %u is unknown", process);
    FS_ASSERT(delay < UINT64_MAX - fs_kernel_now(kernel), "a delay of %llu cycles is beyond the end of time",
              (unsigned long long)delay);
    guarded(kernel, [=] { kernel->wake(process, kernel->now + delay); });
}

fs_status fs_kernel_run(fs_kernel *kernel, fs_error *err) {
    kernel->started = true;
    kernel->running = true;
    kernel->stopped = kernel->failed;
    guarded(kernel, [=] {
        kernel->ask();
        if (sc_core::sc_pending_activity())
            sc_core::sc_start();
    });
    kernel->running = false;
    return kernel->failed ? fs_fail(err, FS_RUN, "SystemC: %s", kernel->failure.c_str()) : FS_OK;
}

void fs_kernel_stop(fs_kernel *kernel) {
    FS_ASSERT(kernel->running, "fs_kernel_stop is for processes");
    kernel->stopped = true;
    guarded(kernel, [] { sc_core::sc_pause(); });
}

uint64_t fs_kernel_now(const fs_kernel *kernel) {
    return kernel->now;
}

uint64_t fs_kernel_activations(const fs_kernel *kernel) {
    return kernel->activations;
}
}
