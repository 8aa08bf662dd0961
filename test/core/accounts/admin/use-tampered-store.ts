import { join } from 'node:path';
import { expect } from 'chai';
import { connect } from '../../../../adapters/sqlite/engine/connection.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { type Operated, openOperated } from './open-operated.ts';

/** The core on a store in SQLite for each test of the suite, which somebody with access to the disk tampers with. */
export const useTamperedStore = () => {
  const folder = useTempFolder();
  let context: ReturnType<typeof openSqlitePorts>;
  let operated: Operated;
  beforeEach(async () => {
    context = openSqlitePorts(folder());
    operated = await openOperated(context);
  });
  afterEach(() => context.close());
  return {
    operated: () => operated,
    tamper: (...statements: readonly string[]) => {
      const connection = connect(join(folder(), 'gatehouse.db'));
      for (const statement of statements) connection.exec(statement);
      connection.close();
    },
    /** What a verification of the log finds. */
    findBroken: async (head?: string) => {
      const { intact, broken } = await operated.operate.verifyAudit(head);
      expect(intact).to.equal(broken === null);
      return broken && { number: broken.number, fault: broken.fault };
    },
  };
};
