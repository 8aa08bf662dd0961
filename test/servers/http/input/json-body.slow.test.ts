import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ask, JSON_TYPE, post, type Started, sendRaw, startApp, testRoute } from '../start-app.ts';

const LIMIT = 65_536;
const open = { type: 'object', properties: { data: { type: 'object' }, name: { type: 'string' } } } as const;

/** A JSON object of exactly that many bytes. */
const jsonOfSize = (bytes: number) => `{"name":"${'a'.repeat(bytes - 11)}"}`;
const jsonOfDepth = (depth: number) => `${'{"data":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('A JSON body', () => {
  let app: Started;
  let url: string;
  before(async () => {
    app = await startApp([
      testRoute({ method: 'POST', body: open }),
      testRoute({ method: 'POST', path: '/due', body: { ...open, required: ['name'] } }),
      testRoute({ method: 'POST', path: '/none' }),
    ]);
    url = `${app.url}/thing`;
  });
  after(() => app.close());

  it('is accepted at the maximum size and refused one byte beyond it', async () => {
    expect((await post(url, jsonOfSize(LIMIT))).status).to.equal(200);
    const refused = await post(url, jsonOfSize(LIMIT + 1));
    expect(refused.status).to.equal(413);
    expect(refused.body.code).to.equal('too_large');
  });

  it('has the same maximum size without a Content-Length', async () => {
    const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked', 'Content-Length': [] };
    expect((await ask(url, { method: 'POST', headers, body: jsonOfSize(LIMIT) })).status).to.equal(200);
    expect((await ask(url, { method: 'POST', headers, body: jsonOfSize(LIMIT + 1) })).status).to.equal(413);
  });

  for (const [coding, encode] of [
    ['gzip', gzipSync],
    ['GZip', gzipSync],
    ['deflate', deflateSync],
  ] as const) {
    it(`is measured after decompression of ${coding}`, async () => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': coding };
      expect((await post(url, encode(jsonOfSize(LIMIT)), headers)).status).to.equal(200);
      expect((await post(url, encode(jsonOfSize(LIMIT + 1)), headers)).status).to.equal(413);
    });
  }

  it('is refused if it is a gzip bomb or an endless series of empty gzip members', async () => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
    expect((await post(url, gzipSync(Buffer.alloc(30_000_000)), headers)).status).to.equal(413);
    const empty = gzipSync('');
    const nothing = Buffer.concat(Array.from({ length: 5_000 }, () => empty));
    expect((await post(url, nothing, headers)).status).to.equal(413);
  });

  it('is refused for other encodings, and for bytes that do not match the encoding', async () => {
    for (const coding of ['br', 'x-gzip', 'gzip, gzip', 'zstd']) {
      const other = await post(url, '{}', { ...JSON_TYPE, 'Content-Encoding': coding });
      expect(other.status, coding).to.equal(415);
      expect(other.headers['accept-encoding']).to.equal('gzip, deflate');
    }
    for (const bytes of [Buffer.from('{}'), gzipSync(jsonOfSize(900)).subarray(0, 30)]) {
      const reply = await post(url, bytes, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
      expect([reply.status, reply.body.code]).to.deep.equal([400, 'invalid_encoding']);
    }
  });

  it('needs the content type application/json', async () => {
    for (const type of [
      'application/json',
      'Application/JSON ; Charset="UTF-8"',
      'application/json;charset=utf8',
    ])
      expect((await post(url, '{}', { 'Content-Type': type })).status, type).to.equal(200);
    const wrong = [
      'text/plain',
      'application/json; charset=utf-16',
      'application/jsonx',
      'application/ld+json',
      '',
    ];
    for (const type of wrong)
      expect((await post(url, '{}', { 'Content-Type': type })).status, type).to.equal(415);
    expect((await post(url, '{}', {})).body.code).to.equal('unsupported_media_type');
  });

  it('may be absent if no member is required, and otherwise is refused with 400 or 415', async () => {
    expect((await ask(url, { method: 'POST' })).body.body).to.deep.equal({});
    expect((await post(`${app.url}/due`, '')).body.code).to.equal('invalid_json');
    expect((await ask(`${app.url}/due`, { method: 'POST' })).status).to.equal(415);
  });

  it('is refused if it is not JSON', async () => {
    for (const text of ['{', "{'name':1}", '{"name":NaN}', '{} {}', 'nul', '\u0000', '{"name":"\n"}']) {
      const reply = await post(url, text);
      expect(reply.status, text).to.equal(400);
      expect(reply.body.code, text).to.equal('invalid_json');
    }
  });

  it('must be an object', async () => {
    for (const text of ['[]', 'null', '"name"', '1', 'true'])
      expect((await post(url, text)).body, text).to.deep.equal({
        message: 'The body must be of type object.',
        code: 'invalid_request',
      });
  });

  it('must be UTF-8 without lone surrogates, in names and values', async () => {
    const bad = [
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'),
      '{"name":"\\ud800"}',
      '{"data":{"\\udc00":1}}',
      '{"data":{"a":["\\ud83d x"]}}',
    ];
    for (const bytes of bad) expect((await post(url, bytes)).body.code).to.equal('invalid_encoding');
    expect((await post(url, Buffer.from('{"name":"a"}', 'utf16le'))).status).to.equal(400);
    expect((await post(url, '\uFEFF{"name":"\\ud83d\\ude00"}')).body.body?.name).to.equal('😀');
  });

  it('is limited in depth and number of members', async () => {
    expect((await post(url, jsonOfDepth(32))).status).to.equal(200);
    expect((await post(url, jsonOfDepth(33))).body).to.deep.equal({
      code: 'too_deep',
      message: 'The body may have at most 32 levels of nesting.',
    });
    expect((await post(url, `{"data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).body.code).to.equal(
      'too_deep',
    );
    const members = (count: number) =>
      JSON.stringify({
        data: Object.fromEntries(
          Array(count)
            .fill(0)
            .map((_, i) => [`m${i}`, i]),
        ),
      });
    expect((await post(url, members(999))).status).to.equal(200);
    expect((await post(url, members(1_000))).body.code).to.equal('too_many_members');
  });

  it('does not pollute a prototype', async () => {
    const hostile =
      '{"__proto__":{"name":"x"},"constructor":{"prototype":{"isAdmin":true}},"data":{"__proto__":{"isAdmin":true},"\\u005f_proto__":{"b":1}}}';
    expect((await post(url, hostile)).body.body).to.deep.equal({ data: {} });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect({}).to.not.have.property('isAdmin');
  });

  it('is ignored by a route without a body, and the connection serves the next request', async () => {
    const garbage = 'x'.repeat(100_000);
    const head = `POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: ${garbage.length}\r\n\r\n${garbage}`;
    const responses = await sendRaw(
      app.port,
      `${head}GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(responses.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('is not read for ever after its refusal', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head =
      'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const responses = await sendRaw(app.port, head + chunk.repeat(40));
    expect(responses).to.match(/^HTTP\/1\.1 413 /);
  });
});
