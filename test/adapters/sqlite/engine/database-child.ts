import { once } from 'node:events';
import { join } from 'node:path';
import Libsql from 'libsql';
import { makeSqlAccountStore } from '../../../../adapters/sql/account-store.ts';
import { makeSqlAttemptsStore } from '../../../../adapters/sql/attempts-store.ts';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import { StoreUnusable } from '../../../../adapters/store.ts';
import type { CoreError } from '../../../../core/errors.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';

/** A separate process on a shared folder: `database-child.js FOLDER ROLE`. It reports its results to its parent. */
const [folder = '', role = ''] = process.argv.slice(2);
const report = (message: unknown) => process.send?.(message);

const roles: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens the folder after a message, counts 100 attempts of one key, ten at a time, and reports the counts. */
  async count() {
    report('ready');
    await once(process, 'message');
    const database = openDatabase({ folder });
    const attempts = makeSqlAttemptsStore(database);
    const counts: number[] = [];
    const worker = async () => {
      for (let call = 0; call < 10; call += 1) counts.push((await attempts.add('key', 60_000, NOW)).count);
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    report(counts);
    await database.close();
    process.disconnect();
  },

  /** Adds accounts until it is killed, and reports the id of each acknowledged account. */
  async write() {
    const accounts = makeSqlAccountStore(openDatabase({ folder }));
    const worker = async (_: unknown, name: number) => {
      for (let number = 0; ; number += 1) {
        const id = `${process.pid}-${name}-${number}`;
        if (await accounts.add(sampleAccount(id))) report(id);
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
  },

  /** Takes the lock, leaves a row uncommitted, and waits to be killed. */
  async hold() {
    const database = new Libsql(join(folder, 'gatehouse.db'));
    database.exec("BEGIN IMMEDIATE; INSERT INTO tries VALUES ('half written', 1, 0, 0)");
    report('held');
    await new Promise(() => setInterval(() => database.inTransaction, 1_000));
  },

  /** Writes a small, a too large and a small row, and reports each outcome. */
  async fill() {
    const database = openDatabase({ folder });
    for (const size of [10, 4_000_000, 20]) {
      const key = 'x'.repeat(size);
      const sql = 'INSERT INTO tries VALUES (?, 1, 0, 0)';
      await database.write([{ sql, params: [key] }]).then(
        () => report('written'),
        (error: CoreError) => report(error.code),
      );
    }
    report(await database.read.all('SELECT length(key) AS length FROM tries ORDER BY 1', []));
    await database.close();
    process.disconnect();
  },

  /** Writes rows one by one, and reports each outcome, or that the store could not be opened. */
  async sync() {
    try {
      const { write } = openDatabase({ folder });
      for (let number = 1; number <= 20; number += 1) {
        const sql = 'INSERT INTO tries VALUES (?, 1, 0, 0)';
        const isWritten = await write([{ sql, params: [`${number}`] }]).catch(() => undefined);
        report(isWritten === undefined ? 'unavailable' : `${number}`);
      }
    } catch (error) {
      report(error instanceof StoreUnusable ? 'unusable' : String(error));
    }
    process.disconnect();
  },

  /** Writes, and exits without closing the database. */
  async leave() {
    await makeSqlAttemptsStore(openDatabase({ folder })).add('key', 60_000, NOW);
    report('written');
    process.disconnect();
  },
};

await roles[role]?.();
