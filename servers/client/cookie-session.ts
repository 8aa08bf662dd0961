import type { Fetch } from './fetch-types.ts';
import { bodyIn, type OnProofNeeded, sendWithProof } from './refusals.ts';

export interface CookieSessionParts {
  readonly fetch: Fetch;
  /**
   * Called once when the service refuses the session, and again only after a call has succeeded. A step of a sign-in that opens
   * no session yet does not count as such a call.
   */
  readonly onLoggedOut: () => void;
  readonly onProofNeeded: OnProofNeeded;
}

/** The code that refuses a former value of the cookie: the value was replaced during the request, perhaps in another tab. */
const REPLACED = 'cookie_replaced';
/** Codes that count as the end of the session. `send` passes on `cookie_replaced` only if the repeated request gets it, too. */
const ENDED_CODES: readonly unknown[] = ['invalid_token', REPLACED];

/** The ends of the addresses at which sessions of apps, pages and the console begin. */
const SIGN_IN = /\/(?:(?:login|sign-in)(?:\/passkey)?|exchange|redeem|verify-email)$/;

/**
 * A `fetch` for a session that the browser keeps in a cookie. It asks for a cookie with every request, since any
 * sign-in may begin a session, and repeats a request once the user has given the fresh proof that it needs. It stores
 * nothing itself.
 */
export const makeCookieFetch = ({ fetch, onLoggedOut, onProofNeeded }: CookieSessionParts): Fetch => {
  let hasReportedEnd = false;
  /** The sign-ins so far. If a request was sent before the latest sign-in, its refusal concerns the previous session. */
  let signIns = 0;

  /** Sends a request, and sends it again with the newer cookie if the cookie was replaced meanwhile. */
  const send = async (request: Request): Promise<Response> => {
    request.headers.set('X-Session', 'cookie');
    const copy = request.clone();
    const answer = await fetch(request);
    const isReplaced = answer.status === 401 && (await bodyIn(answer)).code === REPLACED;
    return isReplaced ? fetch(copy) : answer;
  };

  return async (request) => {
    const signInsBefore = signIns;
    const answer = await sendWithProof(send, request, onProofNeeded);
    if (answer.ok) {
      if (SIGN_IN.test(request.url)) {
        // Without `services` the answer opens no session: it only asks for a second factor or an email.
        if (!('services' in (await bodyIn(answer)))) return answer;
        signIns += 1;
      }
      hasReportedEnd = false;
    } else if (
      answer.status === 401 &&
      ENDED_CODES.includes((await bodyIn(answer)).code) &&
      // Checked after the await: another response may have reported the end meanwhile.
      !hasReportedEnd &&
      signInsBefore === signIns
    ) {
      hasReportedEnd = true;
      onLoggedOut();
    }
    return answer;
  };
};
