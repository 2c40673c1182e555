// @ts-check
// Section «What you can do» on the page of a device: choices the device offers, rights under the
// law of its country, and gaps in Farol's knowledge. One tap adds a choice to the ledger; its page
// has the letter.

import { getJSON, isAbort, Outage } from '../api.js';
import { text } from '../devices/device.js';
import { countryName } from '../devices/facts.js';
import { displayName } from '../devices/name.js';
import { unknown } from '../devices/terms.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatList } from '../format.js';
import { saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { termButton } from '../glossary/definition.js';
import { has, language, plural, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { choicesKept } from '../ledger/kept.js';
import { kindOf, readOptions, rightOf } from '../ledger/options.js';
import { ledger } from '../ledger/store.js';
import { safeLink } from '../links.js';
import { practicePart } from '../outcomes/practice.js';
import { maybeSignedIn } from '../session.js';
import { LegalPlacePicker } from './legal-place.js';
import { choiceTitle, dueWords, languageName, stateBadge } from './words.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('../ledger/options.js').Options} Options */
/** @typedef {import('../ledger/options.js').Offered} Offered */
/** @typedef {import('../ledger/options.js').Right} Right */

/** The most requested rights, in order. */
const FIRST = ['access', 'erase', 'object'];

export class CanDo {
  constructor() {
    /** Whether the user opened the list of further rights. */
    this.showsAll = false;
    this.element = h('div', { class: 'can' });
    /** @type {Options | null} */
    this.options = null;
    /** @type {Choice[]} choices of the user for this device */
    this.asked = [];
    /** Country and state entered by the user, because the record has no certain ones. */
    this.picker = new LegalPlacePicker(() => { if (this.device) this.load(this.device); });
  }

  /** @param {Device} device */
  draw(device) {
    this.device = device;
    this.fill(this.options ?? readOptions({ offered: device.properties.choices }));
    this.load(device);
  }

  /** @param {Device} device */
  async load(device) {
    this.element.setAttribute('aria-busy', 'true');
    try {
      const [answer, asked] = await Promise.all([
        getJSON(`/api/collections/devices/items/${encodeURIComponent(device.id)}/choices`
          + this.picker.query),
        choicesKept() || maybeSignedIn() ? ledger().then((own) => own.ofDevice(device.id)).catch(() => []) : [],
      ]);
      this.options = readOptions(answer);
      this.asked = asked;
      if (this.device?.id === device.id) this.fill(this.options);
    } catch (error) {
      // The offered choices are on the page already. The notice says that the rest could not be
      // loaded.
      if (!(error instanceof Outage) && !isAbort(error)) {
        this.fill(this.options ?? readOptions({ offered: device.properties.choices }));
      }
    }
    if (this.device?.id === device.id) this.element.removeAttribute('aria-busy');
  }

  /** @param {Options} options */
  fill(options) {
    const focused = document.activeElement?.id;
    fill(this.element, this.running(), this.offered(options), this.options && this.law(options),
      this.practice(options));
    if (focused?.startsWith('want-')) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /**
   * Outcomes of similar requests.
   * @param {Options} options
   */
  practice({ practice }) {
    const { device } = this;
    return practice && device
      ? practicePart(practice, { operator: device.operator.name, category: device.category })
      : null;
  }

  /** Choices that the user has made already. */
  running() {
    if (!this.asked.length) return null;
    const today = todayHere();
    return h('ul', { class: 'asked' }, ...this.asked.map((choice) => h('li', {},
      h('a', { href: `/choices/${choice.id}` }, choiceTitle(choice)), stateBadge(choice, today),
      dueWords(choice, today) && h('span', { class: 'section-note' }, dueWords(choice, today)))));
  }

  /** @param {Options} options */
  offered({ offered }) {
    return h('section', { class: 'can-part', 'aria-labelledby': 'can-offered' },
      h('h3', { id: 'can-offered' }, translate('can.offered')),
      offered.length ? h('ul', { class: 'choices' }, ...offered.map((choice) => this.offeredItem(choice)))
        : h('p', { class: 'section-note' }, translate('can.nothing_offered')));
  }

  /** @param {Offered} choice */
  offeredItem({ kind, channel, target, instructions, deadlineDays, checkedOn, letter, isOperators }) {
    const checked = formatDay(checkedOn, language());
    const href = safeLink(target);
    const note = [
      deadlineDays === null ? null : plural('choice.deadline', deadlineDays),
      checked && translate('choice.checked', { day: checked }),
    ].filter(Boolean);
    return h('li', { class: 'can-item' },
      h('p', { class: 'choice-kind' }, termButton('choices', kind),
        isOperators && h('span', { class: 'said-by' }, icon('city'), translate('said_by.operator'))),
      instructions && h('p', { class: 'said' }, instructions),
      channel && h('p', {}, `${has(`channel.${channel}`) ? translate(`channel.${channel}`) : channel}: `,
        href
          ? h('a', { href, rel: 'noopener noreferrer nofollow', target: href.startsWith('http') ? '_blank' : null },
            target, href.startsWith('http') && icon('external'))
          : target ?? unknown()),
      note.length > 0 && h('p', { class: 'section-note' }, note.join(' · ')),
      letter && this.wantButton(`offered-${kind}${isOperators ? '-operator' : ''}`, kind, rightOf(letter), letter));
  }

  /** @param {Options} options */
  law(options) {
    const { rights, country, regime, authority, limits } = options;
    const place = country ? countryName(country) : null;
    const title = regime && place
      ? translate('can.law', {
        law: options.law ?? (has(`regime.${regime}`) ? translate(`regime.${regime}`) : regime), place,
      })
      : translate('can.law_title');
    return h('section', { class: 'can-part', 'aria-labelledby': 'can-law' },
      h('h3', { id: 'can-law' }, title),
      !regime && h('p', { class: 'can-unknown' }, icon('question'), h('span', {}, unknownLaw(options, place))),
      ...this.picker.parts(options),
      ...limits.map(({ words, url }) => h('p', { class: 'aside-note' }, icon('info'),
        h('span', {}, words, ' ', url && outside(url, translate('can.article_of'))))),
      options.uncheckedSince && regime && h('p', { class: 'aside-note' }, icon('warning'),
        h('span', {}, translate('can.unchecked', {
          day: formatDay(options.uncheckedSince, language()) ?? options.uncheckedSince,
        }))),
      ...this.groups(rights),
      authority && h('p', { class: 'section-note' }, translate('can.authority'), ' ',
        authority.web ? outside(authority.web, authority.name) : authority.name,
        authority.languages.length > 0
          && ` · ${translate('can.authority.languages', {
            languages: formatList(authority.languages.map(languageName), language()),
          })}`),
      regime && h('p', { class: 'section-note' }, translate('can.no_advice')));
  }

  /**
   * The rights; where they depend on the kind of operator and the kind is unknown, a group for each.
   * @param {Right[]} rights
   */
  groups(rights) {
    const kinds = ['public', 'company'].filter((kind) => rights.some(({ operators }) => operators.includes(kind)));
    if (kinds.length < 2) return this.rights(rights);
    return kinds.flatMap((kind) => [
      h('h4', { class: 'rights-for' }, translate(`can.operator.${kind}`)),
      ...this.rights(rights.filter(({ operators }) => operators.includes(kind))),
    ]);
  }

  /**
   * The most requested rights, and a button for the rest.
   * @param {Right[]} rights
   */
  rights(rights) {
    const first = FIRST.flatMap((code) => rights.find((right) => right.code === code) ?? []);
    const rest = rights.filter((right) => !first.includes(right));
    const list = (/** @type {Right[]} */ some) => h('ul', { class: 'rights' },
      ...some.map((right) => this.rightItem(right)));
    if (!first.length || rest.length < 2) return rights.length ? [list([...first, ...rest])] : [];
    const more = /** @type {HTMLDetailsElement} */ (h('details', { class: 'rights-more', open: this.showsAll },
      h('summary', {}, plural('can.more_rights', rest.length)), list(rest)));
    more.addEventListener('toggle', () => { this.showsAll = more.open; });
    return [list(first), more];
  }

  /** @param {Right} right */
  rightItem(right) {
    const { code, label, summary, limits, url, letter } = right;
    return h('li', { class: 'right' },
      h('div', { class: 'right-words' },
        h(right.operators.length ? 'h5' : 'h4', {}, label), h('p', {}, summary),
        (limits.length > 0 || url) && h('details', { class: 'right-more' },
          h('summary', {}, translate('can.more'), h('span', { class: 'visually-hidden' }, `: ${label}`)),
          limits.length > 0 && h('ul', { class: 'points' }, ...limits.map((limit) => h('li', {}, limit))),
          url && h('p', {}, outside(url, lawWords(right)), right.effectiveOn
            && ` · ${translate('can.since', {
              day: formatDay(right.effectiveOn, language()) ?? right.effectiveOn,
            })}`))),
      letter ? this.wantButton(`right-${code}`, kindOf(code), code, letter, label) : null);
  }

  /**
   * Button that adds the choice, or opens an existing one that has not ended.
   * @param {string} id
   * @param {string} kind
   * @param {string | null} right
   * @param {string} letter
   * @param {string} [named]
   */
  wantButton(id, kind, right, letter, named) {
    const running = this.asked.find((one) => one.kind === kind && one.right === right && one.state !== 'honoured'
      && one.state !== 'withdrawn');
    const about = named && h('span', { class: 'visually-hidden' }, `: ${named}`);
    if (running) {
      return h('p', {},
        h('a', { class: 'button', href: `/choices/${running.id}`, id: `want-${id}` }, icon('right'),
          translate('can.see'), about));
    }
    const trouble = h('p', { class: 'complaint', role: 'alert' });
    trouble.hidden = true;
    const button = h('button', { type: 'button', class: 'button want', id: `want-${id}` }, icon('draft'),
      translate('can.want'), about);
    button.addEventListener('click', async () => {
      if (button.getAttribute('aria-disabled')) return;
      await whileBusy([button], () => steadily(saidIn(trouble), async () => {
        const choice = await this.want(kind, right, letter);
        location.assign(`/choices/${choice.id}`);
      }, { again: translate('can.want') }));
    });
    return h('div', { class: 'want-place' }, button, trouble);
  }

  /** @param {string} kind @param {string | null} right @param {string} letter */
  async want(kind, right, letter) {
    const { device, options } = this;
    if (!device || !options) throw new Outage();
    const { operator } = device;
    return (await ledger()).add({
      device: {
        id: device.id, name: displayName(device), category: device.category,
        country: options.country ?? text(device.properties.country), status: device.status,
      },
      kind, right, letter, regime: options.regime, country: options.country,
      language: options.letterLanguage ?? language(),
      operator: operator.name || operator.contact
        ? { name: operator.name, contact: operator.dataProtectionContact ?? operator.contact }
        : null,
      rule: options.ruleFor({ kind, right }),
    });
  }
}

/** @param {Options} options @param {string | null} place */
function unknownLaw(options, place) {
  if (options.isRegionUncertain) return translate('can.region_unknown');
  return place ? translate('can.law_unknown', { place }) : translate('can.country_unknown');
}

/** @param {Right} right */
function lawWords({ law, cite, article }) {
  if (law) return cite ? `${law}, ${cite}` : law;
  return cite ? cite[0].toUpperCase() + cite.slice(1) : translate('can.article', { article: article ?? '' });
}

/** @param {string} href @param {string} words */
function outside(href, words) {
  return h('a', { href, rel: 'noopener noreferrer', target: '_blank' }, words, icon('external'));
}
