// @ts-check
// The device that the street walk leads to: an arrow, metres, why it needs a look, and the two answers.

import { displayName } from '../devices/name.js';
import { marker } from '../devices/terms.js';
import { editAddress } from '../devices/tools.js';
import { fill, h, icon } from '../dom.js';
import { svg } from '../fields/svg.js';
import { formatDistance } from '../format.js';
import { language, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { categoryIcon, familyOf, label } from '../taxonomies.js';
import { isNews, turnTo, wayKey } from './direction.js';
import { HERE, isHousehold, reasons } from './order.js';

/** @typedef {import('../claims/claims.js').Verdict} Verdict */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {{device: Device, metres: number, bearing: number}} Aim */

const ROUGH = 50; // metres from which the reader is told how well the position is known

/** @param {number} metres @param {Device} device */
function metresWords(metres, { precision, properties }) {
  const words = formatDistance(metres, language());
  return properties.approximate || precision === '100m' ? translate('walk.about', { distance: words }) : words;
}

export class TargetView {
  /** @param {{answer: (device: Device, verdict: Verdict) => void, skip: (device: Device) => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.arrow = svg('svg', { class: 'walk-arrow', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
      svg('circle', { r: 46, class: 'walk-ring' }),
      svg('path', { d: 'M0-34 24 26 0 13-24 26Z', class: 'walk-needle' }));
    this.metres = h('p', { class: 'walk-metres' });
    this.way = h('p', { class: 'walk-way' });
    this.about = h('div', { class: 'walk-device' });
    this.answers = h('div', { class: 'walk-answers', role: 'group', 'aria-labelledby': 'walk-question' });
    this.more = h('div', { class: 'walk-more' });
    this.element = h('section', { class: 'walk-target', 'aria-labelledby': 'walk-name' },
      h('div', { class: 'walk-lead' }, this.arrow, h('div', {}, this.metres, this.way)), this.about,
      h('h3', { id: 'walk-question', class: 'walk-question' }, translate('still.title')), this.answers, this.more);
    /** @type {Aim | null} */
    this.shown = null;
    /** @type {{id: string, metres: number, way: string} | null} what a screen reader heard last */
    this.told = null;
  }

  /** @param {Aim} aim @param {number | null} heading @param {number} accuracy metres */
  show(aim, heading, accuracy) {
    const isOther = this.shown?.device.id !== aim.device.id;
    this.shown = aim;
    if (isOther) this.draw(aim.device);
    this.point(heading, accuracy);
  }

  /**
   * Turns the arrow.
   * @param {number | null} heading @param {number} accuracy metres
   */
  point(heading, accuracy) {
    if (!this.shown) return;
    const { device, metres, bearing } = this.shown;
    const isHere = metres <= HERE;
    const turn = heading === null ? bearing : turnTo(bearing, heading);
    this.element.classList.toggle('is-here', isHere);
    this.arrow.querySelector('path')?.setAttribute('transform', `rotate(${Math.round(turn)})`);
    const way = translate(isHere ? 'walk.way.here' : wayKey(bearing, heading));
    const far = metresWords(metres, device);
    if (this.metres.textContent !== far) fill(this.metres, far);
    const note = heading === null && !isHere ? ` ${translate('walk.way.map')}` : '';
    const rough = accuracy > ROUGH && ` ${translate('walk.rough', { distance: formatDistance(accuracy, language()) })}`;
    const words = [way, note, rough].filter(Boolean).join('');
    if (this.way.textContent !== words) fill(this.way, words);
    const now = { id: device.id, metres, way };
    if (!isNews(this.told, now)) return;
    this.told = now;
    announce(translate('walk.told', { name: displayName(device), distance: far, way }));
  }

  /** @param {Device} device */
  draw(device) {
    const today = new Date().toISOString().slice(0, 10);
    fill(this.about,
      marker(categoryIcon(device.category), device.status, familyOf(device.category)),
      h('div', {},
        h('h2', { class: 'said', id: 'walk-name', tabindex: '-1' },
          h('a', { href: `/devices/${device.id}` }, displayName(device))),
        h('p', { class: 'section-note' }, label('categories', device.category))),
      h('ul', { class: 'look-reasons', 'aria-label': translate('look.why') },
        ...reasons(device, today).map((reason) => h('li', {}, translate(`look.reason.${reason}`)))),
      isHousehold(device) && h('p', { class: 'aside-note' }, icon('warning'),
        h('span', {}, translate('walk.household'))));
    fill(this.answers,
      this.button(device, 'confirm', 'check', 'walk.yes'), this.button(device, 'dispute', 'close', 'walk.gone'));
    const other = h('div', { class: 'walk-other', id: 'walk-other' },
      h('a', { class: 'button', href: editAddress(device.id) }, icon('edit'), translate('walk.correct')),
      h('a', { class: 'button', href: `/devices/${device.id}?say=function.dispute#claim-function` }, icon('close'),
        translate('walk.dispute')));
    other.hidden = true;
    const differs = h('button', {
      type: 'button', class: 'button', 'aria-expanded': 'false', 'aria-controls': 'walk-other', onclick: () => {
        other.hidden = !other.hidden;
        differs.setAttribute('aria-expanded', String(!other.hidden));
      },
    }, icon('compare'), translate('walk.differs'));
    fill(this.more,
      differs,
      h('button', { type: 'button', class: 'button', onclick: () => this.acts.skip(device) }, icon('right'),
        translate('walk.skip')),
      other);
  }

  /** @param {Device} device @param {Verdict} verdict @param {string} symbol @param {string} key */
  button(device, verdict, symbol, key) {
    return h('button', {
      type: 'button', class: `walk-answer walk-${verdict}`, onclick: () => this.acts.answer(device, verdict),
    }, icon(symbol), translate(key));
  }

  focus() { document.getElementById('walk-name')?.focus({ preventScroll: false }); }
}
