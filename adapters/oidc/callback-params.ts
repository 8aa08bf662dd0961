import type { CallbackParams } from '../../core/accounts/providers/identity-provider.ts';
import { invalidAnswer, Refusal } from './refusal.ts';

/** Errors of a denied sign-in; the second is Apple's own. */
const DENIED = ['access_denied', 'user_cancelled_authorize'];
/** Errors of RFC 6749, OpenID Connect Core 1.0 and GitHub, which may be logged. */
const LOGGABLE =
  /^(?:invalid_(?:request|client|grant|scope|request_uri|request_object)|unauthorized_client|unsupported_(?:response|grant)_type|server_error|temporarily_unavailable|(?:interaction|login|account_selection|consent)_required|bad_verification_code|incorrect_client_credentials|redirect_uri_mismatch)$/;
/** Parameters of other flows, which pass tokens through the browser. */
const OTHER_FLOWS = ['response', 'id_token', 'access_token', 'token'];

export const errorFrom = (error: unknown): Refusal =>
  new Refusal('provider_error', typeof error === 'string' && LOGGABLE.test(error) ? error : 'other_error');

/**
 * Checks the callback and returns its code and parameters. Throws `Refusal`. Runs before the request for tokens, so that the
 * code of another provider is never sent to this one (RFC 9700 section 4.4).
 */
export const readCallbackParams = (
  callback: CallbackParams,
  expected: {
    readonly state: string;
    isIssuer(issuer: string): boolean;
    readonly needsIssuer: boolean;
  },
): { readonly code: string; readonly params: ReadonlyMap<string, string> } => {
  const params = new Map(callback);
  if (params.size !== callback.length) throw invalidAnswer('repeated');
  if (params.get('state') !== expected.state) throw invalidAnswer('state');
  const issuer = params.get('iss');
  const isIssuerValid = issuer === undefined ? !expected.needsIssuer : expected.isIssuer(issuer);
  if (!isIssuerValid) throw invalidAnswer('iss');
  const error = params.get('error');
  if (error !== undefined && DENIED.includes(error)) throw new Refusal('access_denied', 'denied');
  if (error !== undefined) throw errorFrom(error);
  if (OTHER_FLOWS.some((name) => params.has(name))) throw invalidAnswer('front_channel');
  const code = params.get('code') ?? '';
  if (code === '' || code.length > 4_096) throw invalidAnswer('code');
  return { code, params };
};
