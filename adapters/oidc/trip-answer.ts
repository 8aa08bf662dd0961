import type { TripAnswer } from '../../core/accounts/ways-in/provider.ts';
import { invalidAnswer, Refusal } from './refusal.ts';

/** Apple has a word of its own. */
const DENIED = ['access_denied', 'user_cancelled_authorize'];
/** Errors of RFC 6749 and OpenID Connect Core 1.0, which a log may name. */
const KNOWN =
  /^(?:invalid_(?:request|client|grant|scope|request_uri|request_object)|unauthorized_client|unsupported_(?:response|grant)_type|server_error|temporarily_unavailable|(?:interaction|login|account_selection|consent)_required|bad_verification_code|incorrect_client_credentials|redirect_uri_mismatch)$/;
/** Of other flows than ours, which bring tokens through the browser. */
const FOREIGN = ['response', 'id_token', 'access_token', 'token'];

export const errorFrom = (error: unknown): Refusal =>
  new Refusal('provider_error', typeof error === 'string' && KNOWN.test(error) ? error : 'other_error');

/**
 * The code of an answer, and its other parameters. Throws `Refusal`. No request is made before: an answer that another
 * provider gave must not bring its code to this one (RFC 9700 section 4.4).
 */
export const readAnswer = (
  answer: TripAnswer,
  expected: {
    readonly state: string;
    isIssuer(issuer: string): boolean;
    readonly needsIssuer: boolean;
  },
): { readonly code: string; readonly given: ReadonlyMap<string, string> } => {
  const given = new Map(answer);
  if (given.size !== answer.length) throw invalidAnswer('repeated');
  if (given.get('state') !== expected.state) throw invalidAnswer('state');
  const issuer = given.get('iss');
  if (issuer === undefined ? expected.needsIssuer : !expected.isIssuer(issuer)) throw invalidAnswer('iss');
  const error = given.get('error');
  if (error !== undefined && DENIED.includes(error)) throw new Refusal('access_denied', 'denied');
  if (error !== undefined) throw errorFrom(error);
  if (FOREIGN.some((name) => given.has(name))) throw invalidAnswer('front_channel');
  const code = given.get('code') ?? '';
  if (code === '' || code.length > 4_096) throw invalidAnswer('code');
  return { code, given };
};
