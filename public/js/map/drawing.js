// @ts-check
// Draws the map of the map page and adds its controls. The page imports this module in parallel with the map library,
// while the list is already readable.

import { h } from '../dom.js';
import { onTheme } from '../page/theme.js';
import { coveredAt, isLow, isPhone, onWide } from '../panel.js';
import { filterParameters } from '../state.js';
import { ContextCard } from './context-card.js';
import { credits, mapButtons, scaleBar } from './controls.js';
import { HeatPane } from './heat-pane.js';
import { hereMenu } from './here-menu.js';
import { listenToMap } from './interaction.js';
import { tickLayers } from './layers-pad.js';
import { mapLegend } from './legend.js';
import { mapNote } from './limits-note.js';
import { prepareMap } from './library-map.js';
import { MapView } from './map-view.js';
import { oneOpen } from './one-open.js';
import { printable } from './print.js';
import { creditSatellite, SATELLITE } from './satellite.js';

/** @typedef {import('./pane.js').MapPane} MapPane */
/**
 * The controls whose content follows the state of the page.
 * @typedef {{heat: HeatPane, card: ContextCard, tick: typeof tickLayers}} Furniture
 */

const READING = 5_000; // milliseconds until the credits fold on a phone
const SHORT = 640; // pixels of height below which the credits are folded from the start on a phone

/** Loads what a map needs before it is drawn. */
export function prepareDrawing() {
  return prepareMap();
}

/** @param {import('./map-view.js').MapOptions} options */
export function drawMap(options) {
  return new MapView(options);
}

/**
 * Adds the controls of the map and its event handlers.
 * @param {MapPane} pane @param {MapView} view @param {import('./pane.js').PaneActs} acts
 * @returns {Furniture}
 */
export function furnish(pane, view, acts) {
  const { element, context: { store, settings } } = pane;
  const heat = new HeatPane(view, () => filterParameters(store.current));
  const foot = h('div', { class: 'map-foot' }, mapLegend(), mapNote(settings, view), scaleBar(view),
    foldingCredits(pane, view));
  const card = new ContextCard(view, (position) => {
    const cell = heat.cellAt(position);
    return cell && heat.article(cell, (box) => {
      card.close();
      acts.spot(box);
    });
  });
  element.append(heat.legend, mapButtons(view, acts.locate, {
    heat: { kind: store.current.heat, turn: (kind) => store.update({ heat: kind }, 'push') },
    shown: pane.layers, show: (ids) => store.update({ layers: ids }, 'push'), middle: () => card.showMiddle(),
  }), card.element, foot);
  creditSatellite(pane.layers.includes(SATELLITE));
  // The buttons are above the credits, whose number of lines varies.
  new ResizeObserver(() => tellFoot(pane, foot)).observe(foot);
  listenToMap(view, { ...acts, tapped: (position) => pane.tapped(position), context: (point) => card.showAt(point) });
  hereMenu(view, element);
  oneOpen(element);
  onTheme((now) => view.setTheme(now));
  printable(view, element);
  view.map.on('moveend', () => pane.settled());
  heat.turn(store.current.heat);
  matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', () => view.map.triggerRepaint());
  return { heat, card, tick: tickLayers };
}

/** @param {MapPane} pane @param {HTMLElement} foot */
function tellFoot(pane, foot) {
  // On a phone the button to add a device must not cover the scale either, which is in a row above the credits.
  const lines = isPhone() ? foot : foot.querySelector('.credits');
  pane.foot = Math.ceil(lines?.getBoundingClientRect().height ?? 0);
  pane.element.parentElement?.style.setProperty('--foot', `${pane.foot}px`);
}

/** @param {MapPane} pane @param {MapView} view */
function foldingCredits(pane, view) {
  const element = credits(pane.context.settings, pane.context.attribution);
  const fold = () => {
    // A printed page is as narrow as a phone, but its reader cannot open the credits.
    const isWide = !isPhone() && !isLow();
    if (isWide || element.contains(document.activeElement) || matchMedia('print').matches) return;
    element.removeAttribute('open');
  };
  pane.fold = fold;
  // A wide window has no symbol that opens them again.
  onWide(() => { if (!isLow()) element.setAttribute('open', ''); });
  view.map.on('movestart', (/** @type {{originalEvent?: Event}} */ event) => { if (event.originalEvent) fold(); });
  const hasRoom = innerHeight >= SHORT && !document.body.classList.contains('is-welcoming');
  if (!hasRoom || pane.covered > coveredAt('peek')) fold();
  else view.map.once('idle', () => setTimeout(fold, READING));
  return element;
}
