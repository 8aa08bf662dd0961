import type { AccessTokenClaims } from '../access-token.ts';
import {
  type Account,
  type CustomDomain,
  type OAuthAccount,
  type Restriction,
  shownIdentity,
} from './account.ts';
import type { Access, Entitlement } from './entitlement.ts';
import type { Proof, Session } from './session.ts';

/** A user as the store has them now. Holds no secret: no password hash, no factor, no digest, nothing pending. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly verified: boolean;
  readonly displayName: string | null;
  /** The path of a stored avatar, or an address elsewhere. */
  readonly avatar: string | null;
  readonly language: string;
  /** False for an account that has only ever signed in by OAuth. */
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  readonly oauthAccounts: readonly OAuthAccount[];
  /** At most one for each service. */
  readonly entitlements: readonly Entitlement[];
  /** The tier in effect. */
  readonly access: Access;
  readonly customDomain: CustomDomain | null;
  /** Sessions that began under an earlier epoch are over, except `keptSession`. */
  readonly sessionEpoch: number;
  readonly keptSession: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A session as programs see it: without the digests of its secrets. Times are epoch milliseconds. */
export interface UserSession extends Proof {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** The session's end, however often it is refreshed. */
  readonly endsAt: number;
  readonly userAgent: string | null;
  readonly address: string;
  /** There for a session that is kept in a cookie. */
  readonly inCookie?: true;
  /** There for a session of the operators' console. */
  readonly kind?: 'console';
}

/** Which value of a session's cookie a caller sent. */
export interface SentCookie {
  /** When the value last changed, as far as the request saw. Epoch milliseconds. */
  readonly changedAt: number;
  /** Whether it is the one before. */
  readonly isFormer: boolean;
}

/**
 * The caller behind an access token or a session's cookie: what `authenticate` and `authenticateCookie` give, and what the
 * calls of a user take.
 */
export interface Identity {
  readonly user: User;
  readonly session: UserSession;
  /** Of a cookie: what an access token would say in its place. */
  readonly claims: AccessTokenClaims;
  /** Absent for an access token. */
  readonly cookie?: SentCookie;
}

export const userOf = (account: Account): User => ({
  id: account.id,
  email: account.email,
  verified: account.verified,
  displayName: account.displayName,
  avatar: account.avatar,
  language: account.language,
  hasPassword: account.passwordHash !== null,
  hasTwoFactor: account.twoFactor !== null,
  banned: account.banned,
  disabled: account.disabled,
  oauthAccounts: account.oauthAccounts.map(shownIdentity),
  entitlements: account.entitlements,
  access: account.access,
  customDomain: account.customDomain,
  sessionEpoch: account.sessionEpoch,
  // The one that is renewed has the epoch itself.
  keptSession: account.isKeptRenewed === true ? null : account.keptSession,
  createdAt: account.createdAt,
  updatedAt: account.updatedAt,
});

export const userSessionOf = (session: Session): UserSession => ({
  id: session.id,
  userId: session.userId,
  createdAt: session.createdAt,
  lastUsedAt: session.lastUsedAt,
  endsAt: session.endsAt,
  userAgent: session.userAgent,
  address: session.address,
  authenticatedAt: session.authenticatedAt,
  methods: session.methods,
  ...(session.cookie && { inCookie: true }),
  ...(session.kind && { kind: session.kind }),
});
