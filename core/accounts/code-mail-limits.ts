import { message } from '../answer-schemas.ts';
import { object, type TypeOf } from '../schema.ts';
import type { Deps } from './deps.ts';
import { CANONICAL_EMAIL } from './email.ts';
import { DAY } from './policy.ts';
import type { Bounded } from './ports.ts';
import {
  accountKey,
  codeMailsKey,
  decoyKey,
  networkCodeMailsKey,
  unaskedCodeMailsKey,
} from './throttle-keys.ts';

export const codeMailed = object({
  message: message('A verification code was sent.'),
  email: CANONICAL_EMAIL,
});
/** The answer to a request for a code, whether a mail is sent or not. `email` is in canonical form. */
export type CodeMailed = TypeOf<typeof codeMailed>;

/** A request to mail a code. */
export interface CodeMailRequest {
  readonly email: string;
  /** The client network. */
  readonly client: string;
  /**
   * Whether the code would be mailed. If not, such as for lack of an account or for a new email that is taken, the request
   * counts under decoy keys: it costs the same writes, but uses up no allowance of the email's present or later owner.
   */
  readonly due: boolean;
}

// Three functions count a mail and return whether it may be sent. Each also counts under the keys of the one before it.

/** Counts a code mail that a user requested: among the day's mails to the email, and among those that the network requested. */
export const takeCodeMail = async (
  deps: Deps,
  { email, client, due }: CodeMailRequest,
  otherBounds: readonly Bounded[] = [],
): Promise<boolean> => {
  const { clock, digest, policy, tries } = deps;
  const keyOf = (key: string) => (due ? key : decoyKey(key));
  const bounds = [
    ...otherBounds,
    { key: keyOf(networkCodeMailsKey(digest, email, client)), most: policy.networkCodeMailsADay },
    { key: keyOf(codeMailsKey(digest, email)), most: policy.codeMailsADay },
  ];
  const exceeded = await tries.addInTurn(bounds, DAY, clock.now());
  return due && exceeded === undefined;
};

/**
 * Counts the code mail of a registration, which the email's owner may not have asked for. Such mails also have a smaller
 * allowance of their own, so that they do not use up the codes that an owner requests. See decision 0003.
 */
export const takeUnaskedCodeMail = (deps: Deps, email: string, client: string): Promise<boolean> => {
  const unasked = { key: unaskedCodeMailsKey(deps.digest, email), most: deps.policy.unaskedCodeMailsADay };
  return takeCodeMail(deps, { email, client, due: true }, [unasked]);
};

/** Counts the code mail of a sign-in or a repeated registration: first in the resend route's limit, then as unasked. */
export const takeRepeatedCodeMail = async (deps: Deps, email: string, client: string): Promise<boolean> => {
  const { resendLimit: limit, resendSeconds: seconds } = deps.policy;
  const budget = await deps.limiter.take(
    { name: 'account:resend', limit, seconds },
    accountKey(deps.digest, email),
  );
  return budget.allowed && (await takeUnaskedCodeMail(deps, email, client));
};

/**
 * Makes a decoy write, which nobody reads, for an email without an account or without a live code. So a call makes as
 * many writes for an unknown email as for a known one, and neither its time nor a full disk reveals the difference. A
 * window of 1 ms keeps it no longer than necessary.
 */
export const writeDecoy = async (
  { clock, digest, tries }: Pick<Deps, 'clock' | 'digest' | 'tries'>,
  email: string,
): Promise<void> => {
  await tries.add(decoyKey(accountKey(digest, email)), 1, clock.now());
};
