import { accountFacts } from '../../../core/accounts/account-facts.ts';
import { ACCOUNTS, type AccountDocument, accountOf } from '../documents/account-document.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { changeOnce } from '../engine/idempotent-writes.ts';
import { equals, is } from '../engine/scalars.ts';

const PAGE = 500;

/**
 * Marks the accounts of operators that an earlier version wrote without the mark. It reads all accounts in pages and may be
 * repeated. A parallel write of an account sets the mark itself.
 */
export const noteOperators = async (database: MongoDatabase): Promise<void> => {
  const accounts = database.collection<AccountDocument>(ACCOUNTS);
  const pageAfter = (after: string) =>
    database.call(() => accounts.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE }).toArray());
  let page = await pageAfter('');
  while (page.length > 0) {
    for (const document of page) {
      const account = accountOf(document);
      if (account === undefined || document.isOperator || !accountFacts(account).isOperator) continue;
      const seen = { _id: is(account.id), 'account.version': equals(account.version) } as const;
      await changeOnce(database, accounts, seen, { $set: { isOperator: true } });
    }
    page = await pageAfter(page.at(-1)?._id ?? '');
  }
};
