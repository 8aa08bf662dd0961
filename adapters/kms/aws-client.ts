import type { KMSClientConfig } from '@aws-sdk/client-kms';
import { traceHeaders } from '../calls/trace-headers.ts';

/** AWS's client of KMS. Only an installation with `KMS=aws` needs it, so it is installed apart from the others. */
export const AWS_PACKAGE = '@aws-sdk/client-kms';

export interface AwsClientSettings {
  /** Null: found in the usual places of AWS clients. */
  readonly region: string | null;
  /** Null: the public one of the region. */
  readonly endpoint: string | null;
  /** Null: found in the usual places of AWS clients. */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string | null;
  } | null;
}

/** What is given to one call of KMS. */
interface Question {
  readonly keyId: string;
  readonly bytes: Uint8Array;
  /** KMS authenticates it, and its audit log shows it. */
  readonly context: Record<string, string>;
}

/** The calls of KMS, in types of our own: an app compiles against this folder without the package. */
export interface AwsClient {
  /** Gives the ciphertext blob. Rejects with the errors of the package. */
  encrypt(question: Question, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Gives the plain bytes. Rejects with the errors of the package. */
  decrypt(question: Question, signal: AbortSignal): Promise<Uint8Array | undefined>;
  close(): void;
}

/** AWS's client of KMS is not installed. */
export class MissingAwsClient extends Error {
  override readonly name = 'MissingAwsClient';
}

/** Neither the settings nor the usual places of AWS clients name a region. */
export class MissingRegion extends Error {
  override readonly name = 'MissingRegion';
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(AWS_PACKAGE);

/** Loads the package, which takes a quarter of a second. */
const loadPackage = async (load: () => Promise<unknown>) => {
  try {
    return (await load()) as typeof import('@aws-sdk/client-kms');
  } catch (error) {
    throw isAbsent(error) ? new MissingAwsClient() : error;
  }
};

const clientConfig = ({ region, endpoint, credentials }: AwsClientSettings): KMSClientConfig => ({
  // The tries are counted and spaced by ours.
  maxAttempts: 1,
  ...(region === null ? {} : { region }),
  ...(endpoint === null ? {} : { endpoint }),
  ...(credentials === null
    ? {}
    : {
        credentials: {
          accessKeyId: credentials.accessKeyId,
          secretAccessKey: credentials.secretAccessKey,
          ...(credentials.sessionToken === null ? {} : { sessionToken: credentials.sessionToken }),
        },
      }),
});

const hasHeaders = (request: unknown): request is { readonly headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** Nothing is asked of KMS yet. Throws `MissingAwsClient` and `MissingRegion`. */
export const openAwsClient = async (
  settings: AwsClientSettings,
  load: () => Promise<unknown> = () => import('@aws-sdk/client-kms'),
): Promise<AwsClient> => {
  const { DecryptCommand, EncryptCommand, KMSClient } = await loadPackage(load);
  const client = new KMSClient(clientConfig(settings));
  await client.config.region().catch(() => {
    throw new MissingRegion();
  });
  // Before the request is signed: the signature takes in what stands there.
  client.middlewareStack.add(
    (next) => (step) => {
      if (hasHeaders(step.request)) Object.assign(step.request.headers, traceHeaders());
      return next(step);
    },
    { step: 'build', name: 'traceHeaders' },
  );
  return {
    encrypt: async ({ keyId, bytes, context }, abortSignal) => {
      const command = new EncryptCommand({ KeyId: keyId, Plaintext: bytes, EncryptionContext: context });
      return (await client.send(command, { abortSignal })).CiphertextBlob;
    },
    decrypt: async ({ keyId, bytes, context }, abortSignal) => {
      const command = new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: bytes,
        EncryptionContext: context,
      });
      return (await client.send(command, { abortSignal })).Plaintext;
    },
    close: () => client.destroy(),
  };
};
