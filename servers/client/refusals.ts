import type { Fetch, WebRequest, WebResponse } from './fetch-types.ts';

/** The fresh proof that a refused call needs. */
export interface ProofNeeded {
  /** How many seconds a proof stays fresh. */
  readonly maxAge: number;
  /** The methods by which the user can prove their identity, such as `password` and `totp`. */
  readonly methods: readonly string[];
}

/** Asks the user for a proof through `/api/auth/reauthenticate`. Returns false if the user declined. */
export type OnProofNeeded = (needed: ProofNeeded) => boolean | Promise<boolean>;

/** The body of an answer; empty if it is not JSON. Reads a clone, so that the caller can still read the answer. */
export const bodyIn = async (answer: WebResponse): Promise<Readonly<Record<string, unknown>>> => {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  // `Object` makes an object of `undefined`, `null` and plain values, too, so that destructuring never throws.
  return Object(body);
};

/** The proof that a refusal asks for; undefined for any other answer. */
const proofNeededBy = async (answer: WebResponse): Promise<ProofNeeded | undefined> => {
  if (answer.status !== 403) return undefined;
  const { code, maxAge, methods } = await bodyIn(answer);
  if (code !== 'fresh_authentication_needed') return undefined;
  return { maxAge: Number(maxAge), methods: Array.isArray(methods) ? methods.map(String) : [] };
};

/** Sends a request. If it needs a fresh proof and the user gives it, sends the request again. */
export const sendWithProof = async (
  send: Fetch,
  request: WebRequest,
  onProofNeeded: OnProofNeeded,
): Promise<WebResponse> => {
  const copy = request.clone();
  const answer = await send(request);
  const needed = await proofNeededBy(answer);
  return needed !== undefined && (await onProofNeeded(needed)) ? send(copy) : answer;
};
