/** AWS's client of KMS. Only an installation with `KMS=aws` needs it, so it is installed apart from the others. */
export const AWS_PACKAGE = '@aws-sdk/client-kms';

/** AWS's client of KMS is not installed. */
export class MissingAwsClient extends Error {
  override readonly name = 'MissingAwsClient';
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(AWS_PACKAGE);

/** Loads it, which takes a quarter of a second. Throws `MissingAwsClient`. */
export const loadAwsClient = async (load = () => import('@aws-sdk/client-kms')) => {
  try {
    return await load();
  } catch (error) {
    throw isAbsent(error) ? new MissingAwsClient() : error;
  }
};
