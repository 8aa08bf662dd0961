import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { sessionOf } from '../ceremonies/ceremony.ts';
import { makeUsePasskey } from '../ceremonies/use-passkey.ts';
import type { Decision } from '../change-account.ts';
import { invalidToken, wrongCredentials } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { Method } from '../session.ts';
import { type NewCookie, needCookie } from '../sessions/cookie.ts';
import { makeNoteProof } from '../sessions/note-proof.ts';
import { makeTakeProof } from '../trips/proof.ts';
import { type GivenFactor, makeTakeFactor, type SecondProof } from './given-factor.ts';
import { makeProvePassword, proveFactor } from './proof.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

/**
 * One of a password, the code of a trip to a provider with its verifier, and a passkey. Where two-factor authentication is
 * on, the first two need a second factor besides: a code, or a passkey.
 */
export interface Reauthenticate extends SecondProof {
  readonly password?: string;
  readonly code?: string;
  readonly verifier?: string;
}

interface FirstProved {
  readonly method: Method;
  /** Whether the account is still the one that it proves. */
  readonly stillProves: (account: Account) => boolean;
}

type Proved = Decision<readonly Method[]>;

export interface Reauthenticated {
  readonly success: true;
  /** ISO 8601: until when calls that need a fresh proof are let through. */
  readonly freshUntil: string;
  /** The new value where the session is in a cookie. The value before is good for a minute longer. */
  readonly cookie?: NewCookie;
}

export const makeReauthenticate = (kit: Kit) => {
  const { accounts, changeUser, log } = kit;
  const noteProof = makeNoteProof(kit);
  const provePassword = makeProvePassword(kit);
  const checkFactor = makeCheckFactor(kit);
  const takeProof = makeTakeProof(kit);
  const takeFactor = makeTakeFactor(kit);
  const usePasskey = makeUsePasskey(kit);

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

    const factor = async (verified: boolean): Promise<GivenFactor | undefined> => {
      const account = await accounts.find(seen.id);
      if (account === undefined || account.deletedAt !== null) throw invalidToken();
      const due = { purpose: 'reauth', of: sessionOf(who), verified } as const;
      return takeFactor(input, account, due, caller);
    };

    /** By a passkey that asked for a PIN or a fingerprint: two factors by itself. */
    const proveByPasskey = async (): Promise<readonly Method[]> => {
      const given = await factor(true);
      return changeUser(seen.id, (found: Account): Proved => {
        if (found.sessionEpoch !== seen.sessionEpoch || given === undefined || !('passkey' in given))
          return { next: null, refuse: wrongCredentials() };
        const used = usePasskey(found, given.passkey, caller);
        const next = used.next === found ? null : used.next;
        return used.refuse === null ? { next, answer: ['passkey'] } : { next, refuse: used.refuse };
      });
    };

    const proveInTurn = async (): Promise<readonly Method[]> => {
      const { method, stillProves } = await proveFirst();
      const given = seen.hasTwoFactor ? await factor(false) : undefined;
      return changeUser(seen.id, async (found: Account): Promise<Proved> => {
        if (found.sessionEpoch !== seen.sessionEpoch || !stillProves(found)) {
          return { next: null, refuse: wrongCredentials() };
        }
        const { account, refuse, methods } = await proveFactor(checkFactor, found, given, caller);
        const next = account === found ? null : account;
        return refuse === null ? { next, answer: [method, ...methods] } : { next, refuse };
      });
    };

    const isPasskeyAlone =
      input.passkey !== undefined && input.password === undefined && input.code === undefined;
    const first: Method = isPasskeyAlone ? 'passkey' : input.code === undefined ? 'password' : 'oidc';

    const from = { userId: seen.id, ...calledFrom(caller) };
    const methods = await (isPasskeyAlone ? proveByPasskey() : proveInTurn())
      .catch(logRefusedFactor(kit, seen.id, caller))
      .catch((error: unknown) => {
        if (error instanceof CoreError && error.kind === 'unauthenticated') {
          log.info('proof.failed', { factors: [first], ...from });
        }
        throw error;
      });
    const { freshUntil, ...cookie } = await noteProof(who, methods, caller);
    log.info('proof.succeeded', { factors: methods, ...from });
    return { success: true, freshUntil: new Date(freshUntil).toISOString(), ...cookie };
  };
};
