import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { PRODUCTION, problemsOf } from './bad-settings.ts';

type Env = Readonly<Record<string, string>>;

const REDIRECTS = { SIGN_IN_REDIRECTS: 'https://app.example.com/signed-in' };
const GOOGLE = {
  ...REDIRECTS,
  OIDC_PROVIDERS: 'google',
  OIDC_GOOGLE_CLIENT_ID: 'c1',
  OIDC_GOOGLE_CLIENT_SECRET: 's1',
};
const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const MICROSOFT = {
  ...REDIRECTS,
  OIDC_PROVIDERS: 'microsoft',
  OIDC_MICROSOFT_CLIENT_ID: 'c2',
  OIDC_MICROSOFT_CLIENT_SECRET: 's2',
  OIDC_MICROSOFT_TENANT: TENANT,
};
const STAFF = {
  ...REDIRECTS,
  OIDC_PROVIDERS: 'staff-id',
  OIDC_STAFF_ID_CLIENT_ID: 'c3',
  OIDC_STAFF_ID_CLIENT_SECRET: 's3',
  OIDC_STAFF_ID_ISSUER: 'https://id.example.com/realms/staff/',
};
const GITHUB = {
  ...REDIRECTS,
  OIDC_PROVIDERS: 'github',
  OIDC_GITHUB_CLIENT_ID: 'c4',
  OIDC_GITHUB_CLIENT_SECRET: 's4',
};

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const APPLE = {
  ...REDIRECTS,
  PUBLIC_URL: 'https://accounts.example.com',
  OIDC_PROVIDERS: 'apple',
  OIDC_APPLE_CLIENT_ID: 'com.example.web',
  OIDC_APPLE_TEAM_ID: 'TEAM123456',
  OIDC_APPLE_KEY_ID: 'KEY1234567',
  OIDC_APPLE_PRIVATE_KEY: PEM,
};

const BAD: readonly (readonly [Env, RegExp])[] = [
  [{ OIDC_PROVIDERS: 'Google' }, /^OIDC_PROVIDERS must be at most 10 different ids/],
  [{ OIDC_PROVIDERS: 'google,google' }, /^OIDC_PROVIDERS must be/],
  [{ OIDC_PROVIDERS: 'a,b,c,d,e,f,g,h,i,j,k' }, /^OIDC_PROVIDERS must be/],
  [
    { ...GOOGLE, OIDC_GOOGLE_CLIENT_ID: '' },
    /^OIDC_GOOGLE_CLIENT_ID must be set with its id in OIDC_PROVIDERS\.$/,
  ],
  [{ ...GOOGLE, OIDC_GOOGLE_CLIENT_SECRET: '' }, /^OIDC_GOOGLE_CLIENT_SECRET must be set with/],
  ...[{ PAGES: 'off' }, { HOST: '0.0.0.0' }].map(
    (withoutPages) =>
      [
        { ...GOOGLE, ...withoutPages, SIGN_IN_REDIRECTS: '' },
        /^SIGN_IN_REDIRECTS must be set with OIDC_PROVIDERS, unless PAGES is on\.$/,
      ] as const,
  ),
  [{ ...GOOGLE, OIDC_GOOGLE_EMAIL: 'always' }, /^OIDC_GOOGLE_EMAIL must be claim or never: always is for/],
  [{ ...GITHUB, OIDC_GITHUB_EMAIL: 'always' }, /^OIDC_GITHUB_EMAIL must be claim or never/],
  [{ ...MICROSOFT, OIDC_MICROSOFT_EMAIL: 'always' }, /^OIDC_MICROSOFT_EMAIL must be claim or never/],
  [{ ...APPLE, OIDC_APPLE_EMAIL: 'always' }, /^OIDC_APPLE_EMAIL must be claim or never/],
  [{ ...GOOGLE, OIDC_GOOGLE_EMAIL: 'trusted' }, /^OIDC_GOOGLE_EMAIL must be claim, never or always\.$/],
  [{ ...GOOGLE, OIDC_GOOGLE_SCOPES: 'email profile' }, /^OIDC_GOOGLE_SCOPES must have openid among them\.$/],
  [{ ...GOOGLE, OIDC_GOOGLE_AUTH: 'none' }, /^OIDC_GOOGLE_AUTH must be/],
  [{ ...GOOGLE, OIDC_GOOGLE_SIGN_UP: 'no' }, /^OIDC_GOOGLE_SIGN_UP must be true or false\.$/],
  [{ ...STAFF, OIDC_STAFF_ID_ISSUER: '' }, /^OIDC_STAFF_ID_ISSUER must be set with/],
  [
    { ...STAFF, OIDC_STAFF_ID_ISSUER: 'http://id.example.com' },
    /^OIDC_STAFF_ID_ISSUER must be an https address/,
  ],
  [{ ...STAFF, OIDC_STAFF_ID_ISSUER: 'https://id.example.com/?realm=1' }, /^OIDC_STAFF_ID_ISSUER must be/],
  [{ ...MICROSOFT, OIDC_MICROSOFT_TENANT: '' }, /^OIDC_MICROSOFT_TENANT must be set with/],
  [
    { ...MICROSOFT, OIDC_MICROSOFT_TENANT: 'contoso.com' },
    /^OIDC_MICROSOFT_TENANT must be the id of a tenant/,
  ],
  [{ ...MICROSOFT, OIDC_MICROSOFT_TENANTS: 'common' }, /^OIDC_MICROSOFT_TENANTS must be/],
  [{ ...GITHUB, OIDC_GITHUB_URL: 'github.example.com' }, /^OIDC_GITHUB_URL must be an https address/],
  [{ ...APPLE, OIDC_APPLE_PRIVATE_KEY: 'MIGTAgEAMBM' }, /^OIDC_APPLE_PRIVATE_KEY must be a private key/],
  [{ ...APPLE, OIDC_APPLE_TEAM_ID: 'team' }, /^OIDC_APPLE_TEAM_ID must be 10 capital letters/],
  [{ ...APPLE, PUBLIC_URL: '' }, /^OIDC_PROVIDERS must not name apple unless PUBLIC_URL is/],
  [{ ...APPLE, PUBLIC_URL: 'http://accounts.example.com' }, /^OIDC_PROVIDERS must not name apple/],
  [{ ...APPLE, PUBLIC_URL: 'https://203.0.113.7' }, /^OIDC_PROVIDERS must not name apple/],
  [{ ...APPLE, PUBLIC_URL: 'https://localhost:3000' }, /^OIDC_PROVIDERS must not name apple/],
  ...[
    'http://app.example.com/done',
    'http://localhost:3000/done',
    'http://127.0.0.1.example.com/',
    'https://app.example.com/#done',
    'https://me@app.example.com/done',
    'https://app.example.com/?code=1',
    'https://app.example.com/?a=1&%73tate=1',
    'https://app.example.com/?error',
    'https://app.example.com\\done',
    'javascript:alert(1)',
    'myapp:/done',
    'app.example.com/done',
    'https://*.example.com>/',
    'https://a.example/1,https://a.example/1',
    Array.from({ length: 51 }, (_, at) => `https://a.example/${at}`).join(),
  ].map(
    (SIGN_IN_REDIRECTS) =>
      [{ ...GOOGLE, SIGN_IN_REDIRECTS }, /^SIGN_IN_REDIRECTS must be at most 50/] as const,
  ),
];

describe('The settings of identity providers', () => {
  const folder = useTempFolder();
  const linesOf = (env: Env) => problemsOf(env, folder());

  for (const [env, line] of BAD) {
    it(`stop the start with one line: ${JSON.stringify(env).slice(0, 90)}`, () => {
      const lines = linesOf(env);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(line);
    });
  }

  it('are empty if no provider is named', () => {
    expect(readConfig({}, folder()).signIn).to.deep.equal({ providers: [], redirects: [] });
  });

  it('need no redirect URI of an app if the pages are on, as by default', () => {
    for (const pages of [{}, { PAGES: 'on' }])
      expect(linesOf({ ...GOOGLE, ...pages, SIGN_IN_REDIRECTS: '' })).to.deep.equal([]);
  });

  it('report each missing setting in its own line', () => {
    const lines = linesOf({ OIDC_PROVIDERS: 'microsoft,staff', PAGES: 'off' });
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal([
      'SIGN_IN_REDIRECTS',
      'OIDC_MICROSOFT_CLIENT_ID',
      'OIDC_MICROSOFT_CLIENT_SECRET',
      'OIDC_STAFF_CLIENT_ID',
      'OIDC_STAFF_CLIENT_SECRET',
      'OIDC_STAFF_ISSUER',
      'OIDC_MICROSOFT_TENANT',
    ]);
  });

  it('have the defaults of known providers', () => {
    const both = { ...GOOGLE, ...GITHUB, OIDC_PROVIDERS: 'github, google' };
    expect(readConfig(both, folder()).signIn.providers).to.deep.equal([
      {
        ...{ id: 'github', preset: 'github', name: 'GitHub', clientId: 'c4', clientSecret: 's4' },
        ...{ scopes: 'read:user user:email', auth: 'post', email: 'claim', signUp: true, picture: false },
        ...{ url: 'https://github.com', apiUrl: 'https://api.github.com' },
      },
      {
        ...{ id: 'google', preset: 'google', name: 'Google', clientId: 'c1', clientSecret: 's1' },
        ...{ scopes: 'openid email profile', auth: null, email: 'claim', signUp: true, picture: false },
      },
    ]);
  });

  it('keep the spelling of the issuer and the redirect URIs', () => {
    const SIGN_IN_REDIRECTS =
      'https://App.example.com/done?to=1, http://127.0.0.1/cb\ncom.example.app:/done\n';
    const { signIn } = readConfig({ ...STAFF, SIGN_IN_REDIRECTS, OIDC_STAFF_ID_EMAIL: 'always' }, folder());
    expect(signIn.redirects).to.deep.equal([
      'https://App.example.com/done?to=1',
      'http://127.0.0.1/cb',
      'com.example.app:/done',
    ]);
    expect(signIn.providers[0]).to.include({
      ...{ id: 'staff-id', preset: null, name: 'staff-id', email: 'always' },
      issuer: 'https://id.example.com/realms/staff/',
    });
  });

  it('read keys from files, and do not show them', () => {
    const path = join(folder(), 'apple.p8');
    writeFileSync(path, PEM);
    const { OIDC_APPLE_PRIVATE_KEY: _, ...rest } = { ...APPLE, PUBLIC_URL: 'https://163.рф' };
    const config = readConfig({ ...rest, OIDC_APPLE_PRIVATE_KEY_FILE: path }, folder());
    expect(config.signIn.providers[0]).to.include({
      preset: 'apple',
      teamId: 'TEAM123456',
      privateKey: PEM.trim(),
    });
    expect(config.secretSources).to.have.property('OIDC_APPLE_PRIVATE_KEY', path);
    expect(config.shown).to.include({
      OIDC_APPLE_CLIENT_ID: 'com.example.web',
      OIDC_APPLE_PRIVATE_KEY: 'set, not shown',
      OIDC_APPLE_NAME: 'Apple',
    });
    expect(Object.keys(config.shown).join()).to.not.match(
      /APPLE_(?:ISSUER|CLIENT_SECRET)|OIDC_ID_|MICROSOFT/,
    );
  });

  it('accept a loopback issuer without TLS, except in production', () => {
    const env = { ...STAFF, OIDC_STAFF_ID_ISSUER: 'http://127.0.0.1:8080/realms/a' };
    expect(readConfig(env, folder()).signIn.providers).to.have.length(1);
    expect(linesOf({ ...PRODUCTION, ...env }).filter((line) => line.startsWith('OIDC'))).to.deep.equal([
      'OIDC_STAFF_ID_ISSUER must be an https address in production.',
    ]);
  });

  it('warn of settings of a provider that is not enabled', () => {
    expect(readConfig({ ...GOOGLE, OIDC_GITHUB_CLIENT_ID: 'c4' }, folder()).warnings).to.include(
      'OIDC_GITHUB_CLIENT_ID is no setting of a provider that OIDC_PROVIDERS names.',
    );
  });
});
