import type { BillingState } from '../../billing/index.ts';
import {
  type Account,
  isBanned,
  isDisabled,
  type OAuthAccount,
  type Restriction,
  shownIdentity,
} from '../account.ts';
import { isVoid } from '../email-change/email-change-rules.ts';
import { type EntitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import { type PasskeyView, viewPasskey } from '../passkeys/passkey-view.ts';

/** A subscription by the last event of the payment provider; times are ISO 8601. */
export interface BillingSubscriptionView {
  readonly id: string;
  readonly customerId: string;
  readonly status: string;
  readonly plan: string | null;
  readonly billingCycle: string | null;
  readonly productName: string;
  /** Hundredths of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly interval: string;
  readonly currentPeriodStart: string | null;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly revoked: boolean;
  readonly pastDueAt: string | null;
  readonly endedAt: string | null;
  readonly toldAt: string;
}

/** The billing record of a user. */
export interface BillingView {
  readonly customers: readonly { readonly id: string; readonly deletedAt: string | null }[];
  readonly subscriptions: readonly BillingSubscriptionView[];
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const isoOf = (microseconds: number): string => new Date(Math.floor(microseconds / 1_000)).toISOString();

/** Null for a user without a billing record. */
const billingView = (state: BillingState | null): BillingView | null =>
  state && {
    customers: state.customers.map(({ id, deleted }) => ({
      id,
      deletedAt: deleted && isoOf(deleted.at),
    })),
    subscriptions: state.subscriptions.map(({ order, ...subscription }) => ({
      ...subscription,
      currentPeriodStart: iso(subscription.currentPeriodStart),
      currentPeriodEnd: iso(subscription.currentPeriodEnd),
      pastDueAt: iso(subscription.pastDueAt),
      endedAt: iso(subscription.endedAt),
      toldAt: isoOf(order.at),
    })),
  };

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
  /** When the passkey was blocked as a suspected copy; null while it is accepted. */
  readonly refusedAt: string | null;
}

/** All data about a user, without secrets and their hashes. */
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
  /** Removed domains, for as long as the time of their first claim matters. */
  readonly formerDomains: readonly {
    readonly domain: string;
    readonly claimedAt: string;
    readonly forgetAt: string;
  }[];
  /**
   * The pending change of the email; null if there is none. `expiresAt`: when its code expires; null if its code is
   * already invalid, after a cancellation or too many wrong codes.
   */
  readonly emailChange: {
    readonly to: string;
    readonly askedAt: string;
    readonly expiresAt: string | null;
  } | null;
  /** Former emails that the owner can still restore. */
  readonly formerEmails: readonly {
    readonly email: string;
    readonly askedAt: string;
    readonly until: string;
  }[];
  /** `bound`: the user can sign in with it. Imported identities must be bound first. */
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
  oauthAccounts: account.oauthAccounts.map((identity) => ({
    ...shownIdentity(identity),
    bound: account.loginKeys.some(({ key }) => key === identity.key),
  })),
  passkeys: account.passkeys.map(describePasskey),
  entitlements: account.entitlements.map((entitlement) => viewEntitlement(account.id, entitlement, self)),
  billing: billingView(account.billing),
  createdAt: new Date(account.createdAt).toISOString(),
  updatedAt: new Date(account.updatedAt).toISOString(),
});
