// Measures a page at the width that it has: the smallest letters that are shown, in pixels of the screen, and whether it scrolls
// sideways. All folds and all panels are opened. Tells the page that holds it in a frame.
const measure = () => setTimeout(() => {
  document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
  document.querySelectorAll('[role=tabpanel]').forEach((panel) => { panel.hidden = false; });
  let least = Infinity;
  let where = '';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.textContent.trim() || element.closest('script, style, .skip')) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const svg = element.closest('svg');
    const scale = svg ? svg.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least) {
      least = size;
      where = `${svg ? svg.id : (element.closest('section') || document.body).id} "${text.textContent.trim().slice(0, 40)}"`;
    }
  }
  parent.postMessage(`${innerWidth} least ${least.toFixed(2)} (${where}) wide ${document.documentElement.scrollWidth} plots ${document.querySelectorAll('svg.plot').length}`, '*');
}, 300);
if (document.body.dataset.drawn) measure();
else document.addEventListener('drawn', measure);
