import type { KMSClientConfig } from '@aws-sdk/client-kms';
import type { Log } from '../../core/ports.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { loadAwsClient } from './aws-client.ts';
import { judgeAwsFailure } from './aws-failures.ts';
import { makeKmsCalls, type RemoteKms } from './remote.ts';
import { contextDigest, invalidSealed, readBase64url } from './sealed-text.ts';

export interface AwsKmsSettings {
  /** A key id, key ARN, alias name or alias ARN. */
  readonly keyId: string;
  /** Null: that of the key's ARN, or found in the usual places of AWS clients. */
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

/** Neither the settings nor the key's ARN nor the usual places of AWS clients name a region. */
export class MissingRegion extends Error {
  override readonly name = 'MissingRegion';
}

const VERSION = 'ak1';
const KEY_ID = /^[\w:/-]{1,2048}$/;
/** Bytes that KMS takes back (API_Decrypt: CiphertextBlob). */
const BLOB_LONGEST = 6_144;
/** Stands before what is sealed, since KMS seals no empty text. */
const FRAME = 1;

interface Sealed {
  readonly keyId: string;
  readonly blob: Uint8Array;
}

const write = ({ keyId, blob }: Sealed) =>
  [VERSION, Buffer.from(keyId).toString('base64url'), Buffer.from(blob).toString('base64url')].join('.');

const read = (sealed: string): Sealed | undefined => {
  const [version, key = '', body = '', ...more] = sealed.split('.');
  if (version !== VERSION || more.length > 0) return undefined;
  const keyId = readBase64url(key)?.toString('latin1') ?? '';
  const blob = readBase64url(body);
  const isWhole = KEY_ID.test(keyId) && blob !== undefined && blob.length > 0 && blob.length <= BLOB_LONGEST;
  return isWhole ? { keyId, blob } : undefined;
};

const regionOf = (keyId: string): string | undefined => /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1];

const clientConfig = ({ keyId, region, endpoint, credentials }: AwsKmsSettings): KMSClientConfig => {
  const place = regionOf(keyId) ?? region;
  return {
    // The tries are counted and spaced by ours.
    maxAttempts: 1,
    ...(place === null ? {} : { region: place }),
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
  };
};

const hasHeaders = (request: unknown): request is { readonly headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** The digest goes where KMS authenticates it, and its audit log shows it. */
const encryptionContext = (context: string) => ({ context: contextDigest(context).toString('base64url') });

/**
 * Seals with a key of AWS KMS, by its calls Encrypt and Decrypt; the form is `ak1.<key id as set>.<ciphertext blob>`,
 * both in base64url. What another key sealed is opened with that one, as long as the credentials may. Nothing is asked
 * of KMS at the start. Throws `MissingRegion` and `MissingAwsClient`.
 */
export const openAwsKms = async (given: AwsKmsSettings & { readonly log: Log }): Promise<RemoteKms> => {
  const { keyId, log } = given;
  const { DecryptCommand, EncryptCommand, KMSClient } = await loadAwsClient();
  const client = new KMSClient(clientConfig(given));
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
  const calls = makeKmsCalls(log);

  return {
    seal: (plain, context) => {
      const question = new EncryptCommand({
        KeyId: keyId,
        Plaintext: Buffer.concat([Uint8Array.of(FRAME), plain]),
        EncryptionContext: encryptionContext(context),
      });
      return calls.run(async (abortSignal) => {
        const { CiphertextBlob: blob } = await client
          .send(question, { abortSignal })
          .catch((error: unknown) => {
            throw judgeAwsFailure(error, { opening: false, isSetKey: true });
          });
        if (blob === undefined || blob.length === 0) throw new FailedTry('passing', 'garbled');
        return write({ keyId, blob });
      });
    },
    open: async (text, context) => {
      const sealed = read(text);
      if (sealed === undefined) throw invalidSealed();
      const question = new DecryptCommand({
        KeyId: sealed.keyId,
        CiphertextBlob: sealed.blob,
        EncryptionContext: encryptionContext(context),
      });
      return calls.run(async (abortSignal) => {
        const { Plaintext: plain } = await client.send(question, { abortSignal }).catch((error: unknown) => {
          throw judgeAwsFailure(error, { opening: true, isSetKey: sealed.keyId === keyId });
        });
        if (plain === undefined) throw new FailedTry('passing', 'garbled');
        if (plain[0] !== FRAME) throw invalidSealed();
        return new Uint8Array(plain.subarray(1));
      });
    },
    keyOf: (sealed) => read(sealed)?.keyId,
    current: async () => keyId,
    isUp: calls.isUp,
    close: () => {
      calls.close();
      client.destroy();
    },
  };
};
