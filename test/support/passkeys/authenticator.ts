import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { cbor } from './cbor.ts';

// An authenticator and its browser in software: the `toJSON()` of what `navigator.credentials` returns, with attestation
// `none`. Tests can make them lie about every member.

/** Values that the user, the browser or the device reports, true or false. */
export interface Behaviour {
  readonly origin?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: unknown;
  readonly topOrigin?: string;
  readonly rpId?: string;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
  readonly counter?: number;
  /** The user handle of an assertion; null leaves it out. */
  readonly userHandle?: string | null;
  /** Replaces the COSE key that is registered. */
  readonly key?: Buffer;
  /** Replaces the attestation format `none`, whose statement is empty. */
  readonly statement?: { readonly format: string; readonly values: ReadonlyMap<string, Uint8Array> };
  /** Replaces the valid signature. */
  readonly signature?: (valid: Buffer) => Buffer;
}

export interface Credential {
  readonly id: string;
  readonly algorithm: number;
  readonly privateKey: KeyObject;
  readonly key: Buffer;
  readonly userHandle: string;
  readonly behaviour: Behaviour;
  counter: number;
}

/** The WebAuthn options, as far as an authenticator reads them. */
export interface CredentialOptions {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly pubKeyCredParams?: readonly { readonly alg: number }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

const bytesOf = (jwk: JsonWebKey, name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] ?? '', 'base64url');

/** A key pair, with the public key in COSE. */
export const makeKey = (algorithm: number, bits = 2_048) => {
  if (algorithm === -257) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    const jwk = publicKey.export({ format: 'jwk' });
    const parts = [[1, 3] as const, [3, -257] as const];
    return {
      privateKey,
      key: cbor(
        new Map<number, number | Buffer>([...parts, [-1, bytesOf(jwk, 'n')], [-2, bytesOf(jwk, 'e')]]),
      ),
    };
  }
  if (algorithm === -8) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const x = bytesOf(publicKey.export({ format: 'jwk' }), 'x');
    return {
      privateKey,
      key: cbor(
        new Map<number, number | Buffer>([
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, x],
        ]),
      ),
    };
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const point = [[-2, bytesOf(jwk, 'x')] as const, [-3, bytesOf(jwk, 'y')] as const];
  return {
    privateKey,
    key: cbor(new Map<number, number | Buffer>([[1, 2], [3, algorithm], [-1, 1], ...point])),
  };
};

const clientData = (type: string, challenge: string, origin: string, behaviour: Behaviour): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: behaviour.type ?? type,
      challenge: behaviour.challenge ?? challenge,
      origin: behaviour.origin ?? origin,
      crossOrigin: behaviour.crossOrigin ?? false,
      ...(behaviour.topOrigin !== undefined && { topOrigin: behaviour.topOrigin }),
    }),
  );

const authenticatorData = (
  rpId: string,
  counter: number,
  behaviour: Behaviour,
  attested?: Buffer,
): Buffer => {
  const flags =
    ((behaviour.userPresent ?? true) ? 0x01 : 0) |
    ((behaviour.userVerified ?? true) ? 0x04 : 0) |
    (behaviour.backupEligible ? 0x08 : 0) |
    (behaviour.backedUp ? 0x10 : 0) |
    (attested ? 0x40 : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(behaviour.counter ?? counter);
  return Buffer.concat([
    sha256(behaviour.rpId ?? rpId),
    Buffer.of(flags),
    count,
    attested ?? Buffer.alloc(0),
  ]);
};

const credentialJson = (id: string, response: object) => ({
  id,
  rawId: id,
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
  response,
});

export const makeAuthenticator = (origin: string) => ({
  /** A new credential, and the registration response. */
  create(
    options: CredentialOptions,
    behaviour: Behaviour & { readonly algorithm?: number; readonly id?: Buffer } = {},
  ) {
    const algorithm = behaviour.algorithm ?? options.pubKeyCredParams?.[0]?.alg ?? -7;
    const id = behaviour.id ?? randomBytes(32);
    const pair = makeKey(algorithm);
    const key = behaviour.key ?? pair.key;
    const length = Buffer.of(id.length >> 8, id.length & 255);
    const data = authenticatorData(
      options.rp?.id ?? '',
      0,
      behaviour,
      Buffer.concat([Buffer.alloc(16), length, id, key]),
    );
    const object = new Map<string, string | Buffer | ReadonlyMap<string, Uint8Array>>([
      ['fmt', behaviour.statement?.format ?? 'none'],
      ['attStmt', behaviour.statement?.values ?? new Map()],
      ['authData', data],
    ]);
    const credential: Credential = {
      ...{ id: base64url(id), algorithm, key, privateKey: pair.privateKey },
      userHandle: options.user?.id ?? '',
      behaviour,
      counter: behaviour.counter ?? 0,
    };
    const response = {
      clientDataJSON: base64url(clientData('webauthn.create', options.challenge, origin, behaviour)),
      attestationObject: base64url(cbor(object)),
      transports: ['internal', 'hybrid'],
    };
    return { credential, answer: credentialJson(credential.id, response) };
  },

  /** The assertion of a credential. Its counter stays 0 unless it began at another number. */
  get(options: CredentialOptions, credential: Credential, behaviour: Behaviour = {}) {
    const { counter: _, ...credentialBehaviour } = credential.behaviour;
    const merged: Behaviour = { ...credentialBehaviour, ...behaviour };
    if (credential.counter > 0) credential.counter += 1;
    const data = authenticatorData(options.rpId ?? '', credential.counter, merged);
    const client = clientData('webauthn.get', options.challenge, origin, merged);
    const hash = credential.algorithm === -8 ? null : 'sha256';
    const validSignature = sign(hash, Buffer.concat([data, sha256(client)]), credential.privateKey);
    const userHandle = merged.userHandle === undefined ? credential.userHandle : merged.userHandle;
    return credentialJson(credential.id, {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(merged.signature?.(validSignature) ?? validSignature),
      ...(userHandle !== null && { userHandle }),
    });
  },
});

export type Authenticator = ReturnType<typeof makeAuthenticator>;
