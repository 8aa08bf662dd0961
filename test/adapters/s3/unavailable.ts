import { expect } from 'chai';
import { CoreError } from '../../../core/errors.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { AWS_TEST } from '../../support/servers/aws/strict-aws-kms.ts';

/** The call is refused as unavailable, and neither error nor log tells a secret, a path, an address or content. */
export const expectUnavailable = async (
  call: () => Promise<unknown>,
  lines: readonly unknown[],
): Promise<void> => {
  const error = await rejectionOf(call);
  expect(error).to.be.instanceOf(CoreError);
  expect(error).to.include({ kind: 'unavailable', code: 'store_unavailable' });
  const { cause, stack, ...members } = error as CoreError;
  const text = JSON.stringify([members, cause, String(stack), String(error), lines]);
  const { accessKeyId, secretAccessKey } = AWS_TEST.credentials;
  for (const secret of [accessKeyId, secretAccessKey, 'content of a picture', 'user/name', 'http://127'])
    expect(text).to.not.include(secret);
};
