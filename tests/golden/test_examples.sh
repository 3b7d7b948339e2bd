#!/bin/sh
# Examples in the comments of headers call functions that exist, with as many arguments as they take.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016 # the words are awk's
find sim formats models workloads registry reports validation api -name '*.h' | sort | xargs awk '
    # Arguments from the parenthesis at s[from] on: -1: the list is left open, or has "..." in a call.
    function arguments(s, from, call,    i, c, depth, quoted, count, seen, dots) {
        depth = 0; quoted = 0; count = 1; seen = 0; dots = 0
        for (i = from; i <= length(s); i++) {
            c = substr(s, i, 1)
            if (quoted) { if (c == "\\") i++; else if (c == "\"") quoted = 0; continue }
            if (c == "\"") { quoted = 1; seen = 1; continue }
            if (substr(s, i, 3) == "...") dots = 1
            if (c ~ /[({[]/) depth++
            else if (c ~ /[)}\]]/) { depth--; if (depth == 0) return call && dots ? -1 : dots ? -(seen ? count : 0) - 1 : seen ? count : 0 }
            else if (c == "," && depth == 1) count++
            if (c !~ /[ \n]/ && !(depth == 1 && c == "(")) seen = 1
        }
        return -1
    }
    function close_file(    s, at, name, n) {
        gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", code)
        gsub(/\n#[^\n]*/, "", code)
        s = code
        while (match(s, /fs_[a-z0-9_]+\(/)) {
            name = substr(s, RSTART, RLENGTH - 1)
            n = arguments(s, RSTART + RLENGTH - 1, 0)
            if (substr(s, RSTART + RLENGTH, 4) == "void" && n == 1) n = 0
            takes[name] = n
            s = substr(s, RSTART + RLENGTH)
        }
        code = ""
    }
    FNR == 1 { close_file() }
    { code = code $0 "\n" }
    /^ \*     / {
        line = $0
        while (match(line, /fs_[a-z0-9_]+\(/)) {
            name = substr(line, RSTART, RLENGTH - 1)
            n = arguments(line, RSTART + RLENGTH - 1, 1)
            if (n >= 0) { calls++; place[calls] = FILENAME ":" FNR; called[calls] = name; given[calls] = n }
            line = substr(line, RSTART + RLENGTH)
        }
    }
    END {
        close_file()
        if (calls < 20) { print "found " calls " calls in examples: expected at least 20"; wrong = 1 }
        for (i = 1; i <= calls; i++) {
            if (!(called[i] in takes)) { print place[i] ": " called[i] " is no function"; wrong = 1; continue }
            t = takes[called[i]]
            if (t >= 0 ? given[i] != t : given[i] < -t - 2) {
                print place[i] ": " called[i] " takes " t " arguments, the example gives it " given[i]; wrong = 1
            }
        }
        exit wrong
    }'
