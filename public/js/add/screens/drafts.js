// @ts-check
// Screen with the drafts in this browser: state, continue, delete.

import { marker } from '../../devices/terms.js';
import { ask } from '../../dialog.js';
import { fill, h, icon, iconButton } from '../../dom.js';
import { nextStep } from '../../drafts/delivery.js';
import { formatDay } from '../../format.js';
import { language, translate } from '../../i18n.js';
import { whenSession } from '../../session.js';
import { categoryIcon, label } from '../../taxonomies.js';
import { photoWords } from './delivery.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../../drafts/draft.js').Draft} Draft */

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function draftsScreen(wizard) {
  const { drafts } = wizard.context;
  const list = h('ul', { class: 'draft-list' });
  const sender = (await whenSession())?.account ?? null;
  const draw = async () => {
    const all = await drafts.all();
    fill(list, ...all.map((draft) => row(wizard, draft, sender, draw)));
    empty.hidden = all.length > 0;
    note.hidden = all.length === 0;
    clear.hidden = all.length < 2;
  };
  const empty = h('p', {}, translate('drafts.none'));
  const note = h('div', { class: 'add-note' }, icon('info'), h('p', {}, translate('drafts.private')));
  const clear = h('button', {
    type: 'button', class: 'button', onclick: async () => {
      const answer = await ask({
        title: translate('drafts.delete_all'), words: translate('drafts.delete_all.sure'), answers: deleting(),
      });
      if (answer !== 'delete') return;
      await drafts.clear();
      wizard.frame.title.focus();
    },
  }, icon('trash'), translate('drafts.delete_all'));
  await draw();
  return /** @type {Screen} */ ({
    title: translate('drafts.title'), hint: null, room: 'full', map: null,
    body: [list, empty, note, clear],
    primary: { label: translate('add.button'), symbol: 'plus', act: () => wizard.begin('new') },
    heard: draw,
  });
}

/** @returns {{value: 'keep' | 'delete', label: string, look?: 'grave'}[]} */
function deleting() {
  return [
    { value: 'keep', label: translate('drafts.delete.no') },
    { value: 'delete', label: translate('drafts.delete.yes'), look: 'grave' },
  ];
}

/**
 * @param {Wizard} wizard
 * @param {Draft} draft
 * @param {import('../../drafts/delivery.js').Sender} sender
 * @param {() => Promise<void>} draw
 */
function row(wizard, draft, sender, draw) {
  const { properties } = draft;
  const kind = properties.category ? label('categories', properties.category) : translate('drafts.unknown');
  const name = properties.name || kind;
  const remove = async () => {
    const answer = await ask({
      title: translate('drafts.delete.title'), words: translate('drafts.delete.sure', { name }), answers: deleting(),
    });
    if (answer !== 'delete') return;
    await wizard.context.drafts.remove(draft.id);
    await draw();
    wizard.frame.title.focus();
  };
  return h('li', {},
    h('button', { type: 'button', class: 'draft-row', onclick: () => wizard.begin(draft.id) },
      marker(properties.category ? categoryIcon(properties.category) : 'other', 'reported'),
      h('span', { class: 'row-words' },
        h('span', { class: 'row-name' }, name),
        h('span', { class: `row-kind draft-state is-${draft.stage}` }, stateWords(draft, sender)),
        h('span', { class: 'row-facts' },
          h('span', {},
            [formatDay(new Date(draft.updatedAt).toISOString(), language()), photoWords(draft)].filter(Boolean)
              .join(' · '))))),
    iconButton('trash', translate('drafts.delete', { name }), { onclick: remove }));
}

/**
 * State of a draft as a sentence.
 * @param {Draft} draft @param {import('../../drafts/delivery.js').Sender} sender
 */
function stateWords(draft, sender) {
  if (draft.stage === 'refused') return translate('drafts.state.refused');
  if (draft.stage === 'open') return translate('drafts.state.open');
  if (draft.stage === 'photos' && draft.photos.every((photo) => photo.state !== 'waiting')) {
    return translate('drafts.state.photos');
  }
  const next = nextStep(draft, sender, Date.now());
  return translate(next.act === 'wait' ? `drafts.state.${next.why.replace('-', '_')}` : 'drafts.state.sending');
}
