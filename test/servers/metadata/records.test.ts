import { expect } from 'chai';
import { rawRequest } from '../../support/servers/raw-request.ts';
import { useService } from '../../support/service.ts';
import { idsOf, SAMPLE, useClient } from './client.ts';

const UNKNOWN_ID = '0199a0a0-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/** One code point, two UTF-16 units, four bytes in UTF-8. */
const WIDE = '\u{1F600}';

/** Texts that must be returned unchanged. */
const TEXTS = {
  odd: {
    filenameEnc: ' "\\ \u0000\u2028\u{1F600}é‮\r\n',
    dekEnc: '\u0000{"x":1}',
    user: 'Ünïcode \u0000 ../%2e',
    mimeType: 'x/y',
  },
  longest: {
    filenameEnc: WIDE.repeat(4_096),
    dekEnc: WIDE.repeat(2_048),
    user: WIDE.repeat(128),
    mimeType: `${'a'.repeat(127)}/${'b'.repeat(127)}`,
  },
};

describe('A file record', () => {
  const service = useService();
  const client = useClient(service);

  for (const [what, texts] of Object.entries(TEXTS))
    it(`is created, read and listed with its exact values (texts: ${what})`, async () => {
      const startMs = service().clock.now();
      const thumb = what === 'odd';
      const input = { ...SAMPLE, ...texts, thumb };
      const created = await client().create(input);
      const { id, uploadedDate, ...rest } = created.body;
      const { thumb: _, ...expected } = input;
      expect([created.status, rest]).to.deep.equal([200, expected]);
      expect(id).to.match(UUID);
      expect(String(uploadedDate)).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(String(uploadedDate))).to.be.within(startMs, service().clock.now());

      const { user, ...record } = created.body;
      const read = await client().read(String(id));
      const thumbs = { mobile: thumb, web: thumb, webPre: thumb };
      expect([read.status, read.body]).to.deep.equal([200, { ...record, thumbs }]);
      const list = await client().list(String(user));
      const { dekEnc: __, ...listed } = record;
      expect([list.status, list.body]).to.deep.equal([200, { files: [{ ...listed, thumb }] }]);
      for (const { headers } of [created, read, list])
        expect(headers.get('content-type')).to.equal(JSON_TYPE);
    });

  it('has a safe integer as its size, in any JSON spelling', async () => {
    const createWithSize = (size: string) =>
      client().post('/api/v1/meta', JSON.stringify({ ...SAMPLE, size: 'SIZE' }).replace('"SIZE"', size));
    for (const [text, size] of [
      ['1e3', 1_000],
      ['7.0', 7],
      ['-0', 0],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ] as const) {
      const { status, body } = await createWithSize(text);
      expect([status, body.size], text).to.deep.equal([200, size]);
    }
    for (const text of ['9007199254740993', '1e999', '-1e-3']) {
      const { status, body } = await createWithSize(text);
      expect([status, body.error], text).to.deep.equal([400, 'invalid_request']);
      expect(body.message).to.include("'size'");
    }
  });

  it('ignores members of the body that are not input', async () => {
    const extra = { id: UNKNOWN_ID, uploadedDate: '2001-01-01T00:00:00.000Z', thumbs: { web: false } };
    const { status, body } = await client().post('/api/v1/meta', { ...SAMPLE, ...extra });
    expect(status).to.equal(200);
    expect(body.id).not.to.equal(UNKNOWN_ID);
    expect(Date.parse(String(body.uploadedDate))).to.be.greaterThan(Date.parse('2020-01-01'));
  });

  it('is not found after its deletion, and other records stay', async () => {
    const [deletedId = '', otherId = ''] = await client().createSome('deleter', 2);
    const { status, body } = await client().remove(deletedId);
    expect([status, body]).to.deep.equal([200, { deleted: deletedId }]);

    for (const reply of [await client().read(deletedId), await client().remove(deletedId)]) {
      expect(reply.status).to.equal(404);
      expect(reply.body).to.have.all.keys('error', 'message');
      expect(reply.body.error).to.equal('not_found');
    }
    expect(idsOf(await client().list('deleter'))).to.deep.equal([otherId]);
    expect((await client().read(otherId)).status).to.equal(200);
  });

  it('is found only under its exact id', async () => {
    const [id = ''] = await client().createSome('spelled', 1);
    for (const text of [UNKNOWN_ID, `${id}%00`, '%ff', '__proto__', '..%2f', 'x'.repeat(8_000)])
      for (const method of ['GET', 'DELETE']) {
        const answer = await rawRequest(service().metadataUrl, method, `/api/v1/meta/${text}`);
        const outcome = [answer.status, JSON.parse(answer.text).error];
        expect(outcome, `${method} ${text.slice(0, 40)}`).to.deep.equal([404, 'not_found']);
      }
    expect((await client().read(id)).status).to.equal(200);
  });

  it('is answered to HEAD as to GET, without the body', async () => {
    const [id = ''] = await client().createSome('header', 1);
    for (const path of [
      `/api/v1/meta/${id}`,
      `/api/v1/meta/${UNKNOWN_ID}`,
      '/api/v1/meta?userId=header',
      '/api/v1/meta',
    ]) {
      const get = await rawRequest(service().metadataUrl, 'GET', path);
      const head = await rawRequest(service().metadataUrl, 'HEAD', path);
      expect([head.status, head.text], path).to.deep.equal([get.status, '']);
      for (const name of ['content-type', 'content-length']) {
        expect(head.headers[name], `${name} of ${path}`).to.equal(get.headers[name]);
      }
    }
  });
});
