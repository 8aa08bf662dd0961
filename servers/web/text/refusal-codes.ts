import type { AccountsPaths } from '../../client/index.ts';

/** The codes of refusals in the responses of an operation. */
type CodesOf<Operation> = Operation extends { readonly responses: infer Answers }
  ? {
      [Status in keyof Answers]: Answers[Status] extends {
        readonly content: { readonly 'application/json': { readonly code: infer Code extends string } };
      }
        ? // A `code` of type string is data, such as an authorization code, and no refusal.
          string extends Code
          ? never
          : Code
        : never;
    }[keyof Answers]
  : never;

/** The codes at these paths. `extends unknown` takes each path of the union on its own. */
type CodesAt<Path extends keyof AccountsPaths> = Path extends unknown
  ? {
      [Method in keyof AccountsPaths[Path]]-?: CodesOf<AccountsPaths[Path][Method]>;
    }[keyof AccountsPaths[Path]]
  : never;

/** The routes that these pages never call. */
type OtherRoutes =
  | `/api/${'admin' | 'connect' | 'v1'}/${string}`
  | `/health/${string}`
  | `/sandbox/${string}`;

/** The refusals that only a faulty client receives. The pages show the server's message for them. */
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

/** The refusals that only operators receive, in the console, or apps that set a user's access. */
type OfOtherCallers =
  | 'own_account'
  | 'last_founder'
  | 'object_too_large'
  | 'operator_flags_protected'
  | 'privileged_field'
  | 'unknown_tier';

/** The refusals with a text of their own. A new code does not compile until each language has its text. */
export type RefusalCode = Exclude<
  CodesAt<Exclude<keyof AccountsPaths, OtherRoutes>>,
  Malformed | OfOtherCallers
>;

/** The problems that the pages themselves find, or read from the address of a provider's callback. */
export type PageCode =
  | 'access_denied'
  | 'email_differs'
  | 'flow_lost'
  | 'passkey_not_shown'
  | 'provider_error'
  | 'provider_unavailable'
  | 'provider_answer_invalid'
  | 'state_unknown'
  | 'wrong_password';

/** The refusals that only profile and plan receive: no other page loads their texts. */
export type SettingsCode = Extract<
  RefusalCode,
  | 'already_subscribed'
  | 'avatar_not_found'
  | 'checkout_refused'
  | 'file_too_large'
  | 'image_broken'
  | 'image_too_large'
  | 'invalid_display_name'
  | 'no_active_subscription'
  | 'no_billing_customer'
  | 'not_an_image'
  | 'price_unavailable'
>;

/** The refusals that only sign-in methods and the domain receive. */
export type SecurityCode = Extract<
  RefusalCode,
  | 'dns_unavailable'
  | 'domain_not_set'
  | 'domain_not_verified'
  | 'domain_taken'
  | 'enterprise_only'
  | 'identity_not_found'
  | 'invalid_domain'
  | 'invalid_name'
  | 'last_second_factor'
  | 'last_sign_in_method'
  | 'passkey_taken'
  | 'reserved_domain'
  | 'same_email'
  | 'too_many_domains'
  | 'too_many_passkeys'
  | 'two_factor_not_pending'
>;
