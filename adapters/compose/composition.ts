import type { Accounts, Billing, Files, Limiter, WatchRequest, Webhooks } from '../../core/index.ts';
import type { Brand } from '../brand/read-brand.ts';
import type { ProcessLog } from '../log/log.ts';
import type { BuyerActions } from '../sandbox-billing/provider.ts';
import type { Check } from './checks.ts';
import type { Installation } from './installation.ts';

/** The product, put together by the settings. */
export interface Composition {
  /** The package's. */
  readonly version: string;
  readonly accounts: Accounts;
  readonly files: Files;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
  /** What the pages of the sandbox do; null unless it is the payment provider. */
  readonly sandbox: BuyerActions | null;
  /** Makes a new master key seal where that is ours to do; gives the id of the one that seals now. */
  readonly rotateMasterKey: () => Promise<string>;
  /** The operator's own files of the look. */
  readonly brand: Brand;
  readonly limiter: Limiter;
  readonly log: ProcessLog;
  readonly internalSecrets: readonly string[];
  readonly metadataSecrets: readonly string[];
  /** Makes a key of a text that must not be stored, such as an address. */
  readonly hashKey: (text: string) => string;
  readonly checks: readonly Check[];
  readonly installation: Installation;
  /** Who watches the requests of a service; undefined where nobody does. */
  readonly watch: (service: string) => WatchRequest | undefined;
  /** Gives the metrics as Prometheus reads them; absent where none are taken. */
  readonly scrape?: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The origin at which browsers reach the account service. */
  readonly origin: () => string;
  /** To be told where the account service listens when the settings leave the port to the start. */
  readonly listensAt: (origin: string) => Promise<void>;
  /** Begins the background work, in a moment: that of the files, and that of the accounts where they are served. */
  start(what: { readonly accounts: boolean }): void;
  /** Does once what is pending, in place of `start`, for a command that ends at once. */
  settle(): Promise<void>;
  /** Ends it and closes everything, in reverse order of opening. Further calls wait for the same. */
  close(): Promise<void>;
}
