#!/bin/sh
# docs/recompute.md: the demo's run gives the figures that stand there, and the arithmetic beside them gives them again.
set -eu
program=$(realpath "${FOAMSIM:-build/foamsim}")
document=$PWD/docs/recompute.md
scratch=$(mktemp -d "${TMPDIR:-/tmp}/recompute.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$program" run demo --quiet --output "$scratch/demo" >"$scratch/said"
LC_ALL=C awk -F'|' -v stats="$scratch/demo/stats.csv" '
    # A sum of products of numbers, from left to right.
    function value(text,    sum, terms, n, i, factors, m, k, product, words) {
        n = split(text, terms, " [+] ")
        for (i = 1; i <= n; i++) {
            m = split(terms[i], words, " ")
            product = words[1]
            for (k = 2; k < m; k += 2)
                product = words[k] == "*" ? product * words[k + 1] : product / words[k + 1]
            sum += product
        }
        return sum
    }
    function near(a, b) { return a - b <= 2e-9 * b && b - a <= 2e-9 * b }
    BEGIN { FS = ","; while ((getline <stats) > 0) figure[$1] = $3; FS = "|" }
    $4 ~ /`[a-z_.0-9]+` [0-9.]+/ {
        split($4, words, " ")
        gsub("`", "", words[1])
        rows++
        if (!(words[1] in figure)) { print "no figure " words[1]; wrong = 1 }
        else if (!near(figure[words[1]] + 0, words[2] + 0)) { print words[1] " is " figure[words[1]] " in the run, " words[2] " in the document"; wrong = 1 }
        if (!near(value($3), words[2] + 0)) { print words[1] ": " $3 " is " value($3) ", not " words[2]; wrong = 1 }
    }
    END { if (rows < 15) { print "only " rows " rows"; wrong = 1 } exit wrong }' "$document"
