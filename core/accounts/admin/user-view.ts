import { TIME, USER_ID } from '../../answer-schemas.ts';
import type { BillingState } from '../../billing/index.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { describedAs, flag, integer, list, nullable, object, size, type TypeOf, text } from '../../schema.ts';
import {
  type Account,
  AVATAR,
  isBanned,
  isDisabled,
  OAUTH_ACCOUNT,
  type Restriction,
  shownIdentity,
} from '../account.ts';
import { DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL } from '../email.ts';
import { isVoid } from '../email-change/email-change-rules.ts';
import { entitlementView, IS_PREMIUM, type SelfEntitlement, TIER, viewEntitlement } from '../entitlement.ts';
import { PASSKEY, viewPasskey } from '../passkeys/passkey-view.ts';

const providerId = (example: string) => text({ description: 'At the payment provider', examples: [example] });

/** A subscription as the payment provider's last event states it; times: ISO 8601, `amount`: hundredths of `currency`. */
const billingSubscriptionView = object(
  {
    id: providerId('sub_1'),
    customerId: providerId('cus_1'),
    status: text({ description: 'As the provider says it', examples: ['active'] }),
    plan: nullable(
      text({ description: 'Null where no setting maps the product to a plan', examples: ['pro'] }),
    ),
    billingCycle: nullable(text({ description: '`monthly` or `yearly`', examples: ['monthly'] })),
    productName: text({ description: '', examples: ['Pro'] }),
    amount: integer({ description: 'Hundredths of `currency`', examples: [999] }),
    currency: text({ description: 'ISO 4217', examples: ['EUR'] }),
    interval: text({ description: '', examples: ['month'] }),
    currentPeriodStart: timeOrNull('', '2026-11-21T18:00:00.000Z'),
    currentPeriodEnd: timeOrNull('', '2026-12-21T18:00:00.000Z'),
    cancelAtPeriodEnd: flag({ examples: [false] }),
    revoked: flag({ examples: [false] }),
    pastDueAt: timeOrNull('Since when a payment is due'),
    endedAt: timeOrNull(''),
    toldAt: TIME,
  },
  { title: 'SoldSubscription' },
);
export const billingView = nullable(
  object(
    {
      customers: list(object({ id: providerId('cus_1'), deletedAt: timeOrNull('') }, { title: 'Customer' })),
      subscriptions: list(billingSubscriptionView),
    },
    { title: 'BillingOfUser' },
  ),
);
/** The billing record of a user. */
export type BillingView = NonNullable<TypeOf<typeof billingView>>;

const isoOfMicroseconds = (microseconds: number): string => isoTime(Math.floor(microseconds / 1_000));

/** Null for a user without a billing record. */
const viewBilling = (state: BillingState | null): BillingView | null =>
  state && {
    customers: state.customers.map(({ id, deleted }) => ({
      id,
      deletedAt: deleted && isoOfMicroseconds(deleted.at),
    })),
    subscriptions: state.subscriptions.map(({ order, ...subscription }) => ({
      ...subscription,
      currentPeriodStart: isoTimeOrNull(subscription.currentPeriodStart),
      currentPeriodEnd: isoTimeOrNull(subscription.currentPeriodEnd),
      pastDueAt: isoTimeOrNull(subscription.pastDueAt),
      endedAt: isoTimeOrNull(subscription.endedAt),
      toldAt: isoOfMicroseconds(order.at),
    })),
  };

const restrictionView = nullable(
  object(
    {
      reason: text({ description: 'Of the operator; the user does not see it', examples: ['spam'] }),
      since: TIME,
      until: timeOrNull('Null: for good'),
      inForce: flag({ description: 'False when its end has passed', examples: [true] }),
    },
    { title: 'Restriction' },
  ),
);
/** A restriction as operators see it; times are ISO 8601. `inForce` is false when its end has passed. */
export type RestrictionView = NonNullable<TypeOf<typeof restrictionView>>;

const userPasskey = object(
  { ...PASSKEY, refusedAt: timeOrNull('When it was blocked as a suspected copy') },
  { title: 'PasskeyOfUser' },
);

/** For members whose name says enough. */
const textLike = (example: string) => text({ description: '', examples: [example] });
const flagLike = (example: boolean) => flag({ description: '', examples: [example] });

export const userMembers = {
  id: USER_ID,
  email: CANONICAL_EMAIL,
  emailVerified: flagLike(true),
  displayName: DISPLAY_NAME,
  avatar: AVATAR,
  language: text({ description: 'A primary subtag (RFC 5646)', examples: ['en'] }),
  hasPassword: flagLike(true),
  twoFactorEnabled: flagLike(false),
  recoveryCodesLeft: size({ examples: [0] }),
  tier: TIER,
  isPremium: IS_PREMIUM,
  banned: restrictionView,
  disabled: restrictionView,
  customDomain: nullable(
    object({ domain: textLike('files.example.com'), verified: flagLike(true) }, { title: 'DomainOfUser' }),
  ),
  formerDomains: list(
    object(
      { domain: textLike('old.example.com'), claimedAt: TIME, forgetAt: TIME },
      { title: 'FormerDomain' },
    ),
  ),
  emailChange: nullable(
    object(
      {
        to: CANONICAL_EMAIL,
        askedAt: TIME,
        expiresAt: timeOrNull('When its code ends. Null: the code no longer works'),
      },
      { title: 'EmailChange' },
    ),
  ),
  formerEmails: list(
    object({ email: CANONICAL_EMAIL, askedAt: TIME, until: TIME }, { title: 'FormerEmail' }),
  ),
  oauthAccounts: list(
    object(
      {
        ...OAUTH_ACCOUNT,
        bound: flag({ description: 'Whether it opens the account', examples: [true] }),
      },
      { title: 'IdentityOfUser' },
    ),
  ),
  passkeys: list(userPasskey),
  entitlements: list(entitlementView),
  billing: billingView,
  createdAt: TIME,
  updatedAt: describedAs(TIME, 'The value of `seen` for an action'),
};
const userView = object(userMembers);
/**
 * A user as operators see them, without secrets and hashes. Times are ISO 8601. `formerDomains`: removed domains, for as
 * long as the time of their first claim matters. `emailChange`: the pending change of the email; its `expiresAt` is null
 * if its code is already invalid, after a cancellation or too many wrong codes. `formerEmails`: emails that the owner can
 * restore until `until`. `bound` of an identity: the user can sign in with it; imported identities must be bound first.
 */
export type UserView = TypeOf<typeof userView>;

const viewRestriction = (restriction: Restriction | null, inForce: boolean): RestrictionView | null =>
  restriction && {
    reason: restriction.reason,
    since: isoTime(restriction.at),
    until: isoTimeOrNull(restriction.until),
    inForce,
  };

export const describeUser = (account: Account, selfEntitlement: SelfEntitlement, now: number): UserView => ({
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
  banned: viewRestriction(account.banned, isBanned(account, now)),
  disabled: viewRestriction(account.disabled, isDisabled(account, now)),
  customDomain: account.customDomain && {
    domain: account.customDomain.domain,
    verified: account.customDomain.verified,
  },
  formerDomains: account.formerDomains.map(({ domain, claimedAt, forgetAt }) => ({
    domain,
    claimedAt: isoTime(claimedAt),
    forgetAt: isoTime(forgetAt),
  })),
  emailChange: account.emailChange && {
    to: account.emailChange.to,
    askedAt: isoTime(account.emailChange.at),
    expiresAt: isVoid(account.emailChange) ? null : isoTime(account.emailChange.expiresAt),
  },
  formerEmails: account.formerEmails.map(({ email, askedAt, until }) => ({
    email,
    askedAt: isoTime(askedAt),
    until: isoTime(until),
  })),
  oauthAccounts: account.oauthAccounts.map((identity) => ({
    ...shownIdentity(identity),
    bound: account.loginKeys.some(({ key }) => key === identity.key),
  })),
  passkeys: account.passkeys.map((passkey) => ({
    ...viewPasskey(passkey),
    refusedAt: isoTimeOrNull(passkey.refusedAt),
  })),
  entitlements: account.entitlements.map((entitlement) =>
    viewEntitlement(account.id, entitlement, selfEntitlement),
  ),
  billing: viewBilling(account.billing),
  createdAt: isoTime(account.createdAt),
  updatedAt: isoTime(account.updatedAt),
});
