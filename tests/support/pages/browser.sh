# shellcheck shell=sh disable=SC2154 # work, browser and fail are the caller's
# opened PAGE CHARTS: Chromium opens the page without a word in its console, and everything on it is drawn, so many charts among it.
# The browser's virtual time runs ahead while values are unpacked beside its main thread, unless something is due: a timer.
waiting='<script>const t = setInterval(() => { if (document.body.dataset.drawn) clearInterval(t) }, 1)</script>'
opened() { # page charts
    sed "s|</body>|$waiting</body>|" "$1" >"$work/opened.html"
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
        --virtual-time-budget=20000000 --dump-dom "file://$work/opened.html" >"$work/dom" 2>"$work/console" || fail "chromium failed: $(tail -3 "$work/console")"
    ! grep -q 'CONSOLE' "$work/console" || fail "the console says: $(grep CONSOLE "$work/console" | head -3)"
    body=$(grep -o '<body[^>]*>' "$work/dom")
    echo "$body" | grep -q 'data-drawn="ok"' || fail "${1##*/}: not all is drawn: $body"
    echo "$body" | grep -q "data-charts=\"$2\"" || fail "${1##*/}: not $2 charts: $body"
}
