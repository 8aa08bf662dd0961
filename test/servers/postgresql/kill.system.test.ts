import { join } from 'node:path';
import { expect } from 'chai';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { type PostgresqlServer, startPostgresql } from '../../support/servers/postgresql-server.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { killInRounds } from '../run/kill-client.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 200 : 0);

describe('A server process on PostgreSQL that is killed under load', function () {
  this.timeout(300_000 + rounds * 30_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  let postgresql: PostgresqlServer;

  before(async () => {
    postgresql = await startPostgresql({ durable: true });
    await postgresql.createDatabase('killed');
  });

  after(() => postgresql?.end());

  it('keeps everything it acknowledged, and sends pending mails after its restart', async () => {
    const mails = makeMailFolder(join(folder(), 'data/mail'));
    const startOne = () =>
      start('all', folder(), {
        PUBLIC_URL: 'https://accounts.example.com',
        POSTGRES_URL: postgresql.url('killed'),
      });
    const server = await killInRounds(startOne, mails, rounds);
    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });
  });
});
