// @ts-check
// Fields of forms: each with its label, its explanation and the place for what is wrong with it.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * @typedef {object} FormField
 * @property {string} name as the server calls it
 * @property {string} label as people know it
 * @property {HTMLElement} element
 * @property {HTMLElement} control what gets the focus
 * @property {() => any} value
 * @property {() => string | null} fault what is wrong as far as can be told here
 * @property {(words: (string | Node)[] | null) => void} complain
 * @property {() => void} [conceal] before it is sent: what was shown in clear no longer is
 */
/**
 * @typedef {object} Described
 * @property {string} name
 * @property {string} label
 * @property {string | Node | null} [note] explains it before anything is wrong
 */

let count = 0;

/** An id that no other element has. @param {string} kind */
function newId(kind) {
  count += 1;
  return `${kind}-${count}`;
}

/**
 * What is wrong with a control, below it and named by it.
 * @param {HTMLElement} control @param {string[]} notes ids of what explains it
 */
export function complaintFor(control, notes) {
  const id = newId('wrong');
  const element = h('p', { class: 'complaint', id });
  element.hidden = true;
  const describe = (/** @type {string[]} */ ids) => {
    if (ids.length) control.setAttribute('aria-describedby', ids.join(' '));
    else control.removeAttribute('aria-describedby');
  };
  describe(notes);
  return {
    element,
    /** @param {(string | Node)[] | null} words */
    say(words) {
      element.hidden = !words;
      fill(element, words && icon('warning'), words && h('span', {}, ...words));
      if (words) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
      describe(words ? [id, ...notes] : notes);
    },
  };
}

/**
 * @typedef {object} TextOptions
 * @property {string} [type] of the input
 * @property {string} [value]
 * @property {string} [autocomplete]
 * @property {string} [inputmode]
 * @property {boolean} [isRequired]
 * @property {number} [most] characters
 * @property {(text: string) => string | null} [check] what is wrong once somebody is through
 * @property {(text: string) => string | null} [checkSoFar] what is wrong already
 * @property {boolean} [isExact] spaces around it count
 */

/**
 * Words in one line.
 * @param {Described & TextOptions} options
 * @returns {FormField & {control: HTMLInputElement}}
 */
export function textField(options) {
  const { name, label, note, type = 'text', value = '', isRequired = true, most, isExact = false } = options;
  const id = newId(name);
  const noteId = `${id}-note`;
  const control = /** @type {HTMLInputElement} */ (h('input', {
    id, name, type, class: 'text-input', value, required: isRequired, maxlength: most, autocomplete: options.autocomplete ?? 'off',
    inputmode: options.inputmode, autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false',
  }));
  const complaint = complaintFor(control, note ? [noteId] : []);
  const text = () => (isExact ? control.value : control.value.trim());
  const fault = () => {
    if (!text()) return isRequired ? translate('form.needed') : null;
    return options.check?.(text()) ?? null;
  };
  watch(control, complaint.say, fault, () => (text() ? options.checkSoFar?.(text()) ?? null : null));
  return {
    name, label, control, fault,
    element: h('div', { class: 'field' },
      h('label', { class: 'field-label', for: id }, label, !isRequired && h('span', { class: 'field-optional' }, ` (${translate('form.optional')})`)),
      note && h('p', { class: 'field-note', id: noteId }, note), control, complaint.element),
    value: text,
    complain: complaint.say,
  };
}

/**
 * Says what is wrong when somebody leaves a field, takes it back as soon as it is mended, and says
 * while they type only what more typing does not mend.
 * @param {HTMLInputElement} control @param {(words: string[] | null) => void} say
 * @param {() => string | null} fault @param {() => string | null} faultSoFar
 */
function watch(control, say, fault, faultSoFar) {
  let isTold = false;
  control.addEventListener('input', () => {
    const words = isTold && control.value ? fault() : faultSoFar();
    say(words ? [words] : null);
    isTold = words !== null;
  });
  control.addEventListener('change', () => {
    const words = control.value.trim() ? fault() : null;
    say(words ? [words] : null);
    isTold = words !== null;
  });
}

/**
 * A password, which can be shown, and says when Caps Lock is on.
 * @param {Described & {isNew?: boolean, check?: (text: string) => string | null, more?: HTMLElement | null, isRequired?: boolean}} options `more` stands below it
 * @returns {FormField & {control: HTMLInputElement}}
 */
export function passwordField({ name, label, note, isNew = false, check, more }) {
  const field = textField({ name, label, note, check, type: 'password', autocomplete: isNew ? 'new-password' : 'current-password', isExact: true });
  const { control } = field;
  const eye = h('button', { type: 'button', class: 'icon-button password-eye', 'aria-pressed': 'false', 'aria-controls': control.id }, icon('eye'));
  const show = (/** @type {boolean} */ isShown) => {
    control.type = isShown ? 'text' : 'password';
    eye.setAttribute('aria-pressed', String(isShown));
    fill(eye, icon(isShown ? 'eye-off' : 'eye'));
  };
  eye.setAttribute('aria-label', translate('form.password.show'));
  eye.title = translate('form.password.show');
  eye.addEventListener('click', () => show(control.type === 'password'));
  const caps = h('p', { class: 'field-note', role: 'status' });
  const notice = (/** @type {Event} */ event) => {
    if (!(event instanceof KeyboardEvent)) return;
    caps.textContent = event.getModifierState('CapsLock') ? translate('form.caps_lock') : '';
  };
  control.addEventListener('keydown', notice);
  control.addEventListener('keyup', notice);
  control.addEventListener('blur', () => { caps.textContent = ''; });
  const holder = h('div', { class: 'password-holder' });
  control.replaceWith(holder);
  holder.append(control, eye);
  holder.after(caps, ...(more ? [more] : []));
  return { ...field, conceal: () => show(false) };
}

/**
 * A box to tick.
 * @param {Described & {short?: string, value?: boolean, mustBe?: string}} options `short` is the label in
 *   a summary; `mustBe` what is said when it is not ticked
 * @returns {FormField}
 */
export function checkField({ name, label, short = label, note, value = false, mustBe }) {
  const id = newId(name);
  const control = /** @type {HTMLInputElement} */ (h('input', { id, name, type: 'checkbox', checked: value, required: mustBe !== undefined }));
  const complaint = complaintFor(control, note ? [`${id}-note`] : []);
  control.addEventListener('change', () => { if (control.checked) complaint.say(null); });
  return {
    name, control, label: short,
    element: h('div', { class: 'field' },
      h('label', { class: 'check', for: id }, control, h('span', {}, label)),
      note && h('p', { class: 'field-note check-note', id: `${id}-note` }, note), complaint.element),
    value: () => control.checked,
    fault: () => (mustBe !== undefined && !control.checked ? mustBe : null),
    complain: complaint.say,
  };
}

/**
 * One of a few.
 * @param {Described & {options: [string, string][], value: string}} options
 * @returns {FormField & {control: HTMLSelectElement}}
 */
export function selectField({ name, label, note, options, value }) {
  const id = newId(name);
  const control = /** @type {HTMLSelectElement} */ (h('select', { id, name, class: 'text-input' },
    ...options.map(([code, words]) => h('option', { value: code, selected: code === value }, words))));
  const complaint = complaintFor(control, note ? [`${id}-note`] : []);
  return {
    name, label, control,
    element: h('div', { class: 'field' }, h('label', { class: 'field-label', for: id }, label),
      note && h('p', { class: 'field-note', id: `${id}-note` }, note), control, complaint.element),
    value: () => control.value,
    fault: () => null,
    complain: complaint.say,
  };
}

/**
 * Some of a few, each explained.
 * @param {Described & {options: {code: string, label: string, note?: string}[], value: string[], mustBe: string}} options
 * @returns {FormField}
 */
export function choicesField({ name, label, note, options, value, mustBe }) {
  const id = newId(name);
  const boxes = options.map((option) => /** @type {HTMLInputElement} */ (h('input', {
    id: `${id}-${option.code}`, type: 'checkbox', name, value: option.code, checked: value.includes(option.code),
    'aria-describedby': option.note ? `${id}-${option.code}-note` : null,
  })));
  const group = h('fieldset', { class: 'field', id },
    h('legend', { class: 'field-label' }, label),
    note && h('p', { class: 'field-note', id: `${id}-note` }, note),
    ...options.map((option, place) => h('div', {},
      h('label', { class: 'check', for: `${id}-${option.code}` }, boxes[place], h('span', {}, option.label)),
      option.note && h('p', { class: 'field-note check-note', id: `${id}-${option.code}-note` }, option.note))));
  const complaint = complaintFor(group, note ? [`${id}-note`] : []);
  group.append(complaint.element);
  group.addEventListener('change', () => complaint.say(null));
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  return {
    name, label, control: boxes[0], element: group, value: chosen,
    fault: () => (chosen().length ? null : mustBe),
    complain: complaint.say,
  };
}
