import { invalidAnswer } from './refusal.ts';
import { type Answered, objectIn, type Requests } from './requests.ts';
import { errorFrom } from './trip-answer.ts';

/** How a client says who it is at the token endpoint. */
export type ClientAuth = (headers: Record<string, string>, form: URLSearchParams) => Promise<void> | void;

/** RFC 6749 section 2.3.1: as in a form, which is not how a URL is encoded. */
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
 * Asks for the tokens of a code, once: a code is spent by the first request. The PKCE verifier is always sent. Gives the
 * answer and the object in it. Throws `unavailable` and `Refusal`.
 */
export const requestTokens = async (
  { ask }: Pick<Requests, 'ask'>,
  address: string,
  given: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  auth: ClientAuth,
): Promise<{ readonly answer: Answered; readonly tokens: Readonly<Record<string, unknown>> }> => {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: given.redirectUri,
    code_verifier: given.verifier,
  });
  const headers: Record<string, string> = {};
  await auth(headers, form);
  const answer = await ask(address, { headers, form });
  if (answer.status >= 300 && answer.status < 400) throw invalidAnswer('redirect');
  const tokens = objectIn(answer, 'token_answer');
  // GitHub says so with status 200.
  if (tokens.error !== undefined) throw errorFrom(tokens.error);
  if (answer.status !== 200 || typeof tokens.access_token !== 'string') throw invalidAnswer('token_answer');
  return { answer, tokens };
};
