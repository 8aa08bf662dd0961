import { errorFrom } from './callback-params.ts';
import { objectIn, type Requests } from './http-requests.ts';
import { invalidAnswer } from './refusal.ts';

/** Adds the client authentication to a request of the token endpoint. */
export type ClientAuth = (headers: Record<string, string>, form: URLSearchParams) => Promise<void> | void;

/** Form encoding (RFC 6749 section 2.3.1), not URL encoding: `URLSearchParams` returns `=` and the text, `slice` the text. */
const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

export const bySecret =
  (how: 'basic' | 'post', clientId: string, secret: string): ClientAuth =>
  (headers, form) => {
    if (how === 'post') {
      form.set('client_id', clientId);
      form.set('client_secret', secret);
      return;
    }
    const credentials = Buffer.from(`${encoded(clientId)}:${encoded(secret)}`).toString('base64');
    headers.Authorization = `Basic ${credentials}`;
  };

/**
 * Exchanges a code for tokens, in one attempt: the first request spends the code. The PKCE verifier is always sent. Returns
 * the JSON object of the response. Throws `unavailable` and `Refusal`.
 */
export const requestTokens = async (
  { ask }: Pick<Requests, 'ask'>,
  address: string,
  grant: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  auth: ClientAuth,
): Promise<Readonly<Record<string, unknown>>> => {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
  });
  const headers: Record<string, string> = {};
  await auth(headers, form);
  const response = await ask('token', address, { headers, form });
  if (response.status >= 300 && response.status < 400) throw invalidAnswer('redirect');
  const tokens = objectIn(response, 'token_answer');
  // GitHub reports errors with status 200.
  if (tokens.error !== undefined) throw errorFrom(tokens.error);
  if (response.status !== 200 || typeof tokens.access_token !== 'string') throw invalidAnswer('token_answer');
  return tokens;
};
