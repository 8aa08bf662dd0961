import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { type AwsAccess, awsClientConfig, carryTrace, requireRegion } from '../calls/aws-client.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { orMissing } from '../calls/optional-package.ts';
import { isNoObject, isTaken, judgeS3Failure } from './failures.ts';

export interface BucketSettings extends AwsAccess {
  readonly bucket: string;
  /** First part of all keys, without a slash at its end; empty: the whole bucket. */
  readonly prefix: string;
}

interface Page {
  readonly found: readonly { readonly key: string; readonly storedAt: number }[];
  /** Where the next page begins. */
  readonly next: string | undefined;
}

/** One try each: throws `FailedTry`. */
export interface Bucket {
  /** False where something is under the key. `mark` is kept beside the bytes. */
  write(key: string, bytes: Uint8Array, mark: string, signal: AbortSignal): Promise<boolean>;
  markOf(key: string, signal: AbortSignal): Promise<string | undefined>;
  read(key: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  remove(key: string, signal: AbortSignal): Promise<void>;
  list(start: string, after: string | undefined, signal: AbortSignal): Promise<Page>;
  close(): void;
}

/** What compatible services do not know is left out where there is one: addresses by host name, newer checksums. */
const clientConfig = (settings: BucketSettings): S3ClientConfig => ({
  ...awsClientConfig(settings),
  expectContinueHeader: false,
  ...(settings.endpoint !== null && {
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }),
});

/** A bucket, by the calls of S3 that all compatible services have. Throws `MissingPackage` and `MissingRegion`. */
export const openBucket = async (settings: BucketSettings): Promise<Bucket> => {
  const sdk = await import('@aws-sdk/client-s3').catch(orMissing('@aws-sdk/client-s3'));
  const client = new sdk.S3Client(clientConfig(settings));
  await requireRegion(client);
  client.middlewareStack.add(carryTrace, { step: 'build', name: 'carryTrace' });
  const { bucket: Bucket } = settings;

  /** Gives `otherwise` for an error that is an answer. */
  const answered = async <T>(
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
  const never = () => false;
  /** A page that something between us and the service made has none of S3's members. */
  const whole = <T>(member: T | undefined): T => {
    if (member === undefined) throw new FailedTry('passing', 'garbled');
    return member;
  };

  return {
    write: async (Key, Body, mark, abortSignal) => {
      const question = { Bucket, Key, Body, Metadata: { write: mark }, IfNoneMatch: '*' };
      const sent = client.send(new sdk.PutObjectCommand(question), { abortSignal });
      const written = await answered(sent, isTaken);
      if (written === undefined) return false;
      whole(written.ETag);
      return true;
    },
    markOf: async (Key, abortSignal) => {
      const sent = client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal });
      const found = await answered(sent, isNoObject);
      // Whoever held the key has let it go: the next try decides.
      if (found === undefined) throw new FailedTry('passing', 'failed');
      return found.Metadata?.write;
    },
    read: async (Key, abortSignal) => {
      const sent = client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
      const found = await answered(sent, isNoObject);
      if (found === undefined) return undefined;
      whole(found.ETag);
      return answered(whole(found.Body).transformToByteArray(), never);
    },
    remove: async (Key, abortSignal) => {
      await answered(client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }), isNoObject);
    },
    list: async (Prefix, ContinuationToken, abortSignal) => {
      const question = { Bucket, Prefix, ...(ContinuationToken !== undefined && { ContinuationToken }) };
      const sent = client.send(new sdk.ListObjectsV2Command(question), { abortSignal });
      const page = whole(await answered(sent, never));
      whole(page.IsTruncated);
      const found = (page.Contents ?? []).flatMap(({ Key: key, LastModified: at }) =>
        key === undefined || at === undefined ? [] : [{ key, storedAt: at.getTime() }],
      );
      return { found, next: page.NextContinuationToken };
    },
    close: () => client.destroy(),
  };
};
