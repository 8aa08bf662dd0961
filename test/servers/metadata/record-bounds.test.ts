import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Reply, useService } from '../../support/service.ts';
import { SAMPLE, useClient } from './client.ts';

/** One code point, two UTF-16 units, four bytes. */
const WIDE = '\u{1F600}';
const LONGEST = { filenameEnc: 4_096, dekEnc: 2_048, user: 128 } as const;

const expectRefused = ({ status, body }: Reply, named: string) => {
  expect(status, JSON.stringify(body)).to.equal(400);
  expect(body).to.have.all.keys('error', 'message');
  expect(body.error).to.equal('invalid_request');
  expect(body.message).to.include(named);
};

describe('The bounds of a file record', () => {
  const service = useService();
  const client = useClient(service);
  const create = (field: string, value: unknown) =>
    client().post('/api/v1/meta', { ...SAMPLE, [field]: value });

  for (const [field, longest] of Object.entries(LONGEST)) {
    it(`allow ${field} 1 to ${longest} characters, counted as code points`, async () => {
      for (const text of ['x', 'x'.repeat(longest), WIDE.repeat(longest)]) {
        const { status, body } = await create(field, text);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body[field] as unknown).to.equal(text);
      }
      for (const text of ['', 'x'.repeat(longest + 1), WIDE.repeat(longest + 1)]) {
        expectRefused(await create(field, text), `'${field}'`);
      }
    });
  }

  it('allow as a size whole bytes from 0 to 2^53-1, and keep them exactly', async () => {
    for (const size of [0, 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await create('size', size);
      expect([status, body.size]).to.deep.equal([200, size]);
      expect((await client().read(String(body.id))).body.size).to.equal(size);
    }
    for (const size of [-1, 0.5, 2 ** 53, 1e300, '1', null]) {
      expectRefused(await create('size', size), "'size'");
    }
  });

  it('take a number for what it is, however it is spelled', async () => {
    const spelled = (size: string) =>
      client().post('/api/v1/meta', JSON.stringify({ ...SAMPLE, size: 'SIZE' }).replace('"SIZE"', size));
    for (const [text, size] of [
      ['1e3', 1_000],
      ['7.0', 7],
      ['-0', 0],
    ] as const) {
      const { status, body } = await spelled(text);
      expect([status, body.size], text).to.deep.equal([200, size]);
    }
    for (const text of ['9007199254740993', '1e999', '-1e-3']) expectRefused(await spelled(text), "'size'");
  });

  it('allow as a mimeType a type and subtype of at most 255 characters', async () => {
    const longest = `${'a'.repeat(127)}/${'b'.repeat(127)}`;
    for (const type of [
      'image/png',
      'IMAGE/PNG',
      'application/vnd.a+json',
      'x/y',
      '1/2',
      'x!#$&^_.+-/y',
      longest,
    ]) {
      expect((await create('mimeType', type)).status, type).to.equal(200);
    }
    for (const type of [
      '',
      'image',
      '/',
      '/png',
      'image/',
      'image/png/x',
      'image/png; charset=utf-8',
      ' image/png',
      'image/png\n',
      'image/*',
      '.x/y',
      'ima\u0261e/png',
      `${'a'.repeat(128)}/b`,
      `${longest}b`,
      'x'.repeat(256),
    ]) {
      expectRefused(await create('mimeType', type), "'mimeType'");
    }
  });

  it('allow as thumb nothing but true and false', async () => {
    for (const thumb of [0, 1, 'true', null, [], {}]) expectRefused(await create('thumb', thumb), "'thumb'");
  });

  it('ask for every field, and call a wrong wrapped key an invalid request here', async () => {
    for (const field of Object.keys(SAMPLE)) {
      expectRefused(await create(field, undefined), `'${field}'`);
      expectRefused(await create(field, null), `'${field}'`);
    }
  });

  it('hold for a compressed body, too', async () => {
    const send = (body: unknown) =>
      fetch(`${service().metadataUrl}/api/v1/meta`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: gzipSync(JSON.stringify(body)),
      });
    expect((await send(SAMPLE)).status).to.equal(200);
    const refused = await send({ ...SAMPLE, filenameEnc: 'x'.repeat(5_000) });
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.include({ error: 'invalid_request' });
  });

  describe('of the list', () => {
    const list = (query: string) => client().call('GET', `/api/v1/meta${query}`);

    it('allow a userId 1 to 128 characters', async () => {
      for (const user of ['y', 'y'.repeat(128), WIDE.repeat(127)]) {
        expect((await client().list(user)).body, user).to.deep.equal({ files: [] });
      }
      for (const user of ['', 'x'.repeat(129), WIDE.repeat(129)]) {
        expectRefused(await client().list(user), "'userId'");
      }
    });

    it('ask for a userId', async () => {
      for (const query of ['', '?', '?user=x', '?userid=x', '?userId[]=x', '?limit=1']) {
        expectRefused(await list(query), "'userId'");
      }
    });

    it('allow each parameter once, in whatever spelling', async () => {
      for (const query of [
        '?userId=a&userId=a',
        '?userId=a&userId=b',
        '?userId=a&%75serId=a',
        '?userId=a&limit=1&limit=1',
        '?userId=a&cursor=&cursor=',
      ]) {
        expectRefused(await list(query), 'more than once');
      }
    });

    it('refuse what is no UTF-8', async () => {
      for (const query of ['?userId=%ff', '?userId=%', '?userId=%ed%a0%80', '?userId=a&%ff=1']) {
        expectRefused(await list(query), 'UTF-8');
      }
    });

    it('allow a limit from 1 to 1,000', async () => {
      for (const limit of [1, 1_000]) {
        expect((await list(`?userId=a&limit=${limit}`)).body).to.deep.equal({ files: [] });
      }
      for (const limit of [
        '0',
        '-1',
        '1001',
        '1.5',
        '1e2',
        '',
        'x',
        '0x10',
        '%2B5',
        '99999999999999999999',
      ]) {
        expectRefused(await list(`?userId=a&limit=${limit}`), "'limit'");
      }
    });

    it('allow no cursor but one that an answer gave', async () => {
      for (const cursor of ['', 'x', '1.2.3', '0', 'null', 'x'.repeat(257)]) {
        expectRefused(await list(`?userId=a&cursor=${cursor}`), "'cursor'");
        expectRefused(await list(`?userId=a&limit=5&cursor=${cursor}`), "'cursor'");
      }
    });
  });
});
