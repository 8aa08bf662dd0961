import { expect } from 'chai';
import { changesOf } from '../../../adapters/sql/database.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { NOW, sampleSession } from '../../contracts/samples.ts';
import { storeSuites } from '../store-suites.ts';
import { makeStoreOpener, openStore } from './open-store.ts';

storeSuites('SQLite', openStore, { only: ['sessions', 'sessionCache'] });

describe('SQLite as a session store beside a process of the former version', () => {
  /** Writes of that version: they change single fields, if single fields are unchanged. */
  const FORMER = {
    rotate: `
      UPDATE sessions SET refresh_digest = ?2, doc = json_set(doc, '$.refreshDigest', ?2)
      WHERE id = 'a' AND refresh_digest = ?1 AND ended_at IS NULL`,
    use: `
      UPDATE sessions SET doc = json_set(doc, '$.lastUsedAt', ?2)
      WHERE id = 'a' AND doc ->> '$.lastUsedAt' = ?1 AND ended_at IS NULL`,
    prove: `
      UPDATE sessions SET doc = json_set(doc, '$.methods', json(?1))
      WHERE id = 'a' AND ended_at IS NULL`,
  };
  const openBoth = makeStoreOpener((database) => ({
    sessions: makeSqlSessionStore(database),
    writeFormer: async (sql: string, ...params: readonly (string | number)[]) =>
      changesOf(await database.write([{ sql, params }])),
  }));
  const session = sampleSession('a');

  it('does not overwrite changes of that process since the session was read', async () => {
    for (const [sql, ...params] of [
      [FORMER.rotate, session.refreshDigest ?? '', 'next'],
      [FORMER.use, NOW, NOW + 1],
      [FORMER.prove, '["password","totp"]'],
    ] as const) {
      const { store, close } = await openBoth();
      await store.sessions.add(session, 20);
      expect(await store.writeFormer(sql, ...params)).to.equal(1);
      const stored = await store.sessions.find('user', 'a');
      const next = { ...session, refreshDigest: 'late', address: '192.0.2.9' };
      expect(await store.sessions.change(session, next), sql).to.equal(false);
      expect(await store.sessions.find('user', 'a')).to.deep.equal(stored);
      expect(await store.sessions.change(stored ?? session, next)).to.equal(true);
      await close();
    }
  });

  it('keeps its changes if that process writes an older state', async () => {
    const { store, close } = await openBoth();
    await store.sessions.add(session, 20);
    const next = { ...session, refreshDigest: 'next', lastUsedAt: NOW + 1, tokensFrom: NOW };
    await store.sessions.change(session, next);
    expect(await store.writeFormer(FORMER.rotate, session.refreshDigest ?? '', 'late')).to.equal(0);
    expect(await store.writeFormer(FORMER.use, NOW, NOW + 2)).to.equal(0);
    expect(await store.writeFormer(FORMER.prove, '["totp"]')).to.equal(1);
    expect(await store.sessions.find('user', 'a')).to.deep.equal({ ...next, methods: ['totp'] });
    await close();
  });

  it('reads and changes a session of that process, with its last exchanged token', async () => {
    const { usedTokens: _, tokensFrom: __, authenticatedAt: ___, methods: ____, ...former } = session;
    for (const [rotation, usedTokens] of [
      [{ previousDigest: null, rotatedAt: null }, []],
      [{ previousDigest: 'before', rotatedAt: NOW }, [{ digest: 'before', at: NOW }]],
    ] as const) {
      const { store, close } = await openBoth();
      await store.sessions.add(session, 20);
      const doc = JSON.stringify({ ...former, ...rotation, earlierRotatedAt: null });
      await store.writeFormer('UPDATE sessions SET doc = ?', doc);
      const complete = {
        ...former,
        usedTokens,
        tokensFrom: null,
        authenticatedAt: former.createdAt,
        methods: [],
      };
      const [listed] = await store.sessions.list('user');
      expect(await store.sessions.find('user', 'a')).to.deep.equal(complete);
      expect(listed).to.deep.equal(complete);
      expect(await store.sessions.change(complete, session)).to.equal(true);
      expect(await store.sessions.find('user', 'a')).to.deep.equal(session);
      await close();
    }
  });

  it('recognizes a token that the process exchanged after this process exchanged others', async () => {
    const { store, close } = await openBoth();
    const usedTokens = [{ digest: 'first', at: NOW }];
    await store.sessions.add({ ...session, usedTokens }, 20);
    await store.writeFormer(
      "UPDATE sessions SET doc = json_set(doc, '$.previousDigest', 'second', '$.rotatedAt', ?)",
      NOW + 1,
    );
    const stored = await store.sessions.find('user', 'a');
    expect(stored).to.deep.equal({
      ...session,
      usedTokens: [{ digest: 'second', at: NOW + 1 }, ...usedTokens],
    });
    await close();
  });
});
