#!/usr/bin/env bash
# No public function is used by nobody or by tests only, unless tools/lint-unused has its reason; and it notices one.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-build}
cd "$top"
# Without its reason a function that only tests use is listed, and nothing else.
copy=$(mktemp "$top/tools/.lint-XXXXXX")
trap 'rm -f "$copy"' EXIT
sed '/^fs_ledger_bytes:/d' tools/lint-unused >"$copy"
if said=$(BUILD=$build bash "$copy"); then
    echo "a function that only tests use was not noticed"
    exit 1
fi
[ "$said" = "fs_ledger_bytes: used by nobody, or by tests only" ] || { echo "$said"; exit 1; }
