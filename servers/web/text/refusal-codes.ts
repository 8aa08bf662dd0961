import type { AccountsPaths } from '../../client/index.ts';

type CodesOf<Operation> = Operation extends { readonly responses: infer Answers }
  ? {
      [Status in keyof Answers]: Answers[Status] extends {
        readonly content: { readonly 'application/json': { readonly code: infer Code extends string } };
      }
        ? // A `code` that an answer gives the caller is any text, and no refusal.
          string extends Code
          ? never
          : Code
        : never;
    }[keyof Answers]
  : never;

type CodesAt<Path extends keyof AccountsPaths> = Path extends unknown
  ? {
      [Method in keyof AccountsPaths[Path]]-?: CodesOf<AccountsPaths[Path][Method]>;
    }[keyof AccountsPaths[Path]]
  : never;

/** What these pages never call. */
type Others = `/api/${'admin' | 'connect' | 'v1'}/${string}` | `/health/${string}` | `/sandbox/${string}`;

/** What only a broken program gets to see; `unexpected` speaks for it. */
type Malformed =
  | `invalid_${'host' | 'http' | 'state' | 'encoding' | 'json' | 'multipart' | 'cursor' | 'limit' | 'signature' | 'secret' | 'audience' | 'refresh_token' | 'challenge' | 'redirect' | 'ticket'}`
  | `unsupported_${string}`
  | 'aborted'
  | 'method_not_allowed'
  | 'too_deep'
  | 'too_many_members'
  | 'too_large'
  | 'expectation_failed'
  | 'request_timeout'
  | 'file_missing'
  | 'not_found'
  | 'internal';

/** What operators alone are told, whose pages are the console, and what apps are told that set a user's access. */
type OfOthers =
  | 'own_account'
  | 'last_founder'
  | 'object_too_large'
  | 'operator_flags_protected'
  | 'privileged_field'
  | 'unknown_tier';

/** Every refusal that has a text of its own: a new one does not compile until it has. */
export type Code = Exclude<CodesAt<Exclude<keyof AccountsPaths, Others>>, Malformed | OfOthers>;

/** What the pages find out themselves, or from the address at which a flow to a provider ends. */
export type Own =
  | 'access_denied'
  | 'email_differs'
  | 'flow_lost'
  | 'passkey_not_shown'
  | 'provider_error'
  | 'provider_unavailable'
  | 'provider_answer_invalid'
  | 'state_unknown'
  | 'wrong_password';
