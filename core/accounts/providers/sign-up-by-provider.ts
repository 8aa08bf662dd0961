import { message, TRUE, token } from '../../answer-schemas.ts';
import { nullable, object, type TypeOf, text } from '../../schema.ts';
import {
  type Account,
  endSessions,
  type LinkedIdentity,
  newAccount,
  type ProviderRegistration,
} from '../account.ts';
import { addUnverifiedAccount } from '../add-unverified-account.ts';
import type { Caller } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { loginKeyClaim, withoutKeys } from '../claim-login-keys.ts';
import type { CodeMailed } from '../code-mail-limits.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL, isReservedEmail } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { rememberAddress } from '../known-address.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { withPending } from '../outbox-entries.ts';
import type { LoginKeyClaim } from '../ports.ts';
import { isObjectPath } from '../safe-object-path.ts';
import { type OpenedSession, openSession, type SignInResult } from '../sessions/open-session.ts';
import { newContinuationToken } from '../single-use-token.ts';
import { accountKey, type ChargeAllowance } from '../throttle-keys.ts';
import { accountExists, signUpClosed } from './errors.ts';
import { emailOf, linkedIdentity, nameOf, providerName, vouchedEmailOf } from './identities.ts';
import type { ProviderIdentity } from './identity-provider.ts';
import { findProvider, findRedeemedFlow, type RedeemedFlow } from './provider-flow.ts';

/** Resets everything that a stranger's earlier registration of the email may have set. */
const cleared = {
  passwordHash: null,
  passwordAt: null,
  passwordBy: null,
  displayName: null,
  avatar: null,
  verification: null,
  reset: null,
  emailChange: null,
  formerEmails: [],
  twoFactor: null,
  twoFactorSetup: null,
  twoFactorSetupBy: null,
  spentLogins: [],
  knownAddresses: [],
  oauthAccounts: [],
  loginKeys: [],
  passkeys: [],
  passkeyHandle: null,
} as const satisfies Partial<Account>;

type RegisteredIdentity = ProviderRegistration['identity'];

/**
 * The unverified account with a registration by an identity whose provider vouches for the email. Of an earlier registration
 * only id, entitlements, billing and restrictions stay: they belong to the email.
 */
const withRegistration = (
  { clock, digest, entries, random }: Pick<Deps, 'clock' | 'digest' | 'entries' | 'random'>,
  account: Account,
  identity: RegisteredIdentity,
): Account => {
  const { avatar, loginKeys } = account;
  const keys = loginKeys.map(({ key }) => key);
  return withPending(
    {
      // null: no session is kept.
      ...endSessions(withoutKeys(entries, account, keys), null),
      ...cleared,
      // The digest of a token that nobody has, so that no mailed code verifies this registration.
      registration: { identity, tokenDigest: digest.sha256(random.text(32)) },
      updatedAt: clock.now(),
    },
    ...(isObjectPath(avatar) ? [entries.task('remove-object', avatar)] : []),
  );
};

/** The account as its owner gets it: verified, opened by the identity, with the provider's name and picture. */
const verifiedAccount = (
  deps: Deps,
  account: Account,
  identity: ProviderIdentity,
  linked: LinkedIdentity,
  loginKey: LoginKeyClaim,
  caller: Caller,
): Account => {
  const { clock, entries, policy, providers } = deps;
  const now = clock.now();
  const { provider } = identity;
  const takesPicture = providers.list.some(({ id, picture }) => id === provider && picture);
  const next: Account = {
    ...account,
    verified: true,
    registration: null,
    displayName: nameOf(policy, identity),
    avatar: takesPicture ? identity.picture : null,
    language: chooseLanguage(caller.languages),
    oauthAccounts: [linked],
    loginKeys: [loginKey],
    updatedAt: now,
  };
  return withPending(
    next,
    entries.event('user.verified', account.id),
    entries.ownAudit(account.id, 'account.created_by_provider', caller, { after: { provider } }),
    entries.notice(next, 'welcome-by-provider', caller, { provider: providerName(deps, provider) }),
  );
};

/**
 * Stores under the email an unverified account whose registration names this identity, unless a verified one is there. If
 * the process dies after that, the next sign-in continues from this account.
 */
const register = async (deps: Deps, email: string, identity: RegisteredIdentity, caller: Caller) => {
  const { accounts, change, clock, entries, newId, wake } = deps;
  const account = newAccount({
    id: newId(),
    email,
    displayName: null,
    language: chooseLanguage(caller.languages),
    passwordHash: null,
    now: clock.now(),
  });
  const created = withPending(
    withRegistration(deps, account, identity),
    entries.event('user.created', account.id),
  );
  if (await accounts.add(created)) return wake();
  await change<void>(
    () => accounts.findByEmail(email),
    (existing) => {
      const mayReplace = existing?.verified === false && existing.registration?.identity.key !== identity.key;
      return { next: mayReplace ? withRegistration(deps, existing, identity) : null, answer: undefined };
    },
  );
};

/**
 * Creates the account of a new user under the email that the provider vouches for, or takes over an unverified account
 * that waits under it. The account is stored before its login key. Null if a concurrent call was faster with the email
 * or the identity.
 */
const createAccount = async (
  deps: Deps,
  email: string,
  { identity }: RedeemedFlow,
  caller: Caller,
): Promise<SignInResult | null> => {
  const { accounts, change, clock, digest, keys } = deps;
  const linked = linkedIdentity(digest, identity, clock.now());
  await register(deps, email, linked, caller);

  const decide = async (account: Account | undefined): Promise<Decision<OpenedSession | null>> => {
    // A concurrent call has verified, deleted or registered the account anew.
    if (account === undefined || account.registration?.identity.key !== linked.key) {
      return { next: null, answer: null };
    }
    const loginKey = await keys.claim(account, linked.key);
    // The caller signs in to the account that has claimed the identity meanwhile.
    if (loginKey === 'taken') return { next: null, answer: null };
    const owned = verifiedAccount(deps, account, identity, linked, loginKey, caller);
    const next = rememberAddress(deps, owned, caller.client);
    return openSession(deps, { next, answer: { account: next, methods: ['oidc'] } }, caller);
  };

  const opened = await change(() => accounts.findByEmail(email), decide);
  return opened === null ? null : opened.result;
};

export const emailRequired = object(
  {
    requiresEmail: TRUE,
    signUpToken: text({
      description: 'For `sign-up` and `verify-email`; valid for 10 minutes',
      examples: ['c2lnbi1pbg.bWFyaw'],
    }),
    email: nullable(
      text({ description: 'What the provider has, to suggest it', examples: ['ada@example.com'] }),
    ),
    message: message('Enter your email; we send a code to it.'),
  },
  { title: 'EmailRequired' },
);
/**
 * The provider vouches for no email: the user has to name one, and to enter the code that is mailed to it. `signUpToken`
 * represents the identity at `signUp` and `verifyEmail`. `email` is the provider's unverified one, as a suggestion; null
 * if it has none.
 */
export interface EmailRequired extends TypeOf<typeof emailRequired> {
  readonly status: 'email_required';
}

/**
 * Signs up with an identity that opens no account. Null if a concurrent call has created the account. Throws `conflict`
 * (`account_exists`) if the provider vouches for the email of a verified account, or of a deleted account that can still be
 * restored; `forbidden` (`sign_up_closed`); `missing` (`provider_not_found`) if the provider is not configured any more.
 */
export const signUp = async (
  deps: Deps,
  flow: RedeemedFlow,
  identityKey: string,
  caller: Caller,
): Promise<SignInResult | EmailRequired | null> => {
  const { accounts, digest, domains } = deps;
  const { identity, flowId } = flow;
  const vouchedEmail = vouchedEmailOf(domains, identity);
  const holder = vouchedEmail === undefined ? undefined : await accounts.findByEmail(vouchedEmail);
  // A concurrent sign-in has just created this identity's account.
  if (holder !== undefined && loginKeyClaim(holder, identityKey) !== undefined) return null;
  const isTaken =
    vouchedEmail !== undefined && (holder?.verified === true || (await isReservedEmail(deps, vouchedEmail)));
  if (isTaken) {
    throw accountExists(vouchedEmail, newContinuationToken(digest, 'link-token', flowId));
  }
  if (!findProvider(deps, identity.provider).signUp) throw signUpClosed();
  return vouchedEmail === undefined
    ? {
        status: 'email_required',
        requiresEmail: true,
        signUpToken: newContinuationToken(digest, 'sign-up-token', flowId),
        email: emailOf(domains, identity) ?? null,
        message: 'Enter your email; we send a code to it.',
      }
    : createAccount(deps, vouchedEmail, flow, caller);
};

export const signUpByProviderInput = object({
  signUpToken: token('From the answer `requiresEmail`; valid for 10 minutes'),
  email: EMAIL,
});
/** The email step of a sign-up with an identity without a vouched email: the token as `exchange` gave it. */
export type SignUpByProviderInput = TypeOf<typeof signUpByProviderInput>;

/**
 * Registers without a password: the code that is mailed to the email is valid only together with the token, so that
 * the email's owner cannot verify a stranger's registration. A later registration replaces this one, as this one replaces
 * an earlier one.
 */
export const makeSignUpByProvider = (deps: Deps) => {
  const { clock, digest, domains, newId, policy } = deps;

  return async (
    input: SignUpByProviderInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<CodeMailed> => {
    const { identity } = await findRedeemedFlow(deps, 'sign-up-token', input.signUpToken);
    const email = canonicalEmail(domains, input.email);
    // Counted after the token was checked: callers without one must not use up the allowance of the email's owner.
    await charge?.(accountKey(digest, email));
    if (await isReservedEmail(deps, email)) throw emailTaken();
    const displayName = nameOf(policy, identity);
    const language = chooseLanguage(caller.languages);
    const registration = {
      identity: linkedIdentity(digest, identity, clock.now()),
      tokenDigest: digest.sha256(input.signUpToken),
    };
    const fields = { id: newId(), email, displayName, language, passwordHash: null, now: clock.now() };
    const account = { ...newAccount(fields), registration };
    const message = 'We sent a code to this email; enter it to finish.';
    // `waiting`: the unverified account that the email has already.
    return addUnverifiedAccount(deps, account, caller, message, (waiting) => {
      const now = clock.now();
      const renewed = { passwordHash: null, registeredAt: now, replacedAt: now, updatedAt: now };
      return { ...waiting, displayName, language, registration, ...renewed };
    });
  };
};
