import { isRecord } from '../files/json.ts';
import { emailOf, isVerified, nameOf, pictureOf } from './claims.ts';
import { addressWith, challengeOf, type OneProvider } from './openid.ts';
import { invalidAnswer } from './refusal.ts';
import { jsonIn, objectIn, type Requests } from './requests.ts';
import type { GitHubSettings } from './settings.ts';
import { bySecret, requestTokens } from './token-request.ts';
import { readAnswer } from './trip-answer.ts';

const VERSION = '2022-11-28';

/** The primary address, of the list that says which are verified. The one on the profile is what its owner typed. */
const primaryIn = (text: string): { readonly email: string | null; readonly verified: boolean } => {
  const list = jsonIn(text);
  if (!Array.isArray(list)) throw invalidAnswer('emails');
  const found: unknown = list.find((one) => isRecord(one) && one.primary === true);
  return isRecord(found)
    ? { email: emailOf(found.email), verified: found.verified === true }
    : { email: null, verified: false };
};

/** GitHub: OAuth 2.0 without an `id_token`. Who it is about is asked of its API, over TLS, with the fresh token. */
export const makeGitHubProvider = (
  settings: GitHubSettings,
  { requests, redirectUri }: { readonly requests: Requests; readonly redirectUri: () => string },
): OneProvider => {
  const { id: provider, clientId, clientSecret, scopes } = settings;
  const issuer = `${settings.url}/login/oauth`;
  const auth = bySecret(settings.auth ?? 'post', clientId, clientSecret);

  return {
    issuerOf: (subject) => (/^[1-9]\d{0,15}$/.test(subject) ? issuer : undefined),
    // Nothing makes it ask the person again.
    begin: async ({ state, verifier }) => {
      const address = addressWith(`${issuer}/authorize`, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri(),
        scope: scopes,
        ...{ state, code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
      });
      return { address, issuer };
    },

    identify: async (answer, trip) => {
      if (trip.issuer !== issuer) throw invalidAnswer('issuer');
      const { code } = readAnswer(answer, {
        state: trip.state,
        isIssuer: (given) => given === issuer,
        needsIssuer: false,
      });
      const asked = { code, redirectUri: redirectUri(), verifier: trip.verifier };
      const { tokens } = await requestTokens(requests, `${issuer}/access_token`, asked, auth);
      const headers = {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${String(tokens.access_token)}`,
        'X-GitHub-Api-Version': VERSION,
      };
      const [profile, emails] = await Promise.all([
        requests.ask(`${settings.apiUrl}/user`, { headers }),
        // One page of the most that it gives: of many emails the primary one may be on another page of 30.
        requests.ask(`${settings.apiUrl}/user/emails?per_page=100`, { headers }),
      ]);
      if (profile.status !== 200) throw invalidAnswer('user');
      const { id, name, avatar_url: picture } = objectIn(profile, 'user');
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw invalidAnswer('user_id');
      // An app that may not read addresses gets none.
      const isAllowed = emails.status !== 403 && emails.status !== 404;
      if (isAllowed && emails.status !== 200) throw invalidAnswer('emails');
      const { email, verified } = primaryIn(isAllowed ? emails.text : '[]');
      return {
        ...{ provider, issuer, subject: String(id), email },
        emailVerified: isVerified(settings.email, email, verified),
        name: nameOf(name),
        picture: pictureOf(picture),
        authenticatedAt: null,
      };
    },
  };
};
