import { MissingRegion } from '../calls/aws-client.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { MissingPackage } from '../calls/optional-package.ts';
import { ConfigError, missingPackages } from '../config/config-error.ts';
import type { StoreParts } from '../store.ts';
import type { BucketSettings } from './bucket.ts';
import { openS3Objects, type S3Objects } from './object-store.ts';

/** Advice to the operator about an unusable bucket, by the reason in the log. */
const REMEDIES: Readonly<Record<string, string>> = {
  credentials: 'no credentials were found, or they are not valid',
  denied: 'the credentials must let it read, write, remove and list there',
  no_bucket: 'there is no such bucket',
  wrong_region: 'the bucket is in another region than S3_REGION names',
  unconditional:
    'the service ignores If-None-Match, so one avatar could replace another: use a service that supports it',
};

/**
 * Opens the bucket. A server also tries it out; a bucket that is down passes. Throws `ConfigError` for a failure that only an
 * operator can mend.
 */
export const openObjectsIn = async (
  settings: BucketSettings,
  { log, isServer }: StoreParts,
): Promise<S3Objects> => {
  const objects = await openS3Objects({ ...settings, log }).catch((error: unknown) => {
    if (error instanceof MissingRegion) throw new ConfigError(['S3_REGION must be set with OBJECTS_URL.']);
    if (error instanceof MissingPackage)
      throw missingPackages('OBJECTS_URL', 'S3 needs a package', [error.packageName]);
    throw error;
  });
  try {
    if (isServer) await objects.tryOut();
    return objects;
  } catch (error) {
    objects.close();
    if (!(error instanceof FailedAttempt)) throw error;
    throw new ConfigError([`OBJECTS_URL: ${REMEDIES[error.reason] ?? 'the bucket refuses every call'}`]);
  }
};
