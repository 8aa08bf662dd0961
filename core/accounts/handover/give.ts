import { invalid } from '../../errors.ts';
import { isBanned, isDisabled } from '../account.ts';
import { invalidToken, restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { checkChallenge, newTripCode } from '../trips/trip.ts';
import { sealedHandover } from './code.ts';

export interface HandOver {
  /** One of `SIGN_IN_REDIRECTS`, as text: the address of the app to which the page goes back. */
  readonly returnTo: string;
  /** SHA-256 of the app's verifier as base64url. */
  readonly codeChallenge: string;
}

export interface HandoverCode {
  readonly code: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Gives a session's owner a code by which an app begins a session of its own. See decision 0102. */
export const makeHandOver = (kit: Kit) => {
  const { accounts, clock, flows, log, newId, policy, random, sealer } = kit;

  return async (who: Identity, input: HandOver, caller: Caller): Promise<HandoverCode> => {
    const { returnTo, codeChallenge: challenge } = input;
    if (!policy.signInRedirects.includes(returnTo)) {
      throw invalid('invalid_return_to', 'SIGN_IN_REDIRECTS lacks this address.');
    }
    checkChallenge(challenge);
    const now = clock.now();
    const account = await accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    if (account.sessionEpoch !== who.user.sessionEpoch) throw invalidToken();
    if (isBanned(account, now)) throw restricted('account_banned');
    if (isDisabled(account, now)) throw restricted('account_disabled');

    const flowId = random.text(32);
    const { code, codeDigest } = newTripCode(kit, flowId);
    const { authenticatedAt, methods, id: givenBy } = who.session;
    const expiresAt = now + policy.handoverCodeLife;
    await flows.add({
      id: flowId,
      stage: 'answered',
      codeDigest,
      content: sealedHandover(sealer, flowId).seal({
        ...{ userId: account.id, givenBy, opens: newId(), returnTo, challenge, authenticatedAt, methods },
        ...{ epoch: account.sessionEpoch, passwordAt: account.passwordAt },
      }),
      expiresAt,
      keptUntil: expiresAt + policy.handoverWatched,
    });
    log.info('handover.given', { userId: account.id, ...calledFrom(caller) });
    return { code, expiresIn: policy.handoverCodeLife / 1_000 };
  };
};
