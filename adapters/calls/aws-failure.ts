import { FailedTry } from './failed-try.ts';

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** What an error of AWS's clients says: the error's name and words, and the status of the answer (NaN without one). */
export const answerIn = (
  error: unknown,
): { readonly name: string; readonly message: string; readonly status: number } => ({
  name: String(member(error, 'name')),
  message: String(member(error, 'message')),
  status: Number(member(member(error, '$metadata'), 'httpStatusCode')),
});

/** What an error of AWS's clients means that no service has a word of its own for. Nothing of it is passed on. */
export const judgeAwsFailure = (error: unknown): FailedTry => {
  const { name, status } = answerIn(error);
  if (status === 429) return new FailedTry('passing', 'throttled');
  if (status >= 500) return new FailedTry('passing', 'failed');
  // The client has set its clock by the answer, and signs the next try with it.
  if (member(member(error, '$metadata'), 'clockSkewCorrected') === true)
    return new FailedTry('passing', 'rejected');
  if (name === 'CredentialsProviderError') return new FailedTry('lasting', 'credentials');
  if (status >= 300) return new FailedTry('lasting', 'rejected');
  return new FailedTry('passing', status >= 200 ? 'garbled' : 'unreachable');
};
