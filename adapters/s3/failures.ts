import { answerIn, judgeAwsFailure } from '../calls/aws-failure.ts';
import { FailedTry } from '../calls/failed-try.ts';

// The errors of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html.

/** The bucket is elsewhere, or the request was signed for another place. */
const WRONG_REGION = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect'];
const THROTTLED = ['SlowDown', 'RequestLimitExceeded'];
/** Another write or removal of the same key is under way. */
const CONFLICT = ['ConditionalRequestConflict', 'OperationAborted'];
const CREDENTIALS = ['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'SignatureDoesNotMatch'];

/** Nothing is under the key. */
export const isNoObject = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(answerIn(error).name);

/** Something is under the key that was to be written. */
export const isTaken = (error: unknown): boolean => answerIn(error).status === 412;

/** What an error of the client means. Nothing of it is passed on: its words quote keys and credentials. */
export const judgeS3Failure = (error: unknown): FailedTry => {
  const { name, status } = answerIn(error);
  if (name === 'NoSuchBucket') return new FailedTry('lasting', 'no_bucket');
  if (WRONG_REGION.includes(name) || status === 301) return new FailedTry('lasting', 'wrong_region');
  if (THROTTLED.includes(name)) return new FailedTry('passing', 'throttled');
  if (CONFLICT.includes(name)) return new FailedTry('passing', 'failed');
  if (CREDENTIALS.includes(name)) return new FailedTry('lasting', 'credentials');
  if (name === 'AccessDenied' || name === 'AllAccessDisabled') return new FailedTry('lasting', 'denied');
  // What a service says that knows the request, and not the condition in it.
  if (name === 'NotImplemented') return new FailedTry('lasting', 'unconditional');
  return judgeAwsFailure(error);
};
