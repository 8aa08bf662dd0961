/** The settings of every provider. */
interface AnyProvider {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly scopes: string;
  /** The method of client authentication; null: the preset's, or by the provider's metadata. Apple has a method of its own. */
  readonly auth: 'basic' | 'post' | null;
  /** Which emails are verified: those that the provider says are, none, or all. */
  readonly email: 'claim' | 'never' | 'always';
  readonly signUp: boolean;
  readonly picture: boolean;
}

interface WithSecret extends AnyProvider {
  readonly clientSecret: string;
}

export interface OpenIdSettings extends WithSecret {
  readonly preset: null | 'gitlab';
  readonly issuer: string;
}

export interface GoogleSettings extends WithSecret {
  readonly preset: 'google';
}

export interface GitHubSettings extends WithSecret {
  readonly preset: 'github';
  /** Base addresses of its pages and of its API. */
  readonly url: string;
  readonly apiUrl: string;
}

export interface MicrosoftSettings extends WithSecret {
  readonly preset: 'microsoft';
  /** The id of a tenant, or `organizations`, `consumers` or `common`. */
  readonly tenant: string;
  /** Further tenants that are admitted. Emails count as verified only for tenants in this list, which may name `tenant`, too. */
  readonly tenants: readonly string[];
}

export interface AppleSettings extends AnyProvider {
  readonly preset: 'apple';
  readonly teamId: string;
  readonly keyId: string;
  /** PKCS#8, PEM. */
  readonly privateKey: string;
}

export type ProviderSettings =
  | OpenIdSettings
  | GoogleSettings
  | GitHubSettings
  | MicrosoftSettings
  | AppleSettings;

/** The addresses of public providers. Tests use others. */
export interface BaseUrls {
  readonly google: string;
  readonly apple: string;
  readonly microsoft: string;
}

export const BASE_URLS: BaseUrls = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  microsoft: 'https://login.microsoftonline.com',
};
