import { CoreError } from '../../core/errors.ts';
import { inTime } from '../calls/in-time.ts';
import { mayAsk, type Requests } from './http-requests.ts';
import { invalidAnswer, providerDown } from './refusal.ts';

const HOUR = 3_600_000;
/** The time for which a description is used. */
const FRESH_MS = 24 * HOUR;
/** The time for which it is used while the provider is down. */
const USABLE_MS = 7 * 24 * HOUR;
/** How long a flow with an old description waits for a new one. The rest of its deadline is for the tokens. */
const LONGEST_WAIT_MS = 2_000;

/** The provider's metadata (OpenID Connect Discovery 1.0). */
export interface Description {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keys: string;
  readonly userInfo: string | null;
  /** The algorithms of its `id_token`. */
  readonly algorithms: readonly string[];
  /** The methods of client authentication. */
  readonly authMethods: readonly string[];
  /** Whether its callbacks have `iss` (RFC 9207). */
  readonly answersWithIssuer: boolean;
  /** Null: the metadata does not say. */
  readonly prompts: readonly string[] | null;
}

const textsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : null;

const readDescription = (document: Readonly<Record<string, unknown>>, issuer: string): Description => {
  // Compared as text: equivalent addresses are different issuers.
  if (document.issuer !== issuer) throw invalidAnswer('description_issuer');
  // In development an issuer may be on http; its endpoints may then be on http as well, but only on this machine.
  const allowsLocalHttp = issuer.startsWith('http:');
  const address = (name: string): string => {
    const value = document[name];
    if (mayAsk(value, allowsLocalHttp)) return value;
    throw invalidAnswer(`description_${name}`);
  };
  return {
    issuer,
    authorizationEndpoint: address('authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    keys: address('jwks_uri'),
    userInfo: document.userinfo_endpoint === undefined ? null : address('userinfo_endpoint'),
    algorithms: textsIn(document.id_token_signing_alg_values_supported) ?? ['RS256'],
    authMethods: textsIn(document.token_endpoint_auth_methods_supported) ?? [],
    answersWithIssuer: document.authorization_response_iss_parameter_supported === true,
    prompts: textsIn(document.prompt_values_supported),
  };
};

/** Returns the description, fetched at its first use, and again once it is a day old. Throws `unavailable` and `Refusal`. */
export const makeDiscovery = (
  { askForObject }: Pick<Requests, 'askForObject'>,
  { address, issuer }: { readonly address: string; readonly issuer: string },
): (() => Promise<Description>) => {
  let cached: { readonly description: Description; readonly at: number } | undefined;
  let renewal: Promise<Description> | undefined;

  const renew = async (): Promise<Description> => {
    const description = readDescription(await askForObject('description', address), issuer);
    cached = { description, at: performance.now() };
    return description;
  };

  return async () => {
    const old = cached;
    const age = old === undefined ? Number.POSITIVE_INFINITY : performance.now() - old.at;
    if (old !== undefined && age < FRESH_MS) return old.description;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    if (old === undefined || age >= USABLE_MS) return renewal;
    try {
      return await inTime(LONGEST_WAIT_MS, renewal, providerDown);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'unavailable') return old.description;
      throw error;
    }
  };
};
