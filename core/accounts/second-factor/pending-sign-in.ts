import { message, TRUE } from '../../answer-schemas.ts';
import type { Digest } from '../../ports.ts';
import { list, object, oneOf, optional, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { signedInUser, viewSignedInUser } from '../sessions/open-session.ts';
import { SECOND_FACTORS, secondFactors } from '../sign-in-methods.ts';

/**
 * A pending token replaces the first factor in the second call of a sign-in: `<id>.<expiry>.<MAC>`. It is not stored: the
 * MAC binds it to the account, to its session version (which changes with the password and the second factor), and to the
 * identity at a provider if that was the first factor.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;
const PENDING_TOKEN_EXAMPLE =
  'pWFFJwzms769HdAStzlIZw.1767355200000.NIpin1zu0DLD6HBuxH2b-vsA-0JQsBjdllQ1ylDLg24';

/** The purpose and the content of a token's MAC. The first factor is the identity with the login key `key`; null: a password. */
const macInput = (
  account: Account,
  id: string,
  expiresAt: string,
  key: string | null,
): readonly [purpose: string, content: string] => {
  const content = `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}`;
  return key === null ? ['pending-login', content] : ['pending-oidc-login', `${content}:${key}`];
};

const newPendingToken = (
  { digest, random }: Pick<Deps, 'digest' | 'random'>,
  account: Account,
  expiresAt: number,
  key: string | null,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed(...macInput(account, id, expiry, key))}`;
};

/** A first factor that a pending token replaces. */
export interface PendingSignIn {
  /** The id of the token. */
  readonly pendingId: string;
  /** The login key of the identity at a provider; null for a password. */
  readonly key: string | null;
}

/** The token's id and first factor if it belongs to this account, has not expired and is not spent. See decision 0012. */
export const readPendingSignIn = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): PendingSignIn | undefined => {
  const [, id, expiry, mac] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mac === undefined || Number(expiry) <= now)
    return undefined;
  const hasMac = (key: string | null) =>
    digest.everyKeyed(...macInput(account, id, expiry, key)).some((expected) => digest.equal(expected, mac));
  // Null is found for a password; undefined if the token replaces no first factor of this account.
  const key = [null, ...account.loginKeys.map((loginKey) => loginKey.key)].find(hasMac);
  if (key === undefined || account.spentLogins.some((spent) => spent.id === id)) return undefined;
  return { pendingId: id, key };
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
    user: signedInUser,
    requires2FA: TRUE,
    pendingToken: text({
      description: 'Replaces the first factor in the second call, once, for 5 minutes',
      examples: [PENDING_TOKEN_EXAMPLE],
    }),
    methods: optional(
      list(oneOf(SECOND_FACTORS), {
        description: 'What the second call accepts, any one of them; absent where passkeys are off',
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
export interface SignInChallenge extends TypeOf<typeof signInChallenge> {
  readonly status: 'second_factor_required';
}

/** Asks for the second factor after the first one: the identity with the login key `key`; null: the password. */
export const newSignInChallenge = (
  deps: Pick<Deps, 'clock' | 'digest' | 'passkeys' | 'policy' | 'random'>,
  account: Account,
  key: string | null,
): SignInChallenge => {
  const methods = secondFactors(deps, account);
  return {
    status: 'second_factor_required',
    user: viewSignedInUser(account),
    requires2FA: true,
    pendingToken: newPendingToken(deps, account, deps.clock.now() + deps.policy.pendingTokenLifeMs, key),
    ...(deps.passkeys.relyingParty !== null && { methods }),
    message: methods.includes('totp')
      ? 'Send the code of your authenticator app to finish the login.'
      : 'Send a second factor to finish the login.',
  };
};
