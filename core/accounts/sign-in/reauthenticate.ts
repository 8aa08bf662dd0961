import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { wrongCredentials } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { makeTakeProof } from '../providers/prove.ts';
import type { Method } from '../session.ts';
import { type NewCookie, needCookie } from '../sessions/cookie.ts';
import { makeNoteProof } from '../sessions/note-proof.ts';
import { makeProvePassword, proveFactor } from './proof.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

/** One of a password, and the code of a trip to a provider with its verifier. */
export interface Reauthenticate {
  readonly password?: string;
  readonly code?: string;
  readonly verifier?: string;
  /** Needed when two-factor authentication is on. */
  readonly verificationCode?: string;
}

interface FirstProved {
  readonly method: Method;
  /** Whether the account is still the one that it proves. */
  readonly stillProves: (account: Account) => boolean;
}

export interface Reauthenticated {
  readonly success: true;
  /** ISO 8601: until when calls that need a fresh proof are let through. */
  readonly freshUntil: string;
  /** The new value where the session is in a cookie. The value before is good for a minute longer. */
  readonly cookie?: NewCookie;
}

export const makeReauthenticate = (kit: Kit) => {
  const { changeUser, log } = kit;
  const noteProof = makeNoteProof(kit);
  const provePassword = makeProvePassword(kit);
  const checkFactor = makeCheckFactor(kit);
  const takeProof = makeTakeProof(kit);

  return async (who: Identity, input: Reauthenticate, caller: Caller): Promise<Reauthenticated> => {
    needCookie(who);
    const { user: seen } = who;
    const proveFirst = async (): Promise<FirstProved> => {
      const { code, verifier, password } = input;
      if (code !== undefined && verifier !== undefined) {
        return { method: 'oidc', stillProves: await takeProof(who, { code, verifier }) };
      }
      await provePassword(seen, password, caller);
      return { method: 'password', stillProves: () => true };
    };

    const prove = async (): Promise<readonly Method[]> => {
      const { method, stillProves } = await proveFirst();
      return changeUser(seen.id, async (found: Account): Promise<Decision<readonly Method[]>> => {
        if (found.sessionEpoch !== seen.sessionEpoch || !stillProves(found)) {
          return { next: null, refuse: wrongCredentials() };
        }
        const { account, refuse, methods } = await proveFactor(checkFactor, found, input.verificationCode);
        const next = account === found ? null : account;
        return refuse === null ? { next, answer: [method, ...methods] } : { next, refuse };
      });
    };

    const from = { userId: seen.id, ...calledFrom(caller) };
    const methods = await prove()
      .catch(logRefusedFactor(kit, seen.id, caller))
      .catch((error: unknown) => {
        if (error instanceof CoreError && error.kind === 'unauthenticated') {
          log.info('proof.failed', { factors: [input.code === undefined ? 'password' : 'oidc'], ...from });
        }
        throw error;
      });
    const { freshUntil, ...cookie } = await noteProof(who, methods, caller);
    log.info('proof.succeeded', { factors: methods, ...from });
    return { success: true, freshUntil: new Date(freshUntil).toISOString(), ...cookie };
  };
};
