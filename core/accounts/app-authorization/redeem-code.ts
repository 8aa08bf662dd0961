import { CoreError } from '../../errors.ts';
import { describedAs, object, type TypeOf } from '../../schema.ts';
import { type Account, isBanned, isDisabled } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { invalidCode } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import { VERIFIER, verifiesChallenge } from '../pkce.ts';
import { FLOW_CODE } from '../providers/provider-flow.ts';
import { REDIRECT_URI } from '../providers/redirects.ts';
import { isLive, type Session } from '../session.ts';
import { type OpenedSession, openSession, type SignInResult } from '../sessions/open-session.ts';
import { type AuthorizationGrant, makeAuthorizationCodes } from './authorization-code.ts';

export const redeemAuthorizationCodeInput = object({
  code: describedAs(FLOW_CODE, 'From the address to which the page went back; valid once, for a minute'),
  codeVerifier: VERIFIER,
  returnTo: REDIRECT_URI,
});
/**
 * `codeVerifier` has 43 to 128 characters (RFC 7636 section 4.1); `returnTo` is the address to which the page went back.
 */
export type RedeemAuthorizationCodeInput = TypeOf<typeof redeemAuthorizationCodeInput>;

/** The name of an app for people: its host, or the scheme of a native app. */
const appName = (returnTo: string): string => {
  const [, scheme = '', host = ''] = /^([^:]+):(?:\/\/([^/?#]*))?/.exec(returnTo) ?? [];
  return host || scheme;
};

/**
 * Opens a session for an app by a code. The first use redeems the code, even with invalid input. A second use ends the
 * session that the first use opened (RFC 6749 section 4.1.2): nobody can tell which use was the app's.
 */
export const makeRedeemAuthorizationCode = (deps: Deps) => {
  const { changeUser, clock, digest, entries, log, policy, sessions, tokens, wake } = deps;
  const codes = makeAuthorizationCodes(deps);

  /** Ends the session that the code opened, if it has opened one. */
  const endOpenedSession = async ({ userId, opens }: AuthorizationGrant): Promise<void> => {
    await sessions.end(userId, opens, clock.now());
    tokens.forget(opens);
    wake();
  };

  /** The session that authorized the app; undefined if its end, or a change of the account, has voided the code. */
  const parentOf = async (account: Account, grant: AuthorizationGrant): Promise<Session | undefined> => {
    const now = clock.now();
    const isVoid = account.sessionEpoch !== grant.epoch || isBanned(account, now) || isDisabled(account, now);
    if (isVoid) return undefined;
    const parent = await sessions.find(account.id, grant.givenBy);
    return parent !== undefined && isLive(parent, account, now) ? parent : undefined;
  };

  const open = (grant: AuthorizationGrant, caller: Caller): Promise<OpenedSession> =>
    changeUser(
      grant.userId,
      async (account): Promise<Decision<OpenedSession>> => {
        const parent = await parentOf(account, grant);
        if (parent === undefined) return { next: null, refuse: invalidCode() };
        // The app's session takes over the owner's proof of identity at the pages, with its time.
        const { opens: sessionId, authenticatedAt, methods } = grant;
        const answer = { account, methods, authenticatedAt, sessionId, parent };
        const app = appName(grant.returnTo);
        // The mail names the address of the browser that authorized the app, which `grant` has, not that of this call.
        const next = withPending(account, entries.notice(account, 'app-signed-in', grant, { app }));
        return openSession(deps, { next, answer }, caller);
      },
      invalidCode,
    );

  const redeem = async (input: RedeemAuthorizationCodeInput, caller: Caller): Promise<SignInResult> => {
    const presented = await codes.find(input.code);
    if (presented === undefined) throw invalidCode();
    const { id, content: grant } = presented;
    // A second use is recognized until this time.
    const expiresAt = clock.now() + policy.authorizationCodeReuseLifeMs;
    const isFirst = await codes.redeem(presented, expiresAt);
    // A code that was issued for another purpose, such as a provider flow, has no grant.
    if (grant === undefined) throw invalidCode();
    /** Closes the code; true for one call alone. If the first use gets false, a second use has closed the code. */
    const close = () => codes.close(id, expiresAt);
    if (!isFirst) {
      await close();
      await endOpenedSession(grant);
      log.warn('handover.used_twice', { userId: grant.userId, ...calledFrom(caller) });
      throw invalidCode();
    }
    if (!verifiesChallenge(digest, input.codeVerifier, grant.challenge)) throw invalidCode();
    if (grant.returnTo !== input.returnTo) throw invalidCode();
    const { result } = await open(grant, caller);
    // If this fails, nobody knows whether a second use came in between: the session ends to be safe.
    const hasClosed = await close().catch(async (error: unknown) => {
      await endOpenedSession(grant).catch(() => undefined);
      throw error;
    });
    if (hasClosed) return result;
    await endOpenedSession(grant);
    throw invalidCode();
  };

  return async (input: RedeemAuthorizationCodeInput, caller: Caller): Promise<SignInResult> => {
    // `handover` is an earlier name of the authorization of apps; logs keep it.
    const logFields = { factors: ['handover'], ...calledFrom(caller) };
    try {
      const answer = await redeem(input, caller);
      log.info('sign_in.succeeded', { ...logFields, userId: answer.user.id });
      return answer;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      // The session that authorized the app, or the account, may have ended meanwhile.
      const refusal = error.kind === 'unauthenticated' ? invalidCode() : error;
      log.info('sign_in.failed', { ...logFields, reason: refusal.code });
      throw refusal;
    }
  };
};
