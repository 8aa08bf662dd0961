import type { Claims } from './claims.ts';
import type { Description } from './discovery.ts';
import type { ClientAuth } from './token-request.ts';

/** Who the claims of a verified `id_token` are about. */
export interface Person {
  readonly subject: string;
  /** Whether the provider says that its email is verified. */
  readonly emailVerified: boolean;
  /** Undefined: as the claims say. */
  readonly name?: string | null;
}

/** How a provider speaks OpenID Connect. */
export interface Dialect {
  /** The `issuer` of its description, and the base address of that. */
  readonly issuer: string;
  readonly place: string;
  readonly formPost: boolean;
  /** What asks it to have the person log in once more, as far as it is known to listen. */
  readonly proof: Readonly<Record<string, string>>;
  /** Whether its userinfo endpoint may be asked for an email that the claims lack. */
  readonly asksUserInfo: boolean;
  clientAuth(description: Description): ClientAuth;
  /** The issuer of this very token. Throws `Refusal`. */
  issuerOf(unverified: Claims): string;
  /** The issuer of the person with a subject as `personOf` gives it; undefined for another form, or who is not let in. */
  issuerOfSubject(subject: string): string | undefined;
  /** Whether an answer may name this issuer. */
  isIssuer(issuer: string): boolean;
  /** Throws `Refusal`. */
  personOf(claims: Claims & { readonly sub: string }, form: ReadonlyMap<string, string>): Person;
}
