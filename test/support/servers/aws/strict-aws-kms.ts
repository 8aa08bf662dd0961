import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Answer, openStrictServer, type ReceivedRequest, type StrictServer } from '../strict-server.ts';
import { wrongSignature } from './aws-signature.ts';

export const AWS_TEST = {
  region: 'eu-central-1',
  credentials: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI+bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
} as const;

interface TestKey {
  readonly secret: Buffer;
  state: 'Enabled' | 'Disabled' | 'PendingDeletion';
  /** Whether the caller's policy allows the key. */
  allowed: boolean;
}

export interface StrictAwsKms extends StrictServer {
  readonly keys: Map<string, TestKey>;
  /** Adds a key and returns its id. */
  addKey(id?: string): string;
  /** When set, requests are signed with temporary credentials. */
  sessionToken: string | undefined;
}

const refuse = (type: string, message = 'Refused.'): Answer => ({
  status: 400,
  headers: { 'Content-Type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: type, message }),
});
const give = (members: object): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(members),
});

type Members = Readonly<Record<string, unknown>>;

/** Strict base64 (RFC 4648 section 4) of 1 to `longest` bytes; undefined for anything else. */
const bytesOf = (value: unknown, longest: number): Buffer | undefined => {
  if (typeof value !== 'string') return undefined;
  const bytes = Buffer.from(value, 'base64');
  const isValid = bytes.toString('base64') === value && bytes.length >= 1 && bytes.length <= longest;
  return isValid ? bytes : undefined;
};

/** The data that the ciphertext is bound to: the key and the sorted encryption context. */
const associated = (keyId: string, context: unknown): Buffer | undefined => {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return undefined;
  const pairs = Object.entries(context);
  if (pairs.some(([, value]) => typeof value !== 'string')) return undefined;
  return Buffer.from(JSON.stringify([keyId, pairs.sort()]));
};

const encrypt = (keyId: string, key: TestKey, { Plaintext, EncryptionContext }: Members): Answer => {
  const plain = bytesOf(Plaintext, 4_096);
  const aad = associated(keyId, EncryptionContext);
  if (plain === undefined || aad === undefined) return refuse('ValidationException');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(aad);
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const CiphertextBlob = Buffer.concat([nonce, body]).toString('base64');
  return give({ CiphertextBlob, KeyId: keyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
};

const decrypt = (keyId: string, key: TestKey, { CiphertextBlob, EncryptionContext }: Members): Answer => {
  const blob = bytesOf(CiphertextBlob, 6_144);
  const aad = associated(keyId, EncryptionContext);
  if (blob === undefined || aad === undefined) return refuse('ValidationException');
  if (blob.length < 28) return refuse('InvalidCiphertextException');
  const decipher = createDecipheriv('aes-256-gcm', key.secret, blob.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(aad).setAuthTag(blob.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
    const Plaintext = plain.toString('base64');
    return give({ Plaintext, KeyId: keyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  } catch {
    return refuse('InvalidCiphertextException');
  }
};

const CALLS = {
  'TrentService.Encrypt': { members: ['EncryptionContext', 'KeyId', 'Plaintext'], run: encrypt },
  'TrentService.Decrypt': { members: ['CiphertextBlob', 'EncryptionContext', 'KeyId'], run: decrypt },
};

const isTarget = (target: unknown): target is keyof typeof CALLS =>
  typeof target === 'string' && target in CALLS;

/** Encrypt and Decrypt of AWS KMS according to its API reference; the signature of each request is checked. */
export const openStrictAwsKms = async (): Promise<StrictAwsKms> => {
  const keys = new Map<string, TestKey>();

  const answerTo = (request: ReceivedRequest): Answer => {
    const { 'x-amz-target': target, 'content-type': type } = request.headers;
    const { credentials, region } = AWS_TEST;
    const { accessKeyId: id, secretAccessKey: secret } = credentials;
    const token = kms.sessionToken;
    const wrong = wrongSignature(request, { id, secret, region, ...(token === undefined ? {} : { token }) });
    if (wrong !== undefined) return refuse(wrong);
    if (request.method !== 'POST' || request.path !== '/' || type !== 'application/x-amz-json-1.1') {
      return refuse('SerializationException');
    }
    if (!isTarget(target)) return refuse('UnknownOperationException');
    const members: Members = JSON.parse(request.body);
    const call = CALLS[target];
    if (Object.keys(members).sort().join() !== call.members.join()) return refuse('ValidationException');
    const keyId = String(members.KeyId);
    const key = keys.get(keyId);
    if (key?.allowed === false) return refuse('AccessDeniedException');
    if (key === undefined) return refuse('NotFoundException');
    if (key.state === 'Disabled') return refuse('DisabledException');
    if (key.state === 'PendingDeletion') return refuse('KMSInvalidStateException');
    return call.run(keyId, key, members);
  };

  const kms: StrictAwsKms = Object.assign(await openStrictServer(answerTo), {
    keys,
    addKey: (id = `1234abcd-12ab-34cd-56ef-${randomBytes(6).toString('hex')}`) => {
      keys.set(id, { secret: randomBytes(32), state: 'Enabled', allowed: true });
      return id;
    },
    sessionToken: undefined,
  });
  return kms;
};
