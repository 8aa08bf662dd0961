import { expect } from 'chai';
import { type Database, openDatabase } from '../../../adapters/sqlite/database.ts';
import { makeSqliteFileActivity } from '../../../adapters/sqlite/file-activity.ts';
import { makeSqliteFileStore } from '../../../adapters/sqlite/file-store.ts';
import { makeSqliteSealedFiles } from '../../../adapters/sqlite/sealed-files.ts';
import type { Statement } from '../../../adapters/sqlite/unit.ts';
import { fileId, sampleFile } from '../../contracts/sample-files.ts';
import { NOW } from '../../contracts/samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const PLACE = { uploadedAt: NOW, id: fileId(7) };
const RANK = { accesses: 3, accessedAt: NOW, id: fileId(7) };
const WINDOW = 0;

describe('The queries for files in SQLite', () => {
  const folder = useTempFolder();
  let database: Database;
  let asked: Statement[];

  beforeEach(() => {
    database = openDatabase({ folder: folder() });
    asked = [];
  });

  afterEach(() => database.close());

  /** The stores over a database that notes what it is asked. */
  const stores = () => {
    const { read, write } = database;
    const noting: Database = {
      ...database,
      read: {
        get: (sql, params) => {
          asked.push({ sql, params });
          return read.get(sql, params);
        },
        all: (sql, params) => {
          asked.push({ sql, params });
          return read.all(sql, params);
        },
      },
      write: (unit) => {
        asked.push(...unit);
        return write(unit);
      },
    };
    return {
      files: makeSqliteFileStore(noting),
      activity: makeSqliteFileActivity(noting),
      sealed: makeSqliteSealedFiles(noting),
    };
  };

  /** The steps in which SQLite goes about what the call asks. */
  const planOf = async (call: (given: ReturnType<typeof stores>) => Promise<unknown>) => {
    asked = [];
    await call(stores());
    expect(asked).to.have.length(1);
    const [{ sql, params } = { sql: '', params: [] }] = asked;
    const steps = database.read.all(`EXPLAIN QUERY PLAN ${sql}`, params).map(({ detail }) => String(detail));
    // A page is put together row by row from a subquery that runs beside.
    return steps.filter((step) => !/^(CO-ROUTINE|SCAN) \(subquery-\d+\)$/.test(step));
  };

  it('look up single records, and many by their ids, in the index of ids', async () => {
    const byId = /^SEARCH files USING INDEX sqlite_autoindex_files_1 \(id=\?\)$/;
    const next = { entry: '{}', bytes: 1, keyId: 'new' };
    const calls: Parameters<typeof planOf>[0][] = [
      ({ files }) => files.find(fileId(1)),
      ({ files }) => files.findAll([fileId(1), fileId(2)]),
      ({ files }) => files.remove(fileId(3)),
      ({ files }) => files.purge([fileId(3)]),
      ({ activity }) => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }]),
      ({ sealed }) => sealed.replace({ id: fileId(1), entry: sampleFile(1).entry }, next),
    ];
    for (const call of calls) {
      const onFiles = (await planOf(call)).filter((step) => / files\b/.test(step));
      expect(onFiles, `${call}`).to.have.length(1);
      expect(onFiles[0], `${call}`).to.match(byId);
    }
  });

  it('list from the index of the list in its order, from the beginning or a position on', async () => {
    for (const columns of ['list', 'listSizes'] as const) {
      const first = await planOf(({ files }) => files[columns]('user', null, 5));
      expect(first.join('; ')).to.match(/^SEARCH files USING (COVERING )?INDEX files_listed \(user_id=\?\)$/);
      const behind = await planOf(({ files }) => files[columns]('user', PLACE, 5));
      expect(behind.join('; ')).to.match(
        /^SEARCH files USING (COVERING )?INDEX files_listed \(user_id=\? AND \(uploaded_at,id\)<\(\?,\?\)\)$/,
      );
    }
  });

  it('answer from indexes alone what needs no entry', async () => {
    const calls: Parameters<typeof planOf>[0][] = [
      ({ files }) => files.listSizes('user', PLACE, 5),
      ({ files }) => files.has('user'),
      ({ activity }) => activity.list('user', WINDOW, RANK, 5),
      ({ activity }) => activity.list('user', WINDOW, null, 5),
      ({ sealed }) => sealed.countByKey(),
      ({ files }) => files.listRemoved(5),
    ];
    for (const call of calls) {
      const steps = await planOf(call);
      expect(steps, `${call}`).to.have.length(1);
      expect(steps[0], `${call}`).to.match(/ files USING COVERING INDEX files_/);
    }
  });

  it('rank the active records in the order of their index', async () => {
    const [step] = await planOf(({ activity }) => activity.list('user', WINDOW, RANK, 5));
    expect(step).to.match(/^SEARCH .* files_active \(user_id=\? AND accesses>\? AND accesses<\?\)$/);
  });

  it("find a user's records to remove, and those under older keys, without a look at all", async () => {
    const some = await planOf(({ files }) => files.removeSome('user', 5));
    expect(some.filter((step) => / files\b/.test(step))).to.deep.equal([
      'SEARCH files USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH files USING COVERING INDEX files_listed (user_id=?)',
    ]);
    expect(await planOf(({ sealed }) => sealed.listNotUnder('key', fileId(5), 5))).to.deep.equal([
      'SEARCH files USING INDEX sqlite_autoindex_files_1 (id>?)',
    ]);
  });
});
