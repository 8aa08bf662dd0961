import type { ConsoleCalls } from '../console/index.ts';
import type { Operate } from '../operate/index.ts';
import type { AccountsBackground } from './background.ts';
import type { Entitlements } from './entitlements.ts';
import type { PasskeySignIn } from './passkeys.ts';
import type { OwnAccount } from './profile.ts';
import type { ProviderSignIn } from './providers.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export type { ConsoleCalls } from '../console/index.ts';
export type { Operate } from '../operate/index.ts';
export type { AccountsBackground } from './background.ts';
export type { Entitlements } from './entitlements.ts';
export type { PasskeySignIn } from './passkeys.ts';
export type { OwnAccount } from './profile.ts';
export type { ListedProvider, ProviderSignIn } from './providers.ts';
export type { Sessions } from './sessions.ts';
export type { SignIn } from './sign-in.ts';

/**
 * The account half of the product, as `createAccounts` gives it. A refusal is a `CoreError` with a stable `code`. Every
 * call that uses a store or the KMS may also throw `unavailable` while that is down; try again later.
 */
export interface Accounts extends SignIn, Sessions, OwnAccount, Entitlements {
  /** Makes a new store ready. Call it first, at every start. */
  begin(): Promise<void>;
  /** Sign-in with accounts that people have elsewhere. */
  readonly providers: ProviderSignIn;
  /** Passkeys, and all that is done with them. */
  readonly passkeys: PasskeySignIn;
  /** Who works in the operators' console. */
  readonly console: ConsoleCalls;
  /** What operators do, each act with its audit row. */
  readonly operate: Operate;
  /** The work between requests: `compose().start()` runs it. */
  readonly background: AccountsBackground;
}
