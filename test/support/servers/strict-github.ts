import { createHash } from 'node:crypto';
import { type Answer, openStrictServer, type ReceivedRequest, type StrictServer } from './strict-server.ts';

export interface GitHubUser {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  /** The email on the profile, which is not verified. */
  readonly email: string | null;
  readonly avatar_url: string;
}

export interface GitHubEmail {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

export interface StrictGitHub extends StrictServer {
  readonly client: { readonly id: string; readonly secret: string };
  user: GitHubUser;
  emails: readonly GitHubEmail[];
  /** Whether the app may read addresses. */
  mayReadEmails: boolean;
  /** Whether authorization responses have `iss`. */
  namesItself: boolean;
  /** Signs the user in at the authorization URL, and returns the URL that the browser is redirected to. */
  visit(address: string): string;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});

/**
 * GitHub according to its documentation: https://docs.github.com/apps/oauth-apps and the endpoints `/user` and
 * `/user/emails` of its REST interface. A refused code is an answer with status 200.
 */
export const openStrictGitHub = async (redirectUri: string): Promise<StrictGitHub> => {
  const client = { id: 'Iv1.client', secret: 'github secret' };
  const codes = new Map<string, string>();
  const TOKEN = 'gho_token';

  const giveToken = ({ headers, body }: ReceivedRequest): Answer => {
    const form = new URLSearchParams(body);
    const refuse = (error: string) =>
      json(200, { error, error_description: 'Words.', error_uri: 'https://x' });
    if (!headers.accept?.includes('application/json')) return { status: 200, body: 'access_token=gho_token' };
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret)
      return refuse('incorrect_client_credentials');
    if (form.get('redirect_uri') !== redirectUri) return refuse('redirect_uri_mismatch');
    const challenge = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const actualChallenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== actualChallenge) return refuse('bad_verification_code');
    return json(200, { access_token: TOKEN, token_type: 'bearer', scope: 'read:user,user:email' });
  };

  const answerTo = (request: ReceivedRequest): Answer => {
    const { method, path, headers } = request;
    if (method === 'POST' && path === '/login/oauth/access_token') return giveToken(request);
    if (!headers['user-agent']) return json(403, { message: 'Request forbidden by administrative rules.' });
    if (headers.authorization !== `Bearer ${TOKEN}`) return json(401, { message: 'Bad credentials' });
    if (path === '/api/v3/user') return json(200, github.user);
    const { pathname, searchParams } = new URL(path, 'http://github.example');
    if (pathname !== '/api/v3/user/emails') return json(404, { message: 'Not Found' });
    const page = Math.min(100, Number(searchParams.get('per_page') ?? 30));
    return github.mayReadEmails
      ? json(200, github.emails.slice(0, page))
      : json(403, { message: 'Resource not accessible' });
  };

  const server = await openStrictServer(answerTo);
  const github: StrictGitHub = Object.assign(server, {
    client,
    user: {
      ...{ id: 583_231, login: 'ada', name: 'Ada Lovelace', email: 'profile@example.com' },
      avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
    },
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'ada@example.com', primary: true, verified: true },
    ],
    mayReadEmails: true,
    namesItself: true,
    visit: (address: string) => {
      const { origin, pathname, searchParams } = new URL(address);
      const request = Object.fromEntries(searchParams);
      const isValid =
        `${origin}${pathname}` === `${server.url}/login/oauth/authorize` &&
        request.client_id === client.id &&
        request.redirect_uri === redirectUri &&
        request.code_challenge_method === 'S256';
      if (!isValid) throw new Error('GitHub shows an error page.');
      const code = `code-${codes.size}`;
      codes.set(code, request.code_challenge ?? '');
      const callback = new URL(redirectUri);
      callback.searchParams.set('code', code);
      callback.searchParams.set('state', request.state ?? '');
      if (github.namesItself) callback.searchParams.set('iss', `${server.url}/login/oauth`);
      return callback.href;
    },
  });
  return github;
};
