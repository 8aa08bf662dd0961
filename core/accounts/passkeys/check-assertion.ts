import type { CoreError } from '../../errors.ts';
import { anyObject, object, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import type { AccountsPolicy } from '../policy.ts';
import { timeSince } from '../session.ts';
import { isUsable } from '../sign-in-methods.ts';
import { type CeremonyPurpose, type CeremonySubject, openCeremony, spendCeremony } from './ceremony.ts';
import { invalidPasskey } from './errors.ts';
import type { CredentialJson, Passkey, ShownPasskey } from './passkey.ts';

export const PASSKEY_FLOW = text({
  minLength: 1,
  maxLength: 4_096,
  description: 'From the begin call, unchanged; valid for 5 minutes',
  examples: ['c2VhbGVk'],
});

/** The browser's response, as `toJSON()` returns it: the use case checks it. */
export const credentialOf = (dictionary: string) =>
  anyObject({
    description: `\`${dictionary}\` (WebAuthn Level 3): what \`toJSON()\` of the credential gives`,
    examples: [{ id: 'Y3JlZGVudGlhbA', rawId: 'Y3JlZGVudGlhbA', type: 'public-key', response: {} }],
  });

const assertion = { flow: PASSKEY_FLOW, credential: credentialOf('AuthenticationResponseJSON') };

export const signInByPasskeyInput = object(assertion);
export const passkeyAssertion = object(assertion, {
  title: 'PasskeyAnswer',
  description: 'The answer of a passkey',
});
/**
 * What a client sends from `navigator.credentials.get()`: the `flow` that came with the challenge, unchanged, and the
 * `AuthenticationResponseJSON` (WebAuthn Level 3).
 */
export type PasskeyAssertion = TypeOf<typeof passkeyAssertion>;

/** A passkey that has just signed our challenge. */
export interface VerifiedAssertion extends ShownPasskey {
  readonly userId: string;
  readonly credentialId: string;
}

/** What an assertion must satisfy besides a valid signature. */
interface AssertionRequirement {
  readonly purpose: Exclude<CeremonyPurpose, 'register'>;
  readonly subject: CeremonySubject;
  /** Whether the person must have shown a PIN, a fingerprint or the like. */
  readonly verifiesUser: boolean;
  /** Finds the account that may own the passkey. */
  readonly findOwner: (credentialId: string) => Promise<Account | undefined>;
}

/**
 * A P-256 key whose private half nobody has. An unknown passkey is checked with this key, and an invalid `flow` with a random
 * challenge, so that these refusals take as much work as others.
 */
const NOBODYS_KEY =
  'pQECAyYgASFYICJdmVeLl3OLhgtSKQw39ebIR-Q77EfI0iWp-GOf_ALZIlggUJphvorKCwB-ZKcQTI1daW3e109HzPleNGbCFg0SKpg';

/** A credential id has at most 1,023 bytes (WebAuthn Level 3): 1,364 characters of base64url. */
const ID = /^[A-Za-z0-9_-]{1,1364}$/;

/** The credential id; for an id of a wrong form the empty text, which is the id of no passkey. */
const idOf = ({ id }: CredentialJson): string => (typeof id === 'string' && ID.test(id) ? id : '');

const handleOf = ({ response }: CredentialJson): unknown =>
  typeof response === 'object' && response !== null ? Reflect.get(response, 'userHandle') : undefined;

/** The reason to refuse the assertion, as far as the account can tell; undefined if there is none. */
const refusalReason = (
  deps: Deps,
  account: Account,
  passkey: Passkey,
  assertionData: ShownPasskey,
  answer: CredentialJson,
  requirement: AssertionRequirement,
) => {
  const handle = handleOf(answer);
  if (handle === undefined || handle === null) {
    // A sign-in begins without an account, so the passkey must name it (WebAuthn Level 3, section 7.2).
    if (requirement.purpose === 'login') return 'no_user_handle';
  } else if (handle !== account.passkeyHandle) return 'other_account';
  if (!account.verified || !isUsable(deps, passkey)) return 'refused';
  if (assertionData.backupEligible !== passkey.backupEligible) return 'backup_eligibility_changed';
  return requirement.verifiesUser && !assertionData.userVerified ? 'not_user_verified' : undefined;
};

/**
 * Verifies an assertion and spends its challenge. The result is checked against the account once more when the account is
 * written: see `recordPasskeyUse`. Throws `unauthenticated` (`invalid_passkey`); the log says why.
 */
export const checkAssertion = async (
  deps: Deps,
  { flow, credential }: PasskeyAssertion,
  requirement: AssertionRequirement,
  caller: Caller,
): Promise<VerifiedAssertion> => {
  const { log, passkeys, random } = deps;
  const { relyingParty } = passkeys;
  const credentialId = idOf(credential);
  const refuse = (reason: string, account?: Account) => {
    log.info('passkey.failed', { reason, ...(account && { userId: account.id }), ...calledFrom(caller) });
    return invalidPasskey();
  };
  if (relyingParty === null) throw refuse('passkeys_off');
  const ceremony = openCeremony(deps, flow, requirement.purpose, requirement.subject);
  const account = await requirement.findOwner(credentialId);
  const passkey = account?.passkeys.find((candidate) => candidate.credentialId === credentialId);
  const assertionData = await passkeys.assert(credential, {
    challenge: ceremony?.challenge ?? random.text(32),
    rpId: passkey?.rpId ?? relyingParty.id,
    key: passkey?.key ?? NOBODYS_KEY,
  });
  if (ceremony === undefined) throw refuse('invalid_flow', account);
  if (account === undefined || passkey === undefined) throw refuse('unknown', account);
  if ('reason' in assertionData) throw refuse(assertionData.reason, account);
  const reason = refusalReason(deps, account, passkey, assertionData, credential, requirement);
  if (reason !== undefined) throw refuse(reason, account);
  if (!(await spendCeremony(deps, ceremony))) throw refuse('replayed', account);
  return { ...assertionData, userId: account.id, credentialId };
};

/** `next`: the account to write, the same object if nothing changed. With a refusal, `next` records the cause, or is null. */
export type UsedPasskey =
  | { readonly next: Account; readonly refuse: null }
  | { readonly next: Account | null; readonly refuse: CoreError };

/** Whether the new counter is valid after the stored one. Authenticators without a counter always send 0. */
const isValidCounter = ({ counter }: Passkey, newCounter: number): boolean =>
  newCounter > counter || (counter === 0 && newCounter === 0);

const withPasskey = (account: Account, passkey: Passkey): Account => ({
  ...account,
  passkeys: account.passkeys.map((other) => (other.id === passkey.id ? passkey : other)),
});

/** The passkey with the data of the assertion; the same object if nothing changed. */
const withUse = (
  policy: AccountsPolicy,
  passkey: Passkey,
  asserted: VerifiedAssertion,
  now: number,
): Passkey => {
  const counter = isValidCounter(passkey, asserted.counter) ? asserted.counter : passkey.counter;
  const userVerified = passkey.userVerified || asserted.userVerified;
  const { backedUp } = asserted;
  const isChanged =
    counter !== passkey.counter ||
    backedUp !== passkey.backedUp ||
    userVerified !== passkey.userVerified ||
    timeSince(passkey.lastUsedAt ?? 0, now) > policy.passkeyUseEveryMs;
  return isChanged ? { ...passkey, counter, backedUp, userVerified, lastUsedAt: now } : passkey;
};

/**
 * Records the use of a passkey in its account, as part of the caller's conditional write. A counter that did not grow is a sign
 * of a copy, and adds an audit row. A passkey that may be copied (`backupEligible`) is accepted nevertheless; any other is refused
 * from then on. See decision 0098.
 */
export const recordPasskeyUse = (
  deps: Pick<Deps, 'clock' | 'entries' | 'log' | 'passkeys' | 'policy'>,
  account: Account,
  asserted: VerifiedAssertion,
  caller: Caller,
): UsedPasskey => {
  const { clock, entries, log, policy } = deps;
  const { credentialId, counter } = asserted;
  const passkey = account.passkeys.find((candidate) => candidate.credentialId === credentialId);
  if (account.id !== asserted.userId || passkey === undefined || !isUsable(deps, passkey))
    return { next: null, refuse: invalidPasskey() };
  const now = clock.now();
  const used = withUse(policy, passkey, asserted, now);
  if (isValidCounter(passkey, counter))
    return { next: used === passkey ? account : withPasskey(account, used), refuse: null };

  log.warn('passkey.counter_regressed', { userId: account.id, ...calledFrom(caller) });
  const row = entries.ownAudit(account.id, 'passkey.counter_regressed', caller, {
    before: { passkey: passkey.id, counter: passkey.counter },
    after: { counter },
  });
  if (passkey.backupEligible) return { next: withPending(withPasskey(account, used), row), refuse: null };
  const notice = entries.notice(account, 'passkey-copied', caller, { passkey: passkey.name });
  const next = withPending(withPasskey(account, { ...passkey, refusedAt: now }), row, notice);
  return { next, refuse: invalidPasskey() };
};
