import type { Digest, Random } from '../../ports.ts';
import type { Account } from '../account.ts';

/**
 * The first factor, proved, in place of the password at the second call: `<id>.<expiry>.<mark>`. It need not be
 * stored: the mark binds it to the account and its session epoch, which moves with the password and the second factor.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;

const material = (account: Account, id: string, expiresAt: string) =>
  `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}`;

export const newPendingLogin = (
  { digest, random }: { digest: Digest; random: Random },
  account: Account,
  expiresAt: number,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed('pending-login', material(account, id, expiry))}`;
};

/** Its id when it is this account's, not expired and not spent; undefined otherwise. See decision 0013. */
export const readPendingLogin = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): string | undefined => {
  const [, id, expiry, mark] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mark === undefined || Number(expiry) <= now)
    return undefined;
  const right = digest.everyKeyed('pending-login', material(account, id, expiry));
  const ours = right.some((one) => digest.equal(one, mark));
  return ours && !account.spentLogins.some((spent) => spent.id === id) ? id : undefined;
};

/** The account with the token spent; those long expired are forgotten. */
export const spendPendingLogin = (account: Account, id: string, expiresAt: number, now: number): Account => ({
  ...account,
  spentLogins: [...account.spentLogins.filter((spent) => spent.expiresAt > now), { id, expiresAt }],
});
