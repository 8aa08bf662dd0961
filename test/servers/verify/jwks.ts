import { type Fetch, VerifyError } from '../../../servers/verify/index.ts';

/** An account service that answers with a JWK set. */
export interface Jwks {
  readonly fetch: Fetch;
  /** Makes the next answer. */
  answer: () => Promise<Response>;
  /** The number of requests, and the address and signal of the last one. */
  requests: number;
  url: string;
  signal: AbortSignal | undefined;
}

export const makeJwks = (keys: readonly unknown[]): Jwks => {
  const jwks: Jwks = {
    fetch: (url: string, { signal }: RequestInit) => {
      Object.assign(jwks, { requests: jwks.requests + 1, url, signal });
      return jwks.answer();
    },
    answer: async () => Response.json({ keys }),
    requests: 0,
    url: '',
    signal: undefined,
  };
  return jwks;
};

/** The `VerifyError` that rejects the promise. */
export const refusalOf = async (promise: Promise<unknown>): Promise<VerifyError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error instanceof VerifyError) return error;
  throw new Error(`The promise was not rejected with a VerifyError: ${error}`);
};
