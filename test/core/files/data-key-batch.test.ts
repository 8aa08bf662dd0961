import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { type FilesCore, openFilesCore as open } from './open-files-core.ts';

const dekOf = (number: number) => `${number}`.padStart(64, '0');

describe('A batch of data keys', () => {
  let files: FilesCore['files'];

  beforeEach(() => {
    ({ files } = open());
  });

  const wrapKeys = async (items: readonly unknown[]) => (await files.wrapKeys(items)).items;
  const wrapOrErrors = async (items: readonly unknown[]) =>
    (await wrapKeys(items)).map((item) => ('dekEnc' in item ? item.dekEnc : item.error));

  it('is wrapped and unwrapped in order, each key with its own context', async () => {
    const items = Array.from({ length: 100 }, (_, number) => ({
      dek: dekOf(number),
      ...(number % 2 === 0 ? { context: `context ${number}` } : {}),
    }));
    const texts = await wrapOrErrors(items);
    const inputs = texts.map((dekEnc, number) => ({ ...items[number], dek: 7, dekEnc }));
    expect((await files.unwrapKeys(inputs)).items).to.deep.equal(items.map(({ dek }) => ({ dek })));
  });

  it('returns an error for each invalid key, and wraps the others', async () => {
    const results = await wrapKeys([
      { dek: dekOf(1) },
      { dek: 'short' },
      {},
      null,
      'text',
      7,
      [],
      [dekOf(1)],
      { dek: 7 },
      { dek: [dekOf(1)] },
      { dek: dekOf(1), context: '' },
      { dek: dekOf(1), context: null },
      { dek: dekOf(1), context: ['a'] },
      { dek: dekOf(2), context: 'a', other: true },
    ]);
    expect(results.map((item) => ('error' in item ? item.error : Object.keys(item)))).to.deep.equal([
      ['dekEnc'],
      ...Array.from({ length: 9 }, () => 'invalid_dek'),
      ...Array.from({ length: 3 }, () => 'invalid_request'),
      ['dekEnc'],
    ]);
  });

  it('returns an error for each invalid wrapped key, and unwraps the others', async () => {
    const [free = '', bound = ''] = await wrapOrErrors([{ dek: dekOf(1) }, { dek: dekOf(2), context: 'a' }]);
    const { items } = await files.unwrapKeys([
      { dekEnc: free },
      { dekEnc: bound },
      { dekEnc: bound, context: 'b' },
      { dekEnc: free, context: 'a' },
      { dekEnc: `${free} ` },
      { dekEnc: 1 },
      { dek: dekOf(1) },
      null,
      { dekEnc: bound, context: 1 },
      { dekEnc: bound, context: 'a' },
    ]);
    expect(items).to.deep.equal([
      { dek: dekOf(1) },
      ...Array.from({ length: 7 }, () => ({ error: 'invalid_enc_dek' })),
      { error: 'invalid_request' },
      { dek: dekOf(2) },
    ]);
  });

  it('must have 1 to 100 members', async () => {
    const items = Array.from({ length: 101 }, (_, number) => ({ dek: dekOf(number) }));
    for (const invalidItems of [[], items]) {
      for (const call of [() => files.wrapKeys(invalidItems), () => files.unwrapKeys(invalidItems)]) {
        expect(await rejectionOf(call)).to.include({
          kind: 'invalid',
          code: 'invalid_request',
          message: "'items' must have 1 to 100 members.",
        });
      }
    }
    expect(await wrapKeys(items.slice(1))).to.have.length(100);
  });
});
