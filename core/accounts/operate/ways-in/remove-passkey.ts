import type { Kit } from '../../kit.ts';
import { passkeyNotFound } from '../../passkeys/errors.ts';
import { withoutPasskey } from '../../passkeys/manage.ts';
import { type Acted, makeAct, makeFindUser, type Operator } from '../act.ts';

/** Removes a passkey, also the last way to sign in: the owner gets back by a password reset. */
export const makeOperatorRemovePasskey = (kit: Kit) => {
  const { entries } = kit;
  const act = makeAct(kit);
  const findUser = makeFindUser(kit);

  return async (user: string, id: string, by: Operator & { readonly reason: string }): Promise<Acted> => {
    const { passkeys } = await findUser(user);
    if (!passkeys.some((passkey) => passkey.id === id)) throw passkeyNotFound();
    return act(user, by, 'passkey.removed', (account, now) => {
      const passkey = account.passkeys.find((one) => one.id === id);
      if (passkey === undefined) return undefined;
      const facts = { at: new Date(now).toISOString(), passkey: passkey.name };
      return {
        next: withoutPasskey(kit, account, passkey),
        before: { passkey: id },
        also: [entries.mail(account, 'passkey-removed', facts)],
      };
    });
  };
};
