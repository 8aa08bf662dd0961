import { textOf } from './parse-field-values.ts';
import type { LineIdentity } from './user-to-import-line.ts';

/** Our names of sign-in providers, by the names that the imported products give them, where the two differ. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'apple.com': 'apple',
  azure: 'microsoft',
  'facebook.com': 'facebook',
  'github.com': 'github',
  'google-oauth2': 'google',
  'google.com': 'google',
  'microsoft.com': 'microsoft',
  'twitter.com': 'twitter',
  windowslive: 'microsoft',
};

/** The identity at a provider; empty if provider or id is missing. */
export const oauthOf = (
  provider: unknown,
  id: unknown,
  { email, createdAt }: { readonly email?: unknown; readonly createdAt?: unknown } = {},
): readonly LineIdentity[] => {
  const name = textOf(provider);
  const providerAccountId = textOf(id);
  if (name === undefined || providerAccountId === undefined) return [];
  return [{ provider: PROVIDERS[name] ?? name, providerAccountId, email: textOf(email), createdAt }];
};
