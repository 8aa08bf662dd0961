import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { useClient } from './client.ts';

const newKey = () => randomBytes(32).toString('base64');

describe('A batch of data keys', () => {
  const service = useService();
  const client = useClient(service);
  const wrap = (items: unknown) => client().post('/api/v1/dek/wrap/batch', { items });
  const unwrap = (items: unknown) => client().post('/api/v1/dek/unwrap/batch', { items });

  const itemsOf = (body: { readonly items?: unknown }): readonly Readonly<Record<string, string>>[] => {
    if (Array.isArray(body.items)) return body.items;
    throw new Error(`No items came, but ${JSON.stringify(body)}.`);
  };

  for (const count of [1, 100]) {
    it(`of ${count} is answered in its order`, async () => {
      const given = Array.from({ length: count }, (_, place) => ({
        dek: newKey(),
        context: `file ${place}`,
      }));
      const { status, body } = await wrap(given);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.have.all.keys('items');
      const wrapped = itemsOf(body);
      expect(wrapped).to.have.length(count);
      const opened = await unwrap(given.map(({ context }, place) => ({ ...wrapped[place], context })));
      expect(opened.body).to.deep.equal({ items: given.map(({ dek }) => ({ dek })) });
    });
  }

  it('of 100 may have the longest contexts and wrapped keys there are', async () => {
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
    const { body } = await wrap([
      { dek },
      {},
      { dek: 'short' },
      { dek: 7 },
      { dek, context: '' },
      { dek, context: 'x'.repeat(257) },
      { dek, context: 7 },
      null,
      'text',
      [dek],
      { dek },
    ]);
    const items = itemsOf(body);
    expect(items.map(({ error = 'none' }) => error)).to.deep.equal([
      'none',
      ...Array(3).fill('invalid_dek'),
      ...Array(3).fill('invalid_request'),
      ...Array(3).fill('invalid_dek'),
      'none',
    ]);
    for (const item of items) expect(Object.keys(item)).to.have.length(1);

    const dekEnc = items[0]?.dekEnc;
    const opened = await unwrap([
      { dekEnc },
      { dekEnc, context: 'other' },
      { dekEnc: 'x' },
      {},
      { dekEnc: 'x'.repeat(2_049) },
      null,
      { dekEnc, context: '' },
      { dekEnc },
    ]);
    expect(opened.body).to.deep.equal({
      items: [{ dek }, ...Array(5).fill({ error: 'invalid_enc_dek' }), { error: 'invalid_request' }, { dek }],
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
