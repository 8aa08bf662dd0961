import type { Account } from '../account.ts';
import { siteOf } from '../ceremonies/options.ts';
import type { Decision } from '../change-account.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { withoutKeys } from '../keys/login-keys.ts';
import { isUsable, lastMethodRefusal, usablePasskeys } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { passkeyKey } from '../ways-in/login-key.ts';
import type { Passkey } from '../ways-in/passkey.ts';
import { lastSecondFactor, passkeyNotFound } from './errors.ts';
import { acceptPasskeyName } from './register.ts';
import { type ListedPasskeys, type PasskeyView, viewPasskey, viewPasskeys } from './views.ts';

export interface RenamePasskey {
  /** 1 to 64 characters. */
  readonly name: string;
}

export const makeListPasskeys =
  (kit: Kit) =>
  async (who: Identity): Promise<ListedPasskeys> => {
    const { id: rpId } = siteOf(kit);
    const account = await kit.accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    return { passkeys: viewPasskeys(account), userHandle: account.passkeyHandle, rpId };
  };

const find = ({ passkeys }: Account, id: string): Passkey | undefined =>
  passkeys.find((passkey) => passkey.id === id);

export const makeRenamePasskey =
  (kit: Kit) =>
  async (who: Identity, id: string, input: RenamePasskey): Promise<{ readonly passkey: PasskeyView }> => {
    siteOf(kit);
    const name = acceptPasskeyName(kit.policy, input.name);
    const renamed = await kit.changeUser(who.user.id, (account): Decision<Passkey> => {
      const found = find(account, id);
      if (found === undefined) return { next: null, refuse: passkeyNotFound() };
      const passkey = { ...found, name };
      const passkeys = account.passkeys.map((one) => (one === found ? passkey : one));
      return { next: { ...account, passkeys, updatedAt: kit.clock.now() }, answer: passkey };
    });
    return { passkey: viewPasskey(renamed) };
  };

/** The account without a passkey, whose key is freed once this is written. */
export const withoutPasskey = (
  { digest, entries }: Pick<Kit, 'digest' | 'entries'>,
  account: Account,
  passkey: Passkey,
): Account =>
  withoutKeys(entries, { ...account, passkeys: account.passkeys.filter((one) => one !== passkey) }, [
    passkeyKey(digest, passkey.credentialId),
  ]);

/** Why the owner may not do without a passkey: undefined if they may. One that is not taken is no loss. */
const refusalOf = (kit: Kit, passkey: Passkey, without: Account) => {
  if (!isUsable(kit, passkey)) return undefined;
  const last = passkey.userVerified ? lastMethodRefusal(kit, without) : undefined;
  const isFactor = without.twoFactor?.secret === null && usablePasskeys(kit, without).length === 0;
  return last ?? (isFactor ? lastSecondFactor() : undefined);
};

export const makeRemovePasskey = (kit: Kit) => {
  const { changeUser, clock, entries, log } = kit;
  const needFresh = makeNeedFresh(kit);

  return async (
    who: Identity,
    id: string,
    caller: Caller,
  ): Promise<{ readonly passkeys: readonly PasskeyView[] }> => {
    siteOf(kit);
    await needFresh(who, caller);
    const account = await changeUser(who.user.id, (found): Decision<Account> => {
      if (found.sessionEpoch !== who.user.sessionEpoch) return { next: null, refuse: invalidToken() };
      const passkey = find(found, id);
      if (passkey === undefined) return { next: null, refuse: passkeyNotFound() };
      const now = clock.now();
      const without = { ...withoutPasskey(kit, found, passkey), updatedAt: now };
      const refuse = refusalOf(kit, passkey, without);
      if (refuse !== undefined) return { next: null, refuse };
      const next = withPending(
        without,
        entries.audit({
          action: 'passkey.removed',
          actor: found.id,
          target: found.id,
          before: { passkey: id },
          caller,
        }),
        entries.mail(found, 'passkey-removed', {
          at: new Date(now).toISOString(),
          address: caller.address,
          passkey: passkey.name,
        }),
      );
      return { next, answer: next };
    });
    log.info('passkey.removed', { userId: account.id, ...calledFrom(caller) });
    return { passkeys: viewPasskeys(account) };
  };
};
