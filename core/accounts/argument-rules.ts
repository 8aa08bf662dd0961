import {
  FLAG,
  listOf,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  orNull,
  type Rule,
  record,
  SIZE,
  TEXT,
} from '../arguments.ts';
import type { PasskeyAnswer } from './ceremonies/check-assertion.ts';
import type { Identity, User, UserSession } from './identity.ts';
import type { Caller } from './needs.ts';

// What more than one group of calls takes.

export const TEXT_OR_NOT = optional(TEXT);
export const passkeyAnswer = record<PasskeyAnswer>({ flow: TEXT, credential: OBJECT });
export const caller = record<Caller>({
  address: TEXT,
  client: TEXT,
  userAgent: optional(orNull(TEXT)),
  requestId: optional(orNull(TEXT)),
  languages: optional(orNull(TEXT)),
  session: optional(oneOf('cookie', 'console')),
});

const user = record<User>({
  id: TEXT,
  email: TEXT,
  verified: FLAG,
  displayName: orNull(TEXT),
  avatar: orNull(TEXT),
  language: TEXT,
  hasPassword: FLAG,
  hasTwoFactor: FLAG,
  banned: orNull(OBJECT),
  disabled: orNull(OBJECT),
  oauthAccounts: listOf(OBJECT),
  entitlements: listOf(OBJECT),
  access: OBJECT,
  customDomain: orNull(OBJECT),
  sessionEpoch: NUMBER,
  keptSession: orNull(TEXT),
  createdAt: SIZE,
  updatedAt: SIZE,
});
const session = record<UserSession>({
  id: TEXT,
  userId: TEXT,
  createdAt: NUMBER,
  lastUsedAt: NUMBER,
  endsAt: NUMBER,
  userAgent: orNull(TEXT),
  address: TEXT,
  authenticatedAt: NUMBER,
  methods: listOf(TEXT),
  inCookie: optional(FLAG),
  kind: optional(oneOf('console')),
});

/** Its members are seldom made by hand, so the call that makes them is named, too. */
const authenticated =
  (rule: Rule): Rule =>
  (value, name) => {
    const problem = rule(value, name);
    return problem && `'${name}' must be what authenticate gives: ${problem}`;
  };
export const who = authenticated(record<Pick<Identity, 'user' | 'session'>>({ user, session }));
export const ofUser = authenticated(record<Pick<Identity, 'user'>>({ user }));
