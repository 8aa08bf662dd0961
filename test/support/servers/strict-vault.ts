import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Answer, openStrictServer, type ReceivedRequest, type StrictServer } from './strict-server.ts';

export const VAULT_TOKEN = 'hvs.CAESIJexampleexampleexample';

interface TestTransitKey {
  readonly versions: Buffer[];
  minDecryptionVersion: number;
  /** Whether the token's policy allows the key. */
  allowed: boolean;
}

export interface StrictVault extends StrictServer {
  readonly keys: Map<string, TestTransitKey>;
  addKey(name: string): void;
  /** Whether the server is sealed, as by `vault operator seal`. */
  sealed: boolean;
  /** Older versions ignore associated data. */
  knowsAssociatedData: boolean;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const refuse = (status: number, ...errors: string[]): Answer => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify({ errors }),
});
const give = (data: object): Answer => ({
  status: 200,
  headers: JSON_TYPE,
  body: JSON.stringify({
    request_id: 'r',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data,
    auth: null,
  }),
});

type Members = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): Buffer | undefined => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  return bytes?.toString('base64') === value ? bytes : undefined;
};

const encrypt = (key: TestTransitKey, plain: Buffer, aad: Buffer): Answer => {
  const version = key.versions.length;
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.versions[version - 1] ?? '', nonce).setAAD(aad);
  const body = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return give({ ciphertext: `vault:v${version}:${body.toString('base64')}`, key_version: version });
};

const decrypt = (key: TestTransitKey, text: string, aad: Buffer): Answer => {
  const [, number = '', encoded = ''] = /^vault:v(\d+):(.*)$/s.exec(text) ?? [];
  // Version 0 means version 1.
  const version = Math.max(1, Number(number));
  const secret = key.versions[version - 1];
  const body = bytesOf(encoded);
  if (number === '' || secret === undefined) return refuse(400, 'invalid ciphertext: version is too new');
  if (version < key.minDecryptionVersion) {
    return refuse(400, 'ciphertext or signature version is disallowed by policy (too old)');
  }
  if (body === undefined || body.length < 28)
    return refuse(400, 'invalid ciphertext: could not decode base64');
  const decipher = createDecipheriv('aes-256-gcm', secret, body.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(aad).setAuthTag(body.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]);
    return give({ plaintext: plain.toString('base64') });
  } catch {
    return refuse(400, 'cipher: message authentication failed');
  }
};

const describeKey = (name: string, key: TestTransitKey): Answer =>
  give({
    name,
    type: 'aes256-gcm96',
    derived: false,
    keys: Object.fromEntries(key.versions.map((_, index) => [index + 1, 1_442_851_412])),
    latest_version: key.versions.length,
    min_decryption_version: key.minDecryptionVersion,
    min_encryption_version: 0,
    supports_encryption: true,
  });

/** The calls of the transit engine according to Vault's API documentation, for one token. */
export const openStrictVault = async (): Promise<StrictVault> => {
  const keys = new Map<string, TestTransitKey>();

  const answerTo = ({ method, path, headers, body }: ReceivedRequest): Answer => {
    if (vault.sealed) return refuse(503, 'Vault is sealed');
    const [, act, name = '', rotates] =
      /^\/v1\/transit\/(encrypt|decrypt|keys)\/([\w.-]+)(\/rotate)?$/.exec(path) ?? [];
    if (headers['x-vault-token'] !== VAULT_TOKEN) return refuse(403, 'permission denied');
    const key = keys.get(name);
    if (key?.allowed === false) return refuse(403, '1 error occurred:\n\t* permission denied\n\n');
    const call = `${method} ${act}${rotates ?? ''}`;
    if (call === 'GET keys') return key === undefined ? refuse(404) : describeKey(name, key);
    if (key === undefined) return refuse(400, 'encryption key not found');
    if (call === 'POST keys/rotate') {
      key.versions.push(randomBytes(32));
      return describeKey(name, key);
    }
    if (headers['content-type'] !== 'application/json') return refuse(400, 'error parsing JSON');
    const members: Members = JSON.parse(body);
    const plain = bytesOf(members.plaintext);
    const associatedData = bytesOf(members.associated_data);
    const expected = act === 'encrypt' ? 'associated_data,plaintext' : 'associated_data,ciphertext';
    if (Object.keys(members).sort().join() !== expected || associatedData === undefined)
      return refuse(400, 'unknown field');
    const associated = vault.knowsAssociatedData ? associatedData : Buffer.alloc(0);
    if (call === 'POST encrypt' && plain !== undefined) return encrypt(key, plain, associated);
    if (call === 'POST decrypt') return decrypt(key, String(members.ciphertext), associated);
    return refuse(405, 'unsupported operation');
  };

  const vault: StrictVault = Object.assign(await openStrictServer(answerTo), {
    keys,
    addKey: (name: string) => {
      keys.set(name, { versions: [randomBytes(32)], minDecryptionVersion: 1, allowed: true });
    },
    sealed: false,
    knowsAssociatedData: true,
  });
  return vault;
};
