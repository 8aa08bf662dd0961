import {
  checkedBy,
  FLAG,
  list,
  NUMBER,
  nullable,
  OBJECT,
  object,
  oneOf,
  optional,
  problemOf,
  type Schema,
  SIZE,
  TEXT,
} from '../schema.ts';
import type { User, UserSession } from './principal.ts';

// The arguments that several groups of calls share.

export const OPTIONAL_TEXT = optional(TEXT);

export const caller = object({
  address: TEXT,
  client: TEXT,
  userAgent: optional(nullable(TEXT)),
  requestId: optional(nullable(TEXT)),
  languages: optional(nullable(TEXT)),
  session: optional(oneOf(['cookie', 'console'])),
});

const user = object({
  id: TEXT,
  email: TEXT,
  verified: FLAG,
  displayName: nullable(TEXT),
  avatar: nullable(TEXT),
  language: TEXT,
  hasPassword: FLAG,
  hasTwoFactor: FLAG,
  banned: nullable(OBJECT),
  disabled: nullable(OBJECT),
  oauthAccounts: list(OBJECT),
  entitlements: list(OBJECT),
  access: OBJECT,
  customDomain: nullable(OBJECT),
  sessionEpoch: NUMBER,
  keptSession: nullable(TEXT),
  // The profile formats these two as dates, so not any number will do.
  createdAt: SIZE,
  updatedAt: SIZE,
} satisfies Record<keyof User, Schema<unknown>>);
const session = object({
  id: TEXT,
  userId: TEXT,
  createdAt: NUMBER,
  lastUsedAt: NUMBER,
  endsAt: NUMBER,
  userAgent: nullable(TEXT),
  address: TEXT,
  authenticatedAt: NUMBER,
  methods: list(TEXT),
  inCookie: optional(FLAG),
  kind: optional(oneOf(['console'])),
  givenBy: optional(TEXT),
} satisfies Record<keyof UserSession, Schema<unknown>>);

/** Names `authenticate` in the message, since callers seldom build such objects themselves. */
const fromAuthenticate = <T>(schema: Schema<T>): Schema<T> =>
  checkedBy(schema, (value, name) => {
    const problem = problemOf(schema, value, name);
    return problem && `'${name}' must be the result of authenticate: ${problem}`;
  });
/** The argument `who`: the authenticated user with the session. */
export const who = fromAuthenticate(object({ user, session }));
/** The argument `who` of calls that need no session. */
export const ofUser = fromAuthenticate(object({ user }));
