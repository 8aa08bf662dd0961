import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** A COSE key (RFC 9052), decoded. */
export type CoseKey = ReadonlyMap<number, unknown>;

// The labels of RFC 9053. What -1 to -3 mean depends on the type of the key.
const [TYPE, ALGORITHM, FIRST, SECOND, THIRD] = [1, 3, -1, -2, -3];
const [OKP, EC2, RSA] = [1, 2, 3];
const [ED25519, P256] = [6, 1];

/** Shorter ones are within reach of those who have the means. */
const RSA_BITS = 2_048;
/** Longer ones only cost time to check. */
const RSA_BITS_MOST = 8_192;

const text = (value: unknown): string | undefined =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined;

/** Of the three algorithms that we ask for, each with the one type and curve that it may have. */
const jwkOf = (key: CoseKey): JsonWebKey | undefined => {
  const [first, second, third] = [FIRST, SECOND, THIRD].map((label) => key.get(label));
  const [x, y, n, e] = [text(second), text(third), text(first), text(second)];
  switch (key.get(ALGORITHM)) {
    case -7:
      return key.get(TYPE) === EC2 && first === P256 && x && y
        ? { kty: 'EC', crv: 'P-256', x, y }
        : undefined;
    case -8:
      return key.get(TYPE) === OKP && first === ED25519 && x ? { kty: 'OKP', crv: 'Ed25519', x } : undefined;
    case -257:
      return key.get(TYPE) === RSA && n && e ? { kty: 'RSA', n, e } : undefined;
    default:
      return undefined;
  }
};

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  if (asymmetricKeyType !== 'rsa') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  const isFast = publicExponent >= 3n && publicExponent < 2n ** 32n && publicExponent % 2n === 1n;
  return modulusLength >= RSA_BITS && modulusLength <= RSA_BITS_MOST && isFast;
};

/**
 * The algorithm of a key that signatures can be checked by; undefined for any other key. The library stores whatever a
 * registration without attestation brings: a point beside the curve, RSA of 512 bits, another curve than the
 * algorithm's.
 */
export const algorithmOf = (key: CoseKey, allowed: readonly number[]): number | undefined => {
  const algorithm = key.get(ALGORITHM);
  const jwk = jwkOf(key);
  if (typeof algorithm !== 'number' || !allowed.includes(algorithm) || jwk === undefined) return undefined;
  try {
    return isStrong(createPublicKey({ key: jwk, format: 'jwk' })) ? algorithm : undefined;
  } catch {
    return undefined;
  }
};
