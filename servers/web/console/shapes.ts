/** What the console's routes answer. Times are ISO 8601. */

export type Role = 'founder' | 'dev';

export interface Until {
  readonly until: string | null;
}

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly tier: string;
  readonly isPremium: boolean;
  readonly verified: boolean;
  readonly twoFactor: boolean;
  readonly banned: Until | null;
  readonly disabled: Until | null;
  readonly operator: Role | null;
  readonly createdAt: string;
}

/** A page of a list. With `searchedTo` the search stopped before the page was full. */
export interface Paged {
  readonly cursor?: string | null;
  readonly searchedTo?: string | null;
}

export interface Directory extends Paged {
  readonly users: readonly ListedUser[];
}

export interface Restriction extends Until {
  readonly reason: string;
  readonly since: string;
  readonly inForce: boolean;
}

export type Facts = Readonly<Record<string, unknown>>;

/** Why the tier in effect is what it is. */
export interface Why {
  readonly effective: 'grant' | 'billing' | 'claim' | 'free';
  readonly grant: {
    readonly fields: Facts;
    readonly by: string | null;
    readonly at: string | null;
    readonly reason: string | null;
  } | null;
  readonly billing: Facts | null;
  readonly claim: Facts | null;
}

export interface Entitlement {
  readonly accessFlags: Facts;
  readonly customStorageLimit: number | null;
  readonly customApiKeyLimit: number | null;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly language: string;
  readonly hasPassword: boolean;
  readonly twoFactorEnabled: boolean;
  readonly recoveryCodesLeft: number;
  readonly tier: string;
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  readonly customDomain: { readonly domain: string; readonly verified: boolean } | null;
  readonly entitlements: readonly Entitlement[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sessions: number;
  readonly held: readonly ('password' | 'verification' | 'two-factor')[];
  readonly files: { readonly count: number };
  readonly why: Why;
}

export interface Session {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly userAgent: string | null;
  readonly ip: string;
  readonly kind?: 'console';
}

export interface AuditRow {
  readonly number: number;
  readonly at: string | null;
  readonly action: string | null;
  readonly actor: string;
  readonly person?: string | null;
  readonly target: string;
  readonly reason?: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly requestId?: string | null;
  readonly address?: string | null;
  readonly erased?: boolean;
}

export interface AuditPage extends Paged {
  readonly rows: readonly AuditRow[];
}

export interface Verification {
  readonly state: 'none' | 'running' | 'done';
  readonly checked: number;
  /** Rows that there are, if the server says it. */
  readonly rows?: number | null;
  readonly startedAt: string | null;
  readonly verdict: {
    readonly intact: boolean;
    readonly rows: number;
    readonly erased: number;
    readonly head: string | null;
    readonly broken: { readonly number: number; readonly fault: string; readonly problem: string } | null;
  } | null;
}

export interface Mail {
  readonly id: string;
  readonly state: 'waiting' | 'failing' | 'dead';
  readonly userId: string;
  readonly to: string;
  readonly template: string;
  readonly createdAt: string;
  readonly tries: number;
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}

export interface MailPage extends Paged {
  readonly mails: readonly Mail[];
}

export interface Delivery {
  readonly id: string;
  readonly type: string | null;
  readonly standing: string;
  readonly receivedAt: string;
  readonly dueAt: string | null;
  readonly tries: number;
  readonly lastFailure: string | null;
  readonly userId: string | null;
}

export interface DeliveryPage extends Paged {
  readonly deliveries: readonly Delivery[];
}

export interface Sold {
  readonly id: string;
  readonly status: string;
  readonly plan: string | null;
  readonly productName: string;
  readonly amount: number;
  readonly currency: string;
  readonly interval: string;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
}

export interface BillingAnswer {
  readonly billing: { readonly subscriptions: readonly Sold[] } | null;
  readonly deliveries: readonly Delivery[];
}

export interface Job {
  readonly task: string;
  readonly everySeconds: number;
  readonly lastSuccessAt: string | null;
  readonly heldBy: string | null;
}

/** What the installation stands on, or a service of it that runs elsewhere. */
export interface Dependency {
  readonly name: string;
  /** `unknown`: it was not asked, since no setting says where it is. */
  readonly state: 'up' | 'degraded' | 'down' | 'unknown';
  readonly needed: boolean;
  /** What it says is down of what it stands on itself. */
  readonly down: readonly string[];
}

export interface Health {
  readonly services: readonly Dependency[];
  readonly jobs: readonly Job[];
  readonly backlog: {
    readonly mailWaiting: number;
    readonly mailDead: number;
    readonly mailOldestSeconds: number;
    readonly deliveriesPending: number;
    readonly deliveriesDead: number;
  };
}

export interface Key {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly createdAt: string | null;
  readonly sealed?: number | null;
  readonly countedAt?: string | null;
}

/** A UTC day. A day that nobody counted is not in the list. */
export interface Day {
  readonly day: string;
  readonly signUps: number;
  readonly verified: number;
  readonly total: number;
  readonly byTier: Readonly<Record<string, number>>;
  readonly active1: number;
  readonly active7: number;
  readonly active30: number;
  readonly mailWaitingMost: number;
  readonly mailDead: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
}
