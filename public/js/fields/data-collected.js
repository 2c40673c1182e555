// @ts-check
// Field for the data a device collects: categories that expand into more specific terms.

import { fill, h } from '../dom.js';
import { explainButton } from '../glossary/definition.js';
import { translate } from '../i18n.js';
import { scheme, term } from '../taxonomies.js';
import { answerButton, termAnswers } from './answers.js';
import { complaintOf, newId } from './field.js';
import { unknownPicture } from './pictures.js';
import { branches, inOrder, isOpen, withBranch, withLeaf } from './term-tree.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/** @typedef {import('./term-tree.js').Branch} Branch */

/**
 * @param {FieldContext} context
 * @returns {Promise<Field>}
 */
export async function dataField(context) {
  const tree = branches((await scheme('data')).values());
  /** @type {string[]} */
  let chosen = Array.isArray(context.value) ? [...context.value] : [];
  const group = h('div', {
    class: 'answers answers-rows', role: 'group', 'aria-labelledby': context.labelledBy,
    'aria-describedby': context.describedBy,
  });
  const complaint = complaintOf(group);
  const unknown = answerButton('checkbox', newId('data'),
    { code: '', label: translate('answer.unknown'), picture: unknownPicture() }, false);
  const rows = tree.map((branch) => branchRow(branch, () => chosen, (next) => take(next)));
  const draw = () => rows.forEach((row) => row.draw());
  const take = (/** @type {string[]} */ next) => {
    chosen = inOrder(tree, next);
    const box = unknown.querySelector('input');
    if (box && chosen.length) box.checked = false;
    draw();
    complaint.say(null);
    context.changed(chosen.length ? chosen : null);
  };
  unknown.addEventListener('change', () => take([]));
  fill(group, ...rows.map((row) => row.element), unknown);
  draw();
  return {
    element: h('div', { class: 'field' }, group, complaint.element),
    value: () => (chosen.length ? chosen : null),
    complain: complaint.say,
    focus: () => group.querySelector('input')?.focus(),
  };
}

/**
 * A category and, if selected, its specific terms.
 * @param {Branch} branch @param {() => string[]} chosen @param {(codes: string[]) => void} take
 */
function branchRow(branch, chosen, take) {
  const [answer] = termAnswers('data', [branch.term.code]);
  const root = answerButton('checkbox', newId('data'), answer, false);
  const box = /** @type {HTMLInputElement} */ (root.querySelector('input'));
  box.addEventListener('change', () => take(withBranch(branch, chosen())));
  const title = newId('leaves');
  const leaves = h('div', { class: 'leaves', role: 'group', 'aria-labelledby': title },
    h('p', { class: 'leaves-title', id: title }, translate('field.data.which', { what: branch.term.label })),
    h('div', { class: 'options' },
      ...branch.leaves.map((leaf) => h('label', { class: 'option', title: term('data', leaf.code)?.definition },
        h('input', {
          type: 'checkbox', value: leaf.code, 'aria-describedby': `${title}-${leaf.code}`, class: 'visually-hidden',
          onchange: () => take(withLeaf(branch, leaf.code, chosen())),
        }),
        h('span', {},
          h('span', {}, leaf.label,
            h('small', { class: 'meaning', 'aria-hidden': 'true', id: `${title}-${leaf.code}` },
              term('data', leaf.code)?.definition ?? '')))))));
  leaves.querySelector('.leaves-title')?.after(explainButton(leaves));
  const element = h('div', { class: 'branch' }, root, branch.leaves.length > 0 && leaves);
  return {
    element,
    draw() {
      box.checked = isOpen(branch, chosen());
      leaves.hidden = !box.checked;
      for (const input of leaves.querySelectorAll('input')) input.checked = chosen().includes(input.value);
    },
  };
}
