import { expect } from 'chai';
import { ask, post, type Started, startApp, testRoute } from '../start-app.ts';

const body = {
  type: 'object',
  properties: {
    email: { type: 'string', maxLength: 5 },
    age: { type: 'integer', minimum: 1, maximum: 150 },
    limit: { type: ['integer', 'null'] },
    note: { type: ['string', 'null'], maxLength: 3 },
    kind: { type: 'string', enum: ['OUT', 'DEL'] },
    code: { type: 'string', pattern: '^[0-9]+$' },
    flag: { type: 'boolean' },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'object', properties: { dek: { type: 'string', minLength: 1 } }, required: ['dek'] },
    },
    free: { type: 'object' },
  },
  required: ['email'],
} as const;

const query = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1 },
    all: { type: 'boolean' },
    q: { type: 'string' },
  },
} as const;

describe('The input of a request', () => {
  let app: Started;
  before(async () => {
    app = await startApp([
      testRoute({ method: 'POST', body }),
      testRoute({ path: '/list', query }),
      testRoute({
        path: '/item/{number}',
        params: { type: 'object', properties: { number: { type: 'integer' } } },
      }),
      testRoute({ path: '/free' }),
    ]);
  });
  after(() => app.close());

  const send = (document: unknown) => post(`${app.url}/thing`, JSON.stringify(document));

  it('is passed to the route with only the members of the schema, at every level', async () => {
    const reply = await send({
      email: 'a@b',
      limit: null,
      role: 'admin',
      items: [{ dek: 'x', owner: 'me' }],
      free: { any: { thing: 1 } },
    });
    expect(reply.body.body).to.deep.equal({
      email: 'a@b',
      limit: null,
      items: [{ dek: 'x' }],
      free: { any: { thing: 1 } },
    });
  });

  for (const [document, message] of [
    [{}, "'email' is required."],
    [{ email: 5 }, "'email' must be of type string."],
    [{ email: null }, "'email' must be of type string."],
    [{ email: ['a'] }, "'email' must be of type string."],
    [{ email: { $ne: '' } }, "'email' must be of type string."],
    [{ email: 'sesame' }, "'email' must have at most 5 characters."],
    [{ email: 'a', age: '5' }, "'age' must be of type integer."],
    [{ email: 'a', age: 1.5 }, "'age' must be of type integer."],
    [{ email: 'a', age: 0 }, "'age' must be at least 1."],
    [{ email: 'a', age: 151 }, "'age' must be at most 150."],
    [{ email: 'a', limit: 'none' }, "'limit' must be of type integer or null."],
    [{ email: 'a', kind: 'sesame' }, "'kind' must be one of OUT, DEL."],
    [{ email: 'a', code: 'sesame' }, "'code' does not have the right form."],
    [{ email: 'a', flag: 'true' }, "'flag' must be of type boolean."],
    [{ email: 'a', items: [{ dek: 'a' }, {}] }, "'items.1.dek' is required."],
    [{ email: 'a', items: [{ dek: '' }] }, "'items.0.dek' must have at least 1 character."],
    [{ email: 'a', items: [] }, "'items' must have at least 1 item."],
    [{ email: 'a', items: [{}, {}, {}] }, "'items' must have at most 2 items."],
  ] as const) {
    it(`is refused with: ${message}`, async () => {
      const reply = await send(document);
      expect(reply.status).to.equal(400);
      expect(reply.body).to.deep.equal({ message, code: 'invalid_request' });
      expect(reply.text).to.not.contain('sesame');
    });
  }

  it('is measured in code points', async () => {
    expect((await send({ email: '😀😀😀😀😀', note: '😀😀😀' })).status).to.equal(200);
    expect((await send({ email: 'a', note: '😀😀😀😀' })).status).to.equal(400);
  });

  it('may contain NUL if no pattern forbids that', async () => {
    expect((await send({ email: 'a\0b' })).body.body?.email).to.equal('a\0b');
  });

  const list = (text: string) => ask(`${app.url}/list${text}`);

  it('is converted from the query to the type of the schema', async () => {
    expect((await list('?page=7&all=true&q=a+b%20%C5%BC%3D&x=1')).body.query).to.deep.equal({
      page: 7,
      all: true,
      q: 'a b ż=',
    });
    expect((await list(`?page=${Number.MAX_SAFE_INTEGER}`)).body.query).to.deep.equal({
      page: Number.MAX_SAFE_INTEGER,
    });
    expect((await list('')).body.query).to.deep.equal({});
    expect((await list('?&&q')).body.query).to.deep.equal({ q: '' });
  });

  it('is refused if a query parameter does not match its type', async () => {
    for (const text of [
      'page=0',
      'page=',
      'page=1.5',
      'page=1e3',
      'page=0x10',
      'page=%201',
      'page=9007199254740993',
      'page=٣',
      'all=1',
      'all=TRUE',
    ])
      expect((await list(`?${text}`)).status, text).to.equal(400);
  });

  it('is refused if a query parameter is repeated or not percent-encoded UTF-8', async () => {
    for (const text of [
      'page=1&page=2',
      'q=a&q=a',
      'q=a&%71=b',
      'other=1&other=2',
      'q=%zz',
      'q=%ff',
      'q=%ed%a0%80',
      'q=%',
    ])
      expect((await list(`?${text}`)).body.code, text).to.equal('invalid_request');
  });

  it('does not pollute a prototype through the query', async () => {
    expect((await list('?__proto__=x&constructor=y&q[a]=1')).body.query).to.deep.equal({});
  });

  it('is converted from the path to the type of the schema', async () => {
    expect((await ask(`${app.url}/item/12`)).body.params).to.deep.equal({ number: 12 });
    for (const text of ['x', '%zz', '%ff', '1%00'])
      expect((await ask(`${app.url}/item/${text}`)).status).to.equal(400);
  });

  it('is ignored if the route has no schema for it', async () => {
    const reply = await ask(`${app.url}/free?a=1&a=2&%zz`);
    expect(reply.status).to.equal(200);
    expect(reply.body).to.not.have.any.keys('query', 'body', 'params');
  });
});
