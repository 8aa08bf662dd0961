import { message, TRUE } from '../../answer-schemas.ts';
import type { Digest } from '../../ports.ts';
import { list, object, oneOf, optional, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { Method } from '../session.ts';
import { loginUser, signedInUser } from '../sessions/open-session.ts';
import { type SecondFactor, secondFactors } from '../sign-in-methods.ts';

/**
 * A pending token replaces the password in the second call: `<id>.<expiry>.<MAC>`. It is not stored: the MAC binds it
 * to the account, to its session version, which changes with the password and the second factor, and to the identity at
 * a provider that proved the first factor.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;

const material = (account: Account, id: string, expiresAt: string, { key }: ProvedFirstFactor) =>
  `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}${key === null ? '' : `:${key}`}`;

/** The method of the first factor. */
export type FirstFactorMethod = Extract<Method, 'password' | 'oidc'>;

/**
 * `key` is the login key of the identity: its removal voids the token. Null for a password, whose change raises the
 * session version.
 */
type ProvedFirstFactor =
  | { readonly method: 'password'; readonly key: null }
  | { readonly method: 'oidc'; readonly key: string };

/** The purpose of the MAC, by which a token says which first factor it replaces. */
const MAC_PURPOSES: Readonly<Record<FirstFactorMethod, string>> = {
  password: 'pending-login',
  oidc: 'pending-oidc-login',
};

const BY_PASSWORD: ProvedFirstFactor = { method: 'password', key: null };

/** The first factors that a token of this account may replace. */
const possibleFirstFactors = ({ loginKeys }: Account): readonly ProvedFirstFactor[] => [
  BY_PASSWORD,
  ...loginKeys.map(({ key }) => ({ method: 'oidc' as const, key })),
];

const newPendingToken = (
  { digest, random }: Pick<Deps, 'digest' | 'random'>,
  account: Account,
  expiresAt: number,
  firstFactor: ProvedFirstFactor,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed(MAC_PURPOSES[firstFactor.method], material(account, id, expiry, firstFactor))}`;
};

/**
 * The token's id and first factor if it belongs to this account, has not expired and is not spent. See decision 0012.
 */
export const readPendingSignIn = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): ({ readonly pendingId: string } & ProvedFirstFactor) | undefined => {
  const [, id, expiry, mac] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mac === undefined || Number(expiry) <= now)
    return undefined;
  const hasMac = (firstFactor: ProvedFirstFactor) =>
    digest
      .everyKeyed(MAC_PURPOSES[firstFactor.method], material(account, id, expiry, firstFactor))
      .some((expected) => digest.equal(expected, mac));
  const firstFactor = possibleFirstFactors(account).find(hasMac);
  if (firstFactor === undefined || account.spentLogins.some((spent) => spent.id === id)) return undefined;
  return { pendingId: id, ...firstFactor };
};

/** The account with the token spent, and without the spent tokens that have expired. */
export const spendPendingSignIn = (
  account: Account,
  id: string,
  expiresAt: number,
  now: number,
): Account => ({
  ...account,
  spentLogins: [...account.spentLogins.filter((spent) => spent.expiresAt > now), { id, expiresAt }],
});

export const signInChallenge = object(
  {
    user: loginUser,
    requires2FA: TRUE,
    pendingToken: text({
      description: 'Replaces the password in the second call, once, for 5 minutes',
      examples: ['gp1.0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31.c2VjcmV0'],
    }),
    methods: optional(
      list(oneOf<SecondFactor>(['totp', 'passkey', 'recovery']), {
        description: 'What the second call may show; any of them will do. There where passkeys are on',
        examples: [['totp', 'recovery']],
      }),
    ),
    message: message('A two-factor code is needed.'),
  },
  { title: 'LoginChallenge' },
);
/**
 * The result of a valid first factor where a second one is on. `pendingToken` replaces the first factor in the second
 * call. Any of the `methods` is accepted there; they are absent where passkeys are off: then a code is required.
 */
export type SignInChallenge = TypeOf<typeof signInChallenge>;

/** Asks for the second factor after the first one. */
export const challenge = (
  deps: Pick<Deps, 'clock' | 'digest' | 'passkeys' | 'policy' | 'random'>,
  account: Account,
  firstFactor: ProvedFirstFactor = BY_PASSWORD,
): SignInChallenge => {
  const methods = secondFactors(deps, account);
  const expiresAt = deps.clock.now() + deps.policy.pendingTokenLife;
  return {
    user: signedInUser(account),
    requires2FA: true,
    pendingToken: newPendingToken(deps, account, expiresAt, firstFactor),
    ...(deps.passkeys.relyingParty !== null && { methods }),
    message: methods.includes('totp')
      ? 'Send the code of your authenticator app to finish the login.'
      : 'Send a second factor to finish the login.',
  };
};
