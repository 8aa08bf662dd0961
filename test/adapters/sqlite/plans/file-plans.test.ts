import { expect } from 'chai';
import { makeSqlFileActivity } from '../../../../adapters/sql/file-activity.ts';
import { makeSqlFileStore } from '../../../../adapters/sql/file-store.ts';
import { makeSqlSealedFiles } from '../../../../adapters/sql/sealed-files.ts';
import { fileId, sampleFile } from '../../../contracts/sample-files.ts';
import { NOW } from '../../../contracts/samples.ts';
import { watchPlans } from './plans.ts';

const PLACE = { uploadedAt: NOW, id: fileId(7) };
const RANK = { accesses: 3, accessedAt: NOW, id: fileId(7) };
const WINDOW = 0;

describe('The queries for files in SQLite', () => {
  const plans = watchPlans((database) => ({
    files: makeSqlFileStore(database),
    activity: makeSqlFileActivity(database),
    sealed: makeSqlSealedFiles(database),
  }));

  /** The steps in which SQLite goes about each statement that the call makes. */
  const plansOf = async (call: (stores: ReturnType<typeof plans.stores>) => Promise<unknown>) => {
    const steps = (await plans.plansOf(() => call(plans.stores()))).filter((step) =>
      / files\b/.test(step.join('; ')),
    );
    // A page is put together row by row from a subquery that runs beside.
    return steps.map((steps) => steps.filter((step) => !/^(CO-ROUTINE|SCAN) \(subquery-\d+\)$/.test(step)));
  };

  const planOf = async (call: (stores: ReturnType<typeof plans.stores>) => Promise<unknown>) => {
    const [plan = [], ...others] = await plansOf(call);
    expect(others).to.deep.equal([]);
    return plan;
  };

  it('look up single records, and many by their ids, in the index of ids', async () => {
    const byId = /^SEARCH files USING INDEX sqlite_autoindex_files_1 \(id=\?\)$/;
    const next = { entry: '{}', bytes: 1, keyId: 'new' };
    const calls: Parameters<typeof planOf>[0][] = [
      ({ files }) => files.find(fileId(1)),
      ({ files }) => files.findAll([fileId(1), fileId(2)]),
      ({ files }) => files.remove(fileId(3)),
      ({ files }) => files.purge([fileId(3)]),
      ({ activity }) => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }], 'mark'),
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
      ({ activity }) => activity.list('user', WINDOW, null, 5),
      ({ files }) => files.listRemoved(5),
    ];
    for (const call of calls) {
      const steps = await planOf(call);
      expect(steps, `${call}`).to.have.length(1);
      expect(steps[0], `${call}`).to.match(/ files USING COVERING INDEX files_/);
    }
  });

  it('rank the active records in the order of their index, without a look at those that tie', async () => {
    const search = 'SEARCH files USING COVERING INDEX files_active (user_id=? AND accesses';
    expect(await plansOf(({ activity }) => activity.list('user', WINDOW, null, 5))).to.deep.equal([
      [`${search}>?)`],
    ]);
    expect(await plansOf(({ activity }) => activity.list('user', WINDOW, RANK, 5))).to.deep.equal([
      [`${search}=? AND accessed_at=? AND id>?)`],
      [`${search}=? AND accessed_at>? AND accessed_at<?)`],
      [`${search}>? AND accesses<?)`],
    ]);
  });

  it("find a user's records to remove, and those under older keys, without a look at all", async () => {
    const some = await planOf(({ files }) => files.removeSome('user', 5));
    expect(some.filter((step) => / files\b/.test(step))).to.deep.equal([
      'SEARCH files USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH files USING COVERING INDEX files_listed (user_id=?)',
    ]);
    const behind = { keyId: 'a', id: fileId(5) };
    const search = 'SEARCH files USING INDEX files_by_key (key_id';
    expect(await plansOf(({ sealed }) => sealed.listNotUnder('key', behind, 5))).to.deep.equal([
      [`${search}=? AND id>?)`],
      [`${search}>? AND key_id<?)`],
      [`${search}>?)`],
    ]);
  });
});
