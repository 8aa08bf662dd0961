import type { Kit } from '../kit.ts';
import { type Acted, makeAct, type Operator } from './act.ts';

export const makeTakeEmailAsVerified = (kit: Kit) => {
  const act = makeAct(kit);

  return (user: string, by: Operator): Promise<Acted> =>
    act(user, by, 'user.verified', (account) =>
      account.verified
        ? undefined
        : {
            // An identity may have been put there by whoever registered before: the word is about the email alone.
            next: { ...account, verified: true, verification: null, registration: null, oauthAccounts: [] },
            before: { verified: false },
            after: { verified: true },
            also: [kit.entries.event('user.verified', account.id)],
          },
    );
};
