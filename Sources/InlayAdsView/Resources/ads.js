// The page's side of ads: reports to the host what was seen, played and pressed. The host decides whether an ad may be
// closed or opened, and whether it is paid for.

import { Creative } from './ad-creative.js';
import { Video } from './ad-video.js';
import { sendEvent } from './bridge.js';
import { find, findAll, page, surface } from './elements.js';

/** @type {Map<HTMLElement, Creative | Video>} */
const ads = new Map();

function findAds() {
  for (const [element, ad] of ads) {
    if (element.isConnected && ad.id === element.dataset.ad) continue;
    ad.end();
    ads.delete(element);
  }
  for (const element of findAll(surface, '[data-ad]')) {
    if (ads.has(element)) continue;
    const Kind = element.dataset.kind === 'video' ? Video : Creative;
    ads.set(element, new Kind(element, escape));
  }
  updateAll();
}

function updateAll() { for (const ad of ads.values()) ad.update(); }

function escape() {
  if (page.inert) return;
  for (const ad of ads.values()) if (ad.escape()) return;
  const close = find(surface, '[data-ad-close]');
  if (close) sendEvent('ad-close', { value: close.dataset.value });
}

document.addEventListener('visibilitychange', updateAll);
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && !event.defaultPrevented) escape();
});
new MutationObserver(findAds).observe(surface, { childList: true, subtree: true });
new MutationObserver(updateAll).observe(page, { attributes: true, attributeFilter: ['inert'] });
findAds();
