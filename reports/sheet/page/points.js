// Points of a sweep that were ticked, in tables or at their dots: side by side, and the commands that say more.
(() => {
  const element = document.getElementById('point-commands');
  if (!element) return;
  const points = JSON.parse(element.textContent);
  let figures = [];
  if (document.getElementById('sweep-points')) values.listed('sweep-points').then(({ series }) => { figures = series; });
  const ticked = new Set();
  const shown = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

  const bar = document.createElement('div');
  bar.id = 'ticked';
  bar.hidden = true;
  bar.innerHTML = '<div class="ticked-head"><b></b> <button type="button">clear</button></div>'
    + '<div class="scroll" tabindex="0"><table></table></div><p></p>';
  (document.getElementById('points') || document.body).append(bar);
  const more = document.createElement('button');
  more.type = 'button';
  more.id = 'ticked-more';
  more.hidden = true;
  document.body.append(more);

  const row = (head, values, differs) => {
    const tr = document.createElement('tr');
    if (differs) tr.className = 'differs';
    for (const [i, value] of [head, ...values].entries()) {
      const cell = document.createElement(i === 0 ? 'th' : 'td');
      cell.textContent = value;
      tr.append(cell);
    }
    return tr;
  };
  const differ = (values) => new Set(values).size > 1;
  const table = (chosen) => {
    const rows = [row('', chosen.map((p) => points.keys[p]), false)];
    for (const [a, axis] of points.axes.entries()) {
      const values = chosen.map((p) => (points.at[p][a] === null ? '–' : axis.values[points.at[p][a]]));
      rows.push(row(axis.label, values, differ(values)));
    }
    for (const layer of figures) {
      const base = layer.value[chosen[0]];
      const values = chosen.map((p, i) => {
        const value = layer.value[p];
        if (!Number.isFinite(value)) return '–';
        const change = i > 0 && Number.isFinite(base) && base !== 0 ? 100 * (value / base - 1) : 0;
        const words = change === 0 ? '' : ` (${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(1)} %)`;
        return `${shown.format(value)}${layer.unit ? ` ${layer.unit}` : ''}${words}`;
      });
      rows.push(row(layer.label, values, differ(values)));
    }
    return rows;
  };
  const commands = (chosen) => {
    const keys = chosen.map((p) => points.keys[p]);
    const said = chosen.length === 2 ? [points.diff.replace('KEY1', keys[0]).replace('KEY2', keys[1])] : [];
    said.push([...keys.map((key) => points.command.replaceAll('KEY', key)),
      `foamsim compare ${keys.map((key) => `${key}_run`).join(' ')} -o compare.html`].join(' && '));
    return said;
  };
  const update = () => {
    const chosen = Array.from(ticked);
    document.querySelectorAll('input.tick').forEach((box) => { box.checked = ticked.has(Number(box.dataset.point)); });
    bar.hidden = more.hidden = chosen.length === 0;
    more.textContent = `${chosen.length} ticked: compare`;
    bar.querySelector('b').textContent = chosen.length === 1 ? 'One point ticked: tick another to compare them'
      : `${chosen.length} points side by side; changes are against the first`;
    bar.querySelector('table').replaceChildren(...(chosen.length > 0 ? table(chosen) : []));
    const words = chosen.length < 2 ? [] : commands(chosen).map((text) => {
      const code = document.createElement('code');
      code.textContent = text;
      return code;
    });
    bar.querySelector('p').replaceChildren(...words);
  };
  const tick = (point, on) => {
    if (on) ticked.add(point);
    else ticked.delete(point);
    update();
  };
  document.addEventListener('tick', (event) => tick(event.detail, !ticked.has(event.detail)));
  bar.querySelector('button').addEventListener('click', () => { ticked.clear(); update(); });
  more.addEventListener('click', () => {
    bar.dispatchEvent(new CustomEvent('reveal', { bubbles: true }));
    bar.scrollIntoView({ block: 'center' });
  });
  for (const button of document.querySelectorAll('.pick')) {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.className = 'tick';
    box.dataset.point = button.dataset.point;
    box.title = 'tick to compare this point with others';
    box.setAttribute('aria-label', `compare point ${points.keys[button.dataset.point]}`);
    box.addEventListener('change', () => tick(Number(box.dataset.point), box.checked));
    button.before(box, ' ');
  }
})();
