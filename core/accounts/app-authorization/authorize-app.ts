import { invalid } from '../../errors.ts';
import { integer, object, type TypeOf, text } from '../../schema.ts';
import { restrictionOf } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { findOwnAccount } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { invalidToken, restricted } from '../errors.ts';
import { CHALLENGE, checkChallenge } from '../pkce.ts';
import type { Principal } from '../principal.ts';
import { REDIRECT_URI } from '../providers/redirects.ts';
import { makeAuthorizationCodes } from './authorization-code.ts';

export const authorizeAppInput = object({ returnTo: REDIRECT_URI, codeChallenge: CHALLENGE });
/**
 * `returnTo` is the address of the app to which the page goes back: one of `SIGN_IN_REDIRECTS`, character by character.
 * `codeChallenge` is SHA-256 of the app's code verifier as base64url.
 */
export type AuthorizeAppInput = TypeOf<typeof authorizeAppInput>;

export const authorizationCode = object(
  {
    code: text({
      description: 'For the app, in the query of the address; valid once',
      examples: ['aGFuZG92ZXI.Y29kZQ'],
    }),
    expiresIn: integer({ description: 'Seconds', minimum: 1, examples: [60] }),
  },
  { title: 'HandoverCode' },
);
/** A code for an app, and the seconds for which it is valid. */
export type AuthorizationCode = TypeOf<typeof authorizationCode>;

/**
 * Issues an authorization code with which an app opens a session of its own. Only the cookie of a session at the pages
 * authorizes an app: an access token, which other services see, does not, nor does the session of another app or
 * of the operators' console. See decision 0102.
 */
export const makeAuthorizeApp = (deps: Deps) => {
  const { clock, log, newId, policy, random } = deps;
  const codes = makeAuthorizationCodes(deps);

  return async (
    principal: Principal,
    input: AuthorizeAppInput,
    caller: Caller,
  ): Promise<AuthorizationCode> => {
    const { returnTo, codeChallenge: challenge } = input;
    const { cookie, session } = principal;
    const isOfPages = cookie !== undefined && session.kind === undefined && session.givenBy === undefined;
    if (!isOfPages) throw restricted('cookie_needed');
    // A path in `signInRedirects` leads to the pages themselves, which are no app.
    if (returnTo.startsWith('/') || !policy.signInRedirects.includes(returnTo)) {
      throw invalid('invalid_return_to', 'SIGN_IN_REDIRECTS lacks this address.');
    }
    checkChallenge(challenge);
    const now = clock.now();
    const account = await findOwnAccount(deps, principal);
    if (account.sessionEpoch !== principal.user.sessionEpoch) throw invalidToken();
    const restriction = restrictionOf(account, now);
    if (restriction !== undefined) throw restricted(restriction);

    const { authenticatedAt, methods, id: parentId } = session;
    const openedSessionId = newId();
    const expiresAt = now + policy.authorizationCodeLifeMs;
    const grant = {
      userId: account.id,
      givenBy: parentId,
      opens: openedSessionId,
      returnTo,
      challenge,
      authenticatedAt,
      methods,
      epoch: account.sessionEpoch,
      address: caller.address,
    };
    const code = await codes.issue(random.text(32), grant, {
      expiresAt,
      // The code stays stored longer than it is valid, so that a second use of it is detected.
      keptUntil: expiresAt + policy.authorizationCodeReuseLifeMs,
    });
    // Never undefined in practice: 256 random bits do not repeat.
    if (code === undefined) throw invalidToken();
    log.info('handover.given', { userId: account.id, ...calledFrom(caller) });
    return { code, expiresIn: policy.authorizationCodeLifeMs / 1_000 };
  };
};
