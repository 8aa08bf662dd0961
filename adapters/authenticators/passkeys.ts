import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { CredentialJson, PasskeyRefused, Passkeys, RelyingParty } from '../../core/accounts/ports.ts';
import { orMissing } from '../calls/optional-package.ts';
import { missingPackages } from '../config/config-error.ts';
import { isRecord } from '../files/json.ts';

/** A COSE key (RFC 9052), decoded. */
export type CoseKey = ReadonlyMap<number, unknown>;

/** The labels of key parameters (RFC 9053; RSA: RFC 8230). The meaning of the negative labels depends on the key type. */
const LABEL = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;
const KEY_TYPE = { okp: 1, ec2: 2, rsa: 3 } as const;
const CURVE = { p256: 1, ed25519: 6 } as const;
const ALGORITHM = { es256: -7, eddsa: -8, rs256: -257 } as const;

/** Lengths of RSA keys in bits. Shorter keys can be factored at great expense; longer keys only take longer to check. */
const RSA = { least: 2_048, most: 8_192 };

const toBase64url = (value: unknown): string | undefined =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined;

/** The key as a JWK: only the three requested algorithms, each with its one type and curve. */
const jwkOf = (key: CoseKey): JsonWebKey | undefined => {
  const type = key.get(LABEL.kty);
  const curve = key.get(LABEL.crv);
  const x = toBase64url(key.get(LABEL.x));
  const y = toBase64url(key.get(LABEL.y));
  const n = toBase64url(key.get(LABEL.n));
  const e = toBase64url(key.get(LABEL.e));
  switch (key.get(LABEL.alg)) {
    case ALGORITHM.es256:
      return type === KEY_TYPE.ec2 && curve === CURVE.p256 && x && y
        ? { kty: 'EC', crv: 'P-256', x, y }
        : undefined;
    case ALGORITHM.eddsa:
      return type === KEY_TYPE.okp && curve === CURVE.ed25519 && x
        ? { kty: 'OKP', crv: 'Ed25519', x }
        : undefined;
    case ALGORITHM.rs256:
      return type === KEY_TYPE.rsa && n && e ? { kty: 'RSA', n, e } : undefined;
    default:
      return undefined;
  }
};

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  if (asymmetricKeyType !== 'rsa') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  const isUsualExponent = publicExponent >= 3n && publicExponent < 2n ** 32n && publicExponent % 2n === 1n;
  return modulusLength >= RSA.least && modulusLength <= RSA.most && isUsualExponent;
};

/**
 * The algorithm of a usable key; undefined for any other key. At a registration without attestation, the library checks
 * only a key's algorithm number: it accepts a point outside the curve, RSA of 512 bits, or a curve of another algorithm.
 */
const algorithmOf = (key: CoseKey, allowed: readonly number[]): number | undefined => {
  const algorithm = key.get(LABEL.alg);
  const jwk = jwkOf(key);
  if (typeof algorithm !== 'number' || !allowed.includes(algorithm) || jwk === undefined) return undefined;
  try {
    return isStrong(createPublicKey({ key: jwk, format: 'jwk' })) ? algorithm : undefined;
  } catch {
    return undefined;
  }
};

const BASE64URL = /^[A-Za-z0-9_-]+$/;

const parseClientData = (text: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof text !== 'string' || !BASE64URL.test(text)) return undefined;
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isRecord(data) ? data : undefined;
  } catch {
    return undefined;
  }
};

const responseOf = ({ response }: CredentialJson): Readonly<Record<string, unknown>> | undefined =>
  isRecord(response) ? response : undefined;

/**
 * The first failed check of the client data (WebAuthn Level 3, section 5.8.1). The library makes most of these checks, too, but
 * ignores `crossOrigin` at a registration, and at a sign-in without `topOrigin`.
 */
const refuseClientData = (
  answer: CredentialJson,
  type: 'webauthn.create' | 'webauthn.get',
  challenge: string,
  { origins }: RelyingParty,
): PasskeyRefused | undefined => {
  const data = parseClientData(responseOf(answer)?.clientDataJSON);
  if (data === undefined || data.type !== type) return { reason: 'malformed' };
  if (data.challenge !== challenge) return { reason: 'challenge' };
  if (!origins.some((origin) => origin === data.origin)) return { reason: 'origin' };
  const isFramed = (data.crossOrigin ?? false) !== false || data.topOrigin !== undefined;
  return isFramed ? { reason: 'framed' } : undefined;
};

const PACKAGE = '@simplewebauthn/server';

/** Looks the package up without loading it. */
const requireLibrary = (): void => {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    throw missingPackages('PASSKEYS', 'passkeys need a package', [PACKAGE]);
  }
};

/** Loads the package with the first ceremony: it takes 0.2 s and 25 MB. */
const load = async () => {
  // One after the other: Jest's loader fails where two imports at once share modules.
  const server = await import('@simplewebauthn/server').catch(orMissing(PACKAGE));
  const helpers = await import('@simplewebauthn/server/helpers').catch(orMissing(PACKAGE));
  return { ...server, ...helpers };
};

type Library = Awaited<ReturnType<typeof load>>;

/** The longest credential id (WebAuthn Level 3, section 7.1, step 25). */
const ID_LONGEST = 1_023;

// The library makes an object of each CBOR item, and an item may be a single byte. A request of the greatest length, full of
// such items, would block all other requests for a fifth of a second. These limits, in bytes, leave room for the longest id and
// key, and for the certificates of an attestation statement.
const AUTHENTICATOR_DATA_LONGEST = 3_072;
const ATTESTATION_OBJECT_LONGEST = 12_288;

const isWithin = (text: unknown, longest: number): text is string =>
  typeof text === 'string' && Buffer.byteLength(text, 'base64url') <= longest;

const TRANSPORTS = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

const MALFORMED: PasskeyRefused = { reason: 'malformed' };
const NOT_PROVED: PasskeyRefused = { reason: 'not_proved' };

const transportsOf = (values: unknown): readonly string[] =>
  Array.isArray(values) ? [...TRANSPORTS].filter((transport) => values.includes(transport)) : [];

const isBackupEligible = ({ credentialDeviceType }: { readonly credentialDeviceType: string }) =>
  credentialDeviceType === 'multiDevice';

/**
 * Removes the attestation statement, which we do not verify: the library would fetch revocation lists from addresses in it.
 * Undefined if the authenticator data is too long.
 */
const withoutStatement = (
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Library,
  attestationObject: string,
): string | undefined => {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  if (authData.length > AUTHENTICATOR_DATA_LONGEST) return undefined;
  const stripped = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(stripped));
};

const makeRegister =
  (relyingParty: RelyingParty): Passkeys['register'] =>
  async (answer, { challenge, rpId, algorithms }) => {
    const refused = refuseClientData(answer, 'webauthn.create', challenge, relyingParty);
    if (refused !== undefined) return refused;
    const library = await load();
    const { attestationObject, transports } = responseOf(answer) ?? {};
    const stripped = isWithin(attestationObject, ATTESTATION_OBJECT_LONGEST)
      ? withoutStatement(library, attestationObject)
      : undefined;
    if (stripped === undefined) return MALFORMED;
    const response = { ...responseOf(answer), attestationObject: stripped };
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...answer, response } as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: rpId,
      // The caller decides, by `userVerified` of the result.
      requireUserVerification: false,
      // Always set: by default the library adds ML-DSA if the runtime supports it.
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified || registrationInfo === undefined) return NOT_PROVED;
    const { credential, userVerified, credentialBackedUp, aaguid } = registrationInfo;
    // The library does not compare the id beside the response with the authenticator's.
    if (answer.id !== credential.id || !isWithin(credential.id, ID_LONGEST)) return MALFORMED;
    const key: unknown = library.decodeCredentialPublicKey(credential.publicKey);
    const algorithm = algorithmOf(key as CoseKey, algorithms);
    if (algorithm === undefined) return { reason: 'algorithm' };
    return {
      credentialId: credential.id,
      key: Buffer.from(credential.publicKey).toString('base64url'),
      algorithm,
      counter: credential.counter,
      transports: transportsOf(transports),
      backupEligible: isBackupEligible(registrationInfo),
      backedUp: credentialBackedUp,
      userVerified,
      aaguid,
    };
  };

const makeAssert =
  (relyingParty: RelyingParty): Passkeys['assert'] =>
  async (answer, { challenge, rpId, key }) => {
    const refused = refuseClientData(answer, 'webauthn.get', challenge, relyingParty);
    if (refused !== undefined) return refused;
    if (!isWithin(responseOf(answer)?.authenticatorData, AUTHENTICATOR_DATA_LONGEST)) return MALFORMED;
    const { verifyAuthenticationResponse } = await load();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: rpId,
      // The caller decides, by `userVerified` of the result.
      requireUserVerification: false,
      credential: {
        id: String(answer.id),
        publicKey: new Uint8Array(Buffer.from(key, 'base64url')),
        // With 0 the library never rejects the counter, which the caller checks.
        counter: 0,
      },
    });
    if (!verified) return NOT_PROVED;
    return {
      counter: authenticationInfo.newCounter,
      backupEligible: isBackupEligible(authenticationInfo),
      backedUp: authenticationInfo.credentialBackedUp,
      userVerified: authenticationInfo.userVerified,
    };
  };

/** Returns a refusal for errors of the library, which throws for malformed and most unproved responses. */
const orRefused =
  <Options, Result>(check: (answer: CredentialJson, options: Options) => Promise<Result | PasskeyRefused>) =>
  async (answer: CredentialJson, options: Options): Promise<Result | PasskeyRefused> => {
    // Before the `catch` below: a missing package is no refusal.
    await load();
    return check(answer, options).catch(() => NOT_PROVED);
  };

/** `relyingParty` is null where passkeys are off. Throws `ConfigError` where they are on and the library is not installed. */
export const makePasskeys = (relyingParty: RelyingParty | null): Passkeys => {
  if (relyingParty !== null) requireLibrary();
  // The core asks for no ceremony while passkeys are off; without origins none would pass.
  const site = relyingParty ?? { id: '', origins: [] };
  return { relyingParty, register: orRefused(makeRegister(site)), assert: orRefused(makeAssert(site)) };
};
