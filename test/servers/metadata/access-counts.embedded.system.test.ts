import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { makeClient } from './client.ts';

describe('The read counts of files', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  /** The stored counts, by id. */
  const storedCounts = (): Readonly<Record<string, number>> => {
    const database = new Libsql(join(folder(), 'data/gatehouse.db'), { readonly: true });
    const rows = database.prepare('SELECT id, accesses FROM files').all();
    database.close();
    return Object.fromEntries(
      (rows as { id: string; accesses: number }[]).map((row) => [row.id, row.accesses]),
    );
  };
  const readTimes = ({ metadataUrl }: RunningServer, id: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => makeClient(metadataUrl).read(id)));

  it('are complete after a SIGTERM right after the last reads', async () => {
    let server = await start('metadata', folder());
    const [often = '', twice = '', never = ''] = await makeClient(server.metadataUrl).createSome('reader', 3);
    for (let run = 1; run <= 3; run += 1) {
      await readTimes(server, often, 40);
      await readTimes(server, twice, 2);
      server.signal('SIGTERM');
      expect(await server.ended).to.include({ code: 0 });
      expect(storedCounts()).to.deep.equal({ [often]: 40 * run, [twice]: 2 * run, [never]: 0 });
      server = await start('metadata', folder());
    }
    const prefetched = await makeClient(server.metadataUrl).post('/api/v1/e/meta/prefetch', {
      user: 'reader',
      limit: 10,
    });
    expect(prefetched.body).to.include({ prefetched: 2 });
  });

  it('lose at most the reads of the last five seconds in a crash', async () => {
    const server = await start('metadata', folder());
    const [id = ''] = await makeClient(server.metadataUrl).createSome('reader', 1);
    await readTimes(server, id, 30);
    await until(() => storedCounts()[id] === 30);
    await readTimes(server, id, 5);
    server.signal('SIGKILL');
    await server.ended;
    await start('metadata', folder());
    expect(storedCounts()[id]).to.be.within(30, 35);
  });
});
