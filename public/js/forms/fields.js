// @ts-check
// Form fields with label, explanation and a place for errors.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * @typedef {object} FormField
 * @property {string} name name in the API
 * @property {string} label visible label
 * @property {HTMLElement} element
 * @property {HTMLElement} control element that receives the focus
 * @property {() => any} value
 * @property {() => string | null} fault error that the page can detect
 * @property {(words: (string | Node)[] | null) => void} complain
 * @property {() => void} [conceal] hides a visible password before sending
 */
/**
 * @typedef {object} Described
 * @property {string} name
 * @property {string} label
 * @property {string | Node | null} [note] explanation, shown before any error
 */

let count = 0;

/**
 * A unique element id.
 * @param {string} kind
 */
function newId(kind) {
  count += 1;
  return `${kind}-${count}`;
}

/**
 * Place for the error of a control, below it and linked to it for screen readers.
 * @param {HTMLElement} control @param {string[]} notes ids of the explanations
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
 * @property {string} [type] type of the input
 * @property {string} [value]
 * @property {string} [autocomplete]
 * @property {string} [inputmode]
 * @property {boolean} [isRequired]
 * @property {number} [most] characters
 * @property {(text: string) => string | null} [check] error after the user has finished
 * @property {(text: string) => string | null} [checkSoFar] error that is certain during typing
 * @property {boolean} [isExact] whether spaces around the text are significant
 */

/**
 * Text in one line.
 * @param {Described & TextOptions} options
 * @returns {FormField & {control: HTMLInputElement}}
 */
export function textField(options) {
  const { name, label, note, type = 'text', value = '', isRequired = true, most, isExact = false } = options;
  const id = newId(name);
  const noteId = `${id}-note`;
  const control = /** @type {HTMLInputElement} */ (h('input', {
    id, name, type, class: 'text-input', value, required: isRequired, maxlength: most,
    autocomplete: options.autocomplete ?? 'off',
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
      h('label', { class: 'field-label', for: id }, label,
        !isRequired && h('span', { class: 'field-optional' }, ` (${translate('form.optional')})`)),
      note && h('p', { class: 'field-note', id: noteId }, note), control, complaint.element),
    value: text,
    complain: complaint.say,
  };
}

/**
 * Shows an error when the user leaves a field and removes it as soon as it is corrected. During
 * typing it shows only errors that further typing cannot correct.
 * @param {HTMLInputElement} control
 * @param {(words: string[] | null) => void} say
 * @param {() => string | null} fault
 * @param {() => string | null} faultSoFar
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
 * Password field with a button to show the password, and a warning while Caps Lock is on.
 * @param {Described & {isNew?: boolean, check?: (text: string) => string | null,
 *   more?: HTMLElement | null, isRequired?: boolean}} options `more`: content below the field
 * @returns {FormField & {control: HTMLInputElement}}
 */
export function passwordField({ name, label, note, isNew = false, check, more }) {
  const field = textField({
    name, label, note, check, type: 'password', autocomplete: isNew ? 'new-password' : 'current-password',
    isExact: true,
  });
  const { control } = field;
  const eye = h('button', {
    type: 'button', class: 'icon-button password-eye', 'aria-pressed': 'false', 'aria-controls': control.id,
  }, icon('eye'));
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
 * Checkbox.
 * @param {Described & {short?: string, value?: boolean, mustBe?: string}} options `short`: label in a summary;
 *   `mustBe`: error if not ticked
 * @returns {FormField}
 */
export function checkField({ name, label, short = label, note, value = false, mustBe }) {
  const id = newId(name);
  const control = /** @type {HTMLInputElement} */ (h('input', {
    id, name, type: 'checkbox', checked: value, required: mustBe !== undefined,
  }));
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
 * Selection of one option.
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
 * Selection of several options, each with an explanation.
 * @param {Described & {options: {code: string, label: string, note?: string}[], value: string[], mustBe: string}}
 *   options
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
