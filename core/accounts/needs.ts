import type { Findings } from '../findings.ts';
import type { NewId } from '../ids.ts';
import type { Clock, Digest, Kms, Limiter, Log, Random, Sealer } from '../ports.ts';
import type { Statistics } from '../statistics.ts';
import type { Directory } from './directory.ts';
import type { Dns, DomainStore } from './domain-record.ts';
import type { AccountsPolicy } from './policy.ts';
import type {
  AccessTokens,
  AccountStore,
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
  Presences,
  SessionStore,
  Totp,
  TriesStore,
  UserBilling,
  UserFiles,
} from './ports.ts';

/** The ports of the account half. `createAccounts` makes the use cases from them. */
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
  readonly presences: Presences;
  readonly tries: TriesStore;
  readonly objects: ObjectStore;
  readonly userFiles: UserFiles;
  readonly userBilling: UserBilling;
  readonly outbox: OutboxStore;
  readonly audit: AuditStore;
  readonly statistics: Statistics;
  readonly findings: Findings;
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
  /** The host of `PUBLIC_URL`: no user's domain. */
  readonly ownHost: () => string;
  readonly mailer: Mailer;
  readonly mailTexts: MailTexts;
  readonly providers: IdentityProviders;
  readonly events: Events;
  /** Called after a write that left something pending, so that background work need not wait for its next look. */
  readonly wake: () => void;
}

/** Ports, policy and identifiers, for every use case. */
export interface Needs extends AccountsPorts {
  readonly policy: AccountsPolicy;
  readonly newId: NewId;
}

/** Who is calling, as far as the way in knows. */
export interface Caller {
  /** Canonical client address. */
  readonly address: string;
  /** By what clients are told apart: the address, of IPv6 the /64 it is in. */
  readonly client: string;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** `Accept-Language` as it was sent. */
  readonly languages: string | null;
  /**
   * How the client keeps a session that begins with this call; in tokens when absent. `console`: in the cookie of the
   * operators' console, and operators alone are let in.
   */
  readonly session?: 'cookie' | 'console' | undefined;
}

/** Where a call came from, as a log line says it. */
export const calledFrom = ({ address, requestId }: Caller): { address: string; requestId?: string } =>
  requestId === null ? { address } : { address, requestId };
