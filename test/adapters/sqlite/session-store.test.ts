import { expect } from 'chai';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { NOW, sampleSession } from '../../contracts/samples.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { openedStore } from './opened.ts';

const open = openedStore(makeSqlSessionStore);

sessionStoreContract('SQLite', open);

describe('SQLite as a session store, where the clock was set back', () => {
  it('ends the sessions that were added first', async () => {
    const { store, close } = await open();
    for (const [id, createdAt] of [
      ['a', NOW + 3_600_000],
      ['b', NOW],
      ['c', NOW - 1],
    ] as const) {
      await store.add(sampleSession(id, { createdAt }), 2);
    }
    expect((await store.list('user')).map(({ id }) => id)).to.deep.equal(['b', 'c']);
    await close();
  });
});
