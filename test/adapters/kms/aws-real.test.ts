import { openAwsKms } from '../../../adapters/kms/aws.ts';
import type { RemoteKms } from '../../../adapters/kms/remote.ts';
import { testKms } from '../../contracts/kms.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

/** The ARN of a test key; the tests make some 200 calls with the credentials of `AWS_PROFILE` or of the machine. */
const keyId = process.env.GATEHOUSE_TEST_AWS_KMS_KEY_ID ?? '';

(keyId === '' ? describe.skip : describe)('The real AWS KMS', () => {
  let kms: RemoteKms | undefined;
  after(() => kms?.close());

  const open = async () => {
    kms ??= await openAwsKms({
      keyId,
      region: null,
      endpoint: null,
      credentials: null,
      log: makeRecordingLog(),
    });
    return kms;
  };
  // The key name in the text stays unchanged, since no credentials have rights to all keys.
  testKms('aws itself', open, (sealed) => {
    const body = sealed.lastIndexOf('.') + 1;
    return Array.from({ length: sealed.length - body }, (_, at) => body + at).filter((at) => at % 8 === 0);
  });
});
