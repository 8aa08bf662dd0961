import type { AccountsPaths } from '../../client/index.ts';

type CodesOf<Operation> = Operation extends { readonly responses: infer Answers }
  ? {
      [Status in keyof Answers]: Answers[Status] extends {
        readonly content: { readonly 'application/json': { readonly code: infer Code extends string } };
      }
        ? Code
        : never;
    }[keyof Answers]
  : never;

type CodesAt<Path extends keyof AccountsPaths> = Path extends unknown
  ? {
      [Method in keyof AccountsPaths[Path]]-?: CodesOf<AccountsPaths[Path][Method]>;
    }[keyof AccountsPaths[Path]]
  : never;

/** What these pages never see: calls of other programs. */
type Others = `/api/admin/${string}` | `/api/connect/${string}` | `/api/v1/${string}`;

/** What only a broken program gets to see; `unexpected` speaks for it. */
type Malformed =
  | `invalid_${'host' | 'http' | 'request' | 'state' | 'encoding' | 'json' | 'multipart' | 'cursor' | 'limit' | 'signature' | 'secret' | 'refresh_token' | 'challenge' | 'redirect' | 'ticket'}`
  | `unsupported_${string}`
  | 'aborted'
  | 'method_not_allowed'
  | 'too_deep'
  | 'too_many_members'
  | 'too_large'
  | 'expectation_failed'
  | 'head_too_large'
  | 'request_timeout'
  | 'file_missing'
  | 'not_found'
  | 'internal';

/** Every refusal that has a text of its own: a new one does not compile until it has. */
export type Code = Exclude<CodesAt<Exclude<keyof AccountsPaths, Others>>, Malformed>;

/** Refusals of sign-in elsewhere and of passkeys, which stand in the documents where these are on. */
export type Coming =
  | 'account_exists'
  | 'cross_site'
  | 'identity_not_found'
  | 'identity_taken'
  | 'flow_lost'
  | 'invalid_flow'
  | 'invalid_passkey'
  | 'last_sign_in_method'
  | 'passkey_not_found'
  | 'provider_not_found'
  | 'sign_up_closed'
  | 'too_many_identities'
  | 'too_many_passkeys'
  | 'wrong_account';
