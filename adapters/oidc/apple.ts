import type { Clock } from '../../core/ports.ts';
import { isRecord } from '../files/json.ts';
import { nameOf } from './claims.ts';
import { jsonIn } from './http-requests.ts';
import type { Dialect } from './openid-dialect.ts';
import type { AppleSettings } from './provider-settings.ts';

/** Apple accepts up to half a year; a new secret is made for each call. */
const SECRET_LIFE_SECONDS = 600;

const load = async () => {
  // One after the other: Jest's loader fails where two imports at once share modules.
  const { importPKCS8 } = await import('jose/key/import');
  const { SignJWT } = await import('jose/jwt/sign');
  return { importPKCS8, SignJWT };
};

/** The name in the form, which Apple posts only at the first sign-in and does not sign. */
const nameIn = (form: ReadonlyMap<string, string>): string | null => {
  const user = jsonIn(form.get('user') ?? '');
  if (!isRecord(user) || !isRecord(user.name)) return null;
  const { firstName, lastName } = user.name;
  return nameOf([firstName, lastName].filter((namePart) => typeof namePart === 'string').join(' '));
};

/** Sign in with Apple: the client secret is a token that we sign, and the callback is a form post. */
export const apple = (settings: AppleSettings, issuer: string, clock: Clock): Dialect => {
  const makeSecret = async (): Promise<string> => {
    const { importPKCS8, SignJWT } = await load();
    const now = Math.floor(clock.now() / 1_000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: settings.keyId })
      .setIssuer(settings.teamId)
      .setSubject(settings.clientId)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + SECRET_LIFE_SECONDS)
      .sign(await importPKCS8(settings.privateKey, 'ES256'));
  };
  return {
    issuer,
    baseUrl: issuer,
    formPost: true,
    proofParams: {},
    asksUserInfo: false,
    clientAuth: () => async (_headers, form) => {
      form.set('client_id', settings.clientId);
      form.set('client_secret', await makeSecret());
    },
    issuerOf: () => issuer,
    issuerOfSubject: () => issuer,
    isIssuer: (candidate) => candidate === issuer,
    personOf: ({ sub, email_verified: verified }, form) => ({
      subject: sub,
      // A boolean in some tokens, and its text in others.
      emailVerified: verified === true || verified === 'true',
      name: nameIn(form),
    }),
  };
};
