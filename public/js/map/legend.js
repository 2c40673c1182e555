// @ts-check
// The legend of the map: colours, shapes, clusters and fields of view, drawn like the markers of the map.

import { fill, h } from '../dom.js';
import { FAMILIES } from '../families.js';
import { translate } from '../i18n.js';
import { onTheme, theme } from '../page/theme.js';
import { foldable } from './controls.js';
import { loadSymbols, sample } from './markers.js';
import { PALETTES } from './palette.js';

/** The category whose symbol represents all categories. */
const CATEGORY = 'camera_fixed';
const STATUSES = ['reported', 'confirmed', 'disputed', 'removed'];

/** Closed at first. The samples are drawn when it opens, and again for another theme. */
export function mapLegend() {
  const content = h('div', { class: 'legend' });
  const element = foldable('question', translate('legend.title'), content);
  element.classList.add('map-legend');
  const draw = () => {
    if (element.hasAttribute('open')) fill(content, ...parts());
  };
  element.addEventListener('toggle', () => loadSymbols([CATEGORY]).then(draw));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.hasAttribute('open')) return;
    event.stopPropagation();
    element.removeAttribute('open');
    element.querySelector('summary')?.focus();
  });
  onTheme(draw);
  return element;
}

function parts() {
  const look = theme();
  const { families } = PALETTES[look];
  return [
    part('legend.colours', FAMILIES.map((family) => [swatch(families[family]), translate(`families.${family}`)])),
    part('legend.shapes', STATUSES.map((status) => (
      [sample(`device/${look}/${CATEGORY}/${status}`), translate(`legend.${status}`)]))),
    part('legend.more', [
      [sample(`cluster/${look}/${CATEGORY}/camera7plate3/0`), translate('legend.cluster')],
      [sample(`wedge/${look}`), translate('legend.wedge')],
    ]),
  ];
}

/** @param {string} title @param {[HTMLElement, string][]} lines */
function part(title, lines) {
  return h('section', {}, h('h2', {}, translate(title)), h('ul', {}, ...lines.map(([image, words]) => {
    image.setAttribute('aria-hidden', 'true');
    return h('li', {}, h('span', { class: 'legend-image' }, image), h('span', {}, words));
  })));
}

/** @param {string} colour */
function swatch(colour) {
  const element = h('span', { class: 'legend-swatch' });
  element.style.background = colour;
  return element;
}
