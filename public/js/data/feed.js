// @ts-check
// The link to the feed of a list, for feed readers.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';

export const FEED = '/api/feeds/devices.atom';

/**
 * A link to the feed of the devices of a list. It gets its address when it is used, because the list may change.
 * @param {() => URLSearchParams} parameters of the list
 * @param {string} [look] its class
 */
export function feedLink(parameters, look = 'button feed-link') {
  const address = () => {
    const query = parameters().toString();
    return query ? `${FEED}?${query}` : FEED;
  };
  const link = h('a', {
    class: look, href: address(), type: 'application/atom+xml', target: '_blank', rel: 'noopener',
    title: translate('feed.title'),
  }, icon('feed'), translate('feed.open'));
  for (const event of ['pointerdown', 'focus', 'click', 'contextmenu']) {
    link.addEventListener(event, () => link.setAttribute('href', address()));
  }
  return link;
}
