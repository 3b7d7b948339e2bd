// foamsim-delaunay: sites on standard input, their Delaunay adjacency on standard output, round after round.
//
// CGAL's triangulations are GPL; that is why this is a program of its own and not a part of foamsim.
// Protocol (host byte order, both ends run on one machine; the other end is
// workloads/scene/foam/scene_mesh.c), a round:
//   in:  "FSDELAU2", u32 count, u32 threads, u32 fresh; count * u32 the number that a site had in the round
//        before or 2^32 - 1, left out where all are fresh; fresh * 3 f32 coordinates, by number
//   out: "FSPLACED", u32 sites placed so far; a few times a second, while it takes longer than that
//   then: "FSDELAU2", u32 0, u64 faces, count * u32 degree, faces * u32 neighbour (ascending for each site)
//   or:  "FSDELAU2", u32 length, length bytes of an error message
// Sites that a round does not name are gone. The input ends behind the last round.
// The Delaunay triangulation is unique with CGAL's symbolic perturbation of cospherical points, so the answer
// depends neither on the number of threads nor on the order of insertion, nor on sites that are gone.
#include "workloads/scene/foam/delaunay/adjacency.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// Sites placed so far.
std::atomic<std::uint32_t> placed{0};

// What a vertex knows of its site. CGAL assigns it when the vertex is in its place and at no other time, so
// assignments are counted.
struct Site {
    std::uint32_t number = 0;
    Site() = default;
    explicit Site(std::uint32_t n) : number(n) {}
    Site(const Site &) = default;
    Site &operator=(const Site &other) {
        number = other.number;
        placed.fetch_add(1, std::memory_order_relaxed);
        return *this;
    }
};

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using VertexBase = CGAL::Triangulation_vertex_base_with_info_3<Site, Kernel>;
using CellBase = CGAL::Delaunay_triangulation_cell_base_3<Kernel>;
using Point = Kernel::Point_3;

template <class Tag>
using Delaunay =
    CGAL::Delaunay_triangulation_3<Kernel, CGAL::Triangulation_data_structure_3<VertexBase, CellBase, Tag>>;

// Under this many sites the locks of the parallel triangulation cost more than they bring.
constexpr std::size_t parallel_from = 20000;

constexpr char magic[8] = {'F', 'S', 'D', 'E', 'L', 'A', 'U', '2'};
constexpr char progress[8] = {'F', 'S', 'P', 'L', 'A', 'C', 'E', 'D'};

void read_all(void *data, std::size_t bytes) {
    if (std::fread(data, 1, bytes, stdin) != bytes)
        throw std::runtime_error("the sites end early");
}

void write_all(const void *data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, stdout) != bytes)
        throw std::runtime_error("the reader went away");
}

// Says how many sites are placed, until it goes out of scope. Nobody else writes meanwhile.
class Reporter {
  public:
    Reporter() : thread([this] { report(); }) { placed = 0; }
    ~Reporter() {
        {
            std::lock_guard<std::mutex> held(lock);
            over = true;
        }
        ended.notify_one();
        thread.join();
    }
    Reporter(const Reporter &) = delete;
    Reporter &operator=(const Reporter &) = delete;

  private:
    void report() {
        std::unique_lock<std::mutex> held(lock);
        while (!ended.wait_for(held, std::chrono::milliseconds(200), [this] { return over; })) {
            const std::uint32_t count = placed.load(std::memory_order_relaxed);
            std::fwrite(progress, 1, sizeof progress, stdout); // a reader that went away is noticed later
            std::fwrite(&count, 1, sizeof count, stdout);
            std::fflush(stdout);
        }
    }

    std::mutex lock;
    std::condition_variable ended;
    bool over = false;
    std::thread thread; // last: it uses the others
};

// ---- a round ----

struct Round {
    std::uint32_t count = 0, threads = 1;
    std::vector<std::uint32_t> before; // [count] numbers in the round before; none: it is fresh
    std::vector<std::uint32_t> fresh;  // numbers, ascending
    std::vector<float> xyz;            // [fresh][3]
};

// ---- the order of insertion ----
//
// Sites come along a curve through space, so they are not sorted once more; each falls by chance into one of
// a few stages, a stage being four times as long as all before it, and keeps its place on the curve there
// (Amenta, Choi and Rote, 2003). The chance is a hash of its place. Any order gives the same answer. Where there are
// as many sites already one stage will do.

unsigned stage_of(std::uint32_t at, unsigned stages) {
    std::uint64_t h = (at + 1) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    const unsigned back = h == 0 ? stages : static_cast<unsigned>(__builtin_ctzll(h)) / 2;
    return back < stages ? stages - 1 - back : 0;
}

struct Order {
    std::vector<std::uint32_t> at; // places in Round::fresh
    std::vector<std::size_t> end;  // of each stage
};

Order order_of(std::size_t count, std::size_t present) {
    unsigned stages = 1;
    for (std::size_t n = count; n > 64 && n > present; n /= 4)
        stages++;
    Order o;
    o.end.assign(stages, 0);
    for (std::uint32_t i = 0; i < count; i++)
        o.end[stage_of(i, stages)]++;
    std::vector<std::size_t> next(stages, 0);
    for (unsigned s = 1; s < stages; s++)
        o.end[s] += next[s] = o.end[s - 1];
    o.at.resize(count);
    for (std::uint32_t i = 0; i < count; i++)
        o.at[next[stage_of(i, stages)]++] = i;
    return o;
}

// Where nearly all fresh sites are: the grid of locks divides this, and what lies outside has its outermost
// locks. Scenes have a far background; over all of it most sites would share a few locks.
CGAL::Bbox_3 box_of_locks(const std::vector<float> &xyz) {
    constexpr std::size_t most = 10000;
    const std::size_t count = xyz.size() / 3, step = count / most + 1;
    double lo[3], hi[3];
    for (unsigned a = 0; a < 3; a++) {
        std::vector<float> c;
        for (std::size_t i = 0; i < count; i += step)
            c.push_back(xyz[3 * i + a]);
        std::sort(c.begin(), c.end());
        lo[a] = c[c.size() / 32];
        hi[a] = c[c.size() - 1 - c.size() / 32];
        const auto all = std::minmax_element(c.begin(), c.end());
        const double least = 1e-4 * (static_cast<double>(*all.second) - *all.first) + 1e-30;
        hi[a] = std::max(hi[a], lo[a] + least);
    }
    return CGAL::Bbox_3(lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
}

// ---- the triangulation, which stays from round to round ----

class Mesher {
  public:
    virtual ~Mesher() = default;
    virtual Adjacency mesh(const Round &round) = 0;
};

template <class Tag> class MesherOf : public Mesher {
  public:
    Adjacency mesh(const Round &round) override {
        take_over(round);
        insert(round);
        if (t.number_of_vertices() != round.count)
            throw std::runtime_error("two sites have the same position");
        t.infinite_vertex()->info().number = none;
        return t.dimension() < 3 ? flat_adjacency_of(t, round.count) : adjacency_of<T>(site);
    }

  private:
    using T = Delaunay<Tag>;

    // Sites of the round before by their new numbers; those that have none go.
    void take_over(const Round &round) {
        std::vector<Vertex<T>> now(round.count);
        for (std::uint32_t i = 0; i < round.count; i++)
            if (round.before[i] != none) {
                std::swap(now[i], site.at(round.before[i]));
                if (now[i] == Vertex<T>())
                    throw std::runtime_error("a site has two numbers");
                now[i]->info().number = i;
            }
        site.erase(std::remove(site.begin(), site.end(), Vertex<T>()), site.end());
        if (site.size() == t.number_of_vertices())
            t.clear();
        else
            t.remove(site.begin(), site.end());
        site.swap(now);
        latest = Vertex<T>();
        for (std::uint32_t i = 0; i < round.count && latest == Vertex<T>(); i++)
            latest = site[i];
    }

    void insert(const Round &round) {
        const Reporter reporter;
        const Order o = order_of(round.fresh.size(), t.number_of_vertices());
        std::size_t done = 0;
        for (const std::size_t end : o.end) {
            const bool few = end == done || t.number_of_vertices() + (end - done) < parallel_from;
            if (few || t.dimension() < 3 || !insert_together(round, o, done, end))
                insert_in_turn(round, o, done, end);
            done = end;
        }
    }

    static Point point_of(const Round &round, std::uint32_t at) {
        const float *p = &round.xyz[3 * static_cast<std::size_t>(at)];
        return Point(p[0], p[1], p[2]);
    }

    // A site of the round before that is near on the curve, else the one that was placed last.
    Vertex<T> near(const Round &round, std::uint32_t number, Vertex<T> last) const {
        constexpr std::uint32_t most = 64;
        for (std::uint32_t i = number; i > 0 && number - i < most; i--)
            if (round.before[i - 1] != none)
                return site[i - 1];
        return last;
    }

    void insert_in_turn(const Round &round, const Order &o, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; i++) {
            const std::uint32_t number = round.fresh[o.at[i]];
            const Vertex<T> hint = near(round, number, latest);
            latest = hint == Vertex<T>() ? t.insert(point_of(round, o.at[i]))
                                         : t.insert(point_of(round, o.at[i]), hint->cell());
            latest->info() = Site(number);
            site[number] = latest;
        }
    }

    // A thread locks what an insertion may change; where another one was first it tries again.
    Vertex<T> insert_locked(const Point &p, std::uint32_t number, Vertex<T> hint) {
        for (;;) {
            bool whole = false;
            Vertex<T> v;
            if (t.try_lock_vertex(hint) && t.try_lock_point(p))
                v = t.insert(p, hint, &whole);
            if (whole && v != Vertex<T>())
                v->info() = Site(number);
            t.unlock_all_elements();
            if (whole)
                return v;
        }
    }

    // Threads work on stretches of the curve of a stage, far from each other. False: this triangulation is for one.
    bool insert_together(const Round &round, const Order &o, std::size_t from, std::size_t to) {
        if constexpr (std::is_same_v<Tag, CGAL::Parallel_tag>) {
            constexpr std::size_t stretch = 2048;
            typename T::Lock_data_structure locks(box_of_locks(round.xyz), 64);
            t.set_lock_data_structure(&locks);
            tbb::parallel_for(tbb::blocked_range<std::size_t>(from, to, stretch), [&](const auto &range) {
                Vertex<T> hint = latest;
                for (std::size_t i = range.begin(); i != range.end(); i++) {
                    const std::uint32_t number = round.fresh[o.at[i]];
                    hint = insert_locked(point_of(round, o.at[i]), number, near(round, number, hint));
                    site[number] = hint;
                }
            });
            t.set_lock_data_structure(nullptr);
            return true;
        }
        return false;
    }

    T t;
    std::vector<Vertex<T>> site; // by number
    Vertex<T> latest;            // of the sites of a round, placed alone
};

void answer(const Adjacency &a) {
    std::uint64_t faces = 0;
    for (std::uint32_t d : a.degree)
        faces += d;
    const std::uint32_t no_error = 0;
    write_all(magic, sizeof magic);
    write_all(&no_error, sizeof no_error);
    write_all(&faces, sizeof faces);
    write_all(a.degree.data(), a.degree.size() * sizeof a.degree[0]);
    for (const std::vector<std::uint32_t> &list : a.block)
        write_all(list.data(), list.size() * sizeof list[0]);
    if (std::fflush(stdout) != 0)
        throw std::runtime_error("the reader went away");
}

// False: the input ends.
bool read_round(Round &round) {
    char word[sizeof magic];
    std::uint32_t head[3];
    const std::size_t got = std::fread(word, 1, sizeof word, stdin);
    if (got == 0)
        return false;
    if (got < sizeof word || std::memcmp(word, magic, sizeof magic) != 0)
        throw std::runtime_error("this program is run by foamsim and speaks its binary protocol only");
    read_all(head, sizeof head);
    round.count = head[0];
    round.threads = std::max(head[1], 1u);
    round.before.assign(round.count, none);
    if (head[2] != round.count)
        read_all(round.before.data(), round.before.size() * sizeof round.before[0]);
    for (std::uint32_t i = 0; i < round.count; i++)
        if (round.before[i] == none)
            round.fresh.push_back(i);
    if (round.fresh.size() != head[2])
        throw std::runtime_error("the number of fresh sites is another one");
    round.xyz.resize(3 * round.fresh.size());
    read_all(round.xyz.data(), round.xyz.size() * sizeof round.xyz[0]);
    for (float c : round.xyz)
        if (!std::isfinite(c))
            throw std::runtime_error("a coordinate is not finite");
    return true;
}

void serve() {
    std::unique_ptr<Mesher> mesher;
    for (Round round; read_round(round); round = Round()) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, round.threads);
        if (mesher == nullptr && round.threads > 1)
            mesher = std::make_unique<MesherOf<CGAL::Parallel_tag>>();
        else if (mesher == nullptr)
            mesher = std::make_unique<MesherOf<CGAL::Sequential_tag>>();
        answer(mesher->mesh(round));
    }
    std::fflush(stdout);
    std::_Exit(0); // the host takes the triangulation back faster than it can be taken apart
}

int refuse(const std::string &message) {
    const auto length = static_cast<std::uint32_t>(message.size());
    std::fwrite(magic, 1, sizeof magic, stdout);
    std::fwrite(&length, 1, sizeof length, stdout);
    std::fwrite(message.data(), 1, message.size(), stdout);
    std::fflush(stdout);
    return 1;
}

} // namespace

int main() {
    try {
        serve();
        return 0;
    } catch (const std::bad_alloc &) {
        return refuse("the host has not enough memory for the triangulation");
    } catch (const std::exception &e) {
        return refuse(e.what());
    } catch (...) {
        return refuse("an unknown failure");
    }
}
