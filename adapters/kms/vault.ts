import type { Log } from '../../core/ports.ts';
import { FailedAttempt } from '../calls/failed-attempt.ts';
import { contextDigest, invalidSealed } from './context-digest.ts';
import { makeKmsCalls, type RemoteKms, readBase64url } from './remote.ts';
import { makeTransitApi } from './vault-api.ts';

export interface VaultKmsSettings {
  /** Base address, without `/v1`. */
  readonly address: string;
  readonly token: string;
  /** The name of a key of the engine mounted at `transit`, of a type that takes associated data. */
  readonly transitKey: string;
}

export interface VaultKms extends RemoteKms {
  /** Makes a new version of the key, which seals from now on. Returns its id. Throws `unavailable`. */
  rotate(): Promise<string>;
}

/** Marks the form of the sealed texts. */
const FORM = 'vk1';
/** The form of a key's name, which becomes part of a path. */
const KEY_NAME = /^\w(?:[\w.-]{0,254}\w)?$/;
const KEY_VERSION = /^v([1-9]\d{0,9})$/;
const CIPHERTEXT = /^vault:v([1-9]\d{0,9}):([A-Za-z0-9+/]+={0,2})$/;
/** The time for which the latest version is cached: others may rotate the key as well. */
const LATEST_VERSION_LIFE_MS = 10_000;
/** A nonce and a tag, which every ciphertext has. */
const LEAST_BODY_BYTES = 28;
/** Far more than a sealed key or secret needs. */
const MOST_BODY_BYTES = 8_192;

interface Sealed {
  readonly key: string;
  readonly version: number;
  readonly body: Buffer;
}

const keyId = (key: string, version: number) => `${key}:v${version}`;

const write = ({ key, version, body }: Sealed) =>
  [FORM, Buffer.from(key).toString('base64url'), `v${version}`, body.toString('base64url')].join('.');

const read = (sealed: string): Sealed | undefined => {
  const [form, name = '', version = '', text = '', ...more] = sealed.split('.');
  if (form !== FORM || more.length > 0) return undefined;
  const key = readBase64url(name)?.toString('latin1') ?? '';
  const number = KEY_VERSION.exec(version)?.[1];
  const body = readBase64url(text);
  if (!KEY_NAME.test(key) || number === undefined || body === undefined) return undefined;
  if (body.length < LEAST_BODY_BYTES || body.length > MOST_BODY_BYTES) return undefined;
  return { key, version: Number(number), body };
};

const readCiphertext = (key: string, ciphertext: string): Sealed => {
  const [, version, body] = CIPHERTEXT.exec(ciphertext) ?? [];
  if (version === undefined || body === undefined) throw new FailedAttempt('passing', 'garbled');
  return { key, version: Number(version), body: Buffer.from(body, 'base64') };
};

/** The first byte of the frame: the version of its layout. */
const FRAME = Uint8Array.of(1);

/** Older versions of Vault silently ignore associated data, so the digest is also sealed in front of the plain bytes. */
const frame = (plain: Uint8Array, digest: Buffer) => Buffer.concat([FRAME, digest, plain]);

const unframe = (framed: Buffer, digest: Buffer): Uint8Array => {
  const head = frame(new Uint8Array(), digest);
  if (!framed.subarray(0, head.length).equals(head)) throw invalidSealed();
  return new Uint8Array(framed.subarray(head.length));
};

/**
 * A rejected decryption means an invalid text. A text may name another key than the configured one, perhaps a deleted key: a
 * lasting failure with such a key does not count against the service.
 */
const judgeOpening = (error: unknown, isConfiguredKey: boolean): unknown => {
  if (!(error instanceof FailedAttempt)) return error;
  if (error.reason === 'rejected') return invalidSealed();
  return error.kind === 'lasting' && !isConfiguredKey ? new FailedAttempt('elsewhere', error.reason) : error;
};

/**
 * Seals with a key of the transit engine of Vault or OpenBao; the form is
 * `vk1.<key name>.v<key version>.<ciphertext>`, name and ciphertext in base64url. Key ids are `<key name>:v<version>`.
 */
export const openVaultKms = (settings: VaultKmsSettings & { readonly log: Log }): VaultKms => {
  const { transitKey: key, log } = settings;
  const api = makeTransitApi(settings);
  const calls = makeKmsCalls(log);
  let latest = 0;
  let readAt = Number.NEGATIVE_INFINITY;

  /** Keeps the higher version: versions only grow, and responses may overtake each other. */
  const note = (version: number) => {
    latest = Math.max(latest, version);
    readAt = performance.now();
  };

  const readLatest = async (): Promise<string> => {
    note(await calls.run((signal) => api.readLatestVersion(key, signal)));
    return keyId(key, latest);
  };

  return {
    seal: async (plain, context) => {
      const digest = contextDigest(context);
      const framed = frame(plain, digest);
      const sealed = await calls.run(async (signal) =>
        readCiphertext(key, await api.encrypt(key, framed, digest, signal)),
      );
      if (sealed.version > latest) note(sealed.version);
      return write(sealed);
    },
    open: async (text, context) => {
      const sealed = read(text);
      if (sealed === undefined) throw invalidSealed();
      const digest = contextDigest(context);
      const ciphertext = `vault:v${sealed.version}:${sealed.body.toString('base64')}`;
      return calls.run(async (signal) => {
        const framed = await api.decrypt(sealed.key, ciphertext, digest, signal).catch((error: unknown) => {
          throw judgeOpening(error, sealed.key === key);
        });
        return unframe(framed, digest);
      });
    },
    keyOf: (sealed) => {
      const parsed = read(sealed);
      return parsed && keyId(parsed.key, parsed.version);
    },
    current: async () =>
      performance.now() - readAt < LATEST_VERSION_LIFE_MS ? keyId(key, latest) : readLatest(),
    rotate: async () => {
      // One attempt: after a lost response a repetition would make a second version.
      await calls.run((signal) => api.rotate(key, signal), 1);
      return readLatest();
    },
    isUp: calls.isUp,
    close: calls.close,
  };
};
