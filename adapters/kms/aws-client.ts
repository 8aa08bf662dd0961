import { type AwsAccess, awsClientConfig, carryTrace, requireRegion } from '../calls/aws-client.ts';
import { orMissing } from '../calls/optional-package.ts';

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

/** Nothing is asked of KMS yet. Throws `MissingPackage` and `MissingRegion`. */
export const openAwsClient = async (access: AwsAccess): Promise<AwsClient> => {
  const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms').catch(
    orMissing('@aws-sdk/client-kms'),
  );
  const client = new KMSClient(awsClientConfig(access));
  await requireRegion(client);
  client.middlewareStack.add(carryTrace, { step: 'build', name: 'carryTrace' });
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
