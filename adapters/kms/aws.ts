import type { Log } from '../../core/ports.ts';
import type { AwsAccess } from '../calls/aws-client.ts';
import { FailedTry } from '../calls/failed-try.ts';
import { openAwsClient } from './aws-client.ts';
import { judgeKmsFailure } from './aws-failures.ts';
import { makeKmsCalls, type RemoteKms } from './remote.ts';
import { contextDigest, invalidSealed, readBase64url } from './sealed-text.ts';

export interface AwsKmsSettings extends AwsAccess {
  /** A key id, key ARN, alias name or alias ARN. Its ARN names the region, whatever `region` says. */
  readonly keyId: string;
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

/** The digest goes where KMS authenticates it, and its audit log shows it. */
const encryptionContext = (context: string) => ({ context: contextDigest(context).toString('base64url') });

/**
 * Seals with a key of AWS KMS, by its calls Encrypt and Decrypt; the form is `ak1.<key id as set>.<ciphertext blob>`,
 * both in base64url. What another key sealed is opened with that one, as long as the credentials may. Nothing is asked
 * of KMS at the start. Throws `MissingRegion` and `MissingPackage`.
 */
export const openAwsKms = async (given: AwsKmsSettings & { readonly log: Log }): Promise<RemoteKms> => {
  const { keyId, log } = given;
  const client = await openAwsClient({ ...given, region: regionOf(keyId) ?? given.region });
  const calls = makeKmsCalls(log);

  return {
    seal: (plain, context) => {
      const bytes = Buffer.concat([Uint8Array.of(FRAME), plain]);
      const question = { keyId, bytes, context: encryptionContext(context) };
      return calls.run(async (signal) => {
        const blob = await client.encrypt(question, signal).catch((error: unknown) => {
          throw judgeKmsFailure(error, { opening: false, isSetKey: true });
        });
        if (blob === undefined || blob.length === 0) throw new FailedTry('passing', 'garbled');
        return write({ keyId, blob });
      });
    },
    open: async (text, context) => {
      const sealed = read(text);
      if (sealed === undefined) throw invalidSealed();
      const question = { keyId: sealed.keyId, bytes: sealed.blob, context: encryptionContext(context) };
      return calls.run(async (signal) => {
        const plain = await client.decrypt(question, signal).catch((error: unknown) => {
          throw judgeKmsFailure(error, { opening: true, isSetKey: sealed.keyId === keyId });
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
      client.close();
    },
  };
};
