import { message } from '../answer-schemas.ts';
import { bucketBy } from '../rate-limits.ts';
import { object, type TypeOf } from '../schema.ts';
import type { Deps } from './deps.ts';
import { CANONICAL_EMAIL } from './email.ts';
import { DAY } from './policy.ts';
import type { AttemptLimit } from './ports.ts';
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
   * What asks for the code. `request`: a user or an operator who wants it. `registration`: perhaps not the owner of the email.
   * `repetition`: a sign-in to an unverified account, or another registration of its email.
   */
  readonly cause: 'request' | 'registration' | 'repetition';
  /**
   * Whether the code is mailed if the allowances permit it; true where absent. If not, such as for lack of an account or for a
   * new email that is taken, the request counts under decoy keys: it costs the same writes, but uses up no allowance of the
   * email's present or later owner.
   */
  readonly wouldBeMailed?: boolean;
}

/**
 * Counts a code mail, and returns whether the day's allowances permit it: that of the email, and that of the client network for
 * the email. Mails of a `registration` or `repetition`, which the owner need not have wanted, have a smaller allowance as well,
 * so that they leave codes for an owner's own requests (decision 0003). A `repetition` counts in the resend route's limit first.
 */
export const consumeCodeMail = async (
  { clock, digest, limiter, policy, attempts }: Deps,
  { email, client, cause, wouldBeMailed = true }: CodeMailRequest,
): Promise<boolean> => {
  if (cause === 'repetition') {
    const bucket = bucketBy('account', 'resend', policy.resendLimit);
    const budget = await limiter.take(bucket, accountKey(digest, email));
    if (!budget.allowed) return false;
  }
  const keyOf = (key: string) => (wouldBeMailed ? key : decoyKey(key));
  const unasked = { key: keyOf(unaskedCodeMailsKey(digest, email)), most: policy.unaskedCodeMailsADay };
  const bounds: readonly AttemptLimit[] = [
    ...(cause === 'request' ? [] : [unasked]),
    { key: keyOf(networkCodeMailsKey(digest, email, client)), most: policy.networkCodeMailsADay },
    { key: keyOf(codeMailsKey(digest, email)), most: policy.codeMailsADay },
  ];
  const exceeded = await attempts.addInTurn(bounds, DAY, clock.now());
  return wouldBeMailed && exceeded === undefined;
};

/**
 * Makes a decoy write, which nobody reads, for an email without an account or without a live code. So a call makes as
 * many writes for an unknown email as for a known one, and neither its time nor a full disk reveals the difference. A
 * window of 1 ms keeps it no longer than necessary.
 */
export const writeDecoy = async (
  { clock, digest, attempts }: Pick<Deps, 'clock' | 'digest' | 'attempts'>,
  email: string,
): Promise<void> => {
  await attempts.add(decoyKey(accountKey(digest, email)), 1, clock.now());
};
