import type { Claims } from './claims.ts';
import type { Description } from './discovery.ts';
import type { ClientAuth } from './token-request.ts';

/** The person that the claims of a verified `id_token` describe. */
export interface Person {
  readonly subject: string;
  /** Whether the provider says that the email is verified. */
  readonly emailVerified: boolean;
  /** Null if there is none. Undefined: the `name` claim counts. */
  readonly name?: string | null;
}

/** The differences of one provider in OpenID Connect. */
export interface Dialect {
  /** The `issuer` that the discovery document states. */
  readonly issuer: string;
  /** The base address of the discovery document; Microsoft's differs from its `issuer`. */
  readonly baseUrl: string;
  readonly formPost: boolean;
  /** Parameters that ask for a new sign-in, if the provider supports them. With `max_age` among them, tokens need `auth_time`. */
  readonly proofParams: Readonly<Record<string, string>>;
  /** Whether to read a missing email from the userinfo endpoint. */
  readonly asksUserInfo: boolean;
  clientAuth(description: Description): ClientAuth;
  /** The expected issuer of this token. Throws `Refusal`. */
  issuerOf(unverified: Claims): string;
  /** The issuer of a subject that names its tenant, as Microsoft's do; undefined for others, or if the tenant is not admitted. */
  issuerOfSubject(subject: string): string | undefined;
  /** Whether a callback may name this issuer. */
  isIssuer(issuer: string): boolean;
  /** `form` has the parameters of the callback. Throws `Refusal`. */
  personOf(claims: Claims & { readonly sub: string }, form: ReadonlyMap<string, string>): Person;
}
