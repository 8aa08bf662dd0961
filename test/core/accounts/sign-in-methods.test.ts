import { expect } from 'chai';
import { type Account, newAccount } from '../../../core/accounts/account.ts';
import type { Passkey } from '../../../core/accounts/passkeys/passkey.ts';
import {
  type CredentialSettings,
  lastMethodRefusal,
  signInMethods,
} from '../../../core/accounts/sign-in-methods.ts';

const NOW = 1_700_000_000_000;

const provider = { id: 'google', name: 'Google', signUp: true, picture: false, formPost: false };
const settings: CredentialSettings = {
  providers: { list: [provider], issuerOf: (id) => (id === 'google' ? 'g' : undefined) },
  digest: { sha256: (text) => text },
  passkeys: { relyingParty: { id: 'example.com', origins: ['https://example.com'] } },
};

const empty = newAccount({
  id: 'id',
  email: 'ada@example.com',
  displayName: null,
  language: 'en',
  passwordHash: null,
  now: NOW,
});

const identity = (change: Partial<Account['oauthAccounts'][number]> = {}) => ({
  provider: 'google',
  providerAccountId: '1',
  email: null,
  createdAt: new Date(NOW).toISOString(),
  key: 'oidc:g\n1',
  ...change,
});

const passkey = (change: Partial<Passkey> = {}): Passkey => ({
  id: 'p',
  credentialId: 'c',
  key: 'k',
  algorithm: -7,
  counter: 0,
  transports: [],
  backupEligible: false,
  backedUp: false,
  userVerified: true,
  rpId: 'example.com',
  aaguid: '00000000-0000-0000-0000-000000000000',
  name: 'Passkey',
  createdAt: NOW,
  lastUsedAt: null,
  refusedAt: null,
  ...change,
});

const withKeys = { loginKeys: ['oidc:g\n1', 'oidc:h\n1'].map((key) => ({ key, mark: 'm' })) };

describe('The sign-in methods of an account', () => {
  const rows: readonly (readonly [string, Partial<Account>, readonly string[]])[] = [
    ['are empty for a new account', {}, []],
    ['include a password', { passwordHash: 'hash' }, ['password']],
    ['include a bound identity', { ...withKeys, oauthAccounts: [identity()] }, ['oidc']],
    ['exclude an identity that was only imported', { oauthAccounts: [identity()] }, []],
    ['exclude an unknown issuer', { ...withKeys, oauthAccounts: [identity({ key: 'oidc:h\n1' })] }, []],
    [
      'include an identity stored under a former id of its provider',
      { ...withKeys, oauthAccounts: [identity({ provider: 'work' })] },
      ['oidc'],
    ],
    ['include a passkey', { passkeys: [passkey()] }, ['passkey']],
    ['exclude a passkey without user verification', { passkeys: [passkey({ userVerified: false })] }, []],
    ['exclude a passkey of another relying party', { passkeys: [passkey({ rpId: 'example.org' })] }, []],
    ['exclude a passkey that was refused as a copy', { passkeys: [passkey({ refusedAt: NOW })] }, []],
    [
      'include each kind once',
      {
        ...withKeys,
        passwordHash: 'hash',
        oauthAccounts: [identity(), identity()],
        passkeys: [passkey(), passkey({ id: 'q' })],
      },
      ['password', 'oidc', 'passkey'],
    ],
  ];
  for (const [title, change, methods] of rows)
    it(title, () => {
      expect(signInMethods(settings, { ...empty, ...change })).to.deep.equal(methods);
    });

  it('exclude passkeys while passkeys are turned off', () => {
    const off = { ...settings, passkeys: { relyingParty: null } };
    expect(signInMethods(off, { ...empty, passkeys: [passkey()] })).to.deep.equal([]);
  });

  it('must not become empty: a removal of the last method is refused', () => {
    expect(lastMethodRefusal(settings, empty)?.code).to.equal('last_sign_in_method');
    expect(lastMethodRefusal(settings, { ...empty, passwordHash: 'hash' })).to.equal(undefined);
  });
});
