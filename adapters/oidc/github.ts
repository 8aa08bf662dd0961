import { isRecord } from '../files/json.ts';
import { readCallbackParams } from './callback-params.ts';
import { emailOf, isVerified, nameOf, pictureOf } from './claims.ts';
import { jsonIn, objectIn, type Requests } from './http-requests.ts';
import { addressWith, challengeOf, type Provider } from './openid-provider.ts';
import type { GitHubSettings } from './provider-settings.ts';
import { invalidAnswer } from './refusal.ts';
import { bySecret, requestTokens } from './token-request.ts';

const API_VERSION = '2022-11-28';

/** The primary email in the list of emails. The profile does not say whether its email is verified. */
const primaryEmailIn = (text: string): { readonly email: string | null; readonly verified: boolean } => {
  const list = jsonIn(text);
  if (!Array.isArray(list)) throw invalidAnswer('emails');
  const primary: unknown = list.find((entry) => isRecord(entry) && entry.primary === true);
  return isRecord(primary)
    ? { email: emailOf(primary.email), verified: primary.verified === true }
    : { email: null, verified: false };
};

/** GitHub: OAuth 2.0 without an `id_token`. The person is read from its API, over TLS, with the new access token. */
export const makeGitHubProvider = (
  settings: GitHubSettings,
  { requests, redirectUri }: { readonly requests: Requests; readonly redirectUri: () => string },
): Provider => {
  const { id: provider, clientId, clientSecret, scopes } = settings;
  const issuer = `${settings.url}/login/oauth`;
  const auth = bySecret(settings.auth ?? 'post', clientId, clientSecret);

  return {
    // A subject is the id of a GitHub user, which is a number.
    issuerOf: (subject) => (/^[1-9]\d{0,15}$/.test(subject) ? issuer : undefined),
    // GitHub has no parameter to ask the person to sign in again.
    begin: async ({ state, verifier }) => {
      const address = addressWith(`${issuer}/authorize`, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri(),
        scope: scopes,
        state,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      });
      return { address, issuer };
    },

    identify: async (callback, request) => {
      if (request.issuer !== issuer) throw invalidAnswer('issuer');
      const { code } = readCallbackParams(callback, {
        state: request.state,
        isIssuer: (candidate) => candidate === issuer,
        needsIssuer: false,
      });
      const grant = { code, redirectUri: redirectUri(), verifier: request.verifier };
      const tokens = await requestTokens(requests, `${issuer}/access_token`, grant, auth);
      const headers = {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${String(tokens.access_token)}`,
        'X-GitHub-Api-Version': API_VERSION,
      };
      const [profile, emails] = await Promise.all([
        requests.ask('person', `${settings.apiUrl}/user`, { headers }),
        // The largest page: with the default of 30 the primary email may be on a later page.
        requests.ask('emails', `${settings.apiUrl}/user/emails?per_page=100`, { headers }),
      ]);
      if (profile.status !== 200) throw invalidAnswer('user');
      const { id, name, avatar_url: picture } = objectIn(profile, 'user');
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw invalidAnswer('user_id');
      // Without the scope for emails GitHub refuses the list, and the person has no email.
      const mayReadEmails = emails.status !== 403 && emails.status !== 404;
      if (mayReadEmails && emails.status !== 200) throw invalidAnswer('emails');
      const { email, verified } = primaryEmailIn(mayReadEmails ? emails.text : '[]');
      return {
        provider,
        issuer,
        subject: String(id),
        email,
        emailVerified: isVerified(settings.email, email, verified),
        name: nameOf(name),
        picture: pictureOf(picture),
        authenticatedAt: null,
      };
    },
  };
};
