import { expect } from 'chai';
import { makeMemoryFileCache } from '../../../adapters/memory/file-cache.ts';
import { openSqliteFileCache } from '../../../adapters/sqlite/cache/file-cache.ts';
import type { FileCache } from '../../../core/files/ports.ts';
import type { Clock } from '../../../core/ports.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { type FilesCore, makeWorld, openFilesCore as open, upload } from './open-files-core.ts';

const READERS = 8;
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'not_found';

const deletionRules = (
  name: string,
  openCache: (folder: string, clock: Clock) => FileCache & { close?(): Promise<void> },
) => {
  describe(`Deletions against parallel reads through ${name}`, () => {
    const folder = useTempFolder();
    let cache: ReturnType<typeof openCache>;
    let core: FilesCore;
    let other: FilesCore;

    beforeEach(() => {
      const world = makeWorld((clock) => {
        cache = openCache(folder(), clock);
        return cache;
      });
      core = open({ world });
      other = open({ world });
    });

    afterEach(() => cache.close?.());

    /** How many reads that began after an acknowledged deletion still gave the record. */
    const roundOf = async (
      remove: (id: string) => Promise<unknown>,
      readers: readonly FilesCore[],
      user: string,
    ) => {
      const { id } = await core.files.create(upload({ user }));
      let [acknowledged, stale, seen] = [false, 0, 0];
      const readOn = async (by: FilesCore) => {
        for (let after = 0; after < 5; ) {
          const late = acknowledged;
          try {
            await by.files.read(id);
            if (late) stale += 1;
            else seen += 1;
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
          if (late) after += 1;
          await new Promise(setImmediate);
        }
      };
      const reading = Array.from({ length: READERS }, (_, place) =>
        readOn(readers[place % readers.length] ?? core),
      );
      while (seen < 2 * READERS) await new Promise(setImmediate);
      await remove(id);
      acknowledged = true;
      await Promise.all(reading);
      return stale;
    };

    it('never give a deleted record, in whatever process', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        expect(await roundOf((id) => core.files.delete(id), [core, other], 'user')).to.equal(0);
      }
    });

    it('never give a record of a user whose files were all deleted', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const user = `user ${round}`;
        expect(await roundOf(() => core.files.deleteAllOf(user), [core, other], user)).to.equal(0);
      }
    });

    it('never give a deleted record in the process that could not tell the cache', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const remove = async (id: string) => {
          core.link.up = false;
          await core.files.delete(id);
          core.link.up = true;
        };
        expect(await roundOf(remove, [core], 'user')).to.equal(0);
      }
    });

    it('never give a deleted record while its entries are synced and swept again and again', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const user = `user ${round}`;
        await core.files.create(upload({ user }));
        let over = false;
        const churn = async () => {
          while (!over) {
            await other.files.syncCache({ user, type: 'allTwo' });
            await other.files.background.sweepRemoved();
            // Nothing in memory waits for anything else.
            await new Promise(setImmediate);
          }
        };
        const churning = churn();
        const stale = await roundOf((id) => core.files.delete(id), [core, other], user);
        over = true;
        await churning;
        expect(stale).to.equal(0);
      }
    });
  });
};

deletionRules('the cache in memory', (_, clock) => makeMemoryFileCache(clock));
deletionRules('the embedded cache', (folder, clock) =>
  openSqliteFileCache({ folder, clock, log: makeRecordingLog() }),
);
