// @ts-check
// The map page. A map, a list and the address show the same state.

// Sends the first request, before the other scripts run.
import { ahead, requested } from './ahead.js';
import { AddEntry } from './add/entry.js';
import { keepAddress } from './address.js';
import { feedLink } from './data/feed.js';
import { takeButton } from './data/take-button.js';
import { DeviceCard } from './devices/card.js';
import { areaOf, listPath } from './devices/list-request.js';
import { DeviceList } from './devices/list.js';
import { byId, h, icon, iconButton } from './dom.js';
import { embedButton } from './embed/button.js';
import { filterBar, filterButton, resetFilters } from './filters/bar.js';
import { NAMED, schemeOf } from './filters/facets.js';
import { boxText } from './geography.js';
import { language, translate } from './i18n.js';
import { late, soon } from './late.js';
import { watchButton, watchNotice } from './local-watches/start.js';
import { clearRoom } from './map/covered.js';
import { keepView } from './map/last-view.js';
import { expectTiles, tilesInView } from './map/offline-tiles.js';
import { openingView } from './map/opening.js';
import { MapPane } from './map/pane.js';
import { firstCover } from './map/room.js';
import { brand } from './page/brand.js';
import { behindMore } from './page/more.js';
import { announce, toast } from './page/notices.js';
import { deviceTiles, restOfWords, settings as askSettings, startWords } from './page/start.js';
import { Sheet, isPhone } from './panel.js';
import { aboutPlace } from './places/about.js';
import { locate, locateTrouble } from './places/locate.js';
import { nearestBeyond } from './devices/nearest.js';
import { placeLabel } from './places/place.js';
import { SearchBox } from './search/box.js';
import { routesAddress } from './routes/address.js';
import { ChosenPlace } from './search/chosen-place.js';
import { placeSuggestion } from './search/suggestions.js';
import { installHint } from './shell/install.js';
import { menu } from './shell/menu.js';
import { createStore, decodeState, encodeState, filterParameters, sameFilters } from './state.js';
import { statisticsAddress } from './statistics/question.js';
import { scheme } from './taxonomies.js';
import { expectMaplibre } from './vendor.js';
import { isMet, welcome } from './welcome.js';

/** @typedef {import('./devices/device.js').Device} Device */
/** @typedef {import('./search/suggestions.js').Suggestion} Suggestion */
/** @typedef {import('./types').DeviceFeature} DeviceFeature */

const NEAR = 16; // zoom that shows a single device
const AROUND = 15; // zoom that shows the devices around an address
const WIDE = 5; // zoom below which the middle of the map says nothing about the place that a user means
const WORDS = [
  'categories', 'category_groups', 'statuses', 'precisions', 'data', 'operator_kinds', 'choices', 'freshness',
  'settings',
];
const CALM = 1_500; // milliseconds that the map waits for the list, and the rest of the words for the map

async function start() {
  const speaking = startWords();
  if (location.pathname !== '/') {
    const [{ showNotSaved }] = await Promise.all([late(import('./page/not-saved.js')), speaking]);
    showNotSaved();
    return;
  }
  const first = decodeState(location.search, location.hash);
  const filtered = Object.keys(first.filters).filter((name) => !NAMED.includes(name));
  const words = new Set([...WORDS, ...filtered.map(schemeOf)]);
  const named = Promise.all([...words].map((name) => scheme(name).catch(() => null)));
  const [settings, tiles] = await Promise.all([askSettings(), deviceTiles()]);
  const view = first.view ?? await openingView(
    settings.view, clearRoom(byId('map'), willWelcome(first)), first);
  /** @type {import('./state.js').PageState} */
  const initial = { ...first, view };
  const store = createStore(initial);
  const pane = new MapPane(byId('map'), {
    store, settings, attribution: tiles.attribution ?? '',
    lastZoom: Number.isInteger(tiles.maxzoom) ? Number(tiles.maxzoom) : 16,
  });
  pane.cover(firstCover(initial));
  // Requests the devices in view before the vocabulary that describes them has arrived.
  const path = listPath(initial, pane.box);
  const request = ahead?.path === path ? ahead : requested(path);
  if (!ahead) expectMaplibre();
  expectTiles(pane);
  await Promise.all([speaking, named]);
  byId('brand').append(...brand());
  byId('menu-place').append(...menu());
  keepAddress(store);
  document.title = settings.name;
  build(store, pane, request);
}

/** @param {{device: string | null, adding: unknown}} state */
function willWelcome({ device, adding }) {
  return !device && !adding && !isMet();
}

/** @param {import('./state.js').PageState} state @returns {import('./panel.js').Stop} */
function firstStop(state) {
  return state.device ? 'half' : 'peek';
}

/**
 * A link to the statistics of the visible devices. It gets its address when it is used, because the map moves.
 * @param {() => string} address
 */
function countLink(address) {
  const link = h('a', { class: 'button statistics-link', href: '/statistics' }, icon('chart'),
    translate('menu.statistics'));
  for (const event of ['pointerdown', 'focus', 'click', 'contextmenu']) {
    link.addEventListener(event, () => link.setAttribute('href', address()));
  }
  return link;
}

/**
 * A button with the first words of its name, so that two lines hold all buttons. Its name stays.
 * @param {HTMLElement} button @param {string} short
 */
function shortened(button, short) {
  const whole = button.textContent ?? '';
  button.setAttribute('aria-label', whole);
  button.title = whole;
  button.lastChild?.replaceWith(short);
  return button;
}

/**
 * @param {import('./state.js').Store} store
 * @param {MapPane} pane
 * @param {import('./ahead.js').Ahead} request for the first list
 */
async function build(store, pane, request) {
  // Text first: the style sheet of the symbols applies once the list is readable.
  const page = document.documentElement.classList;
  page.add('is-starting');
  const sheet = new Sheet(byId('panel'), byId('sheet-handle'), byId('panel-body'), (covered) => pane.cover(covered));

  /** @param {Device} device @param {boolean} focus */
  const choose = (device, focus) => {
    store.update({ device: device.id }, 'push');
    card.open(device.id, device, focus);
    pane.choose(device);
    pane.reveal(device.position);
  };
  /** @type {DeviceList} */
  const list = new DeviceList(byId('list-title'), byId('list'), {
    state: () => store.current,
    box: () => pane.box,
    middle: () => pane.middle,
    nearestPlace: () => pane.nearestPlace,
    choose: (device) => choose(device, true),
    resetFilters: () => resetFilters(store),
    leaveSpot: () => store.update({ spot: null }, 'push'),
    go: (device) => {
      choose(device, true);
      pane.fly(device.position, 13);
    },
    counted: (count) => {
      counted = count;
      dialog?.counted(count);
    },
    add: () => entry.start(),
    ahead: request,
  });
  const card = new DeviceCard(byId('card'), {
    close: () => store.update({ device: null }, 'push'),
    found: (device) => {
      if (store.current.device !== device.id) return;
      pane.choose(device);
      if (linked === device.id) pane.fly(device.position, NEAR);
      else pane.reveal(device.position);
      linked = null;
    },
    returnFocus: (id) => list.focus(id),
    sized: (height) => sheet.fit(height),
    show: (device) => {
      if (isPhone()) sheet.setStop('half');
      pane.fly(device.position, NEAR);
    },
  });
  // A link to a device without a view: the map moves to the device.
  let linked = decodeState(location.search, location.hash).view ? null : store.current.device;
  const seen = () => store.current.spot ?? boxText(pane.box);
  const listed = () => areaOf(store.current, pane.box);
  /** @type {number | null} devices in view */
  let counted = null;
  /** @type {ReturnType<typeof import('./filters/dialog.js').filterDialog> | null} */
  let dialog = null;
  const openFilters = async () => {
    const { filterDialog } = await late(import('./filters/dialog.js'));
    if (!dialog) {
      dialog = filterDialog(store, listed);
      dialog.counted(counted);
    }
    await dialog.open();
  };
  const statistics = countLink(() => statisticsAddress(store.current, listed()));
  const download = takeButton(() => ({ filters: filterParameters(store.current), box: seen() }));
  const embed = embedButton({
    title: document.title, page: () => encodeState({ ...store.current, view: store.current.view ?? pane.place }),
  });
  const watch = watchButton(() => ({
    box: pane.box, place: searched.shown, border: pane.border, near: pane.nearestPlace, filters: store.current.filters,
    words: store.current.words || (store.current.filter && translate('filters.query')) || '',
    draw: pane.view && (async () => {
      const { drawArea } = await late(import('./area-drawing/draw.js'));
      if (isPhone()) sheet.setStop('peek');
      return drawArea(pane);
    }),
  }));
  const feed = feedLink(() => {
    const parameters = filterParameters(store.current);
    for (const [name, value] of Object.entries(listed())) parameters.set(name, value);
    return parameters;
  });
  /** @type {import('./types').Place | null} the place that the search field holds */
  let held = null;
  const chips = filterBar(byId('filter-bar'), store, openFilters, nearness,
    shortened(watch, translate('local_watch.open.short')),
    ...behindMore(statistics, shortened(download, translate('take.open.short')), embed, feed));
  byId('list').before(watchNotice(announce));
  const about = aboutPlace((border) => pane.outline(border));
  byId('list').before(about.element);
  const wayHere = h('a', { class: 'button way-here', hidden: true }, icon('compass'), translate('routes.quiet_to'));
  byId('list').before(wayHere);
  const showWay = (/** @type {import('./types').Place | null} */ place) => {
    about.show(place);
    wayHere.hidden = !place;
    if (place) wayHere.setAttribute('href', routesAddress('to', [place.longitude, place.latitude], place.name));
  };
  const hint = installHint();
  if (hint) byId('filter-bar').after(hint);
  byId('list-title').after(filterButton(store, openFilters, 'filters-peek'));
  /** @type {SearchBox} */
  const search = new SearchBox(byId('search-box'), {
    choose: (suggestion) => (store.current.adding ? aim(suggestion) : follow(suggestion)),
    release: () => searched.release(),
    middle: () => (pane.place.zoom < WIDE ? null : pane.middle),
  });
  /** @type {ChosenPlace} */
  const searched = new ChosenPlace({
    store, outline: (box) => pane.outline(box), hold: (place) => {
      held = place;
      search.hold(place);
      showWay(place);
      chips.draw();
    },
  });
  /** @type {AddEntry} */
  const entry = new AddEntry(byId('add-place'), {
    pane, sheet, state: store, near: () => list.devices, closed: () => list.refresh(),
    show: (id) => {
      store.update({ device: id }, 'push');
      linked = id;
      card.open(id, null, true);
      if (isPhone()) sheet.atLeast('half');
    },
  });

  /** The chosen place and the own position, which the user removes as filters. */
  function nearness() {
    return [
      ...(held ? [{ text: placeLabel(held), sign: 'pin', remove: () => searched.release() }] : []),
      ...(list.here ? [{ text: translate('filters.near_me'), sign: 'locate', remove: leaveMe }] : []),
    ];
  }

  function leaveMe() {
    pane.markHere(null);
    list.sortFrom(null);
    chips.draw();
  }

  /**
   * While the user chooses a place for a device, a suggestion only moves the map.
   * @param {Suggestion} suggestion
   */
  function aim(suggestion) {
    if (suggestion.kind === 'position') pane.fly([suggestion.longitude, suggestion.latitude], 17);
    else if (suggestion.kind === 'place') pane.goToPlace(suggestion.place);
    else if (suggestion.kind === 'address') pane.goToAddress(suggestion.place, 18);
    else if (suggestion.kind === 'meaning') {
      if (suggestion.place) aim(placeSuggestion(suggestion.place));
      else findMe();
      return;
    } else if (suggestion.kind === 'device') pane.fly(suggestion.feature.geometry.coordinates, 17);
    announce(translate('search.moved'));
  }

  /** @param {Suggestion} suggestion */
  function follow(suggestion) {
    switch (suggestion.kind) {
      case 'position':
        searched.release();
        pane.fly([suggestion.longitude, suggestion.latitude], 15);
        announce(translate('search.moved'));
        break;
      case 'group':
        showOnly(suggestion.term.categories ?? []);
        break;
      case 'category':
        showOnly([suggestion.term.code]);
        break;
      case 'meaning': {
        const { group, term, place } = suggestion;
        if (group || term) showOnly(group?.categories ?? [term?.code ?? '']);
        if (place) follow(placeSuggestion(place));
        else findMe();
        break;
      }
      case 'place':
        searched.choose(suggestion.place);
        raiseList();
        pane.goToPlace(suggestion.place);
        announce(translate('search.moved_to', { place: placeLabel(suggestion.place) }));
        break;
      case 'address':
        searched.hold(suggestion.place);
        raiseList();
        pane.goToAddress(suggestion.place, AROUND);
        announce(translate('search.moved_to', { place: placeLabel(suggestion.place) }));
        break;
      case 'device':
        openFound(suggestion.feature);
        break;
      default:
        store.update({ words: suggestion.words, spot: null, device: null }, 'push');
        showList();
    }
  }

  /** @param {string[]} category */
  function showOnly(category) {
    store.update(
      { filters: { ...store.current.filters, category }, words: '', filter: '', spot: null, device: null }, 'push');
    showList();
  }

  /** @param {DeviceFeature} feature */
  function openFound(feature) {
    const position = feature.geometry.coordinates;
    store.update({ device: feature.id, place: null }, 'push');
    card.open(feature.id, null, true);
    if (isPhone()) sheet.atLeast('half');
    pane.fly(position, NEAR);
  }

  /** After a search, a phone shows the devices of the place below its map. */
  function raiseList() {
    if (isPhone()) sheet.atLeast('half');
  }

  function showList() {
    raiseList();
    byId('list-title').focus({ preventScroll: true });
  }

  async function findMe() {
    document.getElementById('locate')?.classList.add('is-busy'); // The map may still be loading.
    try {
      const { position, accuracy } = await locate();
      pane.markHere(position);
      const zoom = accuracy > 2_000 ? 12 : AROUND;
      if (!store.current.adding) raiseList(); // It covers a part of what is around.
      const nearest = store.current.adding ? null
        : await nearestBeyond(position, pane.boxAround(position, zoom), filterParameters(store.current));
      if (nearest) pane.frame([position, nearest.position], zoom);
      else pane.fly(position, zoom);
      list.sortFrom(position);
      chips.draw();
      announce(translate('locate.found'));
      if (nearest) toast(nearest.words);
    } catch (error) {
      toast(translate(locateTrouble(error)));
    }
    document.getElementById('locate')?.classList.remove('is-busy');
  }

  store.subscribe((state, before, how) => {
    // A place that the user chooses for a device may be private.
    if (state.view && state.view !== before.view && !state.adding) keepView(state.view);
    if (!sameFilters(state, before)) {
      pane.setFilters(filterParameters(state).toString());
      list.refresh();
    }
    if (state.device !== before.device) {
      byId('panel').classList.toggle('has-card', state.device !== null);
      list.mark(state.device);
      if (state.device === null) {
        card.close();
        pane.choose(null);
      } else if (card.id !== state.device) {
        card.open(state.device, list.devices.find((device) => device.id === state.device) ?? null, false);
      }
      if (state.device && isPhone()) sheet.setStop('half');
    }
    if (state.heat !== before.heat || state.layers.join() !== before.layers.join()) pane.showLayers();
    if (how === 'travel' && state.view && state.view !== before.view) pane.jump(state.view);
  });

  byId('skip-to-list').addEventListener('click', (event) => {
    event.preventDefault();
    showList();
  });
  byId('panel-map').append(iconButton('list', translate('list.refresh'), {
    onclick: () => list.refresh(true).then(() => byId('list-title').focus()),
  }));

  if (willWelcome(store.current)) {
    const introduction = welcome({ around: findMe });
    if (introduction) byId('main').prepend(introduction);
  }

  sheet.setStop(firstStop(store.current));
  if (store.current.device) {
    byId('panel').classList.add('has-card');
    card.open(store.current.device, null, false);
  }
  const pause = () => new Promise((resolve) => { setTimeout(resolve, CALM); });
  const calm = Promise.race([list.refresh().then(painted), pause()]);
  // The drawings take a slow processor a fifth of a second. The library of the map is still on its way then.
  calm.then(() => page.remove('is-starting'));
  entry.begin();
  await pane.start({
    locate: findMe,
    moved: () => { if (!store.current.adding) list.refresh(); },
    device: (id, position) => {
      const known = list.devices.find((device) => device.id === id) ?? null;
      store.update({ device: id }, 'push');
      card.open(id, known, false);
      if (known) pane.choose(known);
      pane.reveal(position);
    },
    spot: (box) => {
      store.update({ spot: box.map((edge) => edge.toFixed(6)).join(','), device: null }, 'push');
      showList();
    },
    nothing: () => {
      if (store.current.device) store.update({ device: null }, 'push');
      else if (isPhone()) sheet.setStop('peek');
    },
  }, calm);
  if (!pane.view) sheet.atLeast('half');
  await pane.rested;
  // A visit may end where its link has led.
  if (store.current.view && !store.current.adding) keepView(store.current.view);
  list.placed();
  if (pane.view && pane.context.settings.streets.length) {
    const { nameStreets } = await soon(import('./map/named-streets.js'));
    nameStreets(pane.view.map, pane.context.settings, language(), (streetOf) => list.showStreets(streetOf));
  }
  restOfWords(CALM);
  const { continuePage } = await soon(import('./continue.js'));
  continuePage({ store, pane, list }, () => tilesInView(pane));
}

/** Resolves after the next paint. */
async function painted() {
  await new Promise((resolve) => { requestAnimationFrame(resolve); });
  await new Promise((resolve) => { setTimeout(resolve); });
}

start();
