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

  it('is unwrapped unchanged, also from a record, under its own context only', async () => {
    for (const [context, otherContext] of [
      [undefined, 'file 1'],
      ['x'.repeat(256), 'file 2'],
    ]) {
      const { status, body } = await wrap(dek, context);
      expect([status, Object.keys(body)]).to.deep.equal([200, ['dekEnc']]);
      const { body: created } = await client().create({ dekEnc: String(body.dekEnc) });
      const { body: record } = await client().read(String(created.id));
      expect((await unwrap(record.dekEnc, context)).body).to.deep.equal({ dek });
      expectCode(await unwrap(body.dekEnc, otherContext), 'invalid_enc_dek', context);
    }
  });

  it('is refused if it is missing or malformed, wrapped or not', async () => {
    for (const wrong of [undefined, null, 7, 'x'.repeat(31)])
      expectCode(await wrap(wrong), 'invalid_dek', JSON.stringify(wrong));
    for (const wrong of [undefined, null, 7, dek, 'x'.repeat(2_049)])
      expectCode(await unwrap(wrong), 'invalid_enc_dek', JSON.stringify(wrong)?.slice(0, 60));
  });

  it('has a context of 1 to 256 characters', async () => {
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
    throw new Error(`There are no items in ${JSON.stringify(body)}.`);
  };

  it('is answered in order with 100 items, also with contexts and wrapped keys of maximum length', async () => {
    const context = '\u{1F600}'.repeat(256);
    const items = Array.from({ length: 100 }, () => ({ dek: newKey(), context }));
    const { status, body } = await wrap(items);
    expect(status, JSON.stringify(body).slice(0, 200)).to.equal(200);
    const unwrapped = await unwrap(itemsOf(body).map((item) => ({ ...item, context })));
    expect(unwrapped.body).to.deep.equal({ items: items.map(({ dek }) => ({ dek })) });

    const longest = await unwrap(items.map(() => ({ dekEnc: '\\'.repeat(2_048), context })));
    expect(longest.body).to.deep.equal({ items: items.map(() => ({ error: 'invalid_enc_dek' })) });
  });

  it('has an error for each invalid item, and processes the others', async () => {
    const dek = newKey();
    const { body } = await wrap([null, { dek: 7 }, { dek, context: 7 }, { dek }]);
    const [, , , wrapped] = itemsOf(body);
    expect(itemsOf(body).slice(0, 3)).to.deep.equal([
      { error: 'invalid_dek' },
      { error: 'invalid_dek' },
      { error: 'invalid_request' },
    ]);
    const unwrapped = await unwrap([null, { dekEnc: 7 }, { ...wrapped, context: 7 }, wrapped]);
    expect(unwrapped.body).to.deep.equal({
      items: [
        { error: 'invalid_enc_dek' },
        { error: 'invalid_enc_dek' },
        { error: 'invalid_request' },
        { dek },
      ],
    });
  });

  it('is refused as a whole if it is empty, has 101 items or is not a list', async () => {
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
