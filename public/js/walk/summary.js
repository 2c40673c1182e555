// @ts-check
// The end of a street walk: how many devices were checked, what is still to be sent, and a picture to share.

import { fill, h, icon } from '../dom.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { findPlacesSoon, knownPlace } from '../places/nearest.js';
import { maybeSignedIn } from '../session.js';
import { signInAddress } from '../page/trouble.js';
import { formatNumber } from '../format.js';
import { canShare, shareFile } from '../sharing/file.js';
import { counts } from './answer.js';
import { drawPicture } from './picture.js';

/** @typedef {import('./answer.js').WalkAnswer} WalkAnswer */

const FILE = 'farol-street.png';

/** @param {WalkAnswer[]} answers @param {{again: () => void, more: () => void}} acts */
export function summary(answers, { again, more }) {
  const { checked, there, gone } = counts(answers);
  const picture = h('div', { class: 'walk-picture', 'aria-busy': 'true' });
  const legend = [plural('walk.there', there), plural('walk.not_there', gone)];
  drawn(answers, checked, legend).then((blob) => {
    const alt = translate('walk.picture.alt', { there: legend[0], gone: legend[1] });
    fill(picture, h('img', { src: URL.createObjectURL(blob), alt, width: 1_080, height: 1_080 }),
      h('div', { class: 'form-acts' }, ...acts(blob)));
  }, () => fill(picture)).finally(() => picture.removeAttribute('aria-busy'));
  const note = h('div', { class: 'stack', role: 'status' });
  const draw = (/** @type {WalkAnswer[]} */ now) => fill(note, ...sendingWords(now));
  draw(answers);
  return {
    draw,
    element: h('section', { class: 'stack', 'aria-labelledby': 'walk-end' },
      h('h2', { id: 'walk-end', tabindex: '-1' }, plural('walk.end', checked)),
      note, picture, h('p', { class: 'section-note' }, translate('walk.picture.note')),
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button', onclick: more }, icon('back'), translate('walk.continue')),
        h('button', { type: 'button', class: 'button', onclick: again }, icon('refresh'), translate('walk.again')),
        h('a', { class: 'button', href: '/look' }, icon('list'), translate('menu.look')))),
  };
}

/**
 * The sent, waiting and refused answers.
 * @param {WalkAnswer[]} answers
 */
export function sendingWords(answers) {
  const { waiting, refused } = counts(answers);
  const isVisitor = !maybeSignedIn();
  return [
    waiting === 0 && refused === 0 && h('p', { class: 'look-thanks' }, icon('check'), translate('walk.all_sent')),
    waiting > 0 && h('p', { class: 'aside-note' }, icon('offline'), h('span', {},
      plural(isVisitor ? 'walk.wait_account' : 'walk.wait', waiting), ' ',
      isVisitor && h('a', { href: signInAddress('/walk') }, translate('menu.sign_in')))),
    refused > 0 && h('div', { class: 'aside-note' }, icon('warning'), h('div', {},
      h('p', {}, plural('walk.refused', refused)),
      h('ul', { class: 'points' }, ...answers.filter(({ stage }) => stage === 'refused').map((answer) => h('li', {},
        h('a', { href: `/devices/${answer.device}` }, h('bdi', {}, answer.name)), ': ', answer.trouble ?? ''))))),
  ].filter(Boolean);
}

/** @param {WalkAnswer[]} answers @param {number} checked @param {string[]} legend */
async function drawn(answers, checked, [there, gone]) {
  const [first] = answers;
  if (first) await findPlacesSoon([first.position]);
  await document.fonts.ready;
  return drawPicture(answers, {
    title: plural('walk.picture.title', checked, { count: formatNumber(checked, language()) }),
    place: (first && knownPlace(first.position)?.name) ?? '', there, gone,
    foot: `${instanceName()} · ${location.host}`,
  });
}

/** @param {Blob} blob */
function acts(blob) {
  const file = new File([blob], FILE, { type: 'image/png' });
  const isShared = canShare(file);
  return [
    isShared && h('button', {
      type: 'button', class: 'button primary', onclick: () => shareFile(file),
    }, icon('share'), translate('walk.picture.share')),
    h('a', {
      class: isShared ? 'button' : 'button primary', href: URL.createObjectURL(blob), download: FILE,
    }, icon('download'), translate('walk.picture.download')),
  ];
}
