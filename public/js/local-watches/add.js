// @ts-check
// The dialog that begins a watch in this browser.

import { openDialog } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { schemesOf } from '../filters/words.js';
import { newId } from '../fields/field.js';
import { formatDistance } from '../format.js';
import { middleOf } from '../geography.js';
import { language, translate } from '../i18n.js';
import { late } from '../late.js';
import { announce } from '../page/notices.js';
import { scheme } from '../taxonomies.js';
import { newID } from '../unique.js';
import { ringsOf } from './area.js';
import { cellsAround } from './grid.js';
import { watchStore } from './store.js';
import { cleanLabel, decidable, LONGEST_LABEL, MOST_WATCHES, newWatch } from './watch.js';
import { areaWords, filterWords } from './words.js';

/** @typedef {import('./area.js').Area} Area */
/** @typedef {import('../types').Box} Box */
/**
 * The current view of the map.
 * @typedef {object} Shown
 * @property {Box} box
 * @property {import('../types').Place | null} place the place that the user searched for
 * @property {import('../types').Feature | null} [border] of the place, as the map has outlined it: a watch sends no
 *   request about its area
 * @property {string | null} near the nearest place
 * @property {import('../state.js').Filters} filters @property {string} words
 * @property {(() => Promise<import('../types').Position[] | null>) | null} [draw] lets the user draw an area on the map
 */

const RADII = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000]; // metres
const USUAL_RADIUS = 1_000;

/**
 * @param {Shown} shown
 * @param {{corners: import('../types').Position[] | null, name: string}} [drawn] the area that the user drew, and the
 *   name that the dialog had before
 */
export async function openWatch(shown, drawn) {
  const store = await watchStore();
  const filters = decidable(shown.filters);
  await Promise.all(schemesOf([filters]).map((name) => scheme(name).catch(() => null)));
  const areas = areasOf(shown, drawn?.corners ?? null);
  const id = newId('watch');
  const radius = /** @type {HTMLSelectElement} */ (h('select',
    { class: 'text-input', id: `${id}-radius`, onchange: () => draw() },
    ...RADII.map((metres) => h('option', { value: String(metres), selected: metres === USUAL_RADIUS },
      formatDistance(metres, language())))));
  const label = /** @type {HTMLInputElement} */ (h('input', {
    type: 'text', class: 'text-input', id: `${id}-label`, maxlength: String(LONGEST_LABEL), required: true,
    value: drawn?.name ?? cleanLabel(shown.place?.name ?? shown.near ?? ''),
  }));
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  const go = h('button', { type: 'submit', class: 'button primary', form: `${id}-form` }, icon('bell'),
    translate('local_watch.start'));
  const ring = h('div', { class: 'field' },
    h('label', { class: 'field-label', for: radius.id }, translate('local_watch.radius')), radius);
  const choices = [...areas].map(([name, area], index) => h('label', { class: 'watch-choice' },
    h('input', { type: 'radio', name: 'watch-area', value: name, checked: index === 0, onchange: () => draw() }),
    h('span', {}, translate(`local_watch.choice.${name}`, { place: shown.place?.name ?? '' }),
      ['box', 'drawn'].includes(name) && h('small', {}, areaWords(area)))));
  const { draw: drawOnMap } = shown;
  const drawing = drawOnMap && h('button', {
    type: 'button', class: 'button', 'data-act': 'draw', onclick: async () => {
      dialog.close();
      const corners = await drawOnMap();
      await openWatch(shown, { corners: corners ?? drawn?.corners ?? null, name: label.value });
    },
  }, icon('edit'), translate(drawn?.corners ? 'local_watch.draw.again' : 'local_watch.draw'));

  /** @returns {Area | undefined} */
  const chosen = () => {
    const input = /** @type {HTMLInputElement | null} */ (form.querySelector('[name="watch-area"]:checked'));
    if (input?.value !== 'circle') return areas.get(input?.value ?? '');
    return { type: 'circle', centre: middleOf(shown.box), radius: Number(radius.value) };
  };
  const draw = () => {
    const area = chosen();
    ring.hidden = area?.type !== 'circle';
    trouble.textContent = area && cellsAround(area) ? '' : translate('local_watch.too_large');
    trouble.hidden = !trouble.textContent;
  };
  const begin = async () => {
    const area = chosen();
    const name = cleanLabel(label.value);
    if (!name) {
      label.focus();
      return;
    }
    if (!area || !cellsAround(area)) return;
    if ((await store.all()).length >= MOST_WATCHES) {
      trouble.textContent = translate('local_watch.too_many', { count: MOST_WATCHES });
      trouble.hidden = false;
      return;
    }
    await store.add(newWatch(newID(), { label: name, area, filters }, Date.now()));
    const way = h('a', { href: '/local-watches', class: 'button primary' }, translate('local_watch.see'));
    fill(dialog.element.querySelector('.dialog-body') ?? form,
      h('p', {}, translate('local_watch.started', { label: name })),
      !store.isLasting && h('p', { class: 'field-note' }, translate('local_watch.not_kept')));
    fill(dialog.element.querySelector('.dialog-foot') ?? form, way);
    way.focus();
    announce(translate('local_watch.started', { label: name }));
    // The clock of the server may differ: the first reading compares it.
    late(import('./poll.js')).then(({ readOnce }) => readOnce(true)).catch(() => undefined);
  };
  const form = h('form', {
    class: 'watch-form', id: `${id}-form`, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      begin();
    },
  },
  h('fieldset', { class: 'watch-choices' }, h('legend', {}, translate('local_watch.where')), ...choices),
  drawing || null, ring, trouble,
  h('div', { class: 'field' },
    h('label', { class: 'field-label', for: label.id }, translate('local_watch.label')), label),
  h('p', {}, h('strong', {}, translate('local_watch.filters')), ' ', filterWords(filters)),
  shown.words && h('p', { class: 'field-note' }, translate('local_watch.without_words', { words: shown.words })),
  h('p', { class: 'field-note' }, translate('local_watch.privacy.short')));
  const dialog = openDialog({
    title: translate('local_watch.open'), look: 'watch-dialog', foot: [go],
    body: [h('p', {}, translate('local_watch.lead')), form],
  });
  draw();
}

/**
 * The areas to choose from; the radius of the circle is chosen separately.
 * @param {Shown} shown @param {import('../types').Position[] | null} corners @returns {Map<string, Area>}
 */
function areasOf({ box, place, border: feature }, corners) {
  /** @type {Map<string, Area>} */
  const areas = new Map();
  if (corners) areas.set('drawn', { type: 'polygon', corners });
  if (place?.id && place.bbox?.length === 4) {
    const bounds = /** @type {Box} */ (place.bbox);
    const border = ringsOf(feature?.geometry);
    areas.set('place', {
      type: 'place', place: String(place.id), name: place.name, box: bounds, ...(border && { border }),
    });
  }
  areas.set('box', { type: 'box', box });
  areas.set('circle', { type: 'circle', centre: middleOf(box), radius: USUAL_RADIUS });
  return areas;
}
