import { Readable } from 'node:stream';
import { expect } from 'chai';
import { CoreError, type ErrorKind, invalid, unavailable } from '../../../core/index.ts';
import { answerTo } from '../../../servers/http/errors.ts';
import { ask, post, type Started, startApp, testRoute } from './start-app.ts';

const throwing = (path: string, error: unknown) =>
  testRoute({
    path,
    run: async () => {
      throw error;
    },
  });

const STATUSES: readonly (readonly [ErrorKind, number])[] = [
  ['invalid', 400],
  ['refused', 400],
  ['unauthenticated', 401],
  ['forbidden', 403],
  ['missing', 404],
  ['conflict', 409],
  ['throttled', 429],
  ['unavailable', 503],
];

const kinds = STATUSES.map(([kind]) =>
  throwing(`/${kind}`, new CoreError(kind, 'contended', 'Some message.')),
);

describe('An error of the core', () => {
  let app: Started;
  before(async () => {
    app = await startApp([
      ...kinds,
      throwing(
        '/details',
        new CoreError('unauthenticated', 'email_not_verified', 'No.', { details: { emailVerified: false } }),
      ),
      throwing('/later', unavailable('busy', 'Busy.', 2.2)),
      throwing('/held', new CoreError('throttled', 'login_held', 'Held.', { retryAfter: 86_400 })),
      throwing('/bearer', new CoreError('unauthenticated', 'invalid_token', 'No.')),
    ]);
  });
  after(() => app.close());

  for (const [kind, status] of STATUSES) {
    it(`of the kind ${kind} is answered with ${status}, its message and its code`, async () => {
      const reply = await ask(`${app.url}/${kind}`);
      expect(reply.status).to.equal(status);
      expect(reply.body).to.deep.equal({ message: 'Some message.', code: 'contended' });
      expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
    });
  }

  it('is answered with its details', async () => {
    expect((await ask(`${app.url}/details`)).body).to.deep.equal({
      emailVerified: false,
      message: 'No.',
      code: 'email_not_verified',
    });
  });

  it('is answered with Retry-After in whole seconds', async () => {
    const after = async (path: string) => (await ask(app.url + path)).headers['retry-after'];
    expect(await Promise.all(['/later', '/held', '/throttled'].map(after))).to.deep.equal([
      '3',
      '86400',
      '1',
    ]);
  });

  it('is answered with a Bearer challenge, which names the error only if a token was sent', async () => {
    const challenge = async (path: string, headers = {}) =>
      (await ask(app.url + path, { headers })).headers['www-authenticate'];
    const token = { Authorization: 'Bearer x' };
    expect(await challenge('/bearer')).to.equal('Bearer');
    expect(await challenge('/bearer', token)).to.equal('Bearer error="invalid_token"');
    expect(await challenge('/details', token)).to.equal('Bearer');
    expect(await challenge('/forbidden', token)).to.equal(undefined);
  });
});

describe('An unexpected error', () => {
  let app: Started;
  before(async () => {
    const failing = Readable.from(
      (function* () {
        yield 'half';
        throw new Error('the store broke');
      })(),
    );
    app = await startApp([
      throwing('/error', new Error('connect ECONNREFUSED mongodb://user:hunter2@db')),
      throwing('/status', Object.assign(new Error('shown?'), { status: 418, expose: true })),
      throwing('/nothing', undefined),
      throwing('/text', 'hunter2'),
      testRoute({ path: '/unwritable', run: async () => ({ status: 200, body: { big: 1n } }) }),
      testRoute({ path: '/stream', run: async () => ({ status: 200, body: failing }) }),
    ]);
  });
  after(() => app.close());
  beforeEach(() => app.lines.splice(0));

  for (const path of ['/error', '/status', '/nothing', '/text', '/unwritable']) {
    it(`is answered with 500 and without details (${path.slice(1)})`, async () => {
      const reply = await ask(app.url + path, { headers: { 'X-Request-Id': 'r1' } });
      expect(reply.status).to.equal(500);
      expect(reply.body).to.deep.equal({ message: 'Something went wrong on our side.', code: 'internal' });
      expect(app.lines.map(({ level, event, fields }) => [level, event, fields.requestId])).to.deep.equal([
        ['error', 'http.failed', 'r1'],
      ]);
    });
  }

  it('is logged with its stack', async () => {
    await ask(`${app.url}/error`);
    expect(app.lines[0]?.fields.error)
      .to.be.instanceOf(Error)
      .with.property('stack')
      .that.contains('hunter2');
  });

  it('ends the connection if the response has begun, and is logged', async () => {
    const outcome = await ask(`${app.url}/stream`).catch((error) => error.code);
    expect(outcome).to.equal('ECONNRESET');
    expect(app.lines.map(({ event }) => event)).to.deep.equal(['http.failed']);
  });
});

describe('An error of the metadata service', () => {
  let app: Started;
  before(async () => {
    app = await startApp(
      [
        throwing('/dek', invalid('invalid_dek', 'The key is not valid.')),
        throwing('/failed', new Error('x')),
        testRoute({ method: 'POST', body: { type: 'object', properties: { size: { type: 'integer' } } } }),
      ],
      { style: 'metadata' },
    );
  });
  after(() => app.close());

  it('has its code in the member `error`', async () => {
    expect((await ask(`${app.url}/dek`)).body).to.deep.equal({
      error: 'invalid_dek',
      message: 'The key is not valid.',
    });
    expect((await ask(`${app.url}/failed`)).body.error).to.equal('internal');
    expect((await ask(`${app.url}/nowhere`)).body.error).to.equal('not_found');
  });

  it('has the code `invalid_request` for every unusable body', async () => {
    for (const text of ['{', '[]', '{"size":"1"}', '{"a":"\\ud800"}'])
      expect((await post(`${app.url}/thing`, text)).body.error, text).to.equal('invalid_request');
  });
});

describe('answerTo', () => {
  const json = { 'Content-Type': 'application/json; charset=utf-8' };

  it('returns the response of the account service', () => {
    for (const [kind, status] of STATUSES) {
      const answer = answerTo(new CoreError(kind, 'contended', 'Some message.'));
      expect([answer.status, answer.body]).to.deep.equal([
        status,
        { code: 'contended', message: 'Some message.' },
      ]);
    }
    expect(answerTo(unavailable('busy', 'Busy.', 2.2)).headers).to.deep.equal({
      ...json,
      'Retry-After': '3',
    });
  });

  it('hides the details of an unexpected error', () => {
    const { status, headers, body } = answerTo(new Error('the password is 1234'));
    expect([status, headers]).to.deep.equal([500, json]);
    expect(body).to.deep.equal({ code: 'internal', message: 'Something went wrong on our side.' });
  });
});
