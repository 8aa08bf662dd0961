import type { CoreError } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import {
  type AwsAccess,
  answerIn,
  awsClientConfig,
  carryTrace,
  judgeAwsFailure,
  requireRegion,
} from '../calls/aws-client.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { orMissing } from '../calls/optional-package.ts';
import { contextDigest, invalidSealed } from './context-digest.ts';
import { makeKmsCalls, type RemoteKms, readBase64url } from './remote.ts';

// The errors of https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html and CommonErrors.html.

/** Errors about the ciphertext. */
const INVALID_CIPHERTEXT = ['InvalidCiphertextException', 'IncorrectKeyException'];
/** Errors about a key id that cannot be used here. */
const NO_SUCH_KEY = [
  'NotFoundException',
  'InvalidArnException',
  'InvalidKeyUsageException',
  'UnsupportedOperationException',
  'ValidationException',
];
/** How KMS begins its message about a ciphertext that belongs to another key. */
const OF_ANOTHER_KEY = /^The ciphertext refers to /;
const UNUSABLE_KEY = ['DisabledException', 'KMSInvalidStateException'];
const THROTTLED = ['ThrottlingException', 'LimitExceededException', 'TooManyRequestsException'];
/** Failures of KMS itself. Some have a status below 500, which `judgeAwsFailure` would take for a lasting failure. */
const FAILED = ['DependencyTimeoutException', 'KMSInternalException', 'KeyUnavailableException'];

/** `isConfiguredKey`: the call used the configured key, not one that a sealed text names. Nothing of the error is passed on. */
const judgeKmsFailure = (
  error: unknown,
  { opening, isConfiguredKey }: { readonly opening: boolean; readonly isConfiguredKey: boolean },
): FailedAttempt | CoreError => {
  const { name, message } = answerIn(error);
  if (opening && INVALID_CIPHERTEXT.includes(name)) return invalidSealed();
  if (opening && !isConfiguredKey && NO_SUCH_KEY.includes(name)) return invalidSealed();
  if (THROTTLED.includes(name)) return new FailedAttempt('passing', 'throttled');
  if (FAILED.includes(name)) return new FailedAttempt('passing', 'failed');
  if (UNUSABLE_KEY.includes(name) || NO_SUCH_KEY.includes(name)) {
    // A key that only a sealed text names may be unusable while the service is up: `elsewhere` does not count as an outage.
    return new FailedAttempt(isConfiguredKey ? 'lasting' : 'elsewhere', 'key_unusable');
  }
  if (name === 'AccessDeniedException') {
    if (opening && OF_ANOTHER_KEY.test(message)) return invalidSealed();
    // Not `lasting` when opening: a forged sealed text must not make the service count as down.
    return new FailedAttempt(opening ? 'elsewhere' : 'lasting', 'denied');
  }
  return judgeAwsFailure(error);
};

export interface AwsKmsSettings extends AwsAccess {
  /** A key id, key ARN, alias name or alias ARN. The region of an ARN replaces `region`. */
  readonly keyId: string;
}

const VERSION = 'ak1';
const KEY_ID = /^[\w:/-]{1,2048}$/;
/** The longest ciphertext that KMS accepts (API_Decrypt: CiphertextBlob). */
const MOST_CIPHERTEXT_BYTES = 6_144;
/** Precedes the plain bytes, since KMS does not encrypt an empty text. */
const FRAME = 1;

interface Sealed {
  readonly keyId: string;
  readonly blob: Uint8Array;
}

const write = ({ keyId, blob }: Sealed) =>
  [VERSION, Buffer.from(keyId).toString('base64url'), Buffer.from(blob).toString('base64url')].join('.');

const read = (sealed: string): Sealed | undefined => {
  const [version, key = '', body = '', ...more] = sealed.split('.');
  if (version !== VERSION || more.length > 0) return undefined;
  const keyId = readBase64url(key)?.toString('latin1') ?? '';
  const blob = readBase64url(body);
  const isValid =
    KEY_ID.test(keyId) && blob !== undefined && blob.length > 0 && blob.length <= MOST_CIPHERTEXT_BYTES;
  return isValid ? { keyId, blob } : undefined;
};

const regionOf = (keyId: string): string | undefined => /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1];

/** Only a digest of the context is sent: KMS authenticates it, and its audit log shows it. */
const encryptionContext = (context: string) => ({ context: contextDigest(context).toString('base64url') });

/**
 * Seals with a key of AWS KMS, by its calls Encrypt and Decrypt; the form is `ak1.<key id as set>.<ciphertext blob>`,
 * both in base64url. A text sealed by another key is opened with that key, as long as the credentials permit it. The start
 * makes no call of KMS. Throws `MissingRegion` and `MissingPackage`.
 */
export const openAwsKms = async (settings: AwsKmsSettings & { readonly log: Log }): Promise<RemoteKms> => {
  const { keyId, log } = settings;
  const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms').catch(
    orMissing('@aws-sdk/client-kms'),
  );
  const client = new KMSClient(awsClientConfig({ ...settings, region: regionOf(keyId) ?? settings.region }));
  await requireRegion(client);
  client.middlewareStack.add(carryTrace, { step: 'build', name: 'carryTrace' });
  const calls = makeKmsCalls(log);

  return {
    seal: (plain, context) => {
      const Plaintext = Buffer.concat([Uint8Array.of(FRAME), plain]);
      const EncryptionContext = encryptionContext(context);
      return calls.run(async (abortSignal) => {
        const command = new EncryptCommand({ KeyId: keyId, Plaintext, EncryptionContext });
        const { CiphertextBlob: blob } = await client
          .send(command, { abortSignal })
          .catch((error: unknown) => {
            throw judgeKmsFailure(error, { opening: false, isConfiguredKey: true });
          });
        if (blob === undefined || blob.length === 0) throw new FailedAttempt('passing', 'garbled');
        return write({ keyId, blob });
      });
    },
    open: async (text, context) => {
      const sealed = read(text);
      if (sealed === undefined) throw invalidSealed();
      const { keyId: KeyId, blob: CiphertextBlob } = sealed;
      const EncryptionContext = encryptionContext(context);
      return calls.run(async (abortSignal) => {
        const command = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext });
        const { Plaintext: plain } = await client.send(command, { abortSignal }).catch((error: unknown) => {
          throw judgeKmsFailure(error, { opening: true, isConfiguredKey: KeyId === keyId });
        });
        if (plain === undefined) throw new FailedAttempt('passing', 'garbled');
        if (plain[0] !== FRAME) throw invalidSealed();
        return new Uint8Array(plain.subarray(1));
      });
    },
    keyOf: (sealed) => read(sealed)?.keyId,
    current: async () => keyId,
    isUp: calls.isUp,
    close: () => {
      calls.close();
      client.destroy();
    },
  };
};
