// Of foamsim-delaunay: the neighbours of each site of a triangulation of CGAL, whose vertices know their site's number.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// No site: the number of the infinite vertex.
constexpr std::uint32_t none = UINT32_MAX;

// A set of addresses, emptied at once.
class Addresses {
  public:
    void empty() {
        table.assign(least, nullptr);
        used = 0;
    }
    // Whether it is new.
    bool enter(const void *p) {
        if (2 * used >= table.size())
            grow();
        const void **const place = find(p);
        if (*place == p)
            return false;
        *place = p;
        used++;
        return true;
    }

  private:
    static constexpr std::size_t least = 128;

    const void **find(const void *p) {
        const std::uint64_t h = reinterpret_cast<std::uintptr_t>(p) * UINT64_C(0x9e3779b97f4a7c15);
        std::size_t at = h >> 32 & (table.size() - 1);
        while (table[at] != nullptr && table[at] != p)
            at = (at + 1) & (table.size() - 1);
        return &table[at];
    }
    void grow() {
        std::vector<const void *> old(2 * table.size(), nullptr);
        old.swap(table);
        for (const void *p : old)
            if (p != nullptr)
                *find(p) = p;
    }

    std::vector<const void *> table;
    std::size_t used = 0;
};

template <class T> using Vertex = typename T::Vertex_handle;

// Goes through the cells around a site, from one to those beside it; each brings one more corner. Cells lie
// anywhere in memory: what is looked at soon is asked for early.
template <class T> class Star {
  public:
    // Appends the neighbours of a site, ascending. The infinite vertex has the number none.
    void append(Vertex<T> v, std::vector<std::uint32_t> &list) {
        const auto before = static_cast<std::ptrdiff_t>(list.size());
        const Cell first = v->cell();
        met.empty();
        open.clear();
        enter(first, first);
        for (std::size_t next = 0; next < open.size(); next++) {
            const auto [cell, from] = open[next];
            const int own = cell->index(v), brought = next > 0 ? cell->index(from) : own;
            for (int k = 0; k < 4; k++) {
                if (k != own)
                    enter(cell->neighbor(k), cell);
                if (next > 0 ? k == brought : k != own)
                    list.push_back(cell->vertex(k)->info().number);
            }
        }
        std::sort(list.begin() + before, list.end());
        list.erase(std::unique(list.begin() + before, list.end()), list.end());
        if (list.back() == none)
            list.pop_back();
    }
    static void ask(Vertex<T> v) { ask(v->cell()); }

  private:
    using Cell = typename T::Cell_handle;

    static void ask(Cell cell) {
        const char *at = reinterpret_cast<const char *>(&*cell);
        __builtin_prefetch(at);
        __builtin_prefetch(at + sizeof *cell - 1);
    }
    void enter(Cell cell, Cell from) {
        if (!met.enter(&*cell))
            return;
        ask(cell);
        open.emplace_back(cell, from);
    }

    Addresses met;
    std::vector<std::pair<Cell, Cell>> open; // and the one before it
};

// Neighbours of consecutive sites, one after the other.
constexpr std::size_t sites_of_block = 4096, ahead = 4;

struct Adjacency {
    std::vector<std::uint32_t> degree;             // [count]
    std::vector<std::vector<std::uint32_t>> block; // ascending for each site
};

template <class T> Adjacency adjacency_of(const std::vector<Vertex<T>> &site) {
    const std::size_t count = site.size();
    Adjacency a;
    a.degree.resize(count);
    a.block.resize((count + sites_of_block - 1) / sites_of_block);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, a.block.size()), [&](const auto &range) {
        Star<T> star;
        for (std::size_t b = range.begin(); b != range.end(); b++) {
            std::vector<std::uint32_t> &list = a.block[b];
            const std::size_t last = std::min(count, (b + 1) * sites_of_block);
            list.reserve((last - b * sites_of_block) * 16);
            for (std::size_t i = b * sites_of_block; i < last; i++) {
                const std::size_t before = list.size();
                if (i + ahead < last)
                    Star<T>::ask(site[i + ahead]);
                star.append(site[i], list);
                a.degree[i] = static_cast<std::uint32_t>(list.size() - before);
            }
        }
    });
    return a;
}

// Where the sites are flat, which few are.
template <class T> Adjacency flat_adjacency_of(const T &t, std::size_t count) {
    Adjacency a;
    a.degree.resize(count);
    a.block.resize(count);
    for (auto e = t.finite_edges_begin(); e != t.finite_edges_end(); ++e) {
        const std::uint32_t one = e->first->vertex(e->second)->info().number,
                            other = e->first->vertex(e->third)->info().number;
        a.block[one].push_back(other);
        a.block[other].push_back(one);
    }
    for (std::size_t i = 0; i < count; i++) {
        std::sort(a.block[i].begin(), a.block[i].end());
        a.degree[i] = static_cast<std::uint32_t>(a.block[i].size());
    }
    return a;
}
