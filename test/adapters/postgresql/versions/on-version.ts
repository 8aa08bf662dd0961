import { expect } from 'chai';
import { findPostgresStore } from '../../../../adapters/postgresql/open-store.ts';
import { attemptsStoreContract } from '../../../contracts/attempts-store.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import type { PostgresqlVersion } from '../../../support/servers/postgresql-server.ts';
import { postgresForTests } from '../postgres-for-tests.ts';

/** Tests what may differ in a version of PostgreSQL: the start of the whole store, and units of work. */
export const describeOnVersion = (version: PostgresqlVersion): void => {
  describe(`PostgreSQL ${version}`, () => {
    const { createDatabase, openStore, server } = postgresForTests({ version });

    it('serves the whole store', async () => {
      const parts = { clock: { now: () => Date.now() }, log: makeRecordingLog(), isServer: true };
      const store = await findPostgresStore(await createDatabase(), parts);
      const { ports, isUp, takeStartLease } = await store.open();
      expect([await isUp(), await takeStartLease()]).to.deep.equal([true, true]);
      expect(await ports.objects.put('user/a.png', Buffer.from('bytes'))).to.equal(true);
      await store.close();
      const { rows } = await server().run('SHOW server_version');
      expect(rows[0].server_version).to.match(new RegExp(`^${version}\\b`));
    });

    attemptsStoreContract(`PostgreSQL ${version}`, async () => {
      const { ports, close } = await openStore({ now: () => Date.now() });
      return { store: ports.attempts, close };
    });
  });
};
