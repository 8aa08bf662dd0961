import type { Digest } from '../../ports.ts';
import type { Account } from '../account.ts';
import { usablePasskeys, type WaysIn } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import type { Method } from '../session.ts';
import { type LoginUser, loginUser } from './open-session.ts';

/**
 * The first factor, proved, in place of the password at the second call: `<id>.<expiry>.<mark>`. It need not be
 * stored: the mark binds it to the account and its session epoch, which moves with the password and the second factor, and
 * to the identity at a provider that was shown.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;

const material = (account: Account, id: string, expiresAt: string, { key }: FirstProved) =>
  `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}${key === null ? '' : `:${key}`}`;

/** What the first factor was. */
export type First = Extract<Method, 'password' | 'oidc'>;

/** The login key of the identity, without which its token ends; null for a password, with which the epoch moves. */
type FirstProved =
  | { readonly method: 'password'; readonly key: null }
  | { readonly method: 'oidc'; readonly key: string };

/** The subkey that marks a token, so that the token itself says what it stands for. */
const MARKS: Readonly<Record<First, string>> = { password: 'pending-login', oidc: 'pending-oidc-login' };

const BY_PASSWORD: FirstProved = { method: 'password', key: null };

/** What a token of this account may stand for. */
const firstsOf = ({ loginKeys }: Account): readonly FirstProved[] => [
  BY_PASSWORD,
  ...loginKeys.map(({ key }) => ({ method: 'oidc' as const, key })),
];

const newPendingLogin = (
  { digest, random }: Pick<Kit, 'digest' | 'random'>,
  account: Account,
  expiresAt: number,
  first: FirstProved,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed(MARKS[first.method], material(account, id, expiry, first))}`;
};

/** Its id, and what it stands for, when it is this account's, not expired and not spent. See decision 0013. */
export const readPendingLogin = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): ({ readonly pendingId: string } & FirstProved) | undefined => {
  const [, id, expiry, mark] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mark === undefined || Number(expiry) <= now)
    return undefined;
  const isMarked = (first: FirstProved) =>
    digest
      .everyKeyed(MARKS[first.method], material(account, id, expiry, first))
      .some((one) => digest.equal(one, mark));
  const first = firstsOf(account).find(isMarked);
  if (first === undefined || account.spentLogins.some((spent) => spent.id === id)) return undefined;
  return { pendingId: id, ...first };
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

  return (account: Account, first: FirstProved = BY_PASSWORD): LoginChallenge => {
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
