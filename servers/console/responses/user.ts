import { OAUTH_ACCOUNT } from '../../../core/accounts/account.ts';
import { PASSKEY } from '../../../core/accounts/passkeys/passkey-view.ts';
import { listedMail } from '../../../core/accounts/admin/mails.ts';
import type { Accounts, ListedMail, ShownUser } from '../../../core/index.ts';
import { entitlement } from '../../accounts/responses/entitlement.ts';
import {
  avatar,
  count,
  displayName,
  email,
  flag,
  isPremium,
  tier,
  time,
  userId,
} from '../../accounts/responses/parts.ts';
import { type AnswerOf, answerOf, nullable, type ObjectSchema } from '../../http/schema.ts';
import { billing, text, timeOrNull } from './billing.ts';
import { why } from './why.ts';

const restriction = nullable({
  type: 'object',
  title: 'Restriction',
  properties: {
    reason: text('Of the operator; the user does not see it', 'spam'),
    since: time,
    until: timeOrNull('Null: for good'),
    inForce: flag('False when its end has passed', true),
  },
  required: ['reason', 'since', 'until', 'inForce'],
});

/** A user as an operator sees them. */
const user = {
  type: 'object',
  title: 'User',
  properties: {
    id: userId,
    email,
    emailVerified: flag('', true),
    displayName,
    avatar,
    language: text('A primary subtag (RFC 5646)', 'en'),
    hasPassword: flag('', true),
    twoFactorEnabled: flag(''),
    recoveryCodesLeft: { ...count, examples: [0] },
    tier,
    isPremium,
    banned: restriction,
    disabled: restriction,
    customDomain: nullable({
      type: 'object',
      title: 'DomainOfUser',
      properties: { domain: text('', 'files.example.com'), verified: flag('', true) },
      required: ['domain', 'verified'],
    }),
    formerDomains: {
      type: 'array',
      items: {
        type: 'object',
        title: 'FormerDomain',
        properties: { domain: text('', 'old.example.com'), claimedAt: time, forgetAt: time },
        required: ['domain', 'claimedAt', 'forgetAt'],
      },
    },
    emailChange: nullable({
      type: 'object',
      title: 'EmailChange',
      properties: {
        to: email,
        askedAt: time,
        expiresAt: timeOrNull('When its code ends. Null: none works any more'),
      },
      required: ['to', 'askedAt', 'expiresAt'],
    }),
    formerEmails: {
      type: 'array',
      items: {
        type: 'object',
        title: 'FormerEmail',
        properties: { email, askedAt: time, until: time },
        required: ['email', 'askedAt', 'until'],
      },
    },
    oauthAccounts: {
      type: 'array',
      items: {
        type: 'object',
        title: 'IdentityOfUser',
        properties: { ...OAUTH_ACCOUNT, bound: flag('Whether it opens the account', true) },
        required: ['provider', 'providerAccountId', 'email', 'createdAt', 'bound'],
      },
    },
    passkeys: {
      type: 'array',
      items: {
        type: 'object',
        title: 'PasskeyOfUser',
        properties: {
          ...PASSKEY,
          refusedAt: timeOrNull('Since when it is refused, since it was found copied'),
        },
        required: [
          ...(['id', 'credentialId', 'name', 'createdAt', 'lastUsedAt', 'transports'] as const),
          ...(['backedUp', 'userVerified', 'rpId', 'aaguid', 'refusedAt'] as const),
        ],
      },
    },
    entitlements: { type: 'array', items: entitlement },
    billing,
    createdAt: time,
    updatedAt: { ...time, description: 'The value of `seen` for an act' },
    signInMethods: {
      type: 'array',
      items: { type: 'string', enum: ['password', 'oidc', 'passkey'] },
    },
    secondFactors: {
      type: 'array',
      items: { type: 'string', enum: ['totp', 'passkey', 'recovery'] },
    },
    sessions: count,
    files: { type: 'object', title: 'FilesOfUser', properties: { count }, required: ['count'] },
    why,
    wrongPasswords: { ...count, description: 'Within a day', examples: [0] },
    wrongCodes: { ...count, description: 'Within a day', examples: [0] },
    held: {
      type: 'array',
      description: 'Lockouts after wrong attempts',
      items: { type: 'string', enum: ['password', 'verification', 'two-factor'] },
    },
  },
  required: [
    ...(['id', 'email', 'emailVerified', 'displayName', 'avatar', 'language', 'hasPassword'] as const),
    ...(['twoFactorEnabled', 'recoveryCodesLeft', 'tier', 'isPremium', 'banned', 'disabled'] as const),
    ...(['customDomain', 'formerDomains', 'emailChange', 'formerEmails', 'oauthAccounts'] as const),
    ...(['passkeys', 'entitlements', 'billing', 'createdAt', 'updatedAt', 'signInMethods'] as const),
    ...(['secondFactors', 'sessions', 'files', 'why', 'wrongPasswords', 'wrongCodes', 'held'] as const),
  ],
} as const satisfies ObjectSchema;

export const userResponse = answerOf<{ readonly user: ShownUser }>()({
  type: 'object',
  title: 'UserAnswer',
  properties: { user },
  required: ['user'],
});

export const actedResponse = answerOf<{ readonly changed: boolean; readonly user: ShownUser }>()({
  type: 'object',
  title: 'Acted',
  properties: { changed: flag('False where it was so already; then nothing is written', true), user },
  required: ['changed', 'user'],
});

export const mailsOfUserResponse = answerOf<{ readonly mails: readonly ListedMail[] }>()({
  type: 'object',
  properties: { mails: { type: 'array', items: listedMail } },
  required: ['mails'],
});

const session = {
  type: 'object',
  title: 'SessionOfUser',
  properties: {
    id: { type: 'string', format: 'uuid', examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'] },
    createdAt: time,
    lastUsedAt: time,
    userAgent: { type: ['string', 'null'], examples: ['Mozilla/5.0'] },
    ip: text('', '203.0.113.7'),
    kind: { type: 'string', const: 'console', description: 'Set for a session of the console' },
    givenBy: {
      type: 'string',
      format: 'uuid',
      description: 'Set for a session of an app: the session at the pages with which it ends',
      examples: ['0199a0b1-6c2e-7a10-9d41-0b7c5e8f2a13'],
    },
  },
  required: ['id', 'createdAt', 'lastUsedAt', 'userAgent', 'ip'],
} as const satisfies ObjectSchema;

export const sessionsOfUserResponse = answerOf<{
  readonly sessions: AnswerOf<Accounts['operate']['listSessions']>;
}>()({
  type: 'object',
  properties: { sessions: { type: 'array', items: session } },
  required: ['sessions'],
});
