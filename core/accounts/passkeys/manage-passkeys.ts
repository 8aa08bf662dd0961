import { object, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision, findOwnAccount } from '../change-account.ts';
import { withoutKeys } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { passkeyKey } from '../login-key.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { isUsable, lastMethodRefusal, usablePasskeys } from '../sign-in-methods.ts';
import { lastSecondFactor, passkeyNotFound } from './errors.ts';
import type { Passkey } from './passkey.ts';
import {
  type ListedPasskeys,
  type OnePasskey,
  type RemainingPasskeys,
  viewPasskey,
  viewPasskeys,
} from './passkey-view.ts';
import { acceptPasskeyName, PASSKEY_NAME } from './register-passkey.ts';
import { requireRelyingParty } from './request-options.ts';

export const passkeyParams = object({
  id: text({
    description: 'From the list of passkeys',
    examples: ['0199a0b1-9c1d-7e20-a4b5-3d6f8e1c2a70'],
  }),
});

export const renamePasskeyInput = object({ name: PASSKEY_NAME });
export type RenamePasskeyInput = TypeOf<typeof renamePasskeyInput>;

export const makeListPasskeys =
  (deps: Deps) =>
  async (principal: Principal): Promise<ListedPasskeys> => {
    const { id: rpId } = requireRelyingParty(deps);
    const account = await findOwnAccount(deps, principal);
    return { passkeys: viewPasskeys(account), userHandle: account.passkeyHandle, rpId };
  };

const findPasskey = ({ passkeys }: Account, id: string): Passkey | undefined =>
  passkeys.find((passkey) => passkey.id === id);

export const makeRenamePasskey =
  (deps: Deps) =>
  async (principal: Principal, id: string, input: RenamePasskeyInput): Promise<OnePasskey> => {
    requireRelyingParty(deps);
    const name = acceptPasskeyName(deps.policy, input.name);
    const renamed = await deps.changeUser(principal.user.id, (account): Decision<Passkey> => {
      const existing = findPasskey(account, id);
      if (existing === undefined) return { next: null, refuse: passkeyNotFound() };
      const changed = { ...existing, name };
      const passkeys = account.passkeys.map((passkey) => (passkey === existing ? changed : passkey));
      return { next: { ...account, passkeys, updatedAt: deps.clock.now() }, answer: changed };
    });
    return { passkey: viewPasskey(renamed) };
  };

/** The account without the passkey; its login key is freed once the account is written. */
export const withoutPasskey = (
  { digest, entries }: Pick<Deps, 'digest' | 'entries'>,
  account: Account,
  passkey: Passkey,
): Account =>
  withoutKeys(entries, { ...account, passkeys: account.passkeys.filter(({ id }) => id !== passkey.id) }, [
    passkeyKey(digest, passkey.credentialId),
  ]);

/**
 * Why the owner must keep the passkey; undefined if they may remove it. `remaining` is the account without it. A passkey that
 * cannot be used may always be removed.
 */
const refusalOf = (deps: Deps, passkey: Passkey, remaining: Account) => {
  if (!isUsable(deps, passkey)) return undefined;
  // Until a passkey has verified its user, it is a second factor at most.
  const methodRefusal = passkey.userVerified ? lastMethodRefusal(deps, remaining) : undefined;
  // While the second factor is on, a `secret` of null says that passkeys alone are the factor.
  const isLastFactor = remaining.twoFactor?.secret === null && usablePasskeys(deps, remaining).length === 0;
  return methodRefusal ?? (isLastFactor ? lastSecondFactor() : undefined);
};

export const makeRemovePasskey = (deps: Deps) => {
  const { clock, entries, log } = deps;

  return async (principal: Principal, id: string, caller: Caller): Promise<RemainingPasskeys> => {
    requireRelyingParty(deps);
    await requireFresh(deps, principal, caller);
    const account = await changeOwnAccount(deps, principal, (current): Decision<Account> => {
      const passkey = findPasskey(current, id);
      if (passkey === undefined) return { next: null, refuse: passkeyNotFound() };
      const now = clock.now();
      const remaining = { ...withoutPasskey(deps, current, passkey), updatedAt: now };
      const refuse = refusalOf(deps, passkey, remaining);
      if (refuse !== undefined) return { next: null, refuse };
      const next = withPending(
        remaining,
        entries.ownAudit(current.id, 'passkey.removed', caller, { before: { passkey: id } }),
        entries.notice(current, 'passkey-removed', caller, { passkey: passkey.name }),
      );
      return { next, answer: next };
    });
    log.info('passkey.removed', { userId: account.id, ...calledFrom(caller) });
    return { passkeys: viewPasskeys(account) };
  };
};
