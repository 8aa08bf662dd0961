import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type Reply, useService } from '../../support/service.ts';
import { useClient } from './client.ts';

const newKey = () => randomBytes(32).toString('base64');

const expectCode = ({ status, body }: Reply, code: string, what = '') => {
  expect([status, body.error], `${what} ${JSON.stringify(body)}`).to.deep.equal([400, code]);
  expect(body, what).to.have.all.keys('error', 'message');
};

describe('A data key', () => {
  const service = useService();
  const client = useClient(service);
  const wrap = (dek: unknown, context?: unknown) => client().post('/api/v1/dek/wrap', { dek, context });
  const unwrap = (dekEnc: unknown, context?: unknown) =>
    client().post('/api/v1/dek/unwrap', { dekEnc, context });
  const dek = randomBytes(32).toString('hex');

  it('comes back exactly as it was, from a record too, under the context it was wrapped for and no other', async () => {
    for (const [context, other] of [
      [undefined, 'file 1'],
      ['x'.repeat(256), 'file 2'],
    ]) {
      const { status, body } = await wrap(dek, context);
      expect([status, Object.keys(body)]).to.deep.equal([200, ['dekEnc']]);
      const { body: made } = await client().create({ dekEnc: String(body.dekEnc) });
      const { body: record } = await client().read(String(made.id));
      expect((await unwrap(record.dekEnc, context)).body).to.deep.equal({ dek });
      expectCode(await unwrap(body.dekEnc, other), 'invalid_enc_dek', context);
    }
  });

  it('is refused when it is missing, no text or none, wrapped or not', async () => {
    for (const wrong of [undefined, null, 7, 'x'.repeat(31)])
      expectCode(await wrap(wrong), 'invalid_dek', JSON.stringify(wrong));
    for (const wrong of [undefined, null, 7, dek, 'x'.repeat(2_049)])
      expectCode(await unwrap(wrong), 'invalid_enc_dek', JSON.stringify(wrong)?.slice(0, 60));
  });

  it('takes as a context 1 to 256 characters', async () => {
    const { body } = await wrap(dek);
    for (const context of ['', 'x'.repeat(257), 7, null]) {
      expectCode(await wrap(dek, context), 'invalid_request', JSON.stringify(context));
      expectCode(await unwrap(body.dekEnc, context), 'invalid_request', JSON.stringify(context));
    }
  });
});

describe('A batch of data keys', () => {
  const service = useService();
  const client = useClient(service);
  const wrap = (items: unknown) => client().post('/api/v1/dek/wrap/batch', { items });
  const unwrap = (items: unknown) => client().post('/api/v1/dek/unwrap/batch', { items });

  const itemsOf = (body: { readonly items?: unknown }): readonly Readonly<Record<string, string>>[] => {
    if (Array.isArray(body.items)) return body.items;
    throw new Error(`No items came, but ${JSON.stringify(body)}.`);
  };

  it('of 100 is answered in its order, with the longest contexts and wrapped keys there are', async () => {
    const context = '\u{1F600}'.repeat(256);
    const given = Array.from({ length: 100 }, () => ({ dek: newKey(), context }));
    const { status, body } = await wrap(given);
    expect(status, JSON.stringify(body).slice(0, 200)).to.equal(200);
    const opened = await unwrap(itemsOf(body).map((one) => ({ ...one, context })));
    expect(opened.body).to.deep.equal({ items: given.map(({ dek }) => ({ dek })) });

    const longest = await unwrap(given.map(() => ({ dekEnc: '\\'.repeat(2_048), context })));
    expect(longest.body).to.deep.equal({ items: given.map(() => ({ error: 'invalid_enc_dek' })) });
  });

  it('names what is wrong with each item, and does the others', async () => {
    const dek = newKey();
    const { body } = await wrap([null, { dek: 7 }, { dek, context: 7 }, { dek }]);
    const [, , , wrapped] = itemsOf(body);
    expect(itemsOf(body).slice(0, 3)).to.deep.equal([
      { error: 'invalid_dek' },
      { error: 'invalid_dek' },
      { error: 'invalid_request' },
    ]);
    const opened = await unwrap([null, { dekEnc: 7 }, { ...wrapped, context: 7 }, wrapped]);
    expect(opened.body).to.deep.equal({
      items: [
        { error: 'invalid_enc_dek' },
        { error: 'invalid_enc_dek' },
        { error: 'invalid_request' },
        { dek },
      ],
    });
  });

  it('is refused as a whole when it is empty, has 101 items, or is no list', async () => {
    const dek = newKey();
    for (const items of [[], Array(101).fill({ dek }), undefined, null, {}, 'x', 7]) {
      for (const call of [wrap, unwrap]) {
        const { status, body } = await call(items);
        expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
        expect(body.message).to.include("'items'");
      }
    }
  });

  it('is refused beyond 1 MiB', async () => {
    const { status, body } = await wrap([{ dek: newKey(), extra: 'x'.repeat(2 ** 20) }]);
    expect([status, body.error]).to.deep.equal([413, 'too_large']);
  });
});
