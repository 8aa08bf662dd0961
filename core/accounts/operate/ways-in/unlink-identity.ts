import type { Kit } from '../../kit.ts';
import { providerName } from '../../providers/born.ts';
import { findIdentity, type IdentityName, withoutIdentity } from '../../providers/unlink.ts';
import { type Acted, makeAct, type Operator } from '../act.ts';

/** Removes an identity on an operator's word: even the last way to sign in, since a mailed reset gives a password. */
export const makeUnlinkIdentity = (kit: Kit) => {
  const { entries } = kit;
  const act = makeAct(kit);

  return (user: string, name: IdentityName, by: Operator & { readonly reason: string }): Promise<Acted> =>
    act(user, by, 'identity.unlinked', (account, now) => {
      const identity = findIdentity(account, name);
      if (identity === undefined) return undefined;
      const provider = providerName(kit, identity.provider);
      const mail = entries.mail(account, 'identity-unlinked', { at: new Date(now).toISOString(), provider });
      return {
        next: withoutIdentity(kit, account, identity),
        before: { provider: identity.provider },
        also: [mail],
      };
    });
};
