import { openAwsKms } from '../../../adapters/kms/aws.ts';
import type { RemoteKms } from '../../../adapters/kms/remote.ts';
import { testKms } from '../../contracts/kms.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';

/** The ARN of a key of yours; the credentials are those of `AWS_PROFILE` or of the machine. Some 200 calls. */
const keyId = process.env.GATEHOUSE_TEST_AWS_KMS_KEY_ID ?? '';

(keyId === '' ? describe.skip : describe)('AWS KMS itself', () => {
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
  // What the text says of the key stays as it is: a right to all keys is nobody's.
  testKms('aws itself', open, (sealed) => {
    const body = sealed.lastIndexOf('.') + 1;
    return Array.from({ length: sealed.length - body }, (_, at) => body + at).filter((at) => at % 8 === 0);
  });
});
