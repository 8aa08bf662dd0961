import type { CoreError } from '../../core/errors.ts';
import { answerIn, judgeAwsFailure } from '../calls/aws-failure.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { invalidSealed } from './sealed-text.ts';

// The errors of https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html and CommonErrors.html.

/** Answers about what was to be opened. */
const NOT_OURS = ['InvalidCiphertextException', 'IncorrectKeyException'];
/** Answers to the id of a key that seals nothing here. */
const NO_SUCH_KEY = [
  'NotFoundException',
  'InvalidArnException',
  'InvalidKeyUsageException',
  'UnsupportedOperationException',
  'ValidationException',
];
/**
 * A ciphertext that was made to name another key than the request is refused like a missing right, in these words; they
 * are told apart from the others, which begin with who asked.
 */
const OF_ANOTHER_KEY = /^The ciphertext refers to /;
const UNUSABLE_KEY = ['DisabledException', 'KMSInvalidStateException'];
const THROTTLED = ['ThrottlingException', 'LimitExceededException', 'TooManyRequestsException'];
/** Some of these come with a status below 500. */
const FAILED = ['DependencyTimeoutException', 'KMSInternalException', 'KeyUnavailableException'];

/**
 * What an error of the client means. `isSetKey`: the call was about the key of the settings, not about one that the
 * sealed text names. Nothing of the error is passed on.
 */
export const judgeKmsFailure = (
  error: unknown,
  given: { readonly opening: boolean; readonly isSetKey: boolean },
): FailedTry | CoreError => {
  const { name, message } = answerIn(error);
  const { opening, isSetKey } = given;
  const kind = isSetKey ? 'lasting' : 'elsewhere';

  if (opening && NOT_OURS.includes(name)) return invalidSealed();
  if (opening && !isSetKey && NO_SUCH_KEY.includes(name)) return invalidSealed();
  if (THROTTLED.includes(name)) return new FailedTry('passing', 'throttled');
  if (FAILED.includes(name)) return new FailedTry('passing', 'failed');
  if (UNUSABLE_KEY.includes(name) || NO_SUCH_KEY.includes(name)) return new FailedTry(kind, 'key_unusable');
  if (name === 'AccessDeniedException') {
    if (opening && OF_ANOTHER_KEY.test(message)) return invalidSealed();
    // Whatever the words: no text that somebody makes up may have the service taken for down.
    return new FailedTry(opening ? 'elsewhere' : 'lasting', 'denied');
  }
  return judgeAwsFailure(error);
};
