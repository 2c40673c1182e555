// @ts-check
// Writes the mapping file of a list from the browser, step by step: the file, its columns, the positions, the kinds of
// devices, the source, a test, and the import. The mapping file is the same that `farol import` reads.

import { fill, h, icon } from '../dom.js';
import { checkField, selectField, textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { choicesOf, codeOf, columnsFor, FAROL, lacks, mappingOf } from './choices.js';
import { columnsTable } from './columns-part.js';
import { FilePart } from './file-part.js';
import { IdPart } from './id-part.js';
import { hasValues, schemeOf, USES } from './guess.js';
import { forgetChoices, isAbout, keepChoices, keptChoices } from './kept.js';
import { baseOf, hasPositions, suggested, withCodes } from './list.js';
import { PlacePart } from './place-part.js';
import { TrialPart } from './trial-part.js';
import { valuesPart } from './values-part.js';

/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {import('./list.js').List} List */
/** @typedef {import('./list.js').Vocabulary} Vocabulary */

const LONGEST = 262_144; // bytes of a mapping file, as on the server
const TEXTS = /** @type {const} */ (['name', 'code', 'licence', 'attribution', 'url']);
const LENGTHS = { name: 200, code: 60, licence: 60, attribution: 300, url: 500 };

/**
 * The differences between the import of an admin and the proposal of a contributor.
 * @typedef {object} Kind
 * @property {string} words prefix of the keys of its title, its introduction and the way back
 * @property {string} back
 * @property {string} [inspections] address that inspects a list
 * @property {number} [most] bytes of the longest form
 * @property {readonly [string, string][]} [licences] to choose from; otherwise a text
 * @property {(given: import('./trial-part.js').Given) => {element: HTMLElement, outdate: () => void}} trial
 */

/** @type {Kind} */
const IMPORT = { words: 'wizard', back: '/admin/imports', trial: (given) => new TrialPart(given) };

export class ImportWizard {
  /** @param {HTMLElement} place @param {Kind} [kind] */
  constructor(place, kind = IMPORT) {
    this.kind = kind;
    this.kept = keptChoices();
    /** @type {List | null} */
    this.list = null;
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {object | null} a mapping file with rules that the page cannot show */
    this.given = null;
    /** @type {Vocabulary} */
    this.vocabulary = {};
    this.filePart = new FilePart({
      begun: () => fill(this.rest), inspected: (list, input) => this.begin(list, input),
      expected: this.kept && { file: this.kept.file, input: this.kept.choices.input },
      path: kind.inspections, most: kind.most, note: `${kind.words}.file.note`,
    });
    this.rest = h('div', { class: 'wizard-rest' });
    this.words = words();
    fill(place, h('div', { class: 'wizard' },
      h('p', {}, h('a', { href: kind.back }, icon('back'), translate(`${kind.words}.back`))),
      h('h2', { tabindex: '-1' }, translate(`${kind.words}.title`)),
      h('p', { class: 'section-note' }, translate(`${kind.words}.lead`)),
      section('file', this.filePart.element), this.rest));
  }

  /** @param {List} list @param {Record<string, string>} input */
  async begin(list, input) {
    this.vocabulary = await this.words;
    const kept = this.kept ?? this.current();
    this.kept = null;
    this.list = list;
    this.given = null;
    const fresh = suggested(list, this.vocabulary, input, !this.kind.licences);
    const names = list.columns.map(({ column }) => column);
    this.choices = isAbout(kept, names)
      ? { ...fresh, ...kept.choices, input: { ...fresh.input, ...crsOf(kept.choices) } } : fresh;
    this.draw();
    this.keep();
    /** @type {HTMLElement | null} */ (this.rest.querySelector('h3'))?.focus();
  }

  draw() {
    const { list, choices } = this;
    if (!list || !choices) return;
    this.place?.map.end();
    this.place = new PlacePart(list, choices, { swap: () => this.swap(), changed: () => this.changed() });
    this.columns = h('div', {});
    this.values = h('div', { class: 'wizard-values-part' });
    this.lacking = h('div', {
      class: 'form-trouble', tabindex: '-1', role: 'group', 'aria-label': translate('wizard.lacks'),
    });
    this.lacking.hidden = true;
    this.trial = this.kind.trial({
      file: () => /** @type {File} */ (this.filePart.file), mapping: () => this.mapping(), imported: forgetChoices,
    });
    // A proposal adds devices once; only an import can be repeated.
    this.ids = this.kind.licences ? null : new IdPart(choices, () => this.changed());
    this.byHand = h('div', {}, h('p', { class: 'section-note' }, translate('wizard.columns.lead')), this.columns,
      this.ids?.element);
    this.byRules = h('p', {}, translate(choices.base === FAROL ? 'wizard.farol.kinds' : 'wizard.osm.kinds'));
    this.source = section('source', h('p', { class: 'section-note' }, translate('wizard.source.lead')),
      this.sourceFields());
    fill(this.rest, section('columns', this.baseChoice(list, choices), this.byHand),
      section('place', this.place.element), section('values', this.byRules, this.values),
      this.source, section('mapping', this.mappingActs()), section('test', this.lacking, this.trial.element));
    this.drawColumns();
    this.refresh();
    this.showOwnChoices();
  }

  /**
   * The question whether a mapping of the server applies; null for lists without such a mapping. Contributors cannot
   * bring the ids and sources of an export.
   * @param {List} list @param {Choices} choices
   */
  baseChoice(list, choices) {
    const base = baseOf(list);
    if (!base || base === FAROL && this.kind.licences) return null;
    const words = base === FAROL ? 'wizard.farol' : 'wizard.osm';
    const field = checkField({
      name: 'base', label: translate(words), note: translate(`${words}.note`), value: choices.base !== '',
    });
    field.control.addEventListener('change', () => {
      choices.base = field.value() ? base : '';
      this.showOwnChoices();
      this.changed();
    });
    return field.element;
  }

  /** Columns and values are chosen only if no mapping of the server decides about them. */
  showOwnChoices() {
    const isGiven = Boolean(this.choices?.base);
    for (const part of [this.byHand, this.values]) if (part) part.hidden = isGiven;
    if (this.byRules) this.byRules.hidden = !isGiven;
    if (this.source) this.source.hidden = this.choices?.base === FAROL;
  }

  drawColumns() {
    const { list, choices } = this;
    if (!list || !choices || !this.columns) return;
    fill(this.columns, columnsTable(list.columns, list.rows, choices, () => {
      for (const column of list.columns) withCodes(choices, column, this.vocabulary);
      this.changed();
      this.drawValues();
    }));
  }

  drawValues() {
    const { list, choices } = this;
    if (!list || !choices || !this.values) return;
    fill(this.values, ...valuesPart(list, choices, this.vocabulary, () => this.changed()));
  }

  refresh() {
    this.drawValues();
    this.ids?.update();
    this.place?.update();
  }

  /** The choices are others than at the last test. */
  changed() {
    this.given = null;
    this.ids?.update();
    this.place?.update();
    this.trial?.outdate();
    this.keep();
  }

  /** The choices with the list that they are about. */
  current() {
    const { list, choices } = this;
    return list && choices ? { file: list.file, columns: list.columns.map(({ column }) => column), choices } : null;
  }

  keep() {
    const current = this.current();
    if (current) keepChoices(current);
  }

  swap() {
    const { choices } = this;
    if (!choices) return;
    const [[longitude], [latitude]] = [columnsFor(choices, 'longitude'), columnsFor(choices, 'latitude')];
    choices.uses[longitude] = 'latitude';
    choices.uses[latitude] = 'longitude';
    this.drawColumns();
    this.changed();
    /** @type {HTMLElement | null} */ (this.rest.querySelector('#wizard-place-title'))?.focus();
  }

  sourceFields() {
    const { source } = /** @type {Choices} */ (this.choices);
    const { licences } = this.kind;
    /** @type {Record<string, {element: HTMLElement, control: any, value: () => any}>} */
    const fields = Object.fromEntries(TEXTS.map((name) => [name, name === 'licence' && licences ? selectField({
      name, label: translate('wizard.source.licence'), value: source.licence, note: null,
      options: [['', translate('wizard.choose')], ...licences],
    }) : textField({
      name, label: translate(`wizard.source.${name}`), value: source[name], isRequired: name !== 'url',
      most: LENGTHS[name], note: ['code', 'licence', 'attribution'].includes(name)
        ? translate(`wizard.source.${name}.note`) : null, type: name === 'url' ? 'url' : 'text',
      check: name === 'code' ? (text) => (/^[a-z0-9-]{1,60}$/.test(text) ? null : translate('wizard.source.code.wrong'))
        : undefined,
    })]));
    for (const name of TEXTS) {
      fields[name].control.addEventListener('input', () => {
        const before = { ...source };
        source[name] = fields[name].value();
        // The code and the attribution follow the name until the admin changes them.
        if (name === 'name') {
          if (before.code === codeOf(before.name)) source.code = fields.code.control.value = codeOf(source.name);
          if (before.attribution === before.name) source.attribution = fields.attribution.control.value = source.name;
        }
        this.changed();
      });
    }
    // Each proposal is a separate source: the server makes its code.
    const shown = licences ? TEXTS.filter((name) => name !== 'code') : TEXTS;
    return h('div', { class: 'wizard-source' }, ...shown.map((name) => fields[name].element));
  }

  mappingActs() {
    this.said = h('p', { role: 'status' });
    const control = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', id: 'wizard-mapping', accept: '.json,application/json',
      onchange: () => this.open(control.files?.[0]),
    }));
    return h('div', { class: 'wizard-file-acts' }, h('p', { class: 'section-note' }, translate('wizard.mapping.lead')),
      h('button', { type: 'button', class: 'button', 'data-act': 'download', onclick: () => this.download() },
        icon('download'), translate('wizard.mapping.download')),
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'wizard-mapping' }, translate('wizard.mapping.open')), control),
      this.said);
  }

  download() {
    const mapping = this.given ?? (this.choices && mappingOf(this.choices));
    const name = `${this.choices?.source.code || 'mapping'}.json`;
    const text = `${JSON.stringify(mapping, null, 2)}\n`;
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /**
   * Uses a mapping file that the admin has.
   * @param {File | undefined} file
   */
  async open(file) {
    if (!file || !this.said) return;
    /** @type {any} */
    let mapping = null;
    try {
      if (file.size <= LONGEST) mapping = JSON.parse(await file.text());
    } catch {
      // The sentence below says it.
    }
    if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) {
      this.said.textContent = translate('wizard.mapping.wrong', { file: file.name });
      return;
    }
    const choices = choicesOf(mapping);
    if (choices) {
      const known = this.choices?.uses ?? {};
      const without = Object.fromEntries(Object.keys(known).map((name) => [name, /** @type {const} */ ('')]));
      choices.uses = { ...without, ...choices.uses };
      this.choices = choices;
      this.draw();
      this.keep();
    } else {
      this.given = mapping;
      this.trial?.outdate();
    }
    const key = choices ? 'wizard.mapping.opened' : 'wizard.mapping.unchanged';
    this.said.textContent = translate(key, { file: file.name });
  }

  /** The mapping to test; null if something is missing, which it says. */
  mapping() {
    const { list, choices, lacking } = this;
    if (this.given) return this.given;
    if (!list || !choices || !lacking) return null;
    const missing = lacks(choices, hasPositions(list));
    lacking.hidden = missing.length === 0;
    fill(lacking, ...(missing.length ? [icon('warning'), h('div', {},
      h('p', { class: 'form-trouble-title' }, translate('wizard.lacks')),
      h('ul', {}, ...missing.map(({ key, control }) => h('li', {}, h('a', {
        href: '#', onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.focus(control);
        },
      }, translate(key))))))] : []));
    if (missing.length) lacking.focus();
    return missing.length ? null : mappingOf(choices);
  }

  /** @param {string} control */
  focus(control) {
    const found = control === 'columns' ? '.wizard-columns select' : `[name="${control}"]`;
    const table = control === 'category' ? this.rest.querySelector('.wizard-values select') : null;
    /** @type {HTMLElement | null} */ (table ?? this.rest.querySelector(found))?.focus();
  }
}

/**
 * The coordinate system that a person has chosen.
 * @param {Choices} choices
 * @returns {Record<string, string>}
 */
const crsOf = ({ input: { crs } }) => (crs ? { crs } : {});

/** @param {string} name @param {...import('../dom.js').Child} content */
function section(name, ...content) {
  return h('section', { class: 'fact-section wizard-part', 'aria-labelledby': `wizard-${name}-title` },
    h('h3', { id: `wizard-${name}-title`, tabindex: '-1' }, translate(`wizard.part.${name}`)), ...content);
}

/**
 * The codes that a mapping can use, with their words.
 * @returns {Promise<Vocabulary>}
 */
async function words() {
  return Object.fromEntries(await Promise.all(USES.filter(hasValues).map(async (use) => {
    const terms = await scheme(schemeOf(use) ?? '').catch(() => new Map());
    return [use, [...terms].map(([code, { label }]) => ({ code, label }))];
  })));
}
