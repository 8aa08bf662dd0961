/** A provider with whose accounts people sign in, as the settings name it. */
export interface IdentityProvider {
  readonly id: string;
  /** What its button says. */
  readonly name: string;
  /** Whether who is new may sign up with it. */
  readonly signUp: boolean;
  /** Whether a new account takes its picture as the avatar. */
  readonly picture: boolean;
  /** Whether its answer comes as a cross-site form (OAuth 2.0 Form Post Response Mode), as Apple's does. */
  readonly formPost: boolean;
}

/** What binds a provider's answer to the trip that asked for it. All are random texts of ours. */
export interface TripSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's code verifier (RFC 7636). */
  readonly verifier: string;
}

/** A trip that has begun. */
export interface Trip extends TripSecrets {
  /** The issuer to which the person was sent. */
  readonly issuer: string;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** Whether it is to prove once more who the person is. */
  readonly proof: boolean;
}

/** What a provider answered: each parameter as often as it came. */
export type TripAnswer = readonly (readonly [name: string, value: string])[];

/** Who somebody is at a provider. Nothing of it is ours to keep but what the account shows. */
export interface ProviderIdentity {
  readonly provider: string;
  readonly issuer: string;
  /** Its name for the person, which never passes to another one. */
  readonly subject: string;
  readonly email: string | null;
  /** By the rules for this provider; never true without an email. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** An https address. */
  readonly picture: string | null;
  /** When it last asked the person, epoch milliseconds; null where it does not say. */
  readonly authenticatedAt: number | null;
}

/** Where people are who they are elsewhere: OpenID Connect, and OAuth 2.0 where a provider has nothing else. */
export interface IdentityProviders {
  /** In the order of the settings. */
  readonly list: readonly IdentityProvider[];
  /**
   * The issuer of an identity with this subject, as `identify` would give it. Undefined where the provider names nobody so
   * or lets nobody of that issuer in, and for an unknown id. No provider is asked.
   */
  issuerOf(id: string, subject: string): string | undefined;
  /**
   * The address to which the person goes, and its issuer. Throws `unavailable` (`provider_unavailable`), and
   * `refused` (`provider_answer_invalid`) where the provider's own description is not to be trusted.
   */
  begin(
    id: string,
    trip: TripSecrets & { readonly proof: boolean },
  ): Promise<{ readonly address: string; readonly issuer: string }>;
  /**
   * Checks the answer and asks the provider who it is about. Throws `refused` (`access_denied`, `provider_error`,
   * `provider_answer_invalid`) and `unavailable` (`provider_unavailable`). Nothing of the provider's text is in what it
   * throws. The `state` is the trip's already.
   */
  identify(id: string, answer: TripAnswer, trip: Trip): Promise<ProviderIdentity>;
}
