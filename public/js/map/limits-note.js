// @ts-check
// The note on the limits of the map, which depends on the session: apart from the controls, which a page without one
// shows too.

import { fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { onSession, session } from '../session.js';
import { foldable } from './controls.js';
import { FIRST_ZOOM } from './graticule.js';
import { hasStreets } from './street-maps.js';

/** @typedef {import('../page/start.js').Settings} Settings */

/**
 * A note on the limits of this map: a coarse base map, no streets at its centre, or tiles from another server.
 * @param {Settings} settings @param {import('./map-view.js').MapView} view
 */
export function mapNote(settings, view) {
  if (settings.tile_url) {
    const { host } = settings.tile_url;
    return foldable('warning', translate('map.outside.title', { host }),
      h('p', {}, translate('map.outside', { host })));
  }
  if (settings.is_base_map_coarse) {
    return foldable('map', translate('map.coarse.title'), h('p', {}, translate('map.coarse')));
  }
  const operator = h('p', {});
  const element = foldable('map', translate('map.no_streets.title'), h('p', {}, translate('map.no_streets')), operator);
  // Only an admin can act on the name of a setting.
  const address = () => fill(operator, translate(
    session()?.account.role === 'admin' ? 'map.no_streets.admin' : 'map.no_streets.operator'));
  onSession(address);
  address();
  const tell = () => {
    const { longitude, latitude, zoom } = view.view;
    element.hidden = zoom < FIRST_ZOOM || hasStreets(settings, [longitude, latitude]);
  };
  view.map.on('moveend', tell);
  tell();
  return element;
}
