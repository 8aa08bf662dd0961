import { join } from 'node:path';
import { expect } from 'chai';
import { connect } from '../../../../adapters/sqlite/engine/connection.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { openSqlitePorts } from '../open-sqlite.ts';
import { type AdminContext, openAdminAccounts } from './open-admin-accounts.ts';

/** The core on a SQLite store for each test of the suite, and a function that tampers with the database file. */
export const useTamperedStore = () => {
  const folder = useTempFolder();
  let context: ReturnType<typeof openSqlitePorts>;
  let core: AdminContext;
  beforeEach(async () => {
    context = openSqlitePorts(folder());
    core = await openAdminAccounts(context);
  });
  afterEach(() => context.close());
  return {
    core: () => core,
    tamper: (...statements: readonly string[]) => {
      const connection = connect(join(folder(), 'gatehouse.db'));
      for (const statement of statements) connection.exec(statement);
      connection.close();
    },
    /** The broken row that a verification of the log finds. */
    findBroken: async (head?: string) => {
      const { intact, broken } = await core.operate.verifyAudit(head);
      expect(intact).to.equal(broken === null);
      return broken && { number: broken.number, fault: broken.fault };
    },
  };
};
