// @ts-check
// Loaded on every page: begins watches, and reads the feeds of watched areas. Loads the other modules only if this
// browser holds a watch or the user begins one.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { late } from '../late.js';
import { onWatches, watchesKept } from './kept.js';

const CALM = 2_000; // milliseconds after the start of the page

/** Begins to read after the page has loaded, and when the first watch begins. */
export function startWatches() {
  let isReading = false;
  const look = () => {
    if (isReading || !watchesKept().count) return;
    isReading = true;
    late(import('./poll.js')).then(({ keepReading }) => keepReading()).catch(() => { isReading = false; });
  };
  setTimeout(look, CALM);
  onWatches(look);
}

/**
 * The button that opens the dialog for a new watch.
 * @param {() => import('./add.js').Shown} shown
 */
export function watchButton(shown) {
  const open = async () => {
    const { openWatch } = await late(import('./add.js'));
    await openWatch(shown());
  };
  return h('button', { type: 'button', class: 'button watch-open', 'aria-haspopup': 'dialog', onclick: open },
    icon('bell'), translate('local_watch.open'));
}

/**
 * A link that reports news in watched areas; hidden without news.
 * @param {(words: string) => void} announce called when there is more
 */
export function watchNotice(announce) {
  const link = h('a', { class: 'button watch-news', href: '/local-watches' });
  let last = 0;
  const draw = async () => {
    const { news, since } = watchesKept();
    link.hidden = !news;
    if (news) {
      const { newWords } = await late(import('./words.js'));
      const words = translate('local_watch.news', { words: newWords(news, since) });
      link.replaceChildren(icon('bell'), words);
      if (news > last) announce(words);
    }
    last = news;
  };
  onWatches(draw);
  draw();
  return link;
}
