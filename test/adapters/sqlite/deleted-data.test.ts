import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../adapters/sqlite/database.ts';
import { makeWriter } from '../../../adapters/sqlite/engine/group-commit.ts';
import { createAccounts } from '../../../core/index.ts';
import { caller, tokensIn } from '../../core/accounts/open-core.ts';
import { openSqlitePorts } from '../../core/accounts/open-sqlite.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const password = 'correct horse battery';
const emailOf = (place: number) => `forgotten-${place}-@example.com`;

describe('Data of deleted accounts and rows', () => {
  const folder = useTempFolder();
  const file = () => join(folder(), 'gatehouse.db');
  const markersInFile = () => new Set(readFileSync(file(), 'latin1').match(/forgotten-\d+-/g));

  it('are absent from the file of the store after accounts are deleted', async () => {
    const store = openSqlitePorts(folder());
    const accounts = createAccounts(store.ports);
    const relayAll = async () => {
      while ((await accounts.background.relay()) > 0);
      while ((await accounts.background.deliverMail(1)) > 0);
    };
    const tokens: string[] = [];
    for (let place = 0; place < 60; place += 1) {
      const displayName = `forgotten-${place}-${'n'.repeat(50)}`;
      await accounts.register({ email: emailOf(place), password, displayName }, caller);
      await relayAll();
      const code = /\b\d{6}\b/.exec(store.mails.at(-1)?.text ?? '')?.[0] ?? '';
      const { token, user } = tokensIn(await accounts.verifyEmail({ email: emailOf(place), code }, caller));
      // The metadata exceed a page, so that overflow pages are used, too.
      const metadata = { note: `forgotten-${place}-`.repeat(600) };
      await accounts.setUserEntitlement(undefined, user.id, { service: 'DROP', metadata }, caller);
      tokens.push(token);
    }
    await relayAll();
    for (const [place, token] of tokens.entries()) {
      if (place % 3 === 0) continue;
      await accounts.deleteAccount(await accounts.authenticate(token), { password }, caller);
      await relayAll();
    }
    await store.close();

    const remaining = tokens.map((_, place) => place).filter((place) => place % 3 === 0);
    expect(
      [...markersInFile()].map((marker) => Number(marker.split('-')[1])).toSorted((a, b) => a - b),
    ).to.deep.equal(remaining);
  });

  it('leave the write-ahead log shortly after a write, while the process runs', async () => {
    const database = openDatabase({ folder: folder() });
    const reports: string[] = [];
    const writer = makeWriter({ file: file(), durable: true, emptyAfter: 20 }, (event) =>
      reports.push(event),
    );
    const sql = 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 0, 0, 0)';
    await writer.write([{ sql, params: ['forgotten-1-'] }]);
    await writer.write([{ sql: 'DELETE FROM tries', params: [] }]);
    const log = `${file()}-wal`;
    await until(() => statSync(log).size === 0);
    expect([...markersInFile()]).to.deep.equal([]);

    await writer.write([{ sql, params: ['forgotten-2-'] }]);
    await until(() => statSync(log).size === 0);
    expect([...markersInFile()]).to.deep.equal(['forgotten-2-']);
    expect(reports).to.deep.equal([]);
    await writer.close();
    await database.close();
  });
});
