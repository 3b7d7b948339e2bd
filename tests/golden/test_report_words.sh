#!/bin/sh
# Reports know kinds of sections and no workload: no word of one stands between quotes in their C.
set -eu
words='tracer|router|generator|rays|psnr|ssim|injection|steady|drain|occupancy|hops|lanes|camera|shards'
files=$(find reports/read reports/page reports/plot reports/run reports/compare reports/study -name '*.c')
[ "$(echo "$files" | wc -l)" -ge 25 ] || { echo "test_report_words: too few files"; exit 1; }
# shellcheck disable=SC2086 # a list of files
found=$(grep -nE "\"[^\"]*($words)[^\"]*\"" $files | grep -vE '^[^:]*:[0-9]*:#include|^[^:]*:[0-9]*: *(/?\*|//)' | grep -vE "/\\*[^*]*($words)" || true)
[ -z "$found" ] || { echo "test_report_words: a word of a workload in reports: $found"; exit 1; }
# The same of gnuplot's scripts for runs and comparisons.
found=$(grep -nE "'[^']*($words)[^']*'" reports/run/*.gp reports/compare/*.gp || true)
[ -z "$found" ] || { echo "test_report_words: a word of a workload in a script: $found"; exit 1; }
echo "report words: ok"
