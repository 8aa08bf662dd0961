import type { Digest } from '../../ports.ts';
import type { Account } from '../account.ts';
import { usablePasskeys, type WaysIn } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import type { Method } from '../session.ts';
import { type LoginUser, loginUser } from './open-session.ts';

/**
 * The first factor, proved, in place of the password at the second call: `<id>.<expiry>.<mark>`. It need not be
 * stored: the mark binds it to the account and its session epoch, which moves with the password and the second factor.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;

const material = (account: Account, id: string, expiresAt: string) =>
  `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}`;

/** What the first factor was. */
export type First = Extract<Method, 'password' | 'oidc'>;

/** The subkey that marks a token, so that the token itself says what it stands for. */
const MARKS: Readonly<Record<First, string>> = { password: 'pending-login', oidc: 'pending-oidc-login' };
const FIRSTS: readonly First[] = ['password', 'oidc'];

const newPendingLogin = (
  { digest, random }: Pick<Kit, 'digest' | 'random'>,
  account: Account,
  expiresAt: number,
  first: First,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed(MARKS[first], material(account, id, expiry))}`;
};

/** Its id, and what it stands for, when it is this account's, not expired and not spent. See decision 0013. */
export const readPendingLogin = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): { readonly pendingId: string; readonly method: First } | undefined => {
  const [, id, expiry, mark] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mark === undefined || Number(expiry) <= now)
    return undefined;
  const isMarked = (method: First) =>
    digest.everyKeyed(MARKS[method], material(account, id, expiry)).some((one) => digest.equal(one, mark));
  const method = FIRSTS.find(isMarked);
  if (method === undefined || account.spentLogins.some((spent) => spent.id === id)) return undefined;
  return { pendingId: id, method };
};

/** The account with the token spent; those long expired are forgotten. */
export const spendPendingLogin = (account: Account, id: string, expiresAt: number, now: number): Account => ({
  ...account,
  spentLogins: [...account.spentLogins.filter((spent) => spent.expiresAt > now), { id, expiresAt }],
});

/** What a second factor may be shown by. */
export type SecondFactor = Extract<Method, 'totp' | 'passkey' | 'recovery'>;

/** The first factor was right, and a second one is on. */
export interface LoginChallenge {
  readonly user: LoginUser;
  readonly requires2FA: true;
  /** Stands for the first factor at the second call. */
  readonly pendingToken: string;
  /** Any of these will do. Absent where passkeys are off: a code is due then. */
  readonly methods?: readonly SecondFactor[];
  readonly message: string;
}

/** What the account takes as its second factor; nothing while that is off. */
export const secondFactors = (kit: Pick<WaysIn, 'passkeys'>, account: Account): readonly SecondFactor[] => {
  if (account.twoFactor === null) return [];
  const hasPasskey = usablePasskeys(kit, account).length > 0;
  return [
    ...(account.twoFactor.secret === null ? [] : (['totp'] as const)),
    ...(hasPasskey ? (['passkey'] as const) : []),
    'recovery',
  ];
};

/** Asks the owner of the first factor for the second one. */
export const makeChallenge = (kit: Pick<Kit, 'clock' | 'digest' | 'passkeys' | 'policy' | 'random'>) => {
  const { clock, policy } = kit;

  return (account: Account, first: First): LoginChallenge => {
    const methods = secondFactors(kit, account);
    return {
      user: loginUser(account),
      requires2FA: true,
      pendingToken: newPendingLogin(kit, account, clock.now() + policy.pendingLoginLife, first),
      ...(kit.passkeys.relyingParty !== null && { methods }),
      message: methods.includes('totp')
        ? 'Send the code of your authenticator app to finish the login.'
        : 'Send a second factor to finish the login.',
    };
  };
};
