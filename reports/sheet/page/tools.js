// What a reader does with a page: folds that links and print open, charts taken along as SVG, PNG or CSV, tables as CSV.
(() => {
  const all = (what, where = document) => Array.from(where.querySelectorAll(what));

  // ---- folds: a link, a point that is looked for and print open what holds them ----
  const reveal = (element) => {
    const own = element.querySelector(':scope > details.fold');
    if (own) own.open = true;
    for (let at = element.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
    const panel = element.closest('[role=tabpanel][hidden]');
    if (panel) document.getElementById(panel.getAttribute('aria-labelledby')).click();
  };
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    reveal(target);
    target.scrollIntoView();
  };
  document.addEventListener('reveal', (event) => reveal(event.target));
  for (const link of all('a[href^="#"]')) link.addEventListener('click', () => setTimeout(follow));
  addEventListener('hashchange', follow);
  follow();

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all('details:not([open]):not(.figures)');
    opened.forEach((fold) => { fold.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((fold) => { fold.open = false; }));

  const folds = all('details.fold');
  const contents = document.querySelector('nav ol');
  if (folds.length > 1 && contents) {
    const button = document.createElement('button');
    const item = document.createElement('li');
    const name = () => { button.textContent = folds.some((fold) => !fold.open) ? 'open all' : 'fold all'; };
    button.type = 'button';
    button.className = 'open-all';
    button.addEventListener('click', () => {
      const open = folds.some((fold) => !fold.open);
      folds.forEach((fold) => { fold.open = open; });
    });
    folds.forEach((fold) => fold.addEventListener('toggle', name));
    name();
    item.append(button);
    contents.append(item);
  }

  // ---- files ----
  const fileName = (words, ending) => `${`${document.title} ${words}`.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60)}.${ending}`;
  const save = (blob, name) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const tools = (...buttons) => {
    const bar = document.createElement('div');
    bar.className = 'tools';
    for (const [words, hint, act] of buttons) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = words;
      button.title = hint;
      button.addEventListener('click', () => act(button));
      bar.append(button);
    }
    return bar;
  };

  // ---- plots: as they look now, with the colours that the page gives them ----
  const standalone = (svg) => {
    const copy = svg.cloneNode(true);
    const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
    all('.cross', copy).forEach((cross) => cross.remove());
    for (const word of ['class', 'style', 'tabindex']) copy.removeAttribute(word);
    all('.grid', copy).forEach((line) => { line.style.cssText = 'fill:none;stroke:var(--grid)'; });
    all('.axis', copy).forEach((line) => { line.style.cssText = 'fill:none;stroke:var(--rule)'; });
    copy.setAttribute('width', width);
    copy.setAttribute('height', height);
    const look = getComputedStyle(document.documentElement);
    const used = new Set(copy.outerHTML.match(/--[\w-]+(?=\))/g));
    const style = document.createElementNS(svg.namespaceURI, 'style');
    style.textContent = `svg{${Array.from(used, (name) => `${name}:${look.getPropertyValue(name)};`).join('')}`
      + `color:${look.getPropertyValue('--ink')};font-family:"DejaVu Sans",sans-serif}`;
    const paper = document.createElementNS(svg.namespaceURI, 'rect');
    for (const [key, value] of Object.entries({ width, height, fill: look.getPropertyValue('--paper').trim() })) paper.setAttribute(key, value);
    copy.prepend(style, paper);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  };
  const savePng = async (svg, name) => {
    const { text, width, height } = standalone(svg);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name), 'image/png');
  };
  // Every mark of every series in a line: what was drawn, in full.
  const quoted = (word) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
  const columns = ['x', 'y', 'x2', 'y2', 'low', 'high', 'value'];
  const chartCsv = (chart) => {
    const out = [['panel', 'series', 'unit', 'name', ...columns]];
    chart.panels.forEach((panel, k) => panel.series.forEach((s) => {
      const count = s.as === 'matrix' ? s.cols * s.rows : Math.max(...columns.map((key) => (s[key] ? s[key].length : 0)));
      const [first, perRow] = [(s.row || 0) * (s.cols || 0), s.as === 'matrix' && s.names && s.names.length < s.cols * s.rows];
      for (let i = 0; i < count; i++) {
        const [column, row] = [i % (s.cols || 1), Math.floor(i / (s.cols || 1))];
        const place = { x: s.x ? s.x[column] : column, y: s.y ? s.y[row] : row, value: s.value && s.value[first + i] };
        const at = (key) => (s.as === 'matrix' && key in place ? place[key] : s[key] && s[key][i]);
        const name = s.points ? s.points.names[s.at[i]] : s.names ? s.names[perRow ? (s.row || 0) + row : i] : s.texts && s.texts[i];
        out.push([panel.title || `${k + 1}`, s.label || '', s.unit || '', name || '', ...columns.map((key) => (Number.isFinite(at(key)) ? `${at(key)}` : ''))]);
      }
    }));
    return `${out.map((line) => line.map(quoted).join(',')).join('\n')}\n`;
  };
  document.addEventListener('drawn', () => {
    for (const box of all('figure.chart .plot-box')) {
      const figure = box.closest('figure');
      const svg = () => box.querySelector('svg');
      const asked = { figure };
      document.dispatchEvent(new CustomEvent('save-values', { detail: asked }));
      if (!asked.chart) continue;
      figure.prepend(tools(
        ['SVG', 'save this chart as SVG', () => save(new Blob([standalone(svg()).text], { type: 'image/svg+xml' }), fileName(asked.chart.id, 'svg'))],
        ['PNG', 'save this chart as PNG, at twice its size', () => savePng(svg(), fileName(asked.chart.id, 'png'))],
        ['CSV', 'save the values of this chart', () => save(new Blob([chartCsv(asked.chart)], { type: 'text/csv' }), fileName(asked.chart.id, 'csv'))],
      ));
    }
  });

  // ---- tables: numbers as they are, not as they are rounded for people ----
  const cells = (row) => Array.from(row.cells, (cell) => {
    const clone = cell.cloneNode(true);
    all('button.tick, input', clone).forEach((tick) => tick.remove());
    const unit = clone.querySelector('.unit');
    const words = clone.textContent.replace(/\u200b/g, '').replace(/\s+/g, ' ').trim();
    if (row.closest('thead') && unit) return `${words.slice(0, words.length - unit.textContent.trim().length).trim()} (${unit.textContent.trim()})`;
    return cell.dataset.value !== undefined && !Number.isNaN(parseFloat(cell.dataset.value)) ? cell.dataset.value : words;
  });
  const lines = (table) => Array.from(table.rows).filter((row) => !row.hidden).map(cells);
  const csv = (table) => `${lines(table).map((row) => row.map(quoted).join(',')).join('\n')}\n`;
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  };
  for (const box of all('.scroll')) {
    const table = box.querySelector('table');
    if (!table || !table.tBodies[0] || table.tBodies[0].rows.length < 2) continue;
    const words = () => (box.closest('section') || document.body).id;
    box.before(tools(
      ['copy', 'copy this table', async (button) => {
        await copyText(lines(table).map((row) => row.join('\t')).join('\n'));
        button.textContent = 'copied';
        setTimeout(() => { button.textContent = 'copy'; }, 1500);
      }],
      ['CSV', 'save this table as CSV', () => save(new Blob([csv(table)], { type: 'text/csv' }), fileName(words(), 'csv'))],
    ));
  }
})();
