// @ts-check
// Field for the directions a device observes: a dial for touch, mouse and keyboard.

import { fill, h, icon } from '../dom.js';
import { wind } from '../format.js';
import { translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import {
  ASSUMED_VIEW, direction, directionOf, freeDirection, MOST_DIRECTIONS, slicePath, snapped, turned,
} from './directions.js';
import { complaintOf } from './field.js';
import { svg } from './svg.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */

const REACH = 92; // radius of the dial in user units; the drawing is 220 wide

/**
 * A direction in words: «135° (south-east)».
 * @param {number} degrees
 */
function directionWords(degrees) {
  return translate('bearing', { degrees: String(Math.round(degrees)), wind: translate(`wind.${wind(degrees)}`) });
}

/**
 * @param {FieldContext} context value: degrees clockwise from north; `properties.field_of_view`: width of the sectors
 * @returns {Field & {setView: (degrees: number | null) => void}}
 */
export function bearingsField(context) {
  /** @type {number[]} */
  let all = Array.isArray(context.value) ? context.value.map(direction) : [];
  let at = 0;
  let view = Number(context.properties?.field_of_view) || ASSUMED_VIEW;

  const slices = svg('g', { class: 'dial-slices' });
  const hand = svg('g', { class: 'dial-hand' },
    svg('line', { x1: 0, y1: 0, x2: 0, y2: -REACH }), svg('circle', { cy: -REACH, r: 15 }),
    svg('path', { d: `M0 ${-REACH - 7}l5.5 11l-5.5 -3l-5.5 3Z` }));
  const face = svg('svg', { class: 'dial-face', viewBox: '-116 -116 232 232', 'aria-hidden': 'true' },
    svg('circle', { class: 'dial-ring', r: REACH }), ...marks(), slices, svg('circle', { class: 'dial-device', r: 9 }),
    hand);
  const dial = h('div', {
    class: 'dial', role: 'slider', tabindex: '0', 'aria-labelledby': context.labelledBy,
    'aria-describedby': context.describedBy,
    'aria-valuemin': '0', 'aria-valuemax': '359',
  });
  dial.append(face);
  const complaint = complaintOf(dial);
  const reading = h('p', { class: 'dial-reading' });
  const chips = h('div', { class: 'chips dial-chips' });

  const value = () => (all.length ? [...all] : null);
  const tell = () => {
    complaint.say(null);
    draw();
    context.changed(value());
  };
  const turn = (/** @type {number} */ degrees) => {
    if (!all.length) at = 0;
    all[at] = degrees;
    tell();
  };
  const remove = () => {
    all.splice(at, 1);
    at = Math.max(0, at - 1);
    tell();
    announce(translate(all.length ? 'field.bearings.removed' : 'field.bearings.none'));
    dial.focus();
  };
  const add = () => {
    all.push(freeDirection(all));
    at = all.length - 1;
    tell();
    dial.focus();
  };

  function draw() {
    const shown = all[at] ?? null;
    slices.replaceChildren(...all.map((degrees, index) => svg('path', {
      d: slicePath(degrees, view, REACH), class: index === at ? 'is-now' : null,
    })));
    hand.setAttribute('transform', `rotate(${shown ?? 0})`);
    dial.classList.toggle('is-unknown', shown === null);
    const words = shown === null ? translate('field.bearings.none') : directionWords(shown);
    dial.setAttribute('aria-valuenow', String(shown ?? 0));
    dial.setAttribute('aria-valuetext', words);
    reading.textContent = words;
    fill(chips,
      ...(all.length > 1 ? all.map((degrees, index) => h('button', {
        type: 'button', class: `chip ${index === at ? 'is-on' : ''}`, 'aria-pressed': String(index === at),
        onclick: () => {
          at = index;
          draw();
          dial.focus();
        },
      }, directionWords(degrees))) : []),
      all.length > 0 && all.length < MOST_DIRECTIONS
        && h('button', { type: 'button', class: 'chip', onclick: add }, icon('plus'), translate('field.bearings.add')),
      all.length > 0 && h('button', { type: 'button', class: 'chip chip-reset', onclick: remove },
        translate(all.length > 1 ? 'field.bearings.remove' : 'field.bearings.clear')));
  }

  const follow = (/** @type {PointerEvent} */ event) => {
    const edge = face.getBoundingClientRect();
    const x = event.clientX - edge.left - edge.width / 2;
    const y = event.clientY - edge.top - edge.height / 2;
    if (Math.hypot(x, y) > 6) turn(snapped(directionOf(x, y)));
  };
  let turning = false;
  dial.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    turning = true;
    dial.setPointerCapture(event.pointerId);
    follow(event);
  });
  dial.addEventListener('pointermove', (event) => { if (turning) follow(event); });
  for (const end of ['pointerup', 'pointercancel']) dial.addEventListener(end, () => { turning = false; });
  dial.addEventListener('keydown', (event) => {
    if (event.key === 'Delete' && all.length) remove();
    const next = turned(all[at] ?? 0, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    turn(next);
  });
  draw();
  return {
    element: h('div', { class: 'field bearings-field' }, dial, reading, chips, complaint.element),
    value,
    complain: complaint.say,
    focus: () => dial.focus(),
    setView(degrees) {
      view = degrees ?? ASSUMED_VIEW;
      draw();
    },
  };
}

/** Compass points around the dial, and a tick every 15 degrees. */
function marks() {
  const ticks = Array.from({ length: 24 }, (_, index) => svg('line', {
    class: index % 6 ? 'dial-tick' : 'dial-tick is-main', x1: 0, y1: -REACH, x2: 0, y2: -REACH + (index % 6 ? 5 : 9),
    transform: `rotate(${index * 15})`,
  }));
  const winds = ['n', 'e', 's', 'w'].map((code, index) => {
    const text = svg('text', {
      class: 'dial-wind', x: Math.round(Math.sin((index * Math.PI) / 2) * (REACH - 22)),
      y: Math.round(-Math.cos((index * Math.PI) / 2) * (REACH - 22)),
      'text-anchor': 'middle', 'dominant-baseline': 'central',
    });
    text.textContent = translate(`wind.letter.${code}`);
    return text;
  });
  return [...ticks, ...winds];
}

/**
 * Small picture of a sector, for answers about the field of view.
 * @param {number} view degrees
 */
export function slicePicture(view) {
  const drawing = svg('svg', { class: 'picture slice-picture', viewBox: '-12 -12 24 24', 'aria-hidden': 'true' },
    svg('path', { d: slicePath(0, view, 11), transform: view < 180 ? 'translate(0 6)' : null }),
    svg('circle', { r: 2, cy: view < 180 ? 6 : 0 }));
  return /** @type {HTMLElement} */ (/** @type {unknown} */ (drawing));
}
