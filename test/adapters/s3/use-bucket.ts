import { expect } from 'chai';
import { openS3Objects, type S3Objects } from '../../../adapters/s3/object-store.ts';
import { CoreError } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { AWS_TEST } from '../../support/servers/aws/strict-aws-kms.ts';
import { bucketAt, openStrictS3, type StrictS3 } from '../../support/servers/aws/strict-s3.ts';

/** Expects a call to be unavailable, with no secret, path, address or content in the error and the log. */
const expectUnavailable = async (call: () => Promise<unknown>, lines: readonly unknown[]): Promise<void> => {
  const error = await rejectionOf(call);
  expect(error).to.be.instanceOf(CoreError);
  expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
  const { cause, stack, ...members } = error as CoreError;
  const text = JSON.stringify([members, cause, String(stack), String(error), lines]);
  const { accessKeyId, secretAccessKey } = AWS_TEST.credentials;
  for (const secret of [accessKeyId, secretAccessKey, 'content of a picture', 'user/name', 'http://127'])
    expect(text).to.not.include(secret);
};

/** A bucket for each test, with stores on it and their log. Call it inside `describe`. */
export const useBucket = () => {
  const log = makeRecordingLog();
  const stores: S3Objects[] = [];
  let s3: StrictS3;
  beforeEach(async () => {
    s3 = await openStrictS3();
    log.lines.length = 0;
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await s3.close();
  });

  const open = async (more: Partial<Parameters<typeof openS3Objects>[0]> = {}) => {
    const store = await openS3Objects({ ...bucketAt(s3), log, ...more });
    stores.push(store);
    return store;
  };
  return {
    bucket: () => s3,
    log,
    open,
    /** A store that has already checked conditional writes. */
    openTried: async () => {
      const store = await open();
      await store.tryOut();
      return store;
    },
    expectUnavailable: (call: () => Promise<unknown>) => expectUnavailable(call, log.lines),
  };
};
