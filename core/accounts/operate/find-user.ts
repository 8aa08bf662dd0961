import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import { canonicalEmail } from '../email.ts';
import { accountNotFound } from '../errors.ts';

import type { Kit } from '../kit.ts';

/** The account that an operator means: by id, else by email. Throws `missing` (`user_not_found`), `invalid_email`. */
export const makeFindUser =
  ({ accounts, domains }: Pick<Kit, 'accounts' | 'domains'>) =>
  async (user: string): Promise<Account> => {
    const found = isId(user)
      ? await accounts.find(user)
      : await accounts.findByEmail(canonicalEmail(domains, user));
    if (found === undefined || found.deletedAt !== null) throw accountNotFound();
    return found;
  };
