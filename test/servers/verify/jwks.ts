import { type Fetch, VerifyError } from '../../../servers/verify/index.ts';

/** An account service that has keys alone. */
export interface Jwks {
  readonly fetch: Fetch;
  /** What it says next. */
  answer: () => Promise<Response>;
  /** How often it was asked, and what with at last. */
  asked: number;
  url: string;
  signal: AbortSignal | undefined;
}

export const makeJwks = (keys: readonly unknown[]): Jwks => {
  const jwks: Jwks = {
    fetch: (url: string, { signal }: RequestInit) => {
      Object.assign(jwks, { asked: jwks.asked + 1, url, signal });
      return jwks.answer();
    },
    answer: async () => Response.json({ keys }),
    asked: 0,
    url: '',
    signal: undefined,
  };
  return jwks;
};

/** What the promise is refused with. */
export const refusalOf = async (promise: Promise<unknown>): Promise<VerifyError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error instanceof VerifyError) return error;
  throw new Error(`It is not refused by the door: ${error}`);
};
