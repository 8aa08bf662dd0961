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

describe('The sign-in methods', () => {
  const rows: readonly (readonly [string, Partial<Account>, readonly string[]])[] = [
    ['none in a new account', {}, []],
    ['a password', { passwordHash: 'hash' }, ['password']],
    ['a bound identity', { ...withKeys, oauthAccounts: [identity()] }, ['oidc']],
    ['no identity that was imported', { oauthAccounts: [identity()] }, []],
    ['no identity of another provider', { ...withKeys, oauthAccounts: [identity({ key: 'oidc:h\n1' })] }, []],
    [
      'one of a provider by its former id',
      { ...withKeys, oauthAccounts: [identity({ provider: 'work' })] },
      ['oidc'],
    ],
    ['a passkey', { passkeys: [passkey()] }, ['passkey']],
    ['no passkey that asks for no PIN', { passkeys: [passkey({ userVerified: false })] }, []],
    ['no passkey for another site', { passkeys: [passkey({ rpId: 'example.org' })] }, []],
    ['no passkey that was copied', { passkeys: [passkey({ refusedAt: NOW })] }, []],
    [
      'each kind once',
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
    it(`are ${title}`, () => {
      expect(signInMethods(settings, { ...empty, ...change })).to.deep.equal(methods);
    });

  it('are no passkeys where passkeys are off', () => {
    const off = { ...settings, passkeys: { relyingParty: null } };
    expect(signInMethods(off, { ...empty, passkeys: [passkey()] })).to.deep.equal([]);
  });

  it('keep at least one: a removal that would leave none is refused', () => {
    expect(lastMethodRefusal(settings, empty)?.code).to.equal('last_sign_in_method');
    expect(lastMethodRefusal(settings, { ...empty, passwordHash: 'hash' })).to.equal(undefined);
  });
});
