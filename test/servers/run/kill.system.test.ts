import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { killInRounds } from './kill-client.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 200 : 0);

describe('A server process that is killed under load', function () {
  this.timeout(300_000 + rounds * 30_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  const startOne = () => start('all', folder(), { PUBLIC_URL: 'https://accounts.example.com' });

  it('keeps everything it acknowledged, and sends pending mails after its restart', async () => {
    const mails = makeMailFolder(join(folder(), 'data/mail'));
    const server = await killInRounds(startOne, mails, rounds);
    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });
    const database = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    expect(database.prepare('PRAGMA integrity_check').get()).to.include({ integrity_check: 'ok' });
    database.close();
  });
});
