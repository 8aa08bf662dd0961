import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from './client.ts';

describe('Counts of how often files are read', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  /** What is stored, by id. */
  const stored = (): Readonly<Record<string, number>> => {
    const database = new Libsql(join(folder(), 'data/gatehouse.db'), { readonly: true });
    const rows = database.prepare('SELECT id, accesses FROM files').all();
    database.close();
    return Object.fromEntries(
      (rows as { id: string; accesses: number }[]).map((row) => [row.id, row.accesses]),
    );
  };
  const readTimes = ({ metadataUrl }: RunningServer, id: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => makeClient(metadataUrl).read(id)));

  it('are whole after a SIGTERM, though the last reads came right before it', async () => {
    let server = await start('metadata', folder());
    const [one = '', other = '', never = ''] = await makeClient(server.metadataUrl).createSome('reader', 3);
    for (let run = 1; run <= 3; run += 1) {
      await readTimes(server, one, 40);
      await readTimes(server, other, 2);
      server.signal('SIGTERM');
      expect(await server.ended).to.include({ code: 0 });
      expect(stored()).to.deep.equal({ [one]: 40 * run, [other]: 2 * run, [never]: 0 });
      server = await start('metadata', folder());
    }
    const prefetched = await makeClient(server.metadataUrl).post('/api/v1/e/meta/prefetch', {
      user: 'reader',
      limit: 10,
    });
    expect(prefetched.body).to.include({ prefetched: 2 });
  });

  it('lose to a crash at most what was read in the last five seconds', async () => {
    const server = await start('metadata', folder());
    const [id = ''] = await makeClient(server.metadataUrl).createSome('reader', 1);
    await readTimes(server, id, 30);
    await until(() => stored()[id] === 30);
    await readTimes(server, id, 5);
    server.signal('SIGKILL');
    await server.ended;
    await start('metadata', folder());
    expect(stored()[id]).to.be.within(30, 35);
  });
});
