// @ts-check
// Button that pauses after a press and shows the remaining time.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * @param {{
 *   words: string, symbol?: string, seconds: number, act: () => Promise<number | void>, isPressed?: boolean,
 *   }} options `act`: may return the seconds to pause instead; `isPressed`: whether it starts paused
 */
export function restingButton({ words, symbol, seconds, act, isPressed = false }) {
  const button = h('button', { type: 'button', class: 'button' }, symbol ? icon(symbol) : null, words);
  const rest = h('span', { class: 'field-note', 'aria-hidden': 'true' });
  let until = 0;
  const draw = () => {
    const left = Math.ceil((until - Date.now()) / 1_000);
    if (left <= 0) {
      button.removeAttribute('aria-disabled');
      fill(rest);
      return;
    }
    button.setAttribute('aria-disabled', 'true');
    fill(rest, translate('form.again_in', { seconds: left }));
    setTimeout(draw, 1_000);
  };
  const pause = (/** @type {number} */ length) => {
    until = Date.now() + length * 1_000;
    draw();
  };
  button.addEventListener('click', async () => {
    if (until > Date.now()) return;
    pause(seconds);
    const other = await act();
    if (typeof other === 'number') pause(other);
  });
  if (isPressed) pause(seconds);
  return h('span', { class: 'resting' }, button, rest);
}
