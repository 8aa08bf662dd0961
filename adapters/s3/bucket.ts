import type { S3ClientConfig } from '@aws-sdk/client-s3';
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

// The errors of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html.

/** The bucket is in another region, or the request was signed for another region. */
const WRONG_REGION = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect'];
const THROTTLED = ['SlowDown', 'RequestLimitExceeded'];
/** Another write or removal of the same key is under way. */
const CONFLICT = ['ConditionalRequestConflict', 'OperationAborted'];
const CREDENTIALS = ['ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'SignatureDoesNotMatch'];

/** The key has no object. */
const isNoObject = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(answerIn(error).name);

/** The key of a write has an object already. */
const isTaken = (error: unknown): boolean => answerIn(error).status === 412;

/** Classifies an error of the client. Its text is never passed on: it quotes keys and credentials. */
const judgeS3Failure = (error: unknown): FailedAttempt => {
  const { name, status } = answerIn(error);
  if (name === 'NoSuchBucket') return new FailedAttempt('lasting', 'no_bucket');
  if (WRONG_REGION.includes(name) || status === 301) return new FailedAttempt('lasting', 'wrong_region');
  if (THROTTLED.includes(name)) return new FailedAttempt('passing', 'throttled');
  if (CONFLICT.includes(name)) return new FailedAttempt('passing', 'failed');
  if (CREDENTIALS.includes(name)) return new FailedAttempt('lasting', 'credentials');
  if (name === 'AccessDenied' || name === 'AllAccessDisabled') return new FailedAttempt('lasting', 'denied');
  // The answer of a compatible service that knows the request, but not its condition `If-None-Match`.
  if (name === 'NotImplemented') return new FailedAttempt('lasting', 'unconditional');
  return judgeAwsFailure(error);
};

export interface BucketSettings extends AwsAccess {
  readonly bucket: string;
  /** Callers put it and a slash before every key. It has no slash at its end. Empty: keys may lie anywhere in the bucket. */
  readonly prefix: string;
}

/** An endpoint is set only for a compatible service: what such services may lack (bucket host names, newer checksums) is off. */
const clientConfig = (settings: BucketSettings): S3ClientConfig => ({
  ...awsClientConfig(settings),
  // Asking first whether a body is welcome takes a round trip, and objects have a few MB at the most.
  expectContinueHeader: false,
  ...(settings.endpoint !== null && {
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }),
});

/**
 * Opens a bucket. Uses only calls that all compatible services support. Each call is a single attempt and throws
 * `FailedAttempt`. Opening throws `MissingPackage`, `MissingRegion`.
 */
export const openBucket = async (settings: BucketSettings) => {
  const sdk = await import('@aws-sdk/client-s3').catch(orMissing('@aws-sdk/client-s3'));
  const client = new sdk.S3Client(clientConfig(settings));
  await requireRegion(client);
  client.middlewareStack.add(carryTrace, { step: 'build', name: 'carryTrace' });
  const { bucket: Bucket } = settings;

  /** The result of a call; undefined for an error that is an answer, such as that there is no object. */
  const resultOf = async <T>(
    call: Promise<T>,
    isAnswer: (error: unknown) => boolean,
  ): Promise<T | undefined> => {
    try {
      return await call;
    } catch (error) {
      if (isAnswer(error)) return undefined;
      throw judgeS3Failure(error);
    }
  };
  const noErrorIsAnswer = () => false;
  /** A response that a proxy made lacks the members of S3's response. */
  const required = <T>(member: T | undefined): T => {
    if (member === undefined) throw new FailedAttempt('passing', 'garbled');
    return member;
  };

  return {
    /** False if the key has an object. The idempotency key is stored as the object's metadata. */
    write: async (Key: string, Body: Uint8Array, idempotencyKey: string, abortSignal: AbortSignal) => {
      const input = { Bucket, Key, Body, Metadata: { write: idempotencyKey }, IfNoneMatch: '*' };
      const response = client.send(new sdk.PutObjectCommand(input), { abortSignal });
      const written = await resultOf(response, isTaken);
      if (written === undefined) return false;
      required(written.ETag);
      return true;
    },
    idempotencyKeyOf: async (Key: string, abortSignal: AbortSignal) => {
      const response = client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal });
      const head = await resultOf(response, isNoObject);
      // The object that refused the write was removed since: the next attempt may write.
      if (head === undefined) throw new FailedAttempt('passing', 'failed');
      return head.Metadata?.write;
    },
    read: async (Key: string, abortSignal: AbortSignal): Promise<Uint8Array | undefined> => {
      const response = client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
      const object = await resultOf(response, isNoObject);
      if (object === undefined) return undefined;
      required(object.ETag);
      return resultOf(required(object.Body).transformToByteArray(), noErrorIsAnswer);
    },
    remove: async (Key: string, abortSignal: AbortSignal) => {
      await resultOf(client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }), isNoObject);
    },
    /** A page of objects, and the token of the next page. */
    list: async (Prefix: string, ContinuationToken: string | undefined, abortSignal: AbortSignal) => {
      const input = { Bucket, Prefix, ...(ContinuationToken !== undefined && { ContinuationToken }) };
      const response = client.send(new sdk.ListObjectsV2Command(input), { abortSignal });
      const page = required(await resultOf(response, noErrorIsAnswer));
      required(page.IsTruncated);
      const objects = (page.Contents ?? []).flatMap(({ Key: key, LastModified: at }) =>
        key === undefined || at === undefined ? [] : [{ key, storedAt: at.getTime() }],
      );
      return { objects, next: page.NextContinuationToken };
    },
    close: () => client.destroy(),
  };
};
