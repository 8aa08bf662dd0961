import type { components } from '../../client/console.generated.ts';

/** The responses of the console's routes, by their schemas. */
type Schemas = components['schemas'];

/** A page of a list. `searchedTo`: where the search stopped before the page was full. */
export interface Paged {
  readonly cursor?: string | null;
  readonly searchedTo?: string | null;
}

export type SignInResult = Schemas['LoggedIn'] | Schemas['LoginChallenge'];

export type ListedUser = Schemas['DirectoryUser'];
export type Role = NonNullable<ListedUser['operator']>;
export type Directory = Schemas['Directory'];

export type User = Schemas['User'];
export type Restriction = Schemas['Restriction'];
export type Why = Schemas['Why'];
export type Session = Schemas['SessionOfUser'];
export type BillingAnswer = Schemas['BillingAnswer'];
export type Subscription = Schemas['SoldSubscription'];

export type AuditRow = Schemas['AuditRow'];
export type AuditPage = Schemas['AuditPage'];
export type Verification = Schemas['AuditCheck'];

export type Mail = Schemas['Mail'];
export type MailPage = Schemas['MailPage'];
export type Delivery = Schemas['Delivery'];
export type DeliveryPage = Schemas['DeliveryPage'];

export type Health = Schemas['HealthView'];
export type ServiceState = Schemas['ServiceHealth'];
export type Job = Schemas['JobHealth'];
export type Key = Schemas['Key'];
export interface Statistics {
  readonly users: Schemas['UserTotals'];
  readonly days: readonly Day[];
}
/** A UTC day. Uncounted days are not in the list. */
export type Day = Omit<Schemas['DayStatistics'], 'byTier'> & {
  /** The settings name the tiers, so the schema cannot. */
  readonly byTier: Readonly<Record<string, number>>;
};
