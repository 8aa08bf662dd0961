import { CoreError, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';

const MESSAGES = {
  access_denied: 'The person or the provider refused the sign-in.',
  provider_error: 'The provider answered with an error.',
  provider_answer_invalid: 'The answer of the provider did not pass the checks.',
};

/** A rejected response of a provider. It holds nothing of the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: keyof typeof MESSAGES;
  /** The failed check, for the log. */
  readonly reason: string;
  /** The seconds by which the provider's clock is ahead of ours, if that is the cause. */
  readonly ahead: number | undefined;

  constructor(code: keyof typeof MESSAGES, reason: string, ahead?: number) {
    super(reason);
    this.code = code;
    this.reason = reason;
    this.ahead = ahead;
  }
}

export const invalidAnswer = (reason: string, ahead?: number): Refusal =>
  new Refusal('provider_answer_invalid', reason, ahead);

export const providerDown = (): CoreError =>
  unavailable('provider_unavailable', 'The provider cannot be reached at the moment.');

/** Runs a call about a provider. A refusal is thrown as `refused`, and logged unless it is `access_denied`. */
export const logRefusals = async <T>(id: string, log: Log, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, reason, ahead } = error;
    if (ahead !== undefined) log.warn('oidc.clock', { id, count: Math.round(ahead) });
    if (code !== 'access_denied') log.warn('oidc.answer_refused', { id, reason });
    throw new CoreError('refused', code, MESSAGES[code]);
  }
};
