import { expect } from 'chai';
import type { SessionStore } from '../../core/accounts/ports.ts';
import type { SessionUse } from '../../core/accounts/session.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW, sampleSession } from './samples.ts';

const MOST = 20;

/** The list of uses that statistics read. `store` belongs to the calling suite. */
export const sessionUsesTest = (store: SessionStore): void => {
  it('lists the uses of all sessions that have not ended, ordered by user and paginated', async () => {
    for (const [place, userId] of ['b', 'a', 'c', 'a', 'b', 'a'].entries()) {
      await store.add(sampleSession(`${9 - place}`, { userId, lastUsedAt: NOW + place }), MOST);
    }
    await store.end('a', '6', NOW);
    const uses: SessionUse[] = [];
    for (let after: SessionUse | null = null; ; ) {
      const page: readonly SessionUse[] = await store.listUses(after, 2);
      uses.push(...page);
      if (page.length < 2) break;
      after = page.at(-1) ?? null;
    }
    expect(uses).to.deep.equal([
      { userId: 'a', id: '4', lastUsedAt: NOW + 5 },
      { userId: 'a', id: '8', lastUsedAt: NOW + 1 },
      { userId: 'b', id: '5', lastUsedAt: NOW + 4 },
      { userId: 'b', id: '9', lastUsedAt: NOW },
      { userId: 'c', id: '7', lastUsedAt: NOW + 2 },
    ]);
    await refusesNonNumbers((value) => store.listUses(null, value));
    await refusesNonText((value) => store.listUses({ userId: value, id: 'a', lastUsedAt: 0 }, 1));
  });
};
