import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Libsql from 'libsql';
import { race } from '../../contracts/race.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { isGroupAlive, useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient, SAMPLE } from './client.ts';
import { acknowledgedBy, checkFilesAfterKill, makeFileLedger, useFilesUntilKilled } from './kill-client.ts';
import { seedFiles } from './seed.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 50 : 0);
const CLIENTS = 6;
const MANY = 20_000;

describe('A metadata process killed under load', function () {
  this.timeout(300_000 + rounds * 30_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  const startOne = () => start('metadata', folder());

  const kill = async (server: Awaited<ReturnType<typeof startOne>>) => {
    server.signal('SIGKILL');
    await server.ended;
    await until(() => !isGroupAlive(server.pid));
  };

  it('has every acknowledged record, and none whose deletion it acknowledged', async () => {
    let server = await startOne();
    let [acknowledged, deleted] = [0, 0];
    for (let round = 1; round <= rounds; round += 1) {
      const { metadataUrl } = server;
      const ledgers = Array.from({ length: CLIENTS }, (_, place) => makeFileLedger(`user${round}-${place}`));
      const clients = Promise.all(ledgers.map((ledger) => useFilesUntilKilled(metadataUrl, ledger)));
      const countAcknowledged = () => ledgers.reduce((sum, ledger) => sum + acknowledgedBy(ledger), 0);
      await until(() => ledgers.some(({ deleted: ids }) => ids.size > 0) && countAcknowledged() > CLIENTS);
      await pause(Math.random() * 1_000);
      await kill(server);
      await clients;

      server = await startOne();
      const client = makeClient(server.metadataUrl);
      await Promise.all(ledgers.map((ledger) => checkFilesAfterKill(client, ledger)));
      acknowledged += countAcknowledged();
      deleted += ledgers.reduce((sum, ledger) => sum + ledger.deleted.size, 0);
    }
    expect(acknowledged).to.be.greaterThan(rounds * CLIENTS);
    expect(deleted).to.be.greaterThan(0);

    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });
    const database = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    expect(database.prepare('PRAGMA integrity_check').get()).to.include({ integrity_check: 'ok' });
    database.close();
  });

  it('has no wrong cache entry after a kill during a sync, and completes the next sync', async () => {
    let server = await startOne();
    const user = 'synced';
    const ids = await seedFiles(join(folder(), 'data'), user, MANY);
    const sync = (url: string) => makeClient(url).post('/api/v1/e/meta/sync', { user, type: 'allOne' });
    const evictedCounts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const syncing = sync(server.metadataUrl).catch(() => undefined);
      await pause(Math.random() * 600);
      await kill(server);
      await syncing;
      server = await startOne();
      const client = makeClient(server.metadataUrl);
      const sample = await race(20, async () => ids[Math.floor(Math.random() * MANY)] ?? '');
      for (const id of new Set(sample)) {
        const { body } = await client.read(id);
        expect(body).to.include({ id, filenameEnc: SAMPLE.filenameEnc, dekEnc: SAMPLE.dekEnc });
      }
      const out = await client.post('/api/v1/e/meta/invalidate', { user, type: 'OUT' });
      evictedCounts.push(Number(out.body.invalidated));
    }
    for (const count of evictedCounts) expect(count).to.be.within(0, MANY);

    const { body } = await sync(server.metadataUrl);
    expect(body).to.deep.equal({ user, synced: MANY, skipped: 0 });
    const out = await makeClient(server.metadataUrl).post('/api/v1/e/meta/invalidate', { user, type: 'OUT' });
    expect(out.body).to.include({ invalidated: MANY });
  });
});
