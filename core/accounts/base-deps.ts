import type { Statistics } from '../daily-statistics.ts';
import type { NewId } from '../ids.ts';
import type { KeyValueStore } from '../key-value-store.ts';
import type { Clock, Digest, Kms, Limiter, Log, Random, Sealer } from '../ports.ts';
import type { Dns, DomainStore } from './custom-domain/domain-record.ts';
import type { Directory } from './directory.ts';
import type { AccountsPolicy } from './policy.ts';
import type {
  AccessTokens,
  AccountStore,
  AttemptsStore,
  AuditStore,
  DomainNames,
  Events,
  FlowStore,
  IdentityProviders,
  LoginKeyStore,
  Mailer,
  MailTexts,
  ObjectStore,
  OutboxStore,
  Passkeys,
  PasswordBlocklist,
  PasswordHasher,
  SessionCache,
  SessionStore,
  Totp,
  UserBilling,
  UserFiles,
} from './ports.ts';

/**
 * The ports of the accounts module. `createAccounts` makes the use cases from them. `presences`, `tries` and `findings` keep
 * their earlier names: embedding apps pass ports by them, and they are labels of the store's metrics.
 */
export interface AccountsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly digest: Digest;
  readonly sealer: Sealer;
  readonly kms: Kms;
  readonly limiter: Limiter;
  readonly accounts: AccountStore;
  readonly directory: Directory;
  readonly sessions: SessionStore;
  readonly presences: SessionCache;
  readonly tries: AttemptsStore;
  readonly objects: ObjectStore;
  readonly userFiles: UserFiles;
  readonly userBilling: UserBilling;
  readonly outbox: OutboxStore;
  readonly audit: AuditStore;
  readonly statistics: Statistics;
  readonly findings: KeyValueStore;
  readonly hasher: PasswordHasher;
  readonly blocklist: PasswordBlocklist;
  readonly tokens: AccessTokens;
  readonly totp: Totp;
  readonly domains: DomainNames;
  readonly customDomains: DomainStore;
  readonly passkeys: Passkeys;
  readonly loginKeys: LoginKeyStore;
  readonly flows: FlowStore;
  readonly dns: Dns;
  /** The host of `PUBLIC_URL`, which no user may claim as a custom domain. */
  readonly ownHost: () => string;
  readonly mailer: Mailer;
  readonly mailTexts: MailTexts;
  readonly providers: IdentityProviders;
  readonly events: Events;
  /** Called after a write with pending entries, so that the background work starts at once. */
  readonly wake: () => void;
}

/** Ports, policy and identifiers, for every use case. */
export interface BaseDeps extends AccountsPorts {
  readonly policy: AccountsPolicy;
  readonly newId: NewId;
}

/** The client of a call, as far as its server knows. */
export interface Caller {
  /** Canonical client address. */
  readonly address: string;
  /** The key by which clients are distinguished: the address, or its /64 for IPv6. */
  readonly client: string;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The `Accept-Language` header, unparsed. */
  readonly languages: string | null;
  /**
   * How the client keeps a session that begins with this call; in tokens when absent. `console`: in the cookie of the
   * operators' console, where only operators may sign in.
   */
  readonly session?: 'cookie' | 'console' | undefined;
}

/** The log fields about the origin of a call. */
export const calledFrom = ({ address, requestId }: Caller): { address: string; requestId?: string } =>
  requestId === null ? { address } : { address, requestId };
