// @ts-check
// The file of a list: chosen or dropped, inspected by the server, and read with other options if they were wrong.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { selectField, textField } from '../forms/fields.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { has, language, plural, translate } from '../i18n.js';
import { LONGEST_FORM, sizeFault } from './upload-size.js';

/** @typedef {import('./list.js').List} List */

const SEPARATORS = [',', ';', 'tab', '|'];
/** Reading options that an admin chooses; the server finds the others. */
const READ = new Set(['layer', 'path', 'encoding', 'separator', 'header_row']);
/** Rows above the column names that an admin may choose. */
const MOST_TITLES = 20;

export class FilePart {
  /**
   * @param {object} given
   * @param {() => void} given.begun another file, or the same with other options, is being read
   * @param {(list: List, input: Record<string, string>) => void} given.inspected
   * @param {{file: string, input: Record<string, string>} | null} given.expected file with stored choices, and how
   *   it was read
   * @param {string} [given.path] address that inspects a list
   * @param {number} [given.most] bytes of the longest form that it accepts
   * @param {string} [given.note] key of the words about formats and sizes
   */
  constructor({
    begun, inspected, expected, path = '/api/admin/import-inspections', most = LONGEST_FORM, note = 'wizard.file.note',
  }) {
    this.path = path;
    this.most = most;
    this.begun = begun;
    this.inspected = inspected;
    this.expected = expected;
    /** @type {File | null} */
    this.file = null;
    /** @type {Record<string, string>} */
    this.input = {};
    this.control = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', id: 'wizard-file', onchange: () => this.take(this.control.files?.[0]),
    }));
    this.fault = h('p', { class: 'complaint', role: 'alert' });
    this.fault.hidden = true;
    this.progress = h('p', { role: 'status' });
    this.facts = h('div', { class: 'wizard-facts' });
    this.element = h('div', {},
      h('div', {
        class: 'wizard-drop', ondragover: (/** @type {DragEvent} */ event) => this.hover(event, true),
        ondragleave: (/** @type {DragEvent} */ event) => this.hover(event, false),
        ondrop: (/** @type {DragEvent} */ event) => this.drop(event),
      }, icon('upload'), h('label', { class: 'field-label', for: 'wizard-file' }, translate('wizard.file')),
      expected && h('p', { class: 'wizard-kept' }, translate('wizard.kept', { file: expected.file })),
      this.control, h('p', { class: 'section-note' }, translate(note))),
      this.fault, this.progress, this.facts);
  }

  /** @param {DragEvent} event @param {boolean} isOver */
  hover(event, isOver) {
    event.preventDefault();
    /** @type {HTMLElement} */ (event.currentTarget).classList.toggle('is-over', isOver);
  }

  /** @param {DragEvent} event */
  drop(event) {
    this.hover(event, false);
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    this.control.files = files;
    this.take(files[0]);
  }

  /** @param {File | undefined} file */
  take(file) {
    if (!file) return;
    this.file = file;
    const { expected } = this;
    this.input = expected?.file === file.name
      ? Object.fromEntries(Object.entries(expected.input).filter(([name]) => READ.has(name))) : {};
    this.inspect();
  }

  async inspect() {
    const { file } = this;
    if (!file) return;
    this.begun();
    const tooLarge = sizeFault(file, this.most);
    const voice = saidIn(this.fault);
    fill(this.facts);
    voice.say(tooLarge ? [tooLarge] : null);
    if (tooLarge) return;
    const form = new FormData();
    if (Object.keys(this.input).length) form.append('input', JSON.stringify(this.input));
    form.append('file', file);
    this.progress.textContent = translate('wizard.inspecting', { file: file.name });
    /** @type {List | null} */
    let list = null;
    await steadily(voice, async () => {
      list = /** @type {List} */ ((await send('POST', this.path, { form })).body);
    });
    this.progress.textContent = '';
    if (list && this.file === file) this.show(list);
  }

  /** @param {List} list */
  show(list) {
    if (list.problem !== null) {
      fill(this.facts, this.choice(list));
      /** @type {HTMLElement | null} */ (this.facts.querySelector('select, input'))?.focus();
      return;
    }
    fill(this.facts, h('p', { class: 'wizard-summary' }, summary(list)), ...warnings(list), this.options(list));
    this.inspected(list, this.input);
  }

  /**
   * The lists of a file that has several.
   * @param {List} list
   */
  choice(list) {
    const isJSON = list.choices.every((name) => name.startsWith('/'));
    const member = isJSON ? 'path' : 'layer';
    const field = list.choices.length
      ? selectField({
        name: member, label: translate('wizard.layer'), note: null, value: this.input[member] ?? list.choices[0],
        options: list.choices.map((name) => [name, name]),
      })
      : textField({ name: member, label: translate('wizard.path'), value: this.input.path ?? '/' });
    return h('div', { class: 'wizard-choice' }, h('p', {}, translate('wizard.several')), field.element,
      h('button', { type: 'button', class: 'button primary', onclick: () => {
        this.input = { ...this.input, [member]: field.value() };
        this.inspect();
      } }, translate('wizard.layer.read')));
  }

  /**
   * The reading options of a file, in case the server has detected them wrongly.
   * @param {List} list
   */
  options(list) {
    const isSheet = list.packed && /\.(xlsx|ods)$/i.test(list.file);
    const isShape = list.packed && /\.(zip|shp)$/i.test(list.file);
    if (list.format !== 'csv' && !isSheet && !isShape && !list.encoding_guessed) return null;
    const change = (/** @type {string} */ name, /** @type {string} */ value) => {
      this.input = { ...this.input, [name]: value };
      this.inspect();
    };
    const encoding = selectField({
      name: 'encoding', label: translate('wizard.encoding'), note: null, value: list.encoding ?? 'utf-8',
      options: list.encodings.map((name) => [name, name]),
    });
    const separator = selectField({
      name: 'separator', label: translate('wizard.separator'), note: null,
      value: list.separator === '\t' ? 'tab' : list.separator ?? ',',
      options: SEPARATORS.map((sign) => [sign, sign === 'tab' ? translate('wizard.separator.tab') : sign]),
    });
    const header = selectField({
      name: 'header_row', label: translate('wizard.header'), note: null, value: String(list.header_row),
      options: Array.from({ length: MOST_TITLES + 1 }, (_, row) => [
        String(row), row ? formatNumber(row, language()) : translate('wizard.header.none'),
      ]),
    });
    encoding.control.addEventListener('change', () => change('encoding', encoding.control.value));
    separator.control.addEventListener('change', () => change('separator', separator.control.value));
    header.control.addEventListener('change', () => change('header_row', header.control.value));
    const isTable = list.format === 'csv';
    return h('details', { class: 'wizard-options', open: list.encoding_guessed },
      h('summary', {}, translate('wizard.options')),
      h('div', { class: 'wizard-pair' }, !isSheet && encoding.element, isTable && separator.element,
        (isTable || isSheet) && header.element));
  }
}

/** @param {List} list */
function summary(list) {
  const ending = /\.(\w{1,8})(\.(gz|bz2|xz|zst|zip))?$/i.exec(list.file)?.[1].toUpperCase() ?? '';
  const format = list.packed && ending ? ending
    : has(`wizard.format.${list.format}`) ? translate(`wizard.format.${list.format}`) : list.format ?? '';
  const key = list.complete ? 'wizard.summary' : 'wizard.summary.part';
  return translate(key, {
    format: list.format === 'csv' ? `${format} (${list.encoding})` : format,
    rows: plural('wizard.count.rows', list.rows), columns: plural('wizard.count.columns', list.columns.length),
  });
}

/** @param {List} list */
function warnings(list) {
  return [
    list.fault !== null && translate('wizard.fault', { reason: list.fault }),
    list.unreadable > 0 && plural('wizard.unreadable', list.unreadable),
    list.encoding_guessed && translate('wizard.encoding.guessed', {
      encoding: list.encoding ?? '', samples: list.encoding_samples.join(' · '),
    }),
    list.header_row !== 1 && (list.header_row
      ? translate('wizard.header.found', { row: formatNumber(list.header_row, language()) })
      : translate('wizard.header.missing')),
    list.incomplete !== null && translate('wizard.incomplete', { reason: list.incomplete }),
    list.double_encoded && translate('wizard.double_encoded'),
    list.more_columns && translate('wizard.more_columns'),
  ].map((words) => words && h('p', { class: 'wizard-warning' }, icon('warning'), h('span', {}, words)));
}
