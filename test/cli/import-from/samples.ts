import { IMPORTED_HASHES, PASSWORD } from '../../adapters/hashing/imported-samples.ts';

export { PASSWORD };

/** Firebase's own example of a project's hash configuration, as its console shows it. */
export const HASH_CONFIG = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
`;

/** Data of better-auth 1.7, dumped from its memory adapter after two sign-ups; the ids are shortened. */
const BETTER_AUTH = {
  user: [
    {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      emailVerified: true,
      image: 'https://pictures.example/ada.png',
      createdAt: '2026-01-22T17:29:46.185Z',
      updatedAt: '2026-01-22T17:29:46.185Z',
      role: 'user',
      banned: false,
      id: 'mZzoyxDbXnK5kNkr',
    },
    {
      name: 'Bob',
      email: 'bob@example.com',
      emailVerified: true,
      createdAt: '2026-01-22T17:29:46.503Z',
      updatedAt: '2026-01-22T17:29:46.503Z',
      banned: true,
      banReason: 'spam',
      id: 'E8myLbXd8kQCuSbQ',
    },
  ],
  account: [
    {
      accountId: 'mZzoyxDbXnK5kNkr',
      providerId: 'credential',
      userId: 'mZzoyxDbXnK5kNkr',
      password:
        '43b2241a7bc8403b095380655789e745:c1230e3a99759ca623738a0c4c059f85afc184bf71215f79c038e671de911844bf9975230dbaddc653219494b944ba327d5d20ac15c0968d4985dc29579beb16',
      createdAt: '2026-01-22T17:29:46.187Z',
      id: 'iJVinyZEPCsiLuKF',
    },
    {
      accountId: '1179',
      providerId: 'google',
      userId: 'E8myLbXd8kQCuSbQ',
      accessToken: 'ya29.secret',
      createdAt: '2026-01-22T17:29:46.503Z',
      id: 'SNnH6jhypRcwObBc',
    },
  ],
};

const SUPABASE_COLUMNS = [
  ...['id', 'aud', 'role', 'email', 'encrypted_password', 'email_confirmed_at', 'created_at'],
  ...['raw_user_meta_data', 'banned_until', 'phone', 'identities'],
];

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Rows of `auth.users` as `\\copy … csv header` writes them. */
const SUPABASE = [
  SUPABASE_COLUMNS.join(','),
  [
    '6f2c1e1e-55d0-4f6e-8a51-0a8f6a1f3d11,authenticated,authenticated,ada@example.com',
    IMPORTED_HASHES.bcrypt,
    '2024-01-31 12:00:00.123456+00,2024-01-30 09:08:07.5+00',
    quote('{"full_name": "Ada Lovelace", "avatar_url": "https://pictures.example/ada.png", "plan": "pro"}'),
    ',48600100200',
    quote(
      JSON.stringify([
        { provider: 'email', provider_id: 'ada@example.com', identity_data: { email: 'ada@example.com' } },
        { provider: 'azure', provider_id: '77', identity_data: { sub: '77', email: 'ada@work.example' } },
      ]),
    ),
  ].join(','),
  '0d3f7d7a-33f1-4d0a-9c1e-7ab0f1f9f2a2,authenticated,authenticated,bob@example.com,,2024-02-01 12:00:00+00,2024-02-01 11:00:00+00,{},infinity,,[]',
  '',
].join('\n');

/** Output of `firebase auth:export users.json --format=json`; the hash is a sample of the npm package firebase-scrypt. */
const FIREBASE = {
  users: [
    {
      localId: 'Wq9',
      email: 'ada@example.com',
      emailVerified: true,
      passwordHash:
        'DgkJmyZVi09dFd2h9jXhae5rnBjVClSvHDb+Kd1J8oFhaXmmlK0nxeUifPF4rnyMprvWg3xXtfKi3NkWP3xbnQ==',
      salt: 'TKdhnTq2CkKOmg==',
      displayName: 'Ada Lovelace',
      photoUrl: 'https://pictures.example/ada.png',
      lastSignedInAt: '1700000000000',
      createdAt: '1690000000000',
      phoneNumber: '+48600100200',
      providerUserInfo: [],
    },
    {
      localId: 'Wr0',
      email: 'bob@example.com',
      emailVerified: true,
      displayName: 'Bob',
      disabled: true,
      customAttributes: '{"admin":true}',
      createdAt: '1690000000001',
      providerUserInfo: [
        { providerId: 'google.com', rawId: '1179', email: 'bob@mail.example', displayName: 'Bob' },
      ],
    },
  ],
};

/** A bulk export of Auth0, and the file of password hashes. */
const AUTH0 = [
  {
    user_id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
    nickname: 'ada',
    picture: 'https://pictures.example/ada.png',
    created_at: '2019-12-06T18:36:12.412Z',
    updated_at: '2019-12-06T18:36:12.412Z',
    identities: [
      { connection: 'Users', provider: 'auth0', user_id: '5dea9f9c82dd7c0e76e4ec93', isSocial: false },
    ],
    app_metadata: { plan: 'pro' },
  },
  {
    user_id: 'google-oauth2|1179',
    email: 'bob@example.com',
    email_verified: true,
    name: 'bob@example.com',
    blocked: true,
    created_at: '2019-12-07T18:36:12.412Z',
  },
];

export const AUTH0_HASHES = [
  {
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec92' },
    email: 'other@example.com',
    passwordHash: IMPORTED_HASHES.bcryptC,
  },
  {
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
    email_verified: true,
    email: 'ada@example.com',
    passwordHash: IMPORTED_HASHES.bcrypt,
    password_set_date: { $date: '2019-12-06T18:36:12.412Z' },
    tenant: 'example',
    connection: 'Users',
    _tmp_is_unique: true,
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

const padded = (text = '') => Buffer.from(text, 'base64').toString('base64');

/** A password credential of a realm export. */
export const keycloakPassword = (phc: string, data: object) => ({
  id: 'c7',
  type: 'password',
  createdDate: 1_700_000_000_000,
  secretData: JSON.stringify({
    value: padded(phc.split('$').at(-1)),
    salt: padded(phc.split('$').at(-2)),
    additionalParameters: {},
  }),
  credentialData: JSON.stringify(data),
});

/** A realm export of Keycloak 26. */
const KEYCLOAK = {
  id: 'shop',
  realm: 'shop',
  roles: { realm: [{ name: 'users' }] },
  users: [
    {
      id: 'b1',
      username: 'ada',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      emailVerified: true,
      createdTimestamp: 1_700_000_000_000,
      enabled: true,
      totp: true,
      credentials: [
        keycloakPassword(IMPORTED_HASHES.keycloak, {
          hashIterations: 5,
          algorithm: 'argon2',
          additionalParameters: {
            hashLength: ['32'],
            memory: ['7168'],
            type: ['id'],
            version: ['1.3'],
            parallelism: ['1'],
          },
        }),
        { id: 'c8', type: 'otp', secretData: '{"value":"secret"}', credentialData: '{"digits":6}' },
      ],
      realmRoles: ['default-roles-shop'],
      notBefore: 0,
      groups: [],
    },
    {
      id: 'b2',
      username: 'bob',
      email: 'bob@example.com',
      emailVerified: true,
      createdTimestamp: 1_700_000_000_001,
      enabled: false,
      credentials: [],
      federatedIdentities: [{ identityProvider: 'google', userId: '1179', userName: 'bob' }],
    },
  ],
  clients: [{ clientId: 'web' }],
};

/** An export of each product with the same users: Ada has a password; Bob has none, and is banned or disabled. */
export const EXPORTS: Readonly<Record<string, string>> = {
  'better-auth': JSON.stringify(BETTER_AUTH, null, 1),
  supabase: SUPABASE,
  firebase: JSON.stringify(FIREBASE, null, 2),
  auth0: AUTH0.map((line) => `${JSON.stringify(line)}\n`).join(''),
  keycloak: JSON.stringify(KEYCLOAK, null, 2),
};

/** The files that an import needs beside the export, by product and flag. */
export const FILES_BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  firebase: { hashConfig: HASH_CONFIG },
  auth0: { passwords: AUTH0_HASHES },
};
