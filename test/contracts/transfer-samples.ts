import type {
  TransferredFile,
  TransferredObject,
  TransferredRecords,
} from '../../adapters/transfer/sections.ts';
import { type Account, tombstoneOf } from '../../core/accounts/account.ts';
import type { Passkey } from '../../core/accounts/passkeys/passkey.ts';
import { newOutboxItem } from '../../core/outbox.ts';
import { fileOf } from './sample-files.ts';
import {
  headAfter,
  NOW,
  sampleAccount,
  sampleAuditRow,
  sampleDelivery,
  sampleMail,
  sampleSession,
} from './samples.ts';

const USERS = ['user', 'other', 'third'];

export const samplePasskey: Passkey = {
  id: 'passkey',
  credentialId: 'credential',
  key: 'COSE',
  algorithm: -7,
  counter: 5,
  transports: ['internal', 'hybrid'],
  backupEligible: true,
  backedUp: false,
  userVerified: true,
  rpId: 'example.com',
  aaguid: '00000000-0000-0000-0000-000000000000',
  name: 'Passkey',
  createdAt: NOW,
  lastUsedAt: null,
  refusedAt: null,
};

const accounts = (): readonly Account[] => [
  sampleAccount('plain'),
  sampleAccount('rich', {
    version: 12,
    verified: true,
    twoFactor: {
      secret: 'sealed',
      lastStep: 58,
      recoveryCodes: ['digest'],
      enabledAt: NOW,
    } as unknown as Account['twoFactor'],
    banned: { reason: 'spam', at: NOW, until: null } as unknown as Account['banned'],
    pending: [sampleMail('of an account')],
    billingDueAt: NOW + 5,
    oauthAccounts: [
      { provider: 'google', providerAccountId: '1', email: null, createdAt: 'then', key: 'oidc:a' },
      { provider: 'github', providerAccountId: '2', email: 'rich@example.com', createdAt: 'then' },
    ],
    passkeys: [samplePasskey],
    passkeyHandle: 'handle',
    loginKeys: [
      { key: 'oidc:a', mark: 'mark of a' },
      { key: 'passkey:b', mark: 'mark of b' },
    ],
  }),
  tombstoneOf(sampleAccount('gone'), NOW + 1),
  {
    ...tombstoneOf(sampleAccount('waiting'), NOW + 1),
    customDomain: { domain: 'b.example.com', token: 'token', verified: true, claimedAt: NOW },
    formerEmails: [
      { email: 'former@example.com', digest: 'digest', askedAt: NOW, by: 'session', until: NOW + 9 },
    ],
    waitingDeletion: { sealed: 'sealed' },
  },
  sampleAccount('another', {
    registration: {
      identity: {
        provider: 'google',
        providerAccountId: '3',
        email: null,
        createdAt: 'then',
        key: 'oidc:c',
      },
      tokenDigest: 'digest',
    },
  }),
];

const session = (number: number, differences = {}) =>
  // The ids are not sorted, because only the order of addition counts.
  sampleSession(`${(number * 37) % 100}-${number}`, {
    userId: USERS[number % 3] ?? '',
    createdAt: NOW - number,
    ...differences,
  });

const objects = (): readonly TransferredObject[] =>
  ['user/avatar_1.png', 'user/avatar_2.webp', 'other/avatar_1.jpg'].map((path, place) => ({
    path,
    bytes: Buffer.alloc(1_000 * place + 1, place + 250).toString('base64'),
  }));

const transferredFile = (number: number, differences: Partial<TransferredFile>): TransferredFile => {
  const { item: _, ...file } = fileOf(number);
  return { ...file, keyId: 'key', removed: false, accesses: 0, accessedAt: 0, ...differences };
};

const event = (
  id: string,
  differences: Partial<TransferredRecords['events']> = {},
): TransferredRecords['events'] => ({
  id,
  standing: 'pending',
  receivedAt: NOW,
  dueAt: NOW + 7,
  tries: 2,
  customerId: null,
  userId: null,
  lastFailure: null,
  body: `{"id":"${id}","name":"Zoë 🦊"}`,
  ...differences,
});

const mail = (
  id: string,
  differences: Partial<TransferredRecords['outbox']> = {},
): TransferredRecords['outbox'] => ({
  ...newOutboxItem('user', sampleMail(id)),
  ...differences,
});

const delivery = (
  id: string,
  differences: Partial<TransferredRecords['webhooks']> = {},
): TransferredRecords['webhooks'] => ({
  ...newOutboxItem('user', sampleDelivery(id)),
  ...differences,
});

/** Records of each section with all optional members, in the order in which they are written. */
export const transferSamples = (): {
  readonly [Name in keyof TransferredRecords]: readonly TransferredRecords[Name][];
} => ({
  accounts: accounts(),
  sessions: [
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => session(number)),
    session(8, {
      endedAt: NOW,
      usedTokens: [{ digest: 'before', at: NOW }],
      tokensFrom: NOW,
      methods: ['password', 'totp'],
      userAgent: 'Firefox "é"',
    }),
  ],
  tries: [1, 2, 3].map((number) => ({
    key: `digest ${number}`,
    count: number,
    firstAt: NOW,
    endsAt: NOW + number,
  })),
  domains: ['xn--bcher-kva.dev', 'a.example.com', 'b.example.com'].map((domain, place) => ({
    domain,
    revision: `revision ${place}`,
    owner: place === 0 ? { userId: 'user', token: 'token', failedDays: 3 } : null,
    claims: [{ userId: 'user', token: 'token', at: NOW, enteredAt: NOW + 1 }],
    lookAt: NOW + place,
  })),
  outbox: [
    mail('waiting'),
    mail('failing', { tries: 3, dueAt: NOW + 60_000, waitsFrom: NOW + 1, lastFailure: 'refused' }),
    mail('dead', { tries: 9, deadAt: NOW + 2, lastFailure: 'too many tries' }),
  ],
  webhooks: [
    delivery('waiting'),
    delivery('dead', { tries: 10, deadAt: NOW + 2, lastFailure: 'status_500' }),
  ],
  audit: [
    ...[1, 2, 3, 4].map((number) => sampleAuditRow(number)),
    sampleAuditRow(5, { content: null, salt: null }),
    sampleAuditRow(6, { target: 'other' }),
  ],
  auditHead: [headAfter(sampleAuditRow(6))],
  files: [
    transferredFile(1, {}),
    transferredFile(2, { removed: true }),
    transferredFile(3, { keyId: null, user: 'other' }),
    transferredFile(4, { accesses: 17, accessedAt: NOW }),
  ],
  objects: objects(),
  events: [
    event('pending'),
    event('waiting', { standing: 'waiting', customerId: 'customer' }),
    event('applied', { standing: 'applied', userId: 'user' }),
    event('dead', { standing: 'dead', lastFailure: 'unknown product', userId: 'user' }),
    event('erased', { standing: 'ignored', body: null }),
  ],
  links: ['one', 'two'].map((customer) => ({ customerId: customer, userId: `user of ${customer}` })),
  rates: [{ good: { mid: '3.6521', effectiveDate: '2026-05-28' }, confirmedAt: NOW, doubted: null }],
  statistics: [
    { day: '2026-11-19', counted: null, mailWaitingMost: 0, cacheHits: 5, cacheMisses: 1 },
    ...['2026-11-20', '2026-11-21'].map((day) => ({
      ...{ day, mailWaitingMost: 3, cacheHits: 0, cacheMisses: 0 },
      counted: {
        ...{ signUps: 2, verified: 1, total: 9, byTier: { free: 8, pro: 1 } },
        ...{ active1: 1, active7: 2, active30: 3, mailDead: 0 },
      },
    })),
  ],
});
