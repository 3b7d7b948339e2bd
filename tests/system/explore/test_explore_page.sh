#!/bin/sh
# The page of foamsim explore in Chromium: three controls are dragged, a point is pinned, a sweep, a map and what moved most are drawn, the
# YAML that is downloaded runs to the figures that the page shows, undo and the address take settings back; the server ends with the page.
set -eu
browser=$(command -v chromium || command -v chromium-browser || true)
command -v python3 >/dev/null && [ -n "$browser" ] || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/explore.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
cp tests/system/small.yaml "$work/"
TMPDIR="$work/tmp" PYTHONPATH=tests/support/pages PYTHONDONTWRITEBYTECODE=1 python3 - "$browser" "$work" <<'EOF'
import json, sys, time, urllib.parse
from driven import Page
from explored import Session, run, same

browser, work = sys.argv[1:]
s = Session("small.yaml", folder=work)
page = Page(browser, work)
page.open(s.address)
page.until("document.body.dataset.ready === 'ok'")

def drag(key, part):
    before = page.run("document.body.dataset.answered")
    page.run(f"""(() => {{ const slider = document.querySelector('#p-{key} ~ input[type=range]'); slider.value = {part};
        slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); }})()""")
    page.until(f"document.body.dataset.answered !== '{before}' && !document.querySelector('#sight').classList.contains('stale')")

def shown():
    return page.run("document.querySelector('#sight b').textContent")

first = shown()
for key, part in (("machine-clock", 700), ("machine-exchange-bytes_per_cycle", 800), ("machine-host-launch", 100)):
    before = shown()
    drag(key, part)
    assert shown() != before, key
sets = [text.replace("=", "=", 1) for text in (urllib.parse.unquote(part) for part in page.run("location.hash").lstrip("#").split("&"))]
assert [text.split("=")[0] for text in sets] == ["machine.clock", "machine.exchange.bytes_per_cycle", "machine.host.launch"], sets
assert "%" in page.run("document.querySelector('#sight i').textContent")

page.run("document.querySelector('#pin').click()")
page.until("document.querySelectorAll('#pins tbody tr').length === 1")
page.run("document.querySelector('#across').value = 'machine.tile.issue_width'; document.querySelector('#plot').click()")
page.until("document.body.dataset.sweep && document.querySelector('#sweep svg')")
page.run("document.querySelector('#across').value = 'machine.sync.base'; document.querySelector('#up').value = 'machine.clock'; document.querySelector('#plot').click()")
page.until("document.body.dataset.map && document.querySelector('#map svg g image')")
# The highest clock stands on top, in words and in colour: less time is brighter.
clocks = page.run("""Array.from(document.querySelectorAll('#map svg text')).filter((t) => t.textContent.endsWith('GHz'))
    .sort((a, b) => a.getAttribute('y') - b.getAttribute('y')).map((t) => parseFloat(t.textContent))""")
assert len(clocks) > 3 and clocks == sorted(clocks, reverse=True), clocks
top, bottom = page.run("""(async () => { const picture = new Image(); picture.src = document.querySelector('#map svg g image').getAttribute('href'); await picture.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
    const context = canvas.getContext('2d'); context.drawImage(picture, 0, 0);
    return [0, picture.height - 1].map((y) => context.getImageData(0, y, 1, 1).data.slice(0, 3).reduce((sum, v) => sum + v, 0)); })()""")
assert top > bottom, (top, bottom)
page.run("document.querySelector('#what').click()")
page.until("document.body.dataset.tornado && document.querySelector('#tornado svg')", 60)
page.until("document.body.dataset.bands === 'ok'", 60)

# ---- the YAML runs to the same figures ----
yaml = page.run("fetch(document.querySelector('#yaml').href).then((answer) => answer.text())")
with open(f"{work}/taken.yaml", "w", encoding="utf-8") as file:
    file.write(yaml)
summary = run("taken.yaml", [], "taken", cwd=work)
same(s.price(sets), summary, sets)
told = page.run("Array.from(document.querySelectorAll('#all tbody tr'), (row) => [row.cells[0].textContent, row.cells[1].textContent])")
for name, text in told:
    value = summary[name]
    assert text == ("–" if value is None else str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else text), name
    assert not isinstance(value, (int, float)) or isinstance(value, bool) or float(text) == value, (name, text, value)

# ---- undo, an address, what is wrong, a run beside the page ----
page.run("document.querySelector('#undo').click()")
page.until("!location.hash.includes('launch')")
page.run("location.hash = '#machine.clock=2%20GHz'")
page.until("document.querySelector('#p-machine-clock').value === '2 GHz'")
page.run("(() => { const field = document.querySelector('#p-machine-clock'); field.value = '0 Hz'; field.dispatchEvent(new Event('change')); })()")
page.until("!document.querySelector('#problem').hidden")
assert "expected a quantity from" in page.run("document.querySelector('#problem').textContent")
page.run("document.querySelector('#reset').click()")
page.until("document.querySelector('#problem').hidden")
assert shown() == first
page.run("location.hash = '#machine.limits.area=1%20mm2'")
page.until("document.querySelector('#problem').textContent.startsWith('Beyond a limit. a chip takes ')")
page.run("document.querySelector('#reset').click()")
page.until("document.querySelector('#problem').hidden")
page.run("(() => { const field = document.querySelector('#p-overlay-kind'); field.value = 'mesh'; field.dispatchEvent(new Event('change')); })()")
page.until("document.querySelector('#start')")
page.run("document.querySelector('#start').click()")
page.until("document.body.dataset.runs === 'done' && document.querySelector('#problem').hidden", 60)
page.until("document.querySelector('#live').textContent.includes('of the run')")

# ---- every control has a name; nothing but refusals of this page's own questions was said; it ends with the page ----
nameless = page.run("""Array.from(document.querySelectorAll('button, input, select, progress')).filter((e) => !(e.getAttribute('aria-label')
    || e.textContent.trim() || (e.labels && e.labels.length) || e.hidden)).length""")
assert nameless == 0, nameless
said = [line for line in page.said if "status of 400" not in line]
assert not said, said
assert page.run("document.documentElement.scrollWidth <= innerWidth")
page.picture(f"{work}/narrow.png", 420, 2000)
assert page.run("document.documentElement.scrollWidth <= innerWidth"), "wider than a telephone"
page.open("about:blank")
assert s.process.wait(30) == 0
page.close()
EOF
