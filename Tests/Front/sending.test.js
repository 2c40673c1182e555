// @ts-check
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

/** @typedef {{path: string, method: string, headers: Record<string, string>, body: any}} Asked */
const page = /** @type {any} */ (globalThis);
/** @type {Asked[]} */
let asked = [];
/** @type {((request: Asked) => Response | Error)} */
let answer = () => json(200, {});
/** @type {Record<string, string>} */
const stored = {};

page.addEventListener ??= () => {};
page.document = { addEventListener() {}, visibilityState: 'visible', documentElement: { lang: 'en' } };
page.localStorage = {
  getItem: (/** @type {string} */ key) => stored[key] ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => { stored[key] = value; },
  removeItem: (/** @type {string} */ key) => { delete stored[key]; },
};
delete page.BroadcastChannel;
page.fetch = async (/** @type {string} */ path, /** @type {any} */ request) => {
  const one = { path, method: request.method ?? 'GET', headers: request.headers ?? {}, body: request.body };
  asked.push(one);
  const given = answer(one);
  if (given instanceof Error) throw given;
  return given;
};

/** @param {number} status @param {any} body @param {Record<string, string>} [headers] */
function json(status, body, headers = {}) {
  return new Response(body === null ? null : JSON.stringify(body), {
    status, headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json', ...headers },
  });
}

const account = (/** @type {string} */ username) => ({ username, role: 'contributor' });
const { Outage, Refusal, send } = await import('../../public/js/api.js');
const { maybeSignedIn, onSession, session, signIn, signOut, whenSession } = await import('../../public/js/session.js');

beforeEach(() => { asked = []; });

test('a visitor without an account causes no request', async () => {
  assert.equal(maybeSignedIn(), false);
  assert.equal(await whenSession(), null);
  assert.deepEqual(asked, []);
});

test('a change by a visitor has no CSRF token', async () => {
  answer = () => json(202, null);
  const { status, body } = await send('POST', '/api/reports', { json: { a: 1 } });
  assert.deepEqual([status, body], [202, null]);
  assert.equal(asked.length, 1);
  assert.equal('X-CSRF-Token' in asked[0].headers, false);
  assert.equal(asked[0].body, '{"a":1}');
});

test('a sign-in is announced everywhere, and the storage contains only that there is a session', async () => {
  /** @type {(string | undefined)[]} */
  const heard = [];
  const end = onSession((now) => heard.push(now?.account.username));
  answer = () => json(200, { account: account('ana'), csrf_token: 'first' });
  await signIn({ login: 'ana', password: 'secret words' });
  assert.equal(session()?.account.username, 'ana');
  assert.deepEqual(heard, ['ana']);
  assert.deepEqual(Object.values(stored), ['1']);
  end();
});

test('later requests carry the token, headers and body', async () => {
  answer = () => json(201, { id: 'x' }, { ETag: '"3"' });
  const { headers, body } = await send('PATCH', '/api/x',
    { json: [1], headers: { 'If-Match': '"2"', 'Content-Type': 'application/merge-patch+json' } });
  assert.equal(headers.get('ETag'), '"3"');
  assert.deepEqual(body, { id: 'x' });
  const { method, headers: sent } = asked[0];
  assert.deepEqual([method, sent['X-CSRF-Token'], sent['If-Match'], sent['Content-Type']],
    ['PATCH', 'first', '"2"', 'application/merge-patch+json']);
});

test('renews an expired token once and repeats the request', async () => {
  answer = ({ path, headers }) => {
    if (path === '/api/session') return json(200, { account: account('ana'), csrf_token: 'second' });
    return headers['X-CSRF-Token'] === 'second'
      ? json(204, null)
      : json(403, { type: '/problems/csrf-token', detail: 'old' });
  };
  assert.equal((await send('DELETE', '/api/x')).status, 204);
  assert.deepEqual(asked.map(({ path }) => path), ['/api/x', '/api/session', '/api/x']);
});

test('a token refused twice is an error', async () => {
  answer = ({ path }) => (path === '/api/session' ? json(200, { account: account('ana'), csrf_token: 'third' })
    : json(403, { type: '/problems/csrf-token', detail: 'old' }));
  await assert.rejects(send('DELETE', '/api/x'),
    (/** @type {any} */ error) => error instanceof Refusal && error.kind === 'csrf-token');
  assert.equal(asked.length, 3);
});

test('a refusal has its kind, its fields and the time to wait', async () => {
  answer = () => json(429, { type: '/problems/too-many', detail: 'Slowly.', errors: [{ field: 'a', detail: 'b' }] },
    { 'Retry-After': '90' });
  await assert.rejects(send('POST', '/api/x', { json: {} }), (/** @type {any} */ error) => {
    assert.deepEqual([error.status, error.kind, error.message, error.retryAfter], [429, 'too-many', 'Slowly.', 90]);
    assert.deepEqual(error.problem.errors, [{ field: 'a', detail: 'b' }]);
    return true;
  });
  assert.equal(asked.length, 1);
});

test('a server that temporarily cannot save is an outage with its own message', async () => {
  answer = () => json(503, { detail: 'The disk is full.' });
  await assert.rejects(send('POST', '/api/x', { json: {} }),
    (/** @type {any} */ error) => error instanceof Outage && error.message === 'The disk is full.');
});

test('a wrong password does not end the current session', async () => {
  answer = () => json(401, { detail: 'Wrong.' });
  await assert.rejects(signIn({ login: 'ana', password: 'no' }), Refusal);
  assert.equal(session()?.account.username, 'ana');
  assert.equal(asked.length, 1);
});

test('signing out deletes all session data', async () => {
  answer = () => json(204, null);
  await signOut();
  assert.deepEqual([session(), maybeSignedIn(), Object.keys(stored)], [null, false, []]);
});

test('the first refused request detects a session that ended elsewhere', async () => {
  answer = () => json(200, { account: account('ana'), csrf_token: 'fourth' });
  await signIn({ login: 'ana', password: 'secret words' });
  answer = () => json(401, { detail: 'Sign in first.' });
  const ended = new Promise((resolve) => { const end = onSession((now) => { end(); resolve(now); }); });
  await assert.rejects(send('POST', '/api/x', { json: {} }), Refusal);
  assert.equal(await ended, null);
});
