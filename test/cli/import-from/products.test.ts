import { expect } from 'chai';
import { IMPORTED_HASHES } from '../../adapters/hashing/imported-samples.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { readSample } from './read-export.ts';
import { AUTH0_HASHES, EXPORTS, HASH_CONFIG, keycloakPassword } from './samples.ts';

const ADA = {
  email: 'ada@example.com',
  emailVerified: true,
  displayName: 'Ada Lovelace',
  avatar: 'https://pictures.example/ada.png',
};
const GOOGLE = { provider: 'google', providerAccountId: '1179' };

describe('An export of another product', () => {
  const folder = useTempFolder();
  const read = (name: string, more?: Parameters<typeof readSample>[3], text = EXPORTS[name] ?? '') =>
    readSample(folder(), name, text, more);
  const withoutPasswords = { flags: { withoutPasswords: true }, beside: {} };

  it('of better-auth has the tables user and account', async () => {
    const { lines, leftOut } = await read('better-auth');
    expect(lines).to.deep.equal([
      {
        ...ADA,
        passwordHash:
          '$scrypt$ln=14,r=16,p=1$NDNiMjI0MWE3YmM4NDAzYjA5NTM4MDY1NTc4OWU3NDU$wSMOOpl1nKYjc4oMTAWfha/BhL9xIV95wDjmcd6RGES/mXUjDbrdxlMhlJS5RLoyfV0grBXAlo1JhdwpV5vrFg',
        createdAt: '2026-01-22T17:29:46.185Z',
      },
      {
        email: 'bob@example.com',
        emailVerified: true,
        displayName: 'Bob',
        oauthAccounts: [{ ...GOOGLE, createdAt: '2026-01-22T17:29:46.503Z' }],
        banned: { reason: 'spam' },
        createdAt: '2026-01-22T17:29:46.503Z',
      },
    ]);
    expect(leftOut).to.deep.equal({ role: 1 });
  });

  it('of better-auth may be lines of JSON, each user with its accounts', async () => {
    const user = { id: 7, email: 'ada@example.com', email_verified: 1, created_at: 1_700_000_000 };
    const accounts = [
      { user_id: 7, provider_id: 'credential', account_id: '7', password: IMPORTED_HASHES.bcrypt },
    ];
    const line = JSON.stringify({ ...user, accounts: JSON.stringify(accounts) });
    const { lines } = await read('better-auth', {}, `${line}\n\n${line}\n`);
    const expected = {
      email: 'ada@example.com',
      emailVerified: true,
      passwordHash: IMPORTED_HASHES.bcrypt,
      createdAt: '2023-11-14T22:13:20.000Z',
    };
    expect(lines).to.deep.equal([expected, expected]);
  });

  it('of Supabase is auth.users as CSV', async () => {
    const { lines, leftOut } = await read('supabase');
    expect(lines).to.deep.equal([
      {
        ...ADA,
        passwordHash: IMPORTED_HASHES.bcrypt,
        oauthAccounts: [{ provider: 'microsoft', providerAccountId: '77', email: 'ada@work.example' }],
        createdAt: '2024-01-30T09:08:07.500Z',
      },
      {
        email: 'bob@example.com',
        emailVerified: true,
        banned: { reason: 'Banned in Supabase.' },
        createdAt: '2024-02-01T11:00:00.000Z',
      },
    ]);
    expect(leftOut).to.deep.equal({ phone: 1, 'raw_user_meta_data.plan': 1 });
  });

  it('of Supabase may have null for missing values, as the CSV of its dashboard does', async () => {
    const columns = [
      'email',
      'encrypted_password',
      'email_confirmed_at',
      'banned_until',
      'deleted_at',
      'phone',
    ];
    const rows = ['ada@example.com,null,null,null,null,null', 'bob@example.com,NULL,NULL,NULL,NULL,NULL'];
    const { lines, leftOut } = await read('supabase', {}, [columns.join(','), ...rows].join('\n'));
    expect(lines).to.deep.equal(
      ['ada@example.com', 'bob@example.com'].map((email) => ({ email, emailVerified: false })),
    );
    expect(leftOut).to.deep.equal({});
  });

  it('of Supabase may be lines of JSON, with hashes imported from Firebase', async () => {
    const signerKey = /signer_key: ([^,]+)/.exec(HASH_CONFIG)?.[1];
    const row = {
      email: 'ada@example.com',
      email_confirmed_at: null,
      encrypted_password: `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$TKdhnTq2CkKOmg==$DgkJmyZVi09dFd2h9jXhae5rnBjVClSvHDb+Kd1J8oFhaXmmlK0nxeUifPF4rnyMprvWg3xXtfKi3NkWP3xbnQ==`,
    };
    const deleted = { email: 'gone@example.com', deleted_at: '2024-01-01T00:00:00Z' };
    const { lines } = await read('supabase', {}, `${JSON.stringify(row)}\n${JSON.stringify(deleted)}`);
    expect(lines).to.deep.equal([
      { email: 'ada@example.com', emailVerified: false, passwordHash: IMPORTED_HASHES.firebase },
      { problem: 'It was deleted in Supabase.' },
    ]);
  });

  it('of Supabase has no ban if the ban ended at -infinity', async () => {
    const user = { email: 'ada@example.com', banned_until: '-infinity' };
    const { lines, leftOut } = await read('supabase', {}, JSON.stringify(user));
    expect(lines).to.deep.equal([{ email: 'ada@example.com', emailVerified: false }]);
    expect(leftOut).to.deep.equal({});
  });

  it('has permanent bans if their end cannot be read, and counts them', async () => {
    const identity = { provider: 'google', provider_id: '1179', created_at: 'once' };
    const row = { email: 'ada@example.com', banned_until: 'some day', identities: [identity] };
    const supabase = await read('supabase', {}, JSON.stringify(row));
    expect(supabase.lines).to.deep.equal([
      {
        email: 'ada@example.com',
        emailVerified: false,
        oauthAccounts: [GOOGLE],
        banned: { reason: 'Banned in Supabase.' },
      },
    ]);
    expect(supabase.leftOut).to.deep.equal({ 'banned.until': 1, 'oauthAccounts.createdAt': 1 });
    const ends = ['some day', '+010000-01-01T00:00:00.000Z'];
    const users = ends.map((banExpires) => ({ id: '7', email: 'ada@example.com', banned: true, banExpires }));
    const betterAuth = await read('better-auth', {}, JSON.stringify(users));
    const expected = {
      email: 'ada@example.com',
      emailVerified: false,
      banned: { reason: 'Banned in better-auth.' },
    };
    expect(betterAuth.lines).to.deep.equal([expected, expected]);
    expect(betterAuth.leftOut).to.deep.equal({ 'banned.until': 2 });
  });

  it('has the end of a ban', async () => {
    const end = '2030-01-01T00:00:00.000Z';
    const row = { email: 'ada@example.com', banned_until: '2030-01-01 00:00:00+00' };
    const supabase = await read('supabase', {}, JSON.stringify(row));
    expect(supabase.lines[0]).to.deep.include({ banned: { reason: 'Banned in Supabase.', until: end } });
    const user = { id: '7', email: 'ada@example.com', banned: true, banExpires: 1_893_456_000 };
    const betterAuth = await read('better-auth', {}, JSON.stringify([user]));
    expect(betterAuth.lines[0]).to.deep.include({ banned: { reason: 'Banned in better-auth.', until: end } });
  });

  it('of Firebase is the output of auth:export, and takes the signer key from the hash configuration', async () => {
    const { lines, leftOut } = await read('firebase');
    expect(lines).to.deep.equal([
      { ...ADA, passwordHash: IMPORTED_HASHES.firebase, createdAt: '2023-07-22T04:26:40.000Z' },
      {
        email: 'bob@example.com',
        emailVerified: true,
        displayName: 'Bob',
        oauthAccounts: [{ ...GOOGLE, email: 'bob@mail.example' }],
        disabled: { reason: 'Disabled in Firebase.' },
        createdAt: '2023-07-22T04:26:40.001Z',
      },
    ]);
    expect(leftOut).to.deep.equal({ phoneNumber: 1, customAttributes: 1 });
    const asJson = JSON.stringify({
      base64_signer_key: /signer_key: ([^,]+)/.exec(HASH_CONFIG)?.[1],
      base64_salt_separator: 'Bw==',
      rounds: 8,
      mem_cost: 14,
    });
    expect((await read('firebase', { beside: { hashConfig: asJson } })).lines).to.deep.equal(lines);
  });

  it('of Firebase has identities at providers, without the providers password and phone', async () => {
    const providerUserInfo = ['password', 'phone', 'google.com'].map((providerId) => ({
      ...{ providerId, rawId: '1179' },
    }));
    const users = [{ email: 'ada@example.com', providerUserInfo }];
    const { lines } = await read('firebase', {}, JSON.stringify({ users }));
    expect(lines[0]).to.deep.include({ oauthAccounts: [GOOGLE] });
  });

  it('has times in the formats of databases, read as UTC if they have no time zone', async () => {
    const times = {
      '2024-01-30 09:08:07.5': '2024-01-30T09:08:07.500Z',
      '2024-01-30T09:08:07': '2024-01-30T09:08:07.000Z',
      '2024-01-30 09:08:07.123456+00': '2024-01-30T09:08:07.123Z',
      '2024-01-30T09:08:07+02:00': '2024-01-30T07:08:07.000Z',
      '1706605687': '2024-01-30T09:08:07.000Z',
      '1706605687000': '2024-01-30T09:08:07.000Z',
      '9999999999999999': undefined,
    };
    const { TZ } = process.env;
    process.env.TZ = 'Asia/Tokyo';
    try {
      const users = Object.keys(times).map((createdAt) => ({ email: 'ada@example.com', createdAt }));
      const { lines, leftOut } = await read('better-auth', {}, JSON.stringify(users));
      expect(lines.map(({ createdAt }) => createdAt)).to.deep.equal(Object.values(times));
      expect(leftOut).to.deep.equal({ createdAt: 1 });
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('has Argon2 hashes without Base64 padding', async () => {
    const password = '$argon2id$v=19$m=8,t=1,p=1$c2FsdA==$aGFzaGVk=';
    const users = [{ email: 'ada@example.com', accounts: [{ providerId: 'credential', password }] }];
    const { lines } = await read('better-auth', {}, JSON.stringify(users));
    expect(lines[0]).to.include({ passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaGVk' });
  });

  it('of Auth0 is a bulk export with a file of password hashes', async () => {
    const { lines, leftOut } = await read('auth0');
    expect(lines).to.deep.equal([
      { ...ADA, passwordHash: IMPORTED_HASHES.bcrypt, createdAt: '2019-12-06T18:36:12.412Z' },
      {
        email: 'bob@example.com',
        emailVerified: true,
        oauthAccounts: [GOOGLE],
        banned: { reason: 'Blocked in Auth0.' },
        createdAt: '2019-12-07T18:36:12.412Z',
      },
    ]);
    expect(leftOut).to.deep.equal({ app_metadata: 1 });
  });

  it('of Auth0 finds the hash of a user of a custom database by its alt_id', async () => {
    const user = { user_id: 'auth0|euclid', email: 'e@example.com' };
    const hash = {
      _id: { $oid: '5dea9f9c82dd7c0e76e4ec90' },
      alt_id: 'euclid',
      passwordHash: IMPORTED_HASHES.bcryptC,
    };
    const passwords = `${AUTH0_HASHES}\n${JSON.stringify(hash)}`;
    const { lines } = await read('auth0', { beside: { passwords } }, JSON.stringify(user));
    expect(lines).to.deep.equal([
      { email: 'e@example.com', emailVerified: false, passwordHash: IMPORTED_HASHES.bcryptC },
    ]);
  });

  it('of Keycloak is the export of a realm', async () => {
    const { lines, leftOut } = await read('keycloak');
    const { avatar: _, ...ada } = ADA;
    expect(lines).to.deep.equal([
      { ...ada, passwordHash: IMPORTED_HASHES.keycloak, createdAt: '2023-11-14T22:13:20.000Z' },
      {
        email: 'bob@example.com',
        emailVerified: true,
        oauthAccounts: [GOOGLE],
        disabled: { reason: 'Disabled in Keycloak.' },
        createdAt: '2023-11-14T22:13:20.001Z',
      },
    ]);
    expect(leftOut).to.deep.equal({ 'credential otp': 1, realmRoles: 1 });
  });

  it('of Keycloak has a problem for each realm if it has all realms', async () => {
    const { lines } = await read(
      'keycloak',
      {},
      '[{"realm":"master","users":[]},{"realm":"shop","users":[{}]}]',
    );
    const problem = 'It is a realm, not a user: export one realm with --realm.';
    expect(lines).to.deep.equal([{ problem }, { problem }]);
  });

  it('of Keycloak may have PBKDF2 hashes, also in the format of Keycloak 7', async () => {
    const credentials = [
      keycloakPassword(IMPORTED_HASHES.pbkdf2Sha256, { hashIterations: 1_000, algorithm: 'pbkdf2-sha256' }),
      keycloakPassword(IMPORTED_HASHES.pbkdf2Sha512, { hashIterations: 1_000, algorithm: 'pbkdf2-sha512' }),
      {
        type: 'password',
        hashedSaltedValue: IMPORTED_HASHES.pbkdf2Sha1.split('$').at(-1),
        salt: IMPORTED_HASHES.pbkdf2Sha1.split('$').at(-2),
        hashIterations: 1_000,
        algorithm: 'pbkdf2',
      },
    ];
    const users = credentials.map((credential) => ({
      email: 'a@example.com',
      enabled: true,
      credentials: [credential],
    }));
    const { lines } = await read('keycloak', {}, JSON.stringify({ users }));
    expect(lines.map((line) => 'passwordHash' in line && line.passwordHash)).to.deep.equal([
      IMPORTED_HASHES.pbkdf2Sha256,
      IMPORTED_HASHES.pbkdf2Sha512,
      IMPORTED_HASHES.pbkdf2Sha1,
    ]);
  });

  it('has problems for unknown hashes, or users without password with --without-passwords', async () => {
    const user = { id: '7', email: 'ada@example.com', emailVerified: true };
    const account = { userId: '7', providerId: 'credential', password: 'md5:0123456789abcdef' };
    const text = JSON.stringify({ user: [user], account: [account] });
    expect((await read('better-auth', {}, text)).lines).to.deep.equal([
      {
        problem:
          'Its password hash is of a kind that is not verified here; --without-passwords imports such users without one.',
      },
    ]);
    const { lines, leftOut } = await read('better-auth', withoutPasswords, text);
    expect(lines).to.deep.equal([{ email: 'ada@example.com', emailVerified: true }]);
    expect(leftOut).to.deep.equal({ password: 1 });
    for (const name of ['firebase', 'auth0']) {
      const users = await read(name, withoutPasswords);
      expect(users.lines[0]).to.not.have.property('passwordHash');
      expect(users.leftOut).to.include({ password: 1 });
    }
  });

  it('has problems for users without an email, and counts values that cannot be imported', async () => {
    const users = [
      { localId: 'phone', phoneNumber: '+48600100200' },
      { email: 'ada@example.com', photoUrl: 'data:image/png;base64,AAAA', createdAt: 'yesterday' },
    ];
    const { lines, leftOut } = await read('firebase', {}, JSON.stringify({ users }));
    expect(lines).to.deep.equal([
      { problem: 'It has no email; Gatehouse identifies users by their email.' },
      { email: 'ada@example.com', emailVerified: false },
    ]);
    expect(leftOut).to.deep.equal({ avatar: 1, createdAt: 1 });
  });

  it('leaves out times of sign-up before 1970 or in the future', async () => {
    const times = ['0001-01-01T00:00:00Z', '2999-01-01T00:00:00', 1_700_000_000_000_000];
    const users = times.map((createdAt, id) => {
      const accounts = [{ providerId: 'google', accountId: '1179', createdAt }];
      return { id, email: `user${id}@example.com`, createdAt, accounts };
    });
    const { lines, leftOut } = await read('better-auth', {}, JSON.stringify(users));
    expect(lines).to.deep.equal(
      users.map(({ email }) => ({ email, emailVerified: false, oauthAccounts: [GOOGLE] })),
    );
    expect(leftOut).to.deep.equal({ createdAt: 3, 'oauthAccounts.createdAt': 3 });
  });

  it('leaves out names and reasons of bans that are not valid', async () => {
    const names = ['\u200fAda\u200f', 'a'.repeat(101), 'Ada \ud83d'];
    const users = names.map((name, id) => ({ id, name, email: `user${id}@example.com` }));
    const reasons = ['x'.repeat(501), 'spam\nagain'];
    const banned = reasons.map((banReason, id) => ({
      id,
      email: `user${id}@example.com`,
      banned: true,
      banReason,
    }));
    const text = JSON.stringify([...users, ...banned]);
    const { lines, leftOut } = await read('better-auth', {}, text);
    expect(lines).to.deep.equal([
      ...users.map(({ email }) => ({ email, emailVerified: false })),
      { email: 'user0@example.com', emailVerified: false, banned: { reason: 'Banned in better-auth.' } },
      { email: 'user1@example.com', emailVerified: false, banned: { reason: 'spam\nagain' } },
    ]);
    expect(leftOut).to.deep.equal({ displayName: 3, banReason: 1 });
  });
});
