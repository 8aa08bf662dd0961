import { type Setting, type SettingContext, setting } from '../declare-setting.ts';
import * as read from '../sign-in-parsers.ts';
import { oneOf, reads, secretText, text, token, trueOrFalse } from '../value-kinds.ts';
import { arePagesOn } from './pages.ts';

/** The ids that the setting names; empty if its value is wrong. */
export const providersIn = ({
  OIDC_PROVIDERS,
}: Readonly<Record<string, string | undefined>>): readonly string[] =>
  (OIDC_PROVIDERS && read.providerIds(OIDC_PROVIDERS)) || [];

/** Apple redirects only to https addresses with a host name, which has a letter behind its last dot. */
const isPublicName = (address = ''): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && /\.[^.]*[a-z][^.]*\.?$/.test(hostname);
};

// A check returns false, or the rule that the value breaks, as it stands in the error after “must”.

export const signIn = {
  /**
   * External identity providers (OpenID Connect or OAuth 2.0): ids separated by commas, at most 10. `google`, `github`,
   * `apple`, `microsoft` and `gitlab` are known; any other id is an OpenID Connect provider of your choice. Each has
   * its own settings, [below](#for-each-provider). The address to register there is `PUBLIC_URL` with
   * `/api/auth/providers/ID/callback`. Example: `google,keycloak`.
   */
  providerIds: setting(
    'OIDC_PROVIDERS',
    reads(
      'at most 10 different ids separated by commas, each of small letters, digits and dashes, with a letter first',
      read.providerIds,
    ),
    {
      byDefault: 'none',
      orElse: () => [],
      check: (ids, { texts }) =>
        ids.includes('apple') &&
        !isPublicName(texts.PUBLIC_URL) &&
        'not name apple unless PUBLIC_URL is an https origin with a host name',
    },
  ),
  /**
   * The addresses of your apps at which a sign-in with a provider may end, separated by commas or line breaks, at most
   * 50. Each is compared as text, with its path: https, a scheme of an app such as `com.example.app:/done`, or http on
   * `127.0.0.1` or `[::1]` (not `localhost`), where an address without port stands for every port. Needed with
   * `OIDC_PROVIDERS`, unless `PAGES` is on, where sign-ins end at the pages. Example: `https://app.example.com/signed-in`.
   */
  redirects: setting(
    'SIGN_IN_REDIRECTS',
    reads(
      'at most 50 different addresses: https, a private scheme with a dot, or http on 127.0.0.1 or [::1]; without credentials, fragment, code, state and error',
      read.redirects,
    ),
    {
      byDefault: 'none',
      orElse: () => [],
      check: (list, context) =>
        list.length === 0 &&
        context.texts.OIDC_PROVIDERS !== undefined &&
        !arePagesOn(context) &&
        'be set with OIDC_PROVIDERS, unless PAGES is on',
    },
  ),
};

const NEEDED = { neededWith: 'its id in OIDC_PROVIDERS' };

const issuer = reads(
  'an https address without credentials, query and fragment, or outside production an http one on this machine',
  read.issuer,
);

const requireHttps = (address: string, { production }: SettingContext) =>
  production && address.startsWith('http:') && 'be an https address in production';

/**
 * The settings of each provider. In their names ID is the id of the provider in capitals, with `_` for `-`; `forProvider`
 * puts it there.
 */
export const eachProvider = {
  /** The client id that the provider gave you. */
  clientId: setting(
    'OIDC_ID_CLIENT_ID',
    text('1 to 512 characters of ASCII', /^[\x20-\x7e]{1,512}$/),
    NEEDED,
  ),
  /** The client's secret there. Not for `apple`, which has a key. */
  clientSecret: setting('OIDC_ID_CLIENT_SECRET', token('printable ASCII'), NEEDED),
  /**
   * The `issuer` of the provider's discovery document, as it stands there. Required for a provider of your choice;
   * `google`, `github`, `apple` and `microsoft` have no such setting. Example: `https://id.example.com/realms/staff`.
   */
  issuer: setting('OIDC_ID_ISSUER', issuer, {
    ...NEEDED,
    byDefault: 'gitlab: `https://gitlab.com`',
    check: requireHttps,
  }),
  /** The provider's name on its button and in mails. */
  name: setting('OIDC_ID_NAME', text('1 to 64 characters', /^\P{Cc}{1,64}$/u), {
    byDefault: 'the name of a known provider, else the id',
  }),
  /** The scopes to request, separated by spaces. */
  scopes: setting('OIDC_ID_SCOPES', reads('names of scopes separated by single spaces', read.scopes), {
    default: 'openid email profile',
    byDefault: '`openid email profile`; apple: `openid name email`; github: `read:user user:email`',
  }),
  /** How the client's secret is sent: `basic` (in a header) or `post` (in the body). To `apple` always in the body. */
  auth: setting('OIDC_ID_AUTH', oneOf('basic', 'post'), {
    byDefault: 'as the discovery document says, else `basic`; github, apple: `post`',
  }),
  /**
   * Which emails count as verified. `claim`: those that the provider reports as verified. `never`: none. `always`: all;
   * only for the issuer of one organisation that assigns its members' addresses, never for a public provider.
   */
  email: setting('OIDC_ID_EMAIL', oneOf('claim', 'never', 'always'), { default: 'claim' }),
  /** `false`: existing users sign in with it, and nobody can sign up. */
  signUp: setting('OIDC_ID_SIGN_UP', trueOrFalse, { default: 'true' }),
  /** `true`: a new account has the provider's picture as its avatar. */
  picture: setting('OIDC_ID_PICTURE', trueOrFalse, { default: 'false' }),
};

export const apple = {
  /** The id of your team with Apple: 10 letters and digits. */
  teamId: setting('OIDC_APPLE_TEAM_ID', text('10 capital letters and digits', /^[A-Z0-9]{10}$/), NEEDED),
  /** The id of the key: 10 letters and digits. */
  keyId: setting('OIDC_APPLE_KEY_ID', text('10 capital letters and digits', /^[A-Z0-9]{10}$/), NEEDED),
  /** The key: the content of the `.p8` file. */
  privateKey: setting(
    'OIDC_APPLE_PRIVATE_KEY',
    secretText('a private key on the curve P-256 (PKCS#8, PEM)', read.privateKey),
    NEEDED,
  ),
};

export const microsoft = {
  /** Whose accounts are admitted: a tenant by its id, or `organizations`, `consumers` or `common` (both). */
  tenant: setting(
    'OIDC_MICROSOFT_TENANT',
    reads('the id of a tenant in small letters, organizations, consumers or common', read.tenant),
    NEEDED,
  ),
  /** Ids of admitted tenants, separated by commas. Only emails of tenants named here may be verified. */
  tenants: setting(
    'OIDC_MICROSOFT_TENANTS',
    reads('different ids of tenants in small letters separated by commas', read.tenants),
    { byDefault: 'none', orElse: () => [] },
  ),
};

export const github = {
  /** Base address of GitHub. Example: `https://github.example.com`. */
  url: setting('OIDC_GITHUB_URL', issuer, { default: 'https://github.com', check: requireHttps }),
  /** Base address of its API. Example: `https://github.example.com/api/v3`. */
  apiUrl: setting('OIDC_GITHUB_API_URL', issuer, { default: 'https://api.github.com', check: requireHttps }),
};

/** A known provider: the defaults of its settings, and the settings that it lacks. */
interface Preset {
  readonly defaults: Readonly<Partial<Record<keyof typeof eachProvider, string>>>;
  readonly without: readonly (keyof typeof eachProvider)[];
}

const presets = {
  google: { defaults: { name: 'Google' }, without: ['issuer'] },
  github: { defaults: { name: 'GitHub', scopes: 'read:user user:email', auth: 'post' }, without: ['issuer'] },
  apple: {
    defaults: { name: 'Apple', scopes: 'openid name email', auth: 'post' },
    without: ['issuer', 'clientSecret'],
  },
  microsoft: { defaults: { name: 'Microsoft' }, without: ['issuer'] },
  gitlab: { defaults: { name: 'GitLab', issuer: 'https://gitlab.com' }, without: [] },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

/** Undefined for a provider of the operator's choice. */
export const presetOf = (id: string): PresetName | undefined =>
  Object.hasOwn(presets, id) ? (id as PresetName) : undefined;

const requireClaimOrNever = (email: unknown) =>
  email === 'always' && 'be claim or never: always is for the issuer of one organisation';

const requireOpenid = (scopes: unknown) =>
  !String(scopes).split(' ').includes('openid') && 'have openid among them';

/** The settings of one provider, under their full names and with its defaults. Some presets lack a secret or an issuer. */
export const forProvider = (id: string): typeof eachProvider => {
  const preset = presetOf(id);
  const { defaults, without }: Preset =
    preset === undefined ? { defaults: { name: id }, without: [] } : presets[preset];
  const settingFor = (key: string, row: Setting<unknown>): Setting<unknown> => ({
    ...row,
    name: row.name.replace('_ID_', `_${id.toUpperCase().replaceAll('-', '_')}_`),
    ...(Object.hasOwn(defaults, key) && { default: Reflect.get(defaults, key) }),
    ...(key === 'email' && preset !== undefined && { check: requireClaimOrNever }),
    // GitHub offers OAuth 2.0 without OpenID Connect, so it has no scope `openid`.
    ...(key === 'scopes' && preset !== 'github' && { check: requireOpenid }),
  });
  const rows = Object.entries<Setting<unknown>>(eachProvider)
    .filter(([key]) => !without.some((omitted) => omitted === key))
    .map(([key, row]) => [key, settingFor(key, row)]);
  // The type has all settings, also those that a preset lacks.
  return Object.fromEntries(rows) as typeof eachProvider;
};
