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

std::vector<std::pair<Point, Site>> points_of(const std::vector<float> &xyz) {
    std::vector<std::pair<Point, Site>> points;
    points.reserve(xyz.size() / 3);
    for (std::size_t i = 0; i < xyz.size() / 3; i++)
        points.emplace_back(Point(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]),
                            Site(static_cast<std::uint32_t>(i)));
    return points;
}

// The triangulation is gone before the adjacency is built: it is by far the largest thing in memory.
std::vector<Simplex> triangulate(std::vector<float> xyz, std::uint32_t threads) {
    const Reporter reporter;
    const std::size_t count = xyz.size() / 3;
    CGAL::Bbox_3 box;
    for (std::size_t i = 0; i < count; i++)
        box += Point(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]).bbox();
    auto points = points_of(xyz);
    std::vector<float>().swap(xyz);
    if (threads > 1 && count >= parallel_from) {
        using Parallel = Delaunay<CGAL::Parallel_tag>;
        Parallel::Lock_data_structure locks(box, 50);
        Parallel t(points.begin(), points.end(), &locks);
        return simplices_of(t, count);
    }
    Delaunay<CGAL::Sequential_tag> t(points.begin(), points.end());
    return simplices_of(t, count);
}

struct Adjacency {
    std::vector<std::uint32_t> degree;
    std::vector<std::uint64_t> begin; // into list; the first degree[i] entries there are used
    std::vector<std::uint32_t> list;
};

// Every simplex names three neighbours of each of its corners; sorting and removing repeats leaves the lists.
Adjacency adjacency_of(const std::vector<Simplex> &simplices, std::size_t count) {
    Adjacency a;
    a.begin.assign(count + 1, 0);
    for (const Simplex &s : simplices)
        for (std::uint32_t v : s)
            a.begin[v + 1] += 3;
    for (std::size_t i = 0; i < count; i++)
        a.begin[i + 1] += a.begin[i];
    a.list.resize(a.begin[count]);
    std::vector<std::uint64_t> next(a.begin.begin(), a.begin.end() - 1);
    for (const Simplex &s : simplices)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 1; j < 4; j++)
                a.list[next[s[i]]++] = s[(i + j) % 4];
    a.degree.resize(count);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const auto &range) {
        for (std::size_t i = range.begin(); i != range.end(); i++) {
            auto first = a.list.begin() + static_cast<std::ptrdiff_t>(a.begin[i]);
            auto last = a.list.begin() + static_cast<std::ptrdiff_t>(a.begin[i + 1]);
            std::sort(first, last);
            last = std::unique(first, last);
            // A flat simplex stands for an edge and names its own corner too.
            last = std::remove(first, last, static_cast<std::uint32_t>(i));
            a.degree[i] = static_cast<std::uint32_t>(last - first);
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
    for (std::size_t i = 0; i < a.degree.size(); i++)
        write_all(a.list.data() + a.begin[i], a.degree[i] * sizeof a.list[0]);
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
