import { once } from 'node:events';
import { join } from 'node:path';
import Libsql from 'libsql';
import { makeSqlAccountStore } from '../../../../adapters/sql/account-store.ts';
import { makeSqlAttemptsStore } from '../../../../adapters/sql/attempts-store.ts';
import { openDatabase } from '../../../../adapters/sqlite/database.ts';
import { StoreUnusable } from '../../../../adapters/store.ts';
import type { CoreError } from '../../../../core/errors.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';

/** A process of its own on a shared folder: `database-child.js FOLDER ROLE`. It tells its parent what it did. */
const [folder = '', role = ''] = process.argv.slice(2);
const tell = (message: unknown) => process.send?.(message);

const roles: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens the folder when told to, counts a hundred tries of one key, ten at a time, and tells what it was given. */
  async count() {
    tell('ready');
    await once(process, 'message');
    const database = openDatabase({ folder });
    const attempts = makeSqlAttemptsStore(database);
    const counts: number[] = [];
    const worker = async () => {
      for (let time = 0; time < 10; time += 1) counts.push((await attempts.add('key', 60_000, NOW)).count);
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    tell(counts);
    await database.close();
    process.disconnect();
  },

  /** Adds accounts until it is killed and tells of each that was acknowledged. */
  async write() {
    const accounts = makeSqlAccountStore(openDatabase({ folder }));
    const worker = async (_: unknown, name: number) => {
      for (let number = 0; ; number += 1) {
        const id = `${process.pid}-${name}-${number}`;
        if (await accounts.add(sampleAccount(id))) tell(id);
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
  },

  /** Takes the lock, leaves a row uncommitted, and waits to be killed. */
  async hold() {
    const database = new Libsql(join(folder, 'gatehouse.db'));
    database.exec("BEGIN IMMEDIATE; INSERT INTO tries VALUES ('half written', 1, 0, 0)");
    tell('held');
    await new Promise(() => setInterval(() => database.inTransaction, 1_000));
  },

  /** Writes less, more and again less than there is room for, and tells how each went. */
  async fill() {
    const database = openDatabase({ folder });
    for (const size of [10, 4_000_000, 20]) {
      const key = 'x'.repeat(size);
      const sql = 'INSERT INTO tries VALUES (?, 1, 0, 0)';
      await database.write([{ sql, params: [key] }]).then(
        () => tell('written'),
        (error: CoreError) => tell(error.code),
      );
    }
    tell(await database.read.all('SELECT length(key) AS length FROM tries ORDER BY 1', []));
    await database.close();
    process.disconnect();
  },

  /** Writes one after the other and tells how each went, or that the store could not be opened. */
  async sync() {
    try {
      const { write } = openDatabase({ folder });
      for (let number = 1; number <= 20; number += 1) {
        const sql = 'INSERT INTO tries VALUES (?, 1, 0, 0)';
        const isWritten = await write([{ sql, params: [`${number}`] }]).catch(() => undefined);
        tell(isWritten === undefined ? 'unavailable' : `${number}`);
      }
    } catch (error) {
      tell(error instanceof StoreUnusable ? 'unusable' : String(error));
    }
    process.disconnect();
  },

  /** Writes and goes without closing. */
  async leave() {
    await makeSqlAttemptsStore(openDatabase({ folder })).add('key', 60_000, NOW);
    tell('written');
    process.disconnect();
  },
};

await roles[role]?.();
