// The page's check of itself: data-drawn of its body is "ok" or says what is missing.
(async () => {
  const all = (what) => Array.from(document.querySelectorAll(what));
  const broken = [];
  const wait = setInterval(() => {}, 20); // a browser without a window waits for timers, and not for what is unpacked
  if (typeof drawCharts !== 'undefined') await drawCharts(broken);
  await Promise.all(all('img').map((img) => img.decode().catch(() => broken.push(`image ${img.alt}`))));
  const folded = all('details:not([open])');
  folded.forEach((fold) => { fold.open = true; });
  for (const svg of all('svg.plot')) {
    const box = svg.getBBox();
    if (!(box.width > 20 && box.height > 20) && !svg.closest('[hidden]')) broken.push(`plot ${svg.id}`);
  }
  folded.forEach((fold) => { fold.open = false; });
  Object.assign(document.body.dataset, {
    images: all('img').length, rows: all('.filterable tbody tr').length, plots: all('svg.plot').length, charts: all('script.chart').length, drawn: broken.join('; ') || 'ok',
  });
  if (broken.length) console.error(`not drawn: ${broken.join('; ')}`);
  document.dispatchEvent(new CustomEvent('drawn'));
  clearInterval(wait);
})();
