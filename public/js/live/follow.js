// @ts-check
// Shows changes of others on the open map: the map at once, the list when that does not disturb the reader.

import { byId, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { filterParameters } from '../state.js';
import { GatheredChanges } from './changes.js';
import { ChangeStream } from './stream.js';

const GATHER = 400; // milliseconds during which changes are shown together

/**
 * @typedef {object} Followed
 * @property {import('../state.js').Store} store
 * @property {import('../map/pane.js').MapPane} pane
 * @property {import('../devices/list.js').DeviceList} list
 */

/**
 * @param {Followed} page
 * @returns {() => void} to be called when the view or the filters have changed
 */
export function followChanges({ store, pane, list }) {
  const gathered = new GatheredChanges();
  const notice = h('button', { type: 'button', class: 'button list-news', hidden: true });
  byId('list').before(notice);
  let isWaiting = false;

  const showList = async () => {
    notice.hidden = true;
    gathered.clear();
    await list.refresh(true, true);
  };

  const show = () => {
    isWaiting = false;
    if (gathered.isEmpty) return;
    pane.view?.reloadDevices();
    const { added } = gathered;
    const words = added.size ? plural('live.added', added.size) : translate('live.changed');
    if (isBeingRead(list.body)) {
      notice.replaceChildren(icon('up'), words);
      notice.hidden = false;
    } else {
      showList();
    }
    announce(words);
  };

  notice.addEventListener('click', async () => {
    await showList();
    byId('panel-body').scrollTo({ top: 0 });
    byId('list-title').focus({ preventScroll: true });
  });

  const stream = new ChangeStream((event, data) => {
    gathered.take(event, data);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(show, GATHER);
  });
  return () => {
    if (store.current.adding) return;
    stream.follow(pane.box, filterParameters(store.current));
  };
}

/**
 * Whether new rows would move what the user reads or uses.
 * @param {HTMLElement} list
 */
function isBeingRead(list) {
  return byId('panel-body').scrollTop > 0 || list.contains(document.activeElement) || list.matches(':hover');
}
