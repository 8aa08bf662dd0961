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
import type { Caller } from './base-deps.ts';
import type { PasskeyAssertion } from './passkeys/check-assertion.ts';
import type { Principal, User, UserSession } from './principal.ts';

// The rules for arguments that several groups of calls share.

export const TEXT_OR_NOT = optional(TEXT);
export const passkeyAnswer = record<PasskeyAssertion>({ flow: TEXT, credential: OBJECT });
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
  givenBy: optional(TEXT),
});

/** A rule whose message also names `authenticate`, since callers seldom build such objects themselves. */
const authenticated =
  (rule: Rule): Rule =>
  (value, name) => {
    const problem = rule(value, name);
    return problem && `'${name}' must be what authenticate gives: ${problem}`;
  };
export const who = authenticated(record<Pick<Principal, 'user' | 'session'>>({ user, session }));
export const ofUser = authenticated(record<Pick<Principal, 'user'>>({ user }));
