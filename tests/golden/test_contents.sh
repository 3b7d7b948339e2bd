#!/bin/sh
# Every document stands in a part of the site's contents; and one that does not is noticed.
set -eu
command -v python3 >/dev/null || {
    echo "test_contents: skipped, there is no python3"
    exit 77
}
python3 tools/site --contents >/dev/null
copy=$(mktemp tools/.site-XXXXXX)
trap 'rm -f "$copy"' EXIT
sed 's|"docs/machines.md", ||' tools/site >"$copy"
if said=$(python3 "$copy" --contents 2>&1); then
    echo "test_contents: a document in no part was not noticed"
    exit 1
fi
case $said in
*"in no part of the contents: docs/machines.md") echo "contents: ok" ;;
*) echo "test_contents: $said" && exit 1 ;;
esac
