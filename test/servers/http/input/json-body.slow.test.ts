import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ask, converse, JSON_TYPE, post, type Started, startApp, testRoute } from '../start-app.ts';

const CAP = 65_536;
const open = { type: 'object', properties: { data: { type: 'object' }, name: { type: 'string' } } } as const;

/** A JSON object of exactly that many bytes. */
const sized = (bytes: number) => `{"name":"${'a'.repeat(bytes - 11)}"}`;
const nested = (depth: number) => `${'{"data":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

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

  it('is taken up to its last allowed byte and refused one beyond it', async () => {
    expect((await post(url, sized(CAP))).status).to.equal(200);
    const refused = await post(url, sized(CAP + 1));
    expect(refused.status).to.equal(413);
    expect(refused.body.code).to.equal('too_large');
  });

  it('is counted the same when its length is not announced', async () => {
    const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked', 'Content-Length': [] };
    expect((await ask(url, { method: 'POST', headers, body: sized(CAP) })).status).to.equal(200);
    expect((await ask(url, { method: 'POST', headers, body: sized(CAP + 1) })).status).to.equal(413);
  });

  for (const [coding, encode] of [
    ['gzip', gzipSync],
    ['GZip', gzipSync],
    ['deflate', deflateSync],
  ] as const) {
    it(`is counted after decompression of ${coding}`, async () => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': coding };
      expect((await post(url, encode(sized(CAP)), headers)).status).to.equal(200);
      expect((await post(url, encode(sized(CAP + 1)), headers)).status).to.equal(413);
    });
  }

  it('does not inflate a bomb, nor read compressed bytes without end', async () => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
    expect((await post(url, gzipSync(Buffer.alloc(30_000_000)), headers)).status).to.equal(413);
    const empty = gzipSync('');
    const nothing = Buffer.concat(Array.from({ length: 5_000 }, () => empty));
    expect((await post(url, nothing, headers)).status).to.equal(413);
  });

  it('is refused for other encodings, and for bytes that are not what they say', async () => {
    for (const coding of ['br', 'x-gzip', 'gzip, gzip', 'zstd']) {
      const other = await post(url, '{}', { ...JSON_TYPE, 'Content-Encoding': coding });
      expect(other.status, coding).to.equal(415);
      expect(other.headers['accept-encoding']).to.equal('gzip, deflate');
    }
    for (const bytes of [Buffer.from('{}'), gzipSync(sized(900)).subarray(0, 30)]) {
      const reply = await post(url, bytes, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
      expect([reply.status, reply.body.code]).to.deep.equal([400, 'invalid_encoding']);
    }
  });

  it('needs its content type', async () => {
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

  it('may be absent where no member is required, and else is 400, or 415 without a content type', async () => {
    expect((await ask(url, { method: 'POST' })).body.body).to.deep.equal({});
    expect((await post(`${app.url}/due`, '')).body.code).to.equal('invalid_json');
    expect((await ask(`${app.url}/due`, { method: 'POST' })).status).to.equal(415);
  });

  it('is refused when it is not JSON', async () => {
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

  it('must be UTF-8 without lone surrogates, in names as in values', async () => {
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

  it('is bounded in depth and in members', async () => {
    expect((await post(url, nested(32))).status).to.equal(200);
    expect((await post(url, nested(33))).body).to.deep.equal({
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

  it('pollutes no prototype', async () => {
    const hostile =
      '{"__proto__":{"name":"x"},"constructor":{"prototype":{"isAdmin":true}},"data":{"__proto__":{"isAdmin":true},"\\u005f_proto__":{"b":1}}}';
    expect((await post(url, hostile)).body.body).to.deep.equal({ data: {} });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
    expect({}).to.not.have.property('isAdmin');
  });

  it('is ignored by a route that takes none, and the connection serves the next request', async () => {
    const garbage = 'x'.repeat(100_000);
    const head = `POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: ${garbage.length}\r\n\r\n${garbage}`;
    const heard = await converse(
      app.port,
      `${head}GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(heard.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('is not read for ever once it was refused', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head =
      'POST /thing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const heard = await converse(app.port, head + chunk.repeat(40));
    expect(heard).to.match(/^HTTP\/1\.1 413 /);
  });
});
