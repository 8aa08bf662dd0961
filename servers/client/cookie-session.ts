import type { Fetch } from './fetch-types.ts';
import { bodyIn, type OnProofNeeded, sendWithProof } from './refusals.ts';

export interface CookieSessionParts {
  readonly fetch: Fetch;
  /**
   * Called when the service refuses the session. Further refusals do not call it again until a call has succeeded; a step of a
   * sign-in that opens no session yet does not count as a success.
   */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** The code of a refusal of the cookie's former value, which was replaced during the request, perhaps by another tab. */
const COOKIE_REPLACED = 'cookie_replaced';
/** Codes that count as the end of the session. `send` passes on `cookie_replaced` only if the repeated request gets it, too. */
const ENDED_CODES: readonly unknown[] = ['invalid_token', COOKIE_REPLACED];

/** Matches the addresses at which a session of an app, a page or the console may begin. */
const SIGN_IN_ADDRESS = /\/(?:(?:login|sign-in)(?:\/passkey)?|exchange|redeem|verify-email)$/;

/**
 * A `fetch` for a session that the browser keeps in a cookie. Every request asks for a session in a cookie, although only
 * sign-ins begin sessions. A request that needs a fresh proof is repeated after the user has given it.
 */
export const makeCookieFetch = ({ fetch, onLoggedOut, onProofNeeded }: CookieSessionParts): Fetch => {
  let hasReportedEnd = false;
  /** The number of sign-ins so far. If a request was sent before the latest sign-in, its refusal concerns the previous session. */
  let signInCount = 0;

  /** Sends a request, and sends it again with the newer cookie if the cookie was replaced meanwhile. */
  const send = async (request: Request): Promise<Response> => {
    request.headers.set('X-Session', 'cookie');
    const copy = request.clone();
    const answer = await fetch(request);
    const isReplaced = answer.status === 401 && (await bodyIn(answer)).code === COOKIE_REPLACED;
    return isReplaced ? fetch(copy) : answer;
  };

  return async (request) => {
    const countBefore = signInCount;
    const answer = await sendWithProof(send, request, onProofNeeded);
    if (answer.ok) {
      if (SIGN_IN_ADDRESS.test(request.url)) {
        // Without `services` the answer opens no session: it only asks for a second factor or an email.
        if (!('services' in (await bodyIn(answer)))) return answer;
        signInCount += 1;
      }
      hasReportedEnd = false;
    } else if (
      answer.status === 401 &&
      ENDED_CODES.includes((await bodyIn(answer)).code) &&
      // Checked after the await: another response may have reported the end meanwhile.
      !hasReportedEnd &&
      countBefore === signInCount
    ) {
      hasReportedEnd = true;
      onLoggedOut();
    }
    return answer;
  };
};
