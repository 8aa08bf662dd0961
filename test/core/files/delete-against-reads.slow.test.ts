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
  describe(`Concurrent reads through ${name}`, () => {
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

    /** Counts the reads that started after an acknowledged deletion and still returned the record. */
    const countStaleReads = async (
      remove: (id: string) => Promise<unknown>,
      readers: readonly FilesCore[],
      user: string,
    ) => {
      const { id } = await core.files.create(upload({ user }));
      let [acknowledged, stale, successful] = [false, 0, 0];
      const readUntilDeleted = async (reader: FilesCore) => {
        for (let readsAfter = 0; readsAfter < 5; ) {
          const startedAfter = acknowledged;
          try {
            await reader.files.read(id);
            if (startedAfter) stale += 1;
            else successful += 1;
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
          if (startedAfter) readsAfter += 1;
          await new Promise(setImmediate);
        }
      };
      const pendingReads = Array.from({ length: READERS }, (_, place) =>
        readUntilDeleted(readers[place % readers.length] ?? core),
      );
      while (successful < 2 * READERS) await new Promise(setImmediate);
      await remove(id);
      acknowledged = true;
      await Promise.all(pendingReads);
      return stale;
    };

    it('never return a deleted record, in any process', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        expect(await countStaleReads((id) => core.files.delete(id), [core, other], 'user')).to.equal(0);
      }
    });

    it('never return a record of a user whose files were all deleted', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const user = `user ${round}`;
        expect(await countStaleReads(() => core.files.deleteAllOf(user), [core, other], user)).to.equal(0);
      }
    });

    it('never return a deleted record in the process that deleted it while the cache was down', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const remove = async (id: string) => {
          core.link.up = false;
          await core.files.delete(id);
          core.link.up = true;
        };
        expect(await countStaleReads(remove, [core], 'user')).to.equal(0);
      }
    });

    it('never return a deleted record while entries are synced and swept repeatedly', async () => {
      for (let round = 0; round < 5 * ROUNDS; round += 1) {
        const user = `user ${round}`;
        await core.files.create(upload({ user }));
        let isDone = false;
        const churn = async () => {
          while (!isDone) {
            await other.files.syncCache({ user, type: 'allTwo' });
            await other.files.background.sweepRemoved();
            // Gives other tasks a turn, because calls in memory never wait for I/O.
            await new Promise(setImmediate);
          }
        };
        const pendingChurn = churn();
        const stale = await countStaleReads((id) => core.files.delete(id), [core, other], user);
        isDone = true;
        await pendingChurn;
        expect(stale).to.equal(0);
      }
    });
  });
};

deletionRules('the cache in memory', (_, clock) => makeMemoryFileCache(clock));
deletionRules('the embedded cache', (folder, clock) =>
  openSqliteFileCache({ folder, clock, log: makeRecordingLog() }),
);
