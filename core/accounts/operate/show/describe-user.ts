import {
  type Account,
  isBanned,
  isDisabled,
  type OAuthAccount,
  type Restriction,
  shownIdentity,
} from '../../account.ts';
import { isVoid } from '../../email-change/windows.ts';
import type { SelfEntitlement } from '../../entitlement.ts';
import { type EntitlementView, viewEntitlement } from '../../entitlement.ts';
import { type PasskeyView, viewPasskey } from '../../passkeys/views.ts';
import type { Passkey } from '../../ways-in/passkey.ts';
import { type BillingView, billingView } from './billing-view.ts';

/** A restriction as operators see it; times are ISO 8601. */
export interface RestrictionView {
  readonly reason: string;
  readonly since: string;
  readonly until: string | null;
  /** False when its end has passed. */
  readonly inForce: boolean;
}

/** A passkey as operators see it. */
export interface DescribedPasskey extends PasskeyView {
  /** Since when it is refused, since it was found copied; null while it is taken. */
  readonly refusedAt: string | null;
}

/** What is known about a user, without secrets and their hashes. */
export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly avatar: string | null;
  readonly language: string;
  readonly hasPassword: boolean;
  readonly twoFactorEnabled: boolean;
  readonly recoveryCodesLeft: number;
  readonly tier: string;
  readonly isPremium: boolean;
  readonly banned: RestrictionView | null;
  readonly disabled: RestrictionView | null;
  readonly customDomain: { readonly domain: string; readonly verified: boolean } | null;
  /** Domains that were given up, for as long as it counts when they were first claimed. */
  readonly formerDomains: readonly {
    readonly domain: string;
    readonly claimedAt: string;
    readonly forgetAt: string;
  }[];
  /**
   * The change of the email that was asked for last and is not done; null when there is none. `expiresAt`: when its code
   * ends; null where none works any more, after a withdrawal or too many wrong ones.
   */
  readonly emailChange: {
    readonly to: string;
    readonly askedAt: string;
    readonly expiresAt: string | null;
  } | null;
  /** Emails to which the owner can go back. */
  readonly formerEmails: readonly {
    readonly email: string;
    readonly askedAt: string;
    readonly until: string;
  }[];
  /** `bound`: it opens the account. Imported ones do not before they are bound. */
  readonly oauthAccounts: readonly (OAuthAccount & { readonly bound: boolean })[];
  readonly passkeys: readonly DescribedPasskey[];
  readonly entitlements: readonly EntitlementView[];
  readonly billing: BillingView | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const describePasskey = (passkey: Passkey): DescribedPasskey => ({
  ...viewPasskey(passkey),
  refusedAt: passkey.refusedAt === null ? null : new Date(passkey.refusedAt).toISOString(),
});

const restrictionView = (restriction: Restriction | null, inForce: boolean): RestrictionView | null =>
  restriction && {
    reason: restriction.reason,
    since: new Date(restriction.at).toISOString(),
    until: restriction.until === null ? null : new Date(restriction.until).toISOString(),
    inForce,
  };

export const describeUser = (account: Account, self: SelfEntitlement, now: number): UserView => ({
  id: account.id,
  email: account.email,
  emailVerified: account.verified,
  displayName: account.displayName,
  avatar: account.avatar,
  language: account.language,
  hasPassword: account.passwordHash !== null,
  twoFactorEnabled: account.twoFactor !== null,
  recoveryCodesLeft: account.twoFactor?.recovery.length ?? 0,
  tier: account.access.tier,
  isPremium: account.access.isPremium,
  banned: restrictionView(account.banned, isBanned(account, now)),
  disabled: restrictionView(account.disabled, isDisabled(account, now)),
  customDomain: account.customDomain && {
    domain: account.customDomain.domain,
    verified: account.customDomain.verified,
  },
  formerDomains: account.formerDomains.map(({ domain, claimedAt, forgetAt }) => ({
    domain,
    claimedAt: new Date(claimedAt).toISOString(),
    forgetAt: new Date(forgetAt).toISOString(),
  })),
  emailChange: account.emailChange && {
    to: account.emailChange.to,
    askedAt: new Date(account.emailChange.at).toISOString(),
    expiresAt: isVoid(account.emailChange) ? null : new Date(account.emailChange.expiresAt).toISOString(),
  },
  formerEmails: account.formerEmails.map(({ email, askedAt, until }) => ({
    email,
    askedAt: new Date(askedAt).toISOString(),
    until: new Date(until).toISOString(),
  })),
  oauthAccounts: account.oauthAccounts.map((one) => ({
    ...shownIdentity(one),
    bound: account.loginKeys.some(({ key }) => key === one.key),
  })),
  passkeys: account.passkeys.map(describePasskey),
  entitlements: account.entitlements.map((one) => viewEntitlement(account.id, one, self)),
  billing: billingView(account.billing),
  createdAt: new Date(account.createdAt).toISOString(),
  updatedAt: new Date(account.updatedAt).toISOString(),
});
