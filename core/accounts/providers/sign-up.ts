import { unavailable } from '../../errors.ts';
import { newAccount } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { canonicalEmail } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { type Admit, accountKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { chooseLanguage } from '../mail/languages.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { countUnaskedCodeMail, takeUnaskedCodeMail, withNewVerificationCode } from '../sign-in/code-mails.ts';
import { linkedIdentity, nameOf } from '../trips/identities.ts';
import { makeTakeTrip } from '../trips/take.ts';

/** The email step of who signs up with an identity that brings none. */
export interface SignUpByProvider {
  /** As `exchange` gave it. */
  readonly signUpToken: string;
  readonly email: string;
}

/**
 * Registers without a password: a code goes to the email, and is good together with the token alone, so that nobody
 * verifies for a stranger. A later registration replaces it, as it replaces an earlier one.
 */
export const makeSignUpByProvider = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, newId, policy, wake } = kit;
  const trips = makeTakeTrip(kit);

  return async (
    input: SignUpByProvider,
    caller: Caller,
    admit?: Admit,
  ): Promise<{ readonly message: string; readonly email: string }> => {
    const { identity } = await trips.byToken('sign-up-token', input.signUpToken);
    const email = canonicalEmail(domains, input.email);
    // Only now: whoever has no token must not use up what the owner of the email may ask for.
    await admit?.(accountKey(digest, email));
    const [displayName, language] = [nameOf(policy, identity), chooseLanguage(caller.languages)];
    const registration = {
      identity: linkedIdentity(digest, identity, clock.now()),
      tokenDigest: digest.sha256(input.signUpToken),
    };
    const answer = { message: 'We sent a code to this email; enter it to finish.', email };

    const given = { id: newId(), email, displayName, language, passwordHash: null, now: clock.now() };
    const account = { ...newAccount(given), registration };
    const created = withPending(account, entries.event('user.created', account.id));
    if (await accounts.add(withNewVerificationCode(kit, created))) {
      wake();
      await countUnaskedCodeMail(kit, email, caller.client);
      return answer;
    }
    if ((await accounts.findByEmail(email))?.verified) throw emailTaken();
    const mailed = await takeUnaskedCodeMail(kit, email, caller.client);
    return change<typeof answer>(
      () => accounts.findByEmail(email),
      (found): Decision<typeof answer> => {
        if (found === undefined) return { next: null, refuse: tryAgain() };
        if (found.verified) return { next: null, refuse: emailTaken() };
        const now = clock.now();
        const next = {
          ...found,
          ...{ displayName, language, registration },
          ...{ passwordHash: null, registeredAt: now, replacedAt: now, updatedAt: now },
        };
        return { next: mailed ? withNewVerificationCode(kit, next) : next, answer };
      },
    );
  };
};

const tryAgain = () =>
  unavailable('contended', 'This email was registered and removed at the same time; try again.', 1);
