// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everydayKind, possibleTowns, readPhrase } from '../../public/js/search/phrase.js';

const groups = [
  { code: 'cameras', label: 'All cameras', categories: ['camera_fixed'] },
  { code: 'cameras', label: 'Todas as câmaras', categories: ['camera_fixed'] },
];
const terms = [
  { code: 'alpr', label: 'Number-plate reader', plural: 'Number-plate readers', words: ['leitor de matrículas', 'ALPR'] },
  { code: 'webcam', label: 'Webcam', plural: 'Webcams' },
  { code: 'speed_camera', label: 'Speed camera', plural: 'Speed cameras', words: ['speed trap', 'radar'] },
  { code: 'wifi', label: 'Wi-Fi hotspot', plural: 'Wi-Fi hotspots', words: ['pontos de acesso'] },
];
/** @param {string} typed */
function meant(typed) {
  const phrase = readPhrase(typed, groups, terms);
  return phrase && [phrase.group?.code ?? phrase.term?.code ?? '', phrase.isHere ? 'here' : phrase.place];
}

test('a kind and a place are understood in both languages', () => {
  for (const [typed, kind, place] of [
    ['plate readers in Baltimore', 'alpr', 'Baltimore'],
    ['Plate readers  in New York', 'alpr', 'New York'],
    ['who runs cameras in Zürich?', 'cameras', 'Zürich'],
    ['how many webcams are there in Bern', 'webcam', 'Bern'],
    ['quantas câmaras há em Lisboa?', 'cameras', 'Lisboa'],
    ['devices in Berlin', '', 'Berlin'],
    ['near Zürich', '', 'Zürich'],
    ['onde fica Vaduz', '', 'Vaduz'],
    ['show me all speed cameras near Vila Nova de Gaia', 'speed_camera', 'Vila Nova de Gaia'],
    ['webcams Funchal', 'webcam', 'Funchal'],
    ['Funchal webcams', 'webcam', 'Funchal'],
    ['radar em São Paulo', 'speed_camera', 'São Paulo'],
    ['câmaras no Porto', 'cameras', 'Porto'],
    ['leitor de matrículas perto de Lisboa', 'alpr', 'Lisboa'],
    ['pontos de acesso da Madeira', 'wifi', 'Madeira'],
  ]) assert.deepEqual(meant(typed), [kind, place], typed);
});

test('the own position is understood in both languages', () => {
  for (const [typed, kind] of [
    ['cameras near me', 'cameras'], ['near me', ''], ['webcams nearby', 'webcam'], ['câmaras perto de mim', 'cameras'],
    ['perto de mim', ''], ['radar aqui perto', 'speed_camera'], ['who runs this camera?', 'cameras'],
    ['quem opera esta câmara', 'cameras'], ['near me webcams', 'webcam'], ['aparelhos perto de mim', ''],
  ]) assert.deepEqual(meant(typed), [kind, 'here'], typed);
});

test('kinds and questions in German, French and Spanish', () => {
  for (const [typed, kind, place] of [
    ['Kameras in Zürich', 'cameras', 'Zürich'], ['Überwachungskameras Berlin', 'cameras', 'Berlin'],
    ['gibt es Kameras in Winterthur?', 'cameras', 'Winterthur'], ['caméras de surveillance à Paris', 'cameras', 'Paris'],
    ['où sont les caméras à Lyon', 'cameras', 'Lyon'], ['cuántas cámaras hay en Sevilla', 'cameras', 'Sevilla'],
    ['câmaras de videovigilância no Porto', 'cameras', 'Porto'], ['flock cameras in Baltimore', 'alpr', 'Baltimore'],
    ['is there a camera in Zürich', 'cameras', 'Zürich'], ['who watches me in Zürich', '', 'Zürich'],
    ['Las Vegas cameras', 'cameras', 'Las Vegas'], ['cameras in Frankfurt am Main', 'cameras', 'Frankfurt am Main'],
    ['Kameras in meiner Nähe', 'cameras', 'here'], ['caméras près de moi', 'cameras', 'here'],
    ['cámaras cerca de mí', 'cameras', 'here'], ['who is watching my town', '', 'here'], ['what is watching me', '', 'here'],
  ]) assert.deepEqual(meant(typed), [kind, place], typed);
});

test('a kind that people call otherwise is found by the whole name', () => {
  const code = (/** @type {string} */ typed) => {
    const found = /** @type {any} */ (everydayKind(typed, groups, terms));
    return found?.group?.code ?? found?.term?.code ?? null;
  };
  assert.equal(code('Kameras'), 'cameras');
  assert.equal(code('Überwachungskamera'), 'cameras');
  assert.equal(code('caméras de surveillance'), 'cameras');
  assert.equal(code('Flock cameras'), 'alpr');
  for (const typed of ['Kam', 'webcams', 'Zürich', '']) assert.equal(code(typed), null, typed);
});

test('a kind alone, a place alone and an unfinished text are no phrase', () => {
  for (const typed of ['', 'webcams', 'speed trap', 'how many webcams are there', 'Baltimore', 'New York', 'cameras in', 'in', 'who runs', '10 Main St', '🙂'])
    assert.equal(meant(typed), null, typed);
});

test('a word that separates kind and place makes sure that it is a phrase', () => {
  assert.equal(readPhrase('webcams in Bern', groups, terms)?.isSure, true);
  assert.equal(readPhrase('webcams Bern', groups, terms)?.isSure, false);
});

test('the town of an address is at its end', () => {
  assert.deepEqual(possibleTowns('Bahnhofstrasse 10 Zürich'), ['Bahnhofstrasse Zürich', 'Zürich']);
  assert.deepEqual(possibleTowns('Rua das Flores 3, 4050-262 Vila Nova de Gaia'), 
    ['Vila Nova de Gaia', 'Nova de Gaia', 'de Gaia', 'Gaia']);
  assert.deepEqual(possibleTowns('Avenida Arriaga Funchal'), ['Funchal']);
  assert.deepEqual(possibleTowns('Zürich'), []);
  assert.deepEqual(possibleTowns('Rua Augusta'), []);
  assert.deepEqual(possibleTowns('Rua Augusta 5 Lisboa'), ['Lisboa']);
  assert.deepEqual(possibleTowns('Zürich HB'), ['Zürich', 'HB']);
});
