import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import Libsql from 'libsql';
import { race } from '../../contracts/race.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { isGroupAlive, useServerProcesses } from '../../support/servers/server-process.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { checkAfterKill, makeLedger, useUntilKilled } from './kill-client.ts';

const rounds = Math.max(ROUNDS, process.env.LONG ? 50 : 0);
const CLIENTS = 6;

describe('A server process killed under load', function () {
  this.timeout(120_000 + rounds * 30_000);
  const { start } = useServerProcesses();
  const folder = useTempFolder();
  const startOne = () => start('all', folder(), { PUBLIC_URL: 'https://accounts.example.com' });

  it('has lost nothing that it acknowledged when it is started again, and sends what was due', async () => {
    const mails = makeMailFolder(join(folder(), 'data/mail'));
    let server = await startOne();
    let acknowledged = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const { url, pid } = server;
      const ledgers = Array.from({ length: CLIENTS }, (_, place) =>
        makeLedger(`user${round}-${place}@example.com`),
      );
      const using = Promise.all(ledgers.map((ledger) => useUntilKilled(url, mails, ledger)));
      await until(() => ledgers.some((ledger) => ledger.acknowledged > 0));
      // From the middle of the registrations to long after the last verification.
      await pause(Math.random() * 1_500);
      server.signal('SIGKILL');
      await using;
      await server.ended;
      await until(() => !isGroupAlive(pid));

      server = await startOne();
      const again = server.url;
      await race(CLIENTS, async (place) => {
        const ledger = ledgers[place];
        if (ledger !== undefined) await checkAfterKill(again, mails, ledger);
      });
      acknowledged += ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
    }
    expect(acknowledged, 'nothing was acknowledged, so nothing was shown').to.be.greaterThan(0);

    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });
    const database = new Libsql(join(folder(), 'data/gatehouse.db'), { timeout: 30_000 });
    expect(database.prepare('PRAGMA integrity_check').get()).to.include({ integrity_check: 'ok' });
    database.close();
  });
});
