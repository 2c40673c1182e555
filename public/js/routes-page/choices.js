// @ts-check
// How to travel, what to avoid, and how much longer the way may be.

import { h } from '../dom.js';
import { KINDS, kindsOfMode } from '../exposure/kinds.js';
import { segments } from '../fields/segments.js';
import { formatShare } from '../format.js';
import { language, translate } from '../i18n.js';

/** @typedef {import('../exposure/kinds.js').Kind} Kind */
/** @typedef {import('../exposure/kinds.js').Mode} Mode */

const MODES = /** @type {Mode[]} */ (['walking', 'wheelchair', 'cycling', 'driving']);
const LONGER = 30; // per cent
const MOST_LONGER = 200;
const SHARE = 70; // of 100: the place of the slider at the beginning

export class RouteChoices {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Mode} */
    this.mode = 'walking';
    this.boxes = new Map(KINDS.map((kind) => [kind, /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', id: `avoid-${kind}`, value: kind, checked: kind !== 'counts', onchange: changed,
    }))]));
    this.said = h('output', { for: 'quietness' });
    this.slider = /** @type {HTMLInputElement} */ (h('input', {
      type: 'range', id: 'quietness', min: '0', max: '100', step: '5', value: String(SHARE),
      'aria-describedby': 'quietness-ends', oninput: () => {
        this.draw();
        changed();
      },
    }));
    this.longer = /** @type {HTMLInputElement} */ (h('input', {
      type: 'number', class: 'text-input', id: 'longer', min: '0', max: String(MOST_LONGER), value: String(LONGER),
      onchange: changed,
    }));
    this.plates = h('p', { class: 'field-note' }, translate('routes.plates_note'));
    this.signs = h('p', { class: 'field-note', id: 'mode-note' }, translate('routes.signs_note'));
    this.element = h('div', { class: 'route-choices' },
      segments({
        legend: translate('routes.mode'), id: 'mode', name: 'mode', chosen: this.mode, look: 'route-modes',
        options: MODES.map((value) => ({ value, words: translate(`routes.mode.${value}`) })),
        choose: (mode) => {
          this.mode = mode;
          this.draw();
          changed();
        },
      }).element, this.signs,
      h('fieldset', { class: 'route-kinds' }, h('legend', { class: 'field-label' }, translate('routes.avoid')),
        ...[...this.boxes].map(([kind, box]) => h('label', { class: 'check', for: box.id }, box,
          h('span', {}, translate(`exposure.kind.${kind}`)))), this.plates),
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'quietness' }, translate('routes.quietness')), this.slider,
        h('div', { class: 'route-slider-ends', id: 'quietness-ends' },
          h('span', {}, translate('routes.shortest')), this.said, h('span', {}, translate('routes.quietest')))),
      h('div', { class: 'field route-longer' },
        h('label', { class: 'field-label', for: 'longer' }, translate('routes.longer')), this.longer));
    this.draw();
  }

  draw() {
    const able = kindsOfMode(this.mode);
    for (const [kind, box] of this.boxes) box.disabled = !able.includes(kind);
    this.plates.hidden = able.includes('plates');
    this.signs.hidden = this.mode !== 'driving';
    this.said.textContent = formatShare(this.share, language());
  }

  /** @returns {Kind[]} */
  get kinds() { return KINDS.filter((kind) => this.boxes.get(kind)?.checked && !this.boxes.get(kind)?.disabled); }

  get share() { return Number(this.slider.value) / 100; }

  get limit() {
    const given = Number(this.longer.value);
    return Number.isFinite(given) && this.longer.value !== '' ? Math.min(MOST_LONGER, Math.max(0, given)) / 100
      : LONGER / 100;
  }
}
