import { CoreError } from '../../core/errors.ts';
import { invalidAnswer } from './refusal.ts';
import { mayAsk, type Requests } from './requests.ts';

const HOUR = 3_600_000;
/** Milliseconds for which a description is taken as it is, and for which it is while no newer one can be had. */
const FRESH = 24 * HOUR;
const STALE = 7 * 24 * HOUR;

/** What a provider says of itself (OpenID Connect Discovery 1.0). */
export interface Description {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keys: string;
  readonly userInfo: string | null;
  /** The algorithms of its `id_token`. */
  readonly algorithms: readonly string[];
  /** Ways to send the client's secret. */
  readonly authMethods: readonly string[];
  /** Whether its answers bear its issuer (RFC 9207). */
  readonly answersWithIssuer: boolean;
  /** Null: it does not say. */
  readonly prompts: readonly string[] | null;
}

const textsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;

const readDescription = (found: Readonly<Record<string, unknown>>, issuer: string): Description => {
  // As text: addresses that mean the same are other issuers.
  if (found.issuer !== issuer) throw invalidAnswer('description_issuer');
  const onThisMachine = issuer.startsWith('http:');
  const address = (name: string): string => {
    const value = found[name];
    if (mayAsk(value, onThisMachine)) return value;
    throw invalidAnswer(`description_${name}`);
  };
  return {
    issuer,
    authorizationEndpoint: address('authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    keys: address('jwks_uri'),
    userInfo: found.userinfo_endpoint === undefined ? null : address('userinfo_endpoint'),
    algorithms: textsIn(found.id_token_signing_alg_values_supported) ?? ['RS256'],
    authMethods: textsIn(found.token_endpoint_auth_methods_supported) ?? [],
    answersWithIssuer: found.authorization_response_iss_parameter_supported === true,
    prompts: textsIn(found.prompt_values_supported),
  };
};

/** Gives the description, asked for when it is first needed. Throws `unavailable` and `Refusal`. */
export const makeDiscovery = (
  { askForObject }: Pick<Requests, 'askForObject'>,
  { address, issuer }: { readonly address: string; readonly issuer: string },
): (() => Promise<Description>) => {
  let kept: { readonly description: Description; readonly at: number } | undefined;
  let renewal: Promise<Description> | undefined;

  const renew = async (): Promise<Description> => {
    const description = readDescription(await askForObject(address), issuer);
    kept = { description, at: performance.now() };
    return description;
  };

  return async () => {
    const old = kept;
    const age = old === undefined ? Number.POSITIVE_INFINITY : performance.now() - old.at;
    if (old !== undefined && age < FRESH) return old.description;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    try {
      return await renewal;
    } catch (error) {
      const isDown = error instanceof CoreError && error.kind === 'unavailable';
      if (old !== undefined && isDown && age < STALE) return old.description;
      throw error;
    }
  };
};
