import { expect } from 'chai';
import type { Database } from '../../../adapters/sql/database.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import { makeVerifyCounts } from '../../../core/accounts/admin/list-and-count-users.ts';
import type { Clock } from '../../../core/ports.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { NOW, sampleAccount } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

interface OpenedStore {
  readonly database: Database;
  readonly ports: StorePorts;
  close(): Promise<void>;
}

const DAY = 86_400_000;
/** More than two pages. */
const MANY = 2_300;

/** Tests how the daily check corrects the counts that triggers keep. */
export const keptCountsTests = (name: string, open: (clock: Clock) => Promise<OpenedStore>): void => {
  describe(`The counts that triggers keep in ${name}`, () => {
    let opened: OpenedStore;
    let time: number;
    const log = makeRecordingLog();
    const clock: Clock = { now: () => time };

    const damage = (sql: string) => opened.database.write([{ sql, params: [] }]);
    const addAccounts = (from: number, count: number) => {
      const ids = Array.from(
        { length: count },
        (_, place) => `user-${String(from + place).padStart(5, '0')}`,
      );
      return opened.ports.accounts.addAll(
        ids.map((id) => sampleAccount(id)),
        async () => undefined,
      );
    };
    const readCounts = async () => ({
      accounts: (await opened.ports.directory.stats(NOW)).total,
      files: await opened.ports.files.totals(),
    });
    const verify = () => makeVerifyCounts({ ...opened.ports, clock, log })();
    /** Runs the check, and `afterPage` after each page. */
    const run = async (afterPage: (page: number) => Promise<unknown> = async () => undefined) => {
      log.lines.length = 0;
      let pages = 0;
      for await (const _ of verify()) {
        pages += 1;
        await afterPage(pages);
      }
      return pages;
    };
    const events = () => log.lines.map(({ level, event, fields }) => [level, event, fields.id, fields.count]);

    beforeEach(async () => {
      time = NOW;
      opened = await open(clock);
    });
    afterEach(() => opened.close());

    it('are corrected if they are wrong, and the difference is logged', async () => {
      await addAccounts(0, 3);
      for (const number of [1, 2]) await opened.ports.files.add(sampleFile(number));
      const before = await readCounts();
      await damage('UPDATE account_counts SET accounts = accounts + 7');
      await damage('DELETE FROM file_counts');
      await run();
      expect(events()).to.deep.equal([
        ['error', 'counts.corrected', 'accounts tier=free premium=0 verified=0 two_factor=0', 7],
        ['error', 'counts.corrected', `files key_id=${sampleFile(1).keyId ?? ''}`, -2],
        ['info', 'counts.verified', undefined, 2],
      ]);
      expect(await readCounts()).to.deep.equal(before);
    });

    it('are verified once a day', async () => {
      await addAccounts(0, 1);
      await run();
      await damage('UPDATE account_counts SET accounts = accounts + 7');
      await run();
      expect(events()).to.deep.equal([]);
      time += DAY;
      await run();
      expect((await readCounts()).accounts).to.equal(1);
      expect((await opened.ports.jobResults.find('count-check'))?.value).to.include({ wrong: 1 });
    });

    it('include changes of accounts and files at every page of the check', async () => {
      await addAccounts(10_000, MANY);
      await damage('UPDATE account_counts SET accounts = accounts - 5');
      let accounts = MANY - 5;
      const pages = await run(async (page) => {
        const { accounts: store, files } = opened.ports;
        // Ids before, within and after the counted pages.
        await addAccounts(page, 1);
        await addAccounts(10_000 + MANY + page, 1);
        const changed = sampleAccount(`user-${10_001 + 250 * page}`);
        expect(await store.save({ ...changed, verified: true })).to.equal(true);
        expect(await store.remove(sampleAccount(`user-${10_000 + 300 * page}`))).to.equal(true);
        await files.add(sampleFile(page));
        await files.remove(fileId(page - 1));
        accounts += 1;
        expect((await readCounts()).accounts).to.be.oneOf([accounts, accounts + 5]);
      });
      expect(pages).to.be.above(2);
      expect(await readCounts()).to.deep.include({ accounts: accounts + 5 });
      expect(events()).to.deep.equal([
        ['error', 'counts.corrected', 'accounts tier=free premium=0 verified=0 two_factor=0', -5],
        ['info', 'counts.verified', undefined, 1],
      ]);
      const { verified } = await opened.ports.directory.stats(NOW);
      expect(verified).to.equal(pages);
      time += DAY;
      await run();
      expect(events()).to.deep.equal([['info', 'counts.verified', undefined, 0]]);
    });

    it('include every write during the check', async () => {
      await addAccounts(10_000, MANY);
      const writes = Array.from({ length: 40 }, (_, place) => addAccounts(place * 50, 3));
      await run();
      await Promise.all(writes);
      time += DAY;
      await run();
      expect(events()).to.deep.equal([['info', 'counts.verified', undefined, 0]]);
      expect((await readCounts()).accounts).to.equal(MANY + 120);
    });

    it('are verified completely by another process if one stopped', async () => {
      await addAccounts(10_000, MANY);
      await damage('UPDATE account_counts SET accounts = accounts + 2');
      for await (const _ of verify()) break;
      await run();
      expect((await readCounts()).accounts).to.equal(MANY);
    });
  });
};
