# The tables of docs/studies/next-chip.md from the points of one scene: awk -f tools/study-next-chip.awk docs/studies/next-chip.csv
# Changes are against the chip as built, in per cent of the time; means are geometric, over all pairs of points that differ in
# the one thing alone. -v of=changes: the first two columns alone, as CSV, for the picture.
BEGIN {
    FS = ","
    factors = split("replicas overlay sram_kib rows exchange bytes_per_cycle clock_ghz workers reuse", name, " ")
    split("no replicas,quadtree,624,1,static,4,1.33,6,false", built, ",")
    changes = split("replicas camera x2,replicas four x3,replicas eight x3,clock_ghz 1.85,exchange dynamic,bytes_per_cycle 8," \
        "reuse true,overlay upper,overlay double,sram_kib 312,sram_kib 1248,rows 2,rows 3,workers 4,workers 8,workers 12", change, ",")
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}
{
    k = ""
    for (f = 1; f <= factors; f++) {
        k = k "," $column[name[f]]
        seen[f, $column[name[f]]] = 1
    }
    k = substr(k, 2)
    key[++points] = k
    seconds[k] = $column["seconds"]
    tiles[k] = $column["tiles"]
    sram[k] = $column["sram_mib"]
}

# The point with another value of one factor.
function with(k, f, value,    part, i, out) {
    split(k, part, ",")
    part[f] = value
    for (i = 1; i <= factors; i++)
        out = out "," part[i]
    return substr(out, 2)
}
function factor_of(word,    f) {
    for (f = 1; f <= factors; f++)
        if (name[f] == word)
            return f
}
function percent(ratio) {
    return sprintf("%+.1f %%", 100 * (ratio - 1))
}
# One change from one point; "" where there is no such point.
function step(k, f, value,    to) {
    to = with(k, f, value)
    return (k in seconds) && (to in seconds) ? percent(seconds[to] / seconds[k]) : "-"
}
# Mean, least and most of a change over the pairs with this exchange ("" for both).
function over_all(f, value, exchange,    i, part, to, ratio, sum, count, least, most) {
    for (i = 1; i <= points; i++) {
        split(key[i], part, ",")
        to = with(key[i], f, value)
        if (part[f] != built[f] || !(to in seconds) || (exchange != "" && part[exchange_factor] != exchange))
            continue
        ratio = seconds[to] / seconds[key[i]]
        sum += log(ratio)
        least = count == 0 || ratio < least ? ratio : least
        most = count == 0 || ratio > most ? ratio : most
        count++
    }
    return count == 0 ? "-" : percent(exp(sum / count)) " (" percent(least) " ... " percent(most) ")"
}
# From a point, the change of one factor that gains most, again and again.
function path(k, title, frozen,    f, v, to, best, gain, most, part) {
    printf "\n%s\n\n| step | time | gain | tiles | SRAM |\n| --- | --- | --- | --- | --- |\n", title
    printf "| as built | %.0f ms | | %d | %.0f MiB |\n", 1000 * seconds[k], tiles[k], sram[k]
    do {
        most = 1
        for (v in seen) {
            split(v, part, SUBSEP)
            to = with(k, part[1], part[2])
            if (name[part[1]] != frozen && (to in seconds) && (seconds[to] < most * seconds[k] || (seconds[to] == most * seconds[k] && to < best))) {
                most = seconds[to] / seconds[k]
                best = to
                gain = name[part[1]] " " part[2]
            }
        }
        if (most < 0.998) {
            k = best
            printf "| %s | %.0f ms | %s | %d | %.0f MiB |\n", gain, 1000 * seconds[k], percent(most), tiles[k], sram[k]
        }
    } while (most < 0.998)
}
# Points that no other beats in SRAM without being slower, of one clock and exchange; steps of SRAM under 2 % are left out.
function front(clock, exchange,    i, part, best, left, floor) {
    printf "\nFront, %s GHz, %s:", clock, exchange
    floor = 1e9
    while (1) {
        best = ""
        for (i = 1; i <= points; i++) {
            split(key[i], part, ",")
            if (part[clock_factor] == clock && part[exchange_factor] == exchange && sram[key[i]] < 0.98 * floor &&
                (best == "" || seconds[key[i]] < seconds[best]))
                best = key[i]
        }
        if (best == "")
            break
        printf "%s %.0f ms with %.0f MiB (%s)", floor < 1e9 ? ";" : "", 1000 * seconds[best], sram[best], best
        floor = sram[best]
    }
    print "."
}

END {
    exchange_factor = factor_of("exchange")
    clock_factor = factor_of("clock_ghz")
    for (f = 1; f <= factors; f++)
        start = start "," built[f]
    start = substr(start, 2)
    replicated = with(start, 1, "eight x3")
    if (of == "changes") {
        print "change,alone,replicated"
        for (c = 1; c <= changes; c++) {
            f = factor_of(substr(change[c], 1, index(change[c], " ") - 1))
            value = substr(change[c], index(change[c], " ") + 1)
            printf "%s,%s,%s\n", change[c], step(start, f, value) + 0, f == 1 ? "" : step(replicated, f, value) + 0
        }
        exit
    }
    printf "%d points; as built %.0f ms\n\n", points, 1000 * seconds[start]
    print "| change | alone | with eight x3 | mean, static (least ... most) | mean, dynamic |"
    print "| --- | --- | --- | --- | --- |"
    for (c = 1; c <= changes; c++) {
        f = factor_of(substr(change[c], 1, index(change[c], " ") - 1))
        value = substr(change[c], index(change[c], " ") + 1)
        printf "| %s | %s | %s | %s | %s |\n", change[c], step(start, f, value), f == 1 ? "-" : step(replicated, f, value),
            f == exchange_factor ? over_all(f, value, "") : over_all(f, value, "static"), f == exchange_factor ? "-" : over_all(f, value, "dynamic")
    }
    path(start, "What gains most, step by step", "")
    path(start, "The same with a static exchange", "exchange")
    front("1.33", "static")
    front("1.33", "dynamic")
    front("1.85", "dynamic")
}
