import type { Admin } from '../admin/admin.ts';
import type { ConsoleCalls } from '../admin/console-calls.ts';
import type { AccountsBackground } from './background.ts';
import type { Entitlements } from './entitlements.ts';
import type { PasskeySignIn } from './passkeys.ts';
import type { OwnAccount } from './profile.ts';
import type { ProviderSignIn } from './providers.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export type { Admin } from '../admin/admin.ts';
export type { ConsoleCalls } from '../admin/console-calls.ts';
export type { AccountsBackground } from './background.ts';
export type { Entitlements } from './entitlements.ts';
export type { PasskeySignIn } from './passkeys.ts';
export type { OwnAccount } from './profile.ts';
export type { ListedProvider, ProviderSignIn } from './providers.ts';
export type { Sessions } from './sessions.ts';
export type { SignIn } from './sign-in.ts';

/**
 * The accounts module, as `createAccounts` returns it. A refusal is a `CoreError` with a stable `code`. Beside the errors
 * that a call names, it may throw `invalid` (`invalid_request`) for an argument of a wrong form, `unauthenticated`
 * (`invalid_token`) if the caller's account was deleted or its sessions ended meanwhile, and `unavailable` while a store or
 * the KMS is down or contended; try again later.
 */
export interface Accounts extends SignIn, Sessions, OwnAccount, Entitlements {
  /**
   * Begins the audit log of a new store. For a store with a log, logs an error if the log was signed under a hash key that
   * is not configured. Call it first, at every start.
   */
  open(): Promise<void>;
  /** Sign-in with external identity providers. */
  readonly providers: ProviderSignIn;
  /** Registration, sign-in and management of passkeys. */
  readonly passkeys: PasskeySignIn;
  /** Authentication in the operators' console. */
  readonly console: ConsoleCalls;
  /** The actions of operators, each with its audit row. */
  readonly operate: Admin;
  /** The background jobs, which `start` of the composed product runs. */
  readonly background: AccountsBackground;
}
