import type { Deps } from '../deps.ts';
import { passkeyNotFound } from '../passkeys/errors.ts';
import { withoutPasskey } from '../passkeys/manage-passkeys.ts';
import { providerName } from '../providers/identities.ts';
import { findIdentity, type IdentityName, withoutIdentity } from '../providers/unlink-identity.ts';
import {
  type AdminActionResult,
  makeAdminAction,
  makeFindUser,
  type ReasoningOperator,
} from './admin-action.ts';
import type { AdminActionRules } from './change-by-operator.ts';

/** Removes a passkey, even the last sign-in method: the owner can still sign in after a password reset. */
export const makeOperatorRemovePasskey = (deps: Deps, rules: AdminActionRules) => {
  const { entries } = deps;
  const runAction = makeAdminAction(deps, rules);
  const findUser = makeFindUser(deps);

  return async (user: string, id: string, by: ReasoningOperator): Promise<AdminActionResult> => {
    const { passkeys } = await findUser(user);
    if (!passkeys.some((passkey) => passkey.id === id)) throw passkeyNotFound();
    return runAction(user, by, (account, now) => {
      const passkey = account.passkeys.find((passkey) => passkey.id === id);
      if (passkey === undefined) return undefined;
      const facts = { at: new Date(now).toISOString(), passkey: passkey.name };
      return {
        next: withoutPasskey(deps, account, passkey),
        before: { passkey: id },
        also: [entries.mail(account, 'passkey-removed', facts)],
      };
    });
  };
};

/** Removes an identity, even the last sign-in method: the owner can still sign in after a password reset. */
export const makeUnlinkIdentity = (deps: Deps, rules: AdminActionRules) => {
  const { entries } = deps;
  const runAction = makeAdminAction(deps, rules);

  return (user: string, name: IdentityName, by: ReasoningOperator): Promise<AdminActionResult> =>
    runAction(user, by, (account, now) => {
      const identity = findIdentity(account, name);
      if (identity === undefined) return undefined;
      const provider = providerName(deps, identity.provider);
      const mail = entries.mail(account, 'identity-unlinked', { at: new Date(now).toISOString(), provider });
      return {
        next: withoutIdentity(deps, account, identity),
        before: { provider: identity.provider },
        also: [mail],
      };
    });
};
