import type { Account } from '../account.ts';
import { isUsable } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { CredentialJson, Passkey, ShownPasskey } from '../ways-in/passkey.ts';
import { type CeremonyOf, type CeremonyPurpose, makeCeremonies } from './ceremony.ts';
import { invalidPasskey } from './errors.ts';

/** What a client brings back from `navigator.credentials.get()`. */
export interface PasskeyAnswer {
  /** From the beginning, unchanged. */
  readonly flow: string;
  /** `AuthenticationResponseJSON` (WebAuthn Level 3). */
  readonly credential: CredentialJson;
}

/** A passkey that has just signed our challenge. */
export interface AssertedPasskey extends ShownPasskey {
  readonly userId: string;
  readonly credentialId: string;
}

/** What has to be so besides a right signature. */
interface Due {
  readonly purpose: Exclude<CeremonyPurpose, 'register'>;
  readonly of: CeremonyOf;
  /** Whether the person must have shown a PIN, a fingerprint or the like. */
  readonly verified: boolean;
  /** The account that may own the passkey. */
  readonly owner: (credentialId: string) => Promise<Account | undefined>;
}

/**
 * A key on P-256 whose other half nobody has: for a passkey that we do not know, so that it takes the same work as one
 * that we know.
 */
const NOBODYS_KEY =
  'pQECAyYgASFYICJdmVeLl3OLhgtSKQw39ebIR-Q77EfI0iWp-GOf_ALZIlggUJphvorKCwB-ZKcQTI1daW3e109HzPleNGbCFg0SKpg';

const ID = /^[A-Za-z0-9_-]{1,1364}$/;

const idOf = ({ id }: CredentialJson): string => (typeof id === 'string' && ID.test(id) ? id : '');

const handleOf = ({ response }: CredentialJson): unknown =>
  typeof response === 'object' && response !== null ? Reflect.get(response, 'userHandle') : undefined;

/**
 * Checks the answer of a passkey, and spends its challenge. What it gives is judged against the account once more when
 * that is written: see `usePasskey`. Throws `unauthenticated` (`invalid_passkey`); the log says why.
 */
export const makeCheckAssertion = (kit: Kit) => {
  const { log, passkeys, random } = kit;
  const ceremonies = makeCeremonies(kit);

  /** Why not, as far as the account can tell; undefined if nothing is against it. */
  const refusedBy = (
    account: Account,
    passkey: Passkey,
    shown: ShownPasskey,
    answer: CredentialJson,
    due: Due,
  ) => {
    const handle = handleOf(answer);
    if (handle === undefined || handle === null) {
      if (due.purpose === 'login') return 'no_user_handle';
    } else if (handle !== account.passkeyHandle) return 'other_account';
    if (!account.verified || !isUsable(kit, passkey)) return 'refused';
    if (shown.backupEligible !== passkey.backupEligible) return 'backup_eligibility_changed';
    return due.verified && !shown.userVerified ? 'not_user_verified' : undefined;
  };

  return async ({ flow, credential }: PasskeyAnswer, due: Due, caller: Caller): Promise<AssertedPasskey> => {
    const credentialId = idOf(credential);
    const refuse = (reason: string, account?: Account) => {
      log.info('passkey.failed', { reason, ...(account && { userId: account.id }), ...calledFrom(caller) });
      return invalidPasskey();
    };
    const { relyingParty } = passkeys;
    if (relyingParty === null) throw refuse('passkeys_off');
    const ceremony = ceremonies.open(flow, due.purpose, due.of);
    const account = await due.owner(credentialId);
    const passkey = account?.passkeys.find((one) => one.credentialId === credentialId);
    const shown = await passkeys.assert(credential, {
      challenge: ceremony?.challenge ?? random.text(32),
      rpId: passkey?.rpId ?? relyingParty.id,
      key: passkey?.key ?? NOBODYS_KEY,
    });
    if (ceremony === undefined) throw refuse('invalid_flow', account);
    if (account === undefined || passkey === undefined) throw refuse('unknown', account);
    if ('reason' in shown) throw refuse(shown.reason, account);
    const reason = refusedBy(account, passkey, shown, credential, due);
    if (reason !== undefined) throw refuse(reason, account);
    if (!(await ceremonies.spend(ceremony))) throw refuse('replayed', account);
    return { ...shown, userId: account.id, credentialId };
  };
};
