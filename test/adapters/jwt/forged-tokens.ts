import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { makeSigningKeySet } from '../../../adapters/jwt/signing-keys.ts';
import { byEcdsa, byEd25519, byHmac, byRsa, mint, NOW, unsigned, validClaims } from './minting.ts';

/** The key set that contains the key of `signedByUs`. */
export const ourKeySet = makeSigningKeySet(NOW);
const [signingJwk] = ourKeySet.keys;
if (signingJwk === undefined) throw new Error('No key was made.');
const { d: _, nbf, iat, ...ourJwk } = signingJwk;
const ourKey = createPrivateKey({ key: { ...signingJwk }, format: 'jwk' });
export const ourPublicKey = createPublicKey(ourKey);
const pem = (type: 'spki', key: KeyObject) => key.export({ type, format: 'pem' }).toString();
const jwkOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const ed25519 = generateKeyPairSync('ed25519').privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** The header of our tokens. */
export const validHeader = { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid };
const { exp: _exp, ...endless } = validClaims;
const { iat: _iat, ...undated } = validClaims;
const { sid: _sid, ...sessionless } = validClaims;
export const signedByUs = byEcdsa(ourKey);
const byForeigner = byEcdsa(foreign);
const withHeader = (more: object, signer = signedByUs) =>
  mint({ ...validHeader, ...more }, validClaims, signer);
export const withClaims = (more: object, signer = signedByUs) =>
  mint(validHeader, { ...validClaims, ...more }, signer);
export const seconds = NOW / 1000;

/**
 * Tokens that must be refused at `NOW`, by their defect. Tokens with a valid signature prove that the named check is
 * made besides that of the signature.
 */
export const forgedTokens: Readonly<Record<string, string>> = {
  'alg none': mint({ ...validHeader, alg: 'none' }, validClaims, unsigned),
  'alg NONE': mint({ ...validHeader, alg: 'NONE' }, validClaims, unsigned),
  'alg none and our valid signature': withHeader({ alg: 'none' }),
  'no alg': mint({ typ: 'at+jwt', kid: signingJwk.kid }, validClaims, signedByUs),
  'alg in lower case': withHeader({ alg: 'es256' }),
  'alg as a list': withHeader({ alg: ['ES256'] }),
  'an empty signature': mint(validHeader, validClaims, unsigned),
  'a signature of zeros': mint(validHeader, validClaims, () => Buffer.alloc(64)),
  'the high-S form of our signature': mint(validHeader, validClaims, byEcdsa(ourKey, 'sha256', false)),
  'a signature in DER': mint(validHeader, validClaims, (input) => sign('sha256', input, ourKey)),
  'HS256 with our public key (PEM) as secret': withHeader(
    { alg: 'HS256' },
    byHmac(pem('spki', ourPublicKey)),
  ),
  'HS256 with our public key (JWK) as secret': withHeader({ alg: 'HS256' }, byHmac(JSON.stringify(ourJwk))),
  'HS256 with the coordinate as secret': withHeader(
    { alg: 'HS256' },
    byHmac(Buffer.from(signingJwk.x, 'base64url')),
  ),
  'HS256 with an empty secret': withHeader({ alg: 'HS256' }, byHmac('')),
  'RS256 by a foreign key': withHeader({ alg: 'RS256' }, byRsa(rsa)),
  'ES384 by a foreign key': withHeader({ alg: 'ES384' }, byEcdsa(p384, 'sha384')),
  'EdDSA by a foreign key': withHeader({ alg: 'EdDSA' }, byEd25519(ed25519)),
  'our key id and a foreign key': mint(validHeader, validClaims, byForeigner),
  'a foreign key id and key': withHeader({ kid: 'theirs' }, byForeigner),
  'a foreign key id and our key': withHeader({ kid: 'theirs' }),
  'no key id': mint({ alg: 'ES256', typ: 'at+jwt' }, validClaims, signedByUs),
  'a key id that is a path': withHeader({ kid: '../../dev/null' }, byHmac('')),
  'a key id that is a property of every object': withHeader({ kid: 'constructor' }, byForeigner),
  'a key id that is a list': withHeader({ kid: [signingJwk.kid] }),
  'an embedded jwk': withHeader({ jwk: jwkOf(foreign) }, byForeigner),
  'an embedded jwk in place of the key id': mint(
    { alg: 'ES256', typ: 'at+jwt', jwk: jwkOf(foreign) },
    validClaims,
    byForeigner,
  ),
  jku: withHeader({ jku: 'https://evil.test/jwks.json' }, byForeigner),
  x5u: withHeader({ x5u: 'https://evil.test/x.pem' }, byForeigner),
  x5c: withHeader({ x5c: [jwkOf(foreign).x] }, byForeigner),
  'an unexpected header name': withHeader({ jku: 'https://evil.test/jwks.json' }),
  crit: withHeader({ crit: ['exp'], exp: seconds + 900 }),
  'an unencoded payload': withHeader({ b64: false, crit: ['b64'] }),
  'no typ': mint({ alg: 'ES256', kid: signingJwk.kid }, validClaims, signedByUs),
  'typ JWT': withHeader({ typ: 'JWT' }),
  'typ of a refresh token': withHeader({ typ: 'rt+jwt' }),
  'typ in upper case': withHeader({ typ: 'AT+JWT' }),
  'typ with its prefix': withHeader({ typ: 'application/at+jwt' }),
  'a header name twice, the invalid value last': mint(
    `{"alg":"ES256","typ":"at+jwt","kid":"${signingJwk.kid}","alg":"none"}`,
    validClaims,
    signedByUs,
  ),
  'a header name twice, the valid value last': mint(
    `{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${signingJwk.kid}"}`,
    validClaims,
    signedByUs,
  ),
  'a byte order mark before the header': mint(
    `\uFEFF${JSON.stringify(validHeader)}`,
    validClaims,
    signedByUs,
  ),
  'a header that is a list': mint([validHeader], validClaims, signedByUs),
  'a header that is null': mint(null, validClaims, signedByUs),
  'a header that is not JSON': mint('alg: ES256', validClaims, signedByUs),
  'claims that are a list': mint(validHeader, [validClaims], signedByUs),
  'claims that are not JSON': mint(validHeader, 'sub: user-1', signedByUs),
  'another iss': withClaims({ iss: 'https://evil.test' }),
  'an iss with a trailing slash': withClaims({ iss: 'https://drop.test/' }),
  'a list as iss': withClaims({ iss: ['https://drop.test'] }),
  'another aud': withClaims({ aud: 'other' }),
  'an empty list as aud': withClaims({ aud: [] }),
  'no exp': mint(validHeader, endless, signedByUs),
  'exp as text': withClaims({ exp: `${seconds + 900}` }),
  'an exp that is not whole': withClaims({ exp: seconds + 0.5 }),
  'an infinite exp': mint(
    validHeader,
    JSON.stringify(validClaims).replace(`${validClaims.exp}`, '1e999'),
    signedByUs,
  ),
  'an exp equal to the current time': withClaims({ exp: seconds }),
  'an exp long past': withClaims({ iat: seconds - 1800, exp: seconds - 900 }),
  'an iat that is not whole': withClaims({ iat: seconds - 0.5 }),
  'no iat': mint(validHeader, undated, signedByUs),
  'an iat 61 s ahead': withClaims({ iat: seconds + 61 }),
  'nbf ahead': withClaims({ nbf: seconds + 1 }),
  'no session': mint(validHeader, sessionless, signedByUs),
  'a sub that is not text': withClaims({ sub: { $ne: '' } }),
  'an empty sub': withClaims({ sub: '' }),
};
