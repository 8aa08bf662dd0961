import { CoreError, unavailable } from '../../errors.ts';
import { type Account, newAccount, type ProviderRegistration } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { rememberAddress } from '../guess-keys.ts';
import { makeLoginKeys, namedKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { chooseLanguage } from '../mail/languages.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import type { LoginAnswer, Opened } from '../sessions/open-session.ts';
import { makeLetIn } from '../sessions/open-session.ts';
import type { LoginChallenge } from '../sessions/pending-login.ts';
import { accountExists, signUpClosed } from '../trips/errors.ts';
import { emailOf, linkedIdentity, vouchedEmailOf } from '../trips/identities.ts';
import { makeTakeTrip, type PresentedTrip, type TakenTrip, type TripCode } from '../trips/take.ts';
import { newOnwardToken } from '../trips/trip.ts';
import { findProvider } from './begin.ts';
import { makeBorn, makeRegistered } from './born.ts';
import { makeEnter } from './enter.ts';

/** The provider does not vouch for an email: the person has to name one, and to enter the code that is mailed to it. */
export interface EmailRequired {
  readonly requiresEmail: true;
  /** Stands for the identity at `signUp` and `verifyEmail`. */
  readonly signUpToken: string;
  /** What the provider has for it, as a suggestion; null without. */
  readonly email: string | null;
  readonly message: string;
}

export type Exchanged = LoginAnswer | LoginChallenge | EmailRequired;

/** How often the whole is looked at anew, where others sign in with the same identity at the same time. */
const ATTEMPTS = 20;

/** Whose account it is: see the table of cases in decision 0095. */
export const makeExchange = (kit: Kit) => {
  const { clock, digest, domains, log } = kit;
  const trips = makeTakeTrip(kit);
  const keys = makeLoginKeys(kit);
  const enter = makeEnter(kit);
  const found = makeFoundAccount(kit);

  const emailRequired = (email: string | undefined, { flowId }: TakenTrip): EmailRequired => ({
    requiresEmail: true,
    signUpToken: newOnwardToken(digest, 'sign-up-token', flowId),
    email: email ?? null,
    message: 'Name an email; we send a code to it.',
  });

  const newcomer = async (trip: TakenTrip, key: string, caller: Caller): Promise<Exchanged | null> => {
    const { identity } = trip;
    const vouched = vouchedEmailOf(domains, identity);
    const holder = vouched === undefined ? undefined : await kit.accounts.findByEmail(vouched);
    // Its own, since a sign-in at the same time.
    if (holder !== undefined && namedKey(holder, key) !== undefined) return null;
    if (vouched !== undefined && holder?.verified === true) {
      throw accountExists(vouched, newOnwardToken(digest, 'link-token', trip.flowId));
    }
    if (!findProvider(kit, identity.provider).signUp) throw signUpClosed();
    return vouched === undefined
      ? emailRequired(emailOf(domains, identity), trip)
      : found(vouched, trip, caller);
  };

  const answered = async (presented: PresentedTrip, caller: Caller): Promise<Exchanged> => {
    const { trip, take } = presented;
    const { key } = linkedIdentity(digest, trip.identity, clock.now());
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const owner = await keys.find(key);
      if (owner === undefined) await take();
      const exchanged =
        owner === undefined
          ? await kit.claimInTurn(key, () => newcomer(trip, key, caller))
          : await enter(owner, presented, caller);
      if (exchanged !== null) return exchanged;
    }
    throw unavailable('contended', 'Too many sign-ins with this identity at once; try again.', 1);
  };

  return async (given: TripCode, caller: Caller): Promise<Exchanged> => {
    const from = calledFrom(caller);
    try {
      // Of parallel calls with one code only the first writes a session: each session more may end the user's oldest.
      const exchanged = await kit.claimInTurn(given.code, async () =>
        answered(await trips.present(given, 'login', null), caller),
      );
      if ('user' in exchanged) {
        const event = 'requires2FA' in exchanged ? 'sign_in.challenged' : 'sign_in.succeeded';
        log.info(event, { factors: ['oidc'], userId: exchanged.user.id, ...from });
      }
      return exchanged;
    } catch (error) {
      if (error instanceof CoreError)
        log.info('sign_in.failed', { reason: error.code, factors: ['oidc'], ...from });
      throw error;
    }
  };
};

type RegisteredIdentity = ProviderRegistration['identity'];

/**
 * Founds the account of a newcomer on the email that the provider vouches for: a new one, or an unverified one that waits
 * under this email. The account is there before its key. Null when somebody was faster with the email or the identity.
 */
const makeFoundAccount = (kit: Kit) => {
  const { accounts, change, clock, digest, entries, newId, policy, wake } = kit;
  const keys = makeLoginKeys(kit);
  const letIn = makeLetIn(kit);
  const registered = makeRegistered(kit);
  const born = makeBorn(kit);

  /**
   * Leaves an unverified account under the email whose registration is this identity's. Where this is all that a crash
   * leaves, the next sign-in goes on from here.
   */
  const register = async (email: string, identity: RegisteredIdentity, caller: Caller) => {
    const language = chooseLanguage(caller.languages);
    const base = newAccount({
      ...{ id: newId(), email, displayName: null, language, passwordHash: null },
      now: clock.now(),
    });
    const created = withPending(registered(base, identity), entries.event('user.created', base.id));
    if (await accounts.add(created)) return wake();
    await change<void>(
      () => accounts.findByEmail(email),
      (found) => {
        const isOurs = found?.verified !== false || found.registration?.identity.key === identity.key;
        return {
          next: isOurs || found === undefined ? null : registered(found, identity),
          answer: undefined,
        };
      },
    );
  };

  return async (email: string, { identity }: TakenTrip, caller: Caller): Promise<LoginAnswer | null> => {
    const linked = linkedIdentity(digest, identity, clock.now());
    await register(email, linked, caller);

    const decide = async (account: Account | undefined): Promise<Decision<Opened | null>> => {
      // Verified, removed, or registered anew by somebody else in between.
      if (account === undefined || account.registration?.identity.key !== linked.key) {
        return { next: null, answer: null };
      }
      const named = await keys.claim(account, linked.key);
      const made = born(account, identity, linked, named, caller);
      const next = rememberAddress(digest, policy, made, caller.client, clock.now());
      return letIn({ next, answer: { account: next, methods: ['oidc'] } }, caller);
    };

    try {
      const opened = await change(() => accounts.findByEmail(email), decide);
      return opened === null ? null : opened.answer;
    } catch (error) {
      // Another account has the identity by now: that one is to be entered.
      if (error instanceof CoreError && error.code === 'login_key_taken') return null;
      throw error;
    }
  };
};
