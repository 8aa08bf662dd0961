/** An identity provider of the settings. */
export interface IdentityProvider {
  readonly id: string;
  /** The label of its button. */
  readonly name: string;
  /** Whether new users may sign up with it. */
  readonly signUp: boolean;
  /** Whether a new account takes its picture as the avatar. */
  readonly picture: boolean;
  /** Whether its callback is a cross-site form (OAuth 2.0 Form Post Response Mode), as Apple's does. */
  readonly formPost: boolean;
}

/** What binds a provider's callback to its authorization request. All are random texts. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's code verifier (RFC 7636). */
  readonly verifier: string;
}

/** An authorization request that was sent. */
export interface AuthorizationRequest extends AuthorizationSecrets {
  /** The issuer to which the user was sent. */
  readonly issuer: string;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** Whether the provider must authenticate the user again. */
  readonly proof: boolean;
}

/** The parameters of a provider's callback, each as often as it came. */
export type CallbackParams = readonly (readonly [name: string, value: string])[];

/** The identity of a user at a provider. Only what the account shows of it may be stored. */
export interface ProviderIdentity {
  readonly provider: string;
  readonly issuer: string;
  /** The subject identifier, which is never reassigned. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider vouches for the email, by our rules for this provider; false without an email. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** An https address. */
  readonly picture: string | null;
  /** When the provider last authenticated the user, epoch milliseconds; null if the provider does not report it. */
  readonly authenticatedAt: number | null;
}

/** External identity providers (OpenID Connect or OAuth 2.0). */
export interface IdentityProviders {
  /** In the order of the settings. */
  readonly list: readonly IdentityProvider[];
  /**
   * The issuer that `identify` would report with this subject: a Microsoft subject names its tenant, and so its issuer.
   * Undefined for a provider whose subjects name no issuer, for an issuer that the provider rejects, and for an unknown id. No
   * provider is called.
   */
  issuerOf(id: string, subject: string): string | undefined;
  /**
   * The address to which the user is sent, and its issuer. Throws `unavailable` (`provider_unavailable`), and
   * `refused` (`provider_answer_invalid`) if the provider's metadata is not trustworthy. Like `identify` it throws `missing`
   * (`provider_not_found`) for an unknown id.
   */
  begin(
    id: string,
    request: AuthorizationSecrets & { readonly proof: boolean },
  ): Promise<{ readonly address: string; readonly issuer: string }>;
  /**
   * Checks the callback and reads the user's identity from the provider. Throws `refused` (`access_denied`,
   * `provider_error`, `provider_answer_invalid`) and `unavailable` (`provider_unavailable`). Its errors contain no text
   * of the provider. The caller has compared the `state`.
   */
  identify(id: string, params: CallbackParams, request: AuthorizationRequest): Promise<ProviderIdentity>;
}
