import { expect } from 'chai';
import { rawRequest } from '../../support/servers/raw-request.ts';
import { useService } from '../../support/service.ts';
import { idsOf, itemsOf, SAMPLE, useClient } from './client.ts';

const NOBODY = '0199a0a0-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('A file record', () => {
  const service = useService();
  const client = useClient(service);

  it('is answered at its creation with what it was given, an id and the time', async () => {
    const began = service().clock.now();
    const { status, body, headers } = await client().create();

    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const { thumb: _, ...given } = SAMPLE;
    const { id, uploadedDate, ...rest } = body;
    expect(rest).to.deep.equal(given);
    expect(id).to.match(UUID);
    expect(String(uploadedDate)).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(String(uploadedDate))).to.be.within(began, service().clock.now());
  });

  for (const thumb of [true, false]) {
    it(`is read with thumbs that are all ${thumb} when thumb was`, async () => {
      const { body: made } = await client().create({ thumb });
      const { status, body, headers } = await client().read(String(made.id));

      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { user: _, ...shown } = made;
      expect(body).to.deep.equal({ ...shown, thumbs: { mobile: thumb, web: thumb, webPre: thumb } });
    });

    it(`is listed with thumb ${thumb}, and without its wrapped key`, async () => {
      const user = `lister-${thumb}`;
      const { body: made } = await client().create({ thumb, user });
      const reply = await client().list(user);

      expect(reply.status).to.equal(200);
      const { user: _, dekEnc: __, ...shown } = made;
      expect(reply.body).to.deep.equal({ files: [{ ...shown, thumb }] });
    });
  }

  it('keeps every text as it came', async () => {
    const texts = {
      filenameEnc: ' "\\ \u0000\u2028\u{1F600}é‮\r\n',
      dekEnc: '\u0000{"x":1}',
      user: 'Ünïcode \u0000 ../%2e',
    };
    const { status, body: made } = await client().create(texts);
    expect(status).to.equal(200);
    expect(made).to.deep.include(texts);
    expect((await client().read(String(made.id))).body).to.deep.include({
      filenameEnc: texts.filenameEnc,
      dekEnc: texts.dekEnc,
    });
    const reply = await client().list(texts.user);
    expect(itemsOf(reply).map(({ filenameEnc }) => filenameEnc)).to.deep.equal([texts.filenameEnc]);
  });

  it('belongs to exactly the user it names', async () => {
    const users = ['Zoe', 'zoe', 'zoe ', 'zoe\u0000', 'zoe\u0000x', 'zo\u00e9', 'zoe\u0301', '%', '_', '*'];
    const made: string[] = [];
    for (const user of users) made.push(String((await client().create({ user })).body.id));
    for (const [place, user] of users.entries()) {
      expect(idsOf(await client().list(user)), JSON.stringify(user)).to.deep.equal([made[place]]);
    }
  });

  it('has an id of its own though all else is the same', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => client().create({ user: 'same' })));
    const ids = replies.map(({ body }) => String(body.id));
    expect(new Set(ids).size).to.equal(50);
    expect([...idsOf(await client().list('same'))].sort()).to.deep.equal(ids.toSorted());
  });

  it('takes nothing from a body beyond the fields there are', async () => {
    const extra = {
      id: NOBODY,
      uploadedDate: '2001-01-01T00:00:00.000Z',
      thumbs: { web: false },
      deleted: true,
    };
    const { status, body } = await client().post('/api/v1/meta', { ...SAMPLE, ...extra });
    expect(status).to.equal(200);
    expect(body.id).not.to.equal(NOBODY);
    expect(Date.parse(String(body.uploadedDate))).to.be.greaterThan(Date.parse('2020-01-01'));
    const { body: single } = await client().read(String(body.id));
    expect(single.thumbs).to.deep.equal({ mobile: true, web: true, webPre: true });
  });

  it('is gone for good once it is deleted, and the others stay', async () => {
    const [one = '', other = ''] = await client().createSome('deleter', 2);
    const { status, body } = await client().remove(one);
    expect([status, body]).to.deep.equal([200, { deleted: one }]);

    for (const again of [await client().read(one), await client().remove(one)]) {
      expect(again.status).to.equal(404);
      expect(again.body).to.have.all.keys('error', 'message');
      expect(again.body.error).to.equal('not_found');
    }
    expect(idsOf(await client().list('deleter'))).to.deep.equal([other]);
    expect((await client().read(other)).status).to.equal(200);
  });

  it('is deleted by exactly one of many at once', async () => {
    const [id = ''] = await client().createSome('raced', 1);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client().remove(id)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 404)).to.have.length(19);
  });

  it('is not found under any text that is no id of one', async () => {
    const [id = ''] = await client().createSome('spelled', 1);
    const texts = [
      NOBODY,
      id.toUpperCase(),
      id.replaceAll('-', ''),
      `${id}x`,
      `${id}%00`,
      `${id}%20`,
      `${id}%0a`,
      id.slice(1),
      'x',
      '%00',
      '%ff',
      '__proto__',
      '..%2f',
      '*',
      'x'.repeat(8_000),
    ];
    for (const text of texts) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await rawRequest(service().metadataUrl, method, `/api/v1/meta/${text}`);
        expect(
          [answer.status, JSON.parse(answer.text).error],
          `${method} ${text.slice(0, 40)}`,
        ).to.deep.equal([404, 'not_found']);
      }
    }
    expect((await client().read(id)).status).to.equal(200);
  });

  it('is told of to HEAD as to GET, without a body', async () => {
    const [id = ''] = await client().createSome('header', 1);
    for (const path of [
      `/api/v1/meta/${id}`,
      `/api/v1/meta/${NOBODY}`,
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
