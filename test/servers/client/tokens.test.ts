import { expect } from 'chai';
import { memoryTokens, storedTokens, type TokenStore } from '../../../servers/client/index.ts';
import { makeStorage } from './storage.ts';

const ADA = { token: 'access', refreshToken: 'refresh' };

describe('The token store', () => {
  const { alone } = memoryTokens();
  const locks = { request: <T>(_: string, work: () => Promise<T>) => alone(work) };
  const kinds: Readonly<Record<string, () => TokenStore>> = {
    'in memory': () => memoryTokens(),
    'of a browser': () => storedTokens(makeStorage(), locks),
  };

  for (const [kind, make] of Object.entries(kinds)) {
    it(`${kind} stores and deletes a pair of tokens`, async () => {
      const store = make();
      expect(await store.get()).to.equal(null);
      await store.set(ADA);
      expect(await store.get()).to.deep.equal(ADA);
      await store.set(null);
      expect(await store.get()).to.equal(null);
    });

    it(`${kind} runs one callback of \`alone\` at a time, and the next after a failure`, async () => {
      const store = make();
      const steps: string[] = [];
      const work = (name: string) => async () => {
        steps.push(`${name} begins`);
        await Promise.resolve();
        steps.push(`${name} ends`);
        if (name === 'one') throw new Error('It failed.');
        return name;
      };
      const first = store.alone(work('one')).catch(() => 'failed');
      expect([await store.alone(work('two')), await first]).to.deep.equal(['two', 'failed']);
      expect(steps).to.deep.equal(['one begins', 'one ends', 'two begins', 'two ends']);
    });
  }

  it('of a browser is shared by all tabs, and ignores malformed tokens', async () => {
    const storage = makeStorage();
    await storedTokens(storage, locks).set(ADA);
    expect(await storedTokens(storage, locks).get()).to.deep.equal(ADA);
    for (const text of ['', '{', 'null', '[]', '{"token":1,"refreshToken":"x"}']) {
      storage.setItem('gatehouse', text);
      expect(await storedTokens(storage, locks).get(), text).to.equal(null);
    }
  });
});
