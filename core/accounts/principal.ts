import type { AccessTokenClaims } from '../access-token.ts';
import { type Account, type OAuthAccount, shownIdentity } from './account.ts';
import type { Proof, Session } from './session.ts';

/** A user as stored now, without secrets: no password hash, no factor, no digest, no pending entries. */
export interface User
  extends Pick<
    Account,
    | 'id'
    | 'email'
    | 'verified'
    | 'displayName'
    | 'avatar'
    | 'language'
    | 'banned'
    | 'disabled'
    | 'entitlements'
    | 'access'
    | 'customDomain'
    | 'sessionEpoch'
    | 'keptSession'
    | 'createdAt'
    | 'updatedAt'
  > {
  /** False for an account without a password, such as one created by a provider. */
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly oauthAccounts: readonly OAuthAccount[];
}

/** A session without the digests of its secrets. Times are epoch milliseconds. */
export interface UserSession
  extends Proof,
    Pick<
      Session,
      'id' | 'userId' | 'kind' | 'createdAt' | 'lastUsedAt' | 'endsAt' | 'userAgent' | 'address'
    > {
  /** Present only for a session in a cookie. */
  readonly inCookie?: true;
  /** Present only for an app's session: the id of the session that authorized the app. */
  readonly givenBy?: string;
}

/**
 * The id of the session to record on a credential that it adds: an app's session acts for the session that authorized it,
 * so that the credentials added by either are removed together.
 */
export const actingSession = ({ id, givenBy }: UserSession): string => givenBy ?? id;

/** The value of a session's cookie that a caller sent. */
export interface SentCookie {
  /** When the session's value last changed, as far as the request knows. Epoch milliseconds. */
  readonly changedAt: number;
  /** Whether the caller sent the value that the last change replaced. */
  readonly isFormer: boolean;
}

/**
 * The authenticated caller behind an access token or a session's cookie. `authenticate` and `authenticateCookie` return it,
 * and the calls of a user take it.
 */
export interface Principal {
  readonly user: User;
  readonly session: UserSession;
  /** The claims of the access token, or the equivalent for a cookie. */
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
  // With `isKeptRenewed` even the session that was kept has to get new tokens.
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
  ...(session.givenBy && { givenBy: session.givenBy.id }),
});
