import { accountFacts } from '../../core/accounts/account-facts.ts';
import { ACCOUNTS, type AccountDocument, accountOf } from './account-document.ts';
import type { MongoDatabase } from './client.ts';
import { changeOnce } from './idempotent-writes.ts';
import { equals, is } from './scalars.ts';

const PAGE = 500;

/**
 * Notes which accounts are operators' where a version wrote them that did not. Goes through the accounts a page at a
 * time; may be repeated, and an account that is written meanwhile notes it itself.
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
