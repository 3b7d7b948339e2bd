// foamsim-delaunay: sites on standard input, their Delaunay adjacency on standard output.
//
// CGAL's triangulations are GPL; that is why this is a program of its own and not a part of foamsim.
// Protocol (host byte order, both ends run on one machine; the other end is
// workloads/scene/foam/scene_mesh.c):
//   in:  "FSDELAU1", u32 count, u32 threads, count * 3 f32 coordinates
//   out: "FSPLACED", u32 sites placed so far; a few times a second, while it takes longer than that
//   then: "FSDELAU1", u32 0, u64 faces, count * u32 degree, faces * u32 neighbour (ascending for each site)
//   or:  "FSDELAU1", u32 length, length bytes of an error message
// The Delaunay triangulation is unique with CGAL's symbolic perturbation of cospherical points, so the answer
// depends neither on the number of threads nor on the order of insertion.
#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
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

constexpr char magic[8] = {'F', 'S', 'D', 'E', 'L', 'A', 'U', '1'};
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
    Reporter() : thread([this] { report(); }) {}
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

// A simplex of the triangulation; a pair stands for an edge where the sites are flat.
using Simplex = std::array<std::uint32_t, 4>;

template <class Triangulation> std::vector<Simplex> simplices_of(const Triangulation &t, std::size_t count) {
    if (t.number_of_vertices() != count)
        throw std::runtime_error("two sites have the same position");
    std::vector<Simplex> out;
    if (t.dimension() < 3) {
        for (auto e = t.finite_edges_begin(); e != t.finite_edges_end(); ++e) {
            std::uint32_t a = e->first->vertex(e->second)->info().number,
                          b = e->first->vertex(e->third)->info().number;
            out.push_back({a, b, a, b});
        }
        return out;
    }
    out.reserve(count * 7);
    for (auto c = t.finite_cells_begin(); c != t.finite_cells_end(); ++c)
        out.push_back({c->vertex(0)->info().number, c->vertex(1)->info().number, c->vertex(2)->info().number,
                       c->vertex(3)->info().number});
    return out;
}

Point point_of(const std::vector<float> &xyz, std::uint32_t i) {
    const std::size_t at = 3 * static_cast<std::size_t>(i);
    return Point(xyz[at], xyz[at + 1], xyz[at + 2]);
}

// ---- the order of insertion ----
//
// Sites come along a curve through space, so they are not sorted once more; each falls by chance into one of
// a few rounds, a round being four times as long as all before it, and keeps its place on the curve there
// (Amenta, Choi and Rote, 2003). The chance is a hash of the number. Any order gives the same answer.

unsigned round_of(std::uint32_t site, unsigned rounds) {
    std::uint64_t h = (site + 1) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    h ^= h >> 32;
    const unsigned back = h == 0 ? rounds : static_cast<unsigned>(__builtin_ctzll(h)) / 2;
    return back < rounds ? rounds - 1 - back : 0;
}

struct Order {
    std::vector<std::uint32_t> site;
    std::vector<std::size_t> end; // of each round
};

Order order_of(std::size_t count) {
    unsigned rounds = 1;
    for (std::size_t n = count; n > 64; n /= 4)
        rounds++;
    Order o;
    o.end.assign(rounds, 0);
    for (std::uint32_t i = 0; i < count; i++)
        o.end[round_of(i, rounds)]++;
    std::vector<std::size_t> next(rounds, 0);
    for (unsigned r = 1; r < rounds; r++)
        o.end[r] += next[r] = o.end[r - 1];
    o.site.resize(count);
    for (std::uint32_t i = 0; i < count; i++)
        o.site[next[round_of(i, rounds)]++] = i;
    return o;
}

// ---- insertion ----

template <class T> using Vertex = typename T::Vertex_handle;

template <class T>
Vertex<T> insert_in_turn(T &t, const std::vector<float> &xyz, const Order &o, std::size_t from,
                         std::size_t to, Vertex<T> hint) {
    for (std::size_t i = from; i < to; i++) {
        const Point p = point_of(xyz, o.site[i]);
        hint = hint == Vertex<T>() ? t.insert(p) : t.insert(p, hint->cell());
        hint->info() = Site(o.site[i]);
    }
    return hint;
}

// A thread locks what an insertion may change; where another one was first it tries again.
template <class T> Vertex<T> insert_locked(T &t, const Point &p, std::uint32_t site, Vertex<T> hint) {
    for (;;) {
        bool whole = false;
        Vertex<T> v;
        if (t.try_lock_vertex(hint) && t.try_lock_point(p))
            v = t.insert(p, hint, &whole);
        if (whole && v != Vertex<T>())
            v->info() = Site(site);
        t.unlock_all_elements();
        if (whole)
            return v;
    }
}

// Threads work on stretches of the curve of a round, far from each other.
template <class T>
void insert_together(T &t, const std::vector<float> &xyz, const Order &o, std::size_t from, std::size_t to,
                     Vertex<T> first) {
    constexpr std::size_t stretch = 2048;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(from, to, stretch), [&](const auto &range) {
        Vertex<T> hint = first;
        for (std::size_t i = range.begin(); i != range.end(); i++)
            hint = insert_locked(t, point_of(xyz, o.site[i]), o.site[i], hint);
    });
}

// Where nearly all sites are: the grid of locks divides this, and what lies outside has its outermost locks.
// Scenes have a far background; over all of it most sites would share a few locks.
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

// The triangulation is gone before the adjacency is built: it is by far the largest thing in memory.
std::vector<Simplex> triangulate(std::vector<float> xyz, std::uint32_t threads) {
    const Reporter reporter;
    const std::size_t count = xyz.size() / 3;
    const Order o = order_of(count);
    if (threads > 1 && count >= parallel_from) {
        using Parallel = Delaunay<CGAL::Parallel_tag>;
        Parallel::Lock_data_structure locks(box_of_locks(xyz), 64);
        Parallel t;
        std::size_t done = 0;
        Vertex<Parallel> last;
        for (const std::size_t end : o.end) {
            t.set_lock_data_structure(nullptr);
            const bool alone = end < parallel_from || t.dimension() < 3;
            if (alone) {
                last = insert_in_turn(t, xyz, o, done, end, last);
            } else {
                t.set_lock_data_structure(&locks);
                insert_together(t, xyz, o, done, end, last);
            }
            done = end;
        }
        t.set_lock_data_structure(nullptr);
        return simplices_of(t, count);
    }
    Delaunay<CGAL::Sequential_tag> t;
    insert_in_turn(t, xyz, o, 0, count, Vertex<Delaunay<CGAL::Sequential_tag>>());
    return simplices_of(t, count);
}

// ---- adjacency ----

// Which simplices have a site for a corner.
struct Incidence {
    std::vector<std::uint64_t> begin; // [count + 1] into simplex
    std::vector<std::uint32_t> simplex;
};

Incidence incidence_of(const std::vector<Simplex> &simplices, std::size_t count) {
    Incidence in;
    in.begin.assign(count + 1, 0);
    for (const Simplex &s : simplices)
        for (std::uint32_t v : s)
            in.begin[v + 1]++;
    for (std::size_t i = 0; i < count; i++)
        in.begin[i + 1] += in.begin[i];
    in.simplex.resize(in.begin[count]);
    std::vector<std::uint64_t> next(in.begin.begin(), in.begin.end() - 1);
    for (std::size_t i = 0; i < simplices.size(); i++)
        for (std::uint32_t v : simplices[i])
            in.simplex[next[v]++] = static_cast<std::uint32_t>(i);
    return in;
}

// A set of sites, emptied at once. Free places hold the site that is nobody's neighbour: its own.
class Neighbours {
  public:
    // For at most so many different ones.
    void empty(std::uint32_t own, std::size_t most) {
        std::size_t size = 64;
        while (size < 2 * most)
            size *= 2;
        table.assign(size, own);
        mask = static_cast<std::uint32_t>(size - 1);
        self = own;
    }
    // Whether it is new.
    bool enter(std::uint32_t site) {
        for (std::uint32_t at = site * UINT32_C(2654435769) >> 7 & mask;; at = (at + 1) & mask) {
            if (table[at] == site) // its own, too
                return false;
            if (table[at] == self) {
                table[at] = site;
                return true;
            }
        }
    }

  private:
    std::vector<std::uint32_t> table;
    std::uint32_t mask = 0, self = 0;
};

// Neighbours of consecutive sites, one after the other.
constexpr std::size_t sites_of_block = 4096;

struct Adjacency {
    std::vector<std::uint32_t> degree;             // [count]
    std::vector<std::vector<std::uint32_t>> block; // ascending for each site
};

// Every simplex of a site names three neighbours; each of them comes about five times.
Adjacency adjacency_of(const std::vector<Simplex> &simplices, std::size_t count) {
    const Incidence in = incidence_of(simplices, count);
    Adjacency a;
    a.degree.resize(count);
    a.block.resize((count + sites_of_block - 1) / sites_of_block);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.block.size()), [&](const auto &range) {
        Neighbours met;
        for (std::size_t b = range.begin(); b != range.end(); b++) {
            std::vector<std::uint32_t> &list = a.block[b];
            const std::size_t last = std::min(count, (b + 1) * sites_of_block);
            list.reserve((last - b * sites_of_block) * 16);
            for (std::size_t i = b * sites_of_block; i < last; i++) {
                const std::size_t before = list.size();
                met.empty(static_cast<std::uint32_t>(i), 3 * (in.begin[i + 1] - in.begin[i]) / 2 + 4);
                for (std::uint64_t k = in.begin[i]; k < in.begin[i + 1]; k++)
                    for (std::uint32_t site : simplices[in.simplex[k]])
                        if (met.enter(site))
                            list.push_back(site);
                std::sort(list.begin() + static_cast<std::ptrdiff_t>(before), list.end());
                a.degree[i] = static_cast<std::uint32_t>(list.size() - before);
            }
        }
    });
    return a;
}

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

void serve() {
    char word[sizeof magic];
    std::uint32_t count = 0, threads = 0;
    read_all(word, sizeof word);
    if (std::memcmp(word, magic, sizeof magic) != 0)
        throw std::runtime_error("this program is run by foamsim and speaks its binary protocol only");
    read_all(&count, sizeof count);
    read_all(&threads, sizeof threads);
    std::vector<float> xyz(static_cast<std::size_t>(count) * 3);
    read_all(xyz.data(), xyz.size() * sizeof xyz[0]);
    for (float c : xyz)
        if (!std::isfinite(c))
            throw std::runtime_error("a coordinate is not finite");
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, 1u));
    answer(adjacency_of(triangulate(std::move(xyz), threads), count));
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
