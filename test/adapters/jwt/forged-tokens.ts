import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { makeSigningKeySet } from '../../../adapters/jwt/signing-keys.ts';
import { byEcdsa, byEd25519, byHmac, byNobody, byRsa, goodClaims, mint, NOW } from './minting.ts';

/** The key set that contains the key of `byUs`. */
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
export const good = { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid };
const { exp: _exp, ...endless } = goodClaims;
const { iat: _iat, ...undated } = goodClaims;
const { sid: _sid, ...sessionless } = goodClaims;
export const byUs = byEcdsa(ourKey);
const byForeigner = byEcdsa(foreign);
const withHeader = (more: object, signer = byUs) => mint({ ...good, ...more }, goodClaims, signer);
export const withClaims = (more: object, signer = byUs) => mint(good, { ...goodClaims, ...more }, signer);
export const seconds = NOW / 1000;

/**
 * Tokens that must be refused at `NOW`, by their defect. Tokens with a valid signature prove that the named check is
 * made besides that of the signature.
 */
export const forged: Readonly<Record<string, string>> = {
  'alg none': mint({ ...good, alg: 'none' }, goodClaims, byNobody),
  'alg NONE': mint({ ...good, alg: 'NONE' }, goodClaims, byNobody),
  'alg none and our valid signature': withHeader({ alg: 'none' }),
  'no alg': mint({ typ: 'at+jwt', kid: signingJwk.kid }, goodClaims, byUs),
  'alg in lower case': withHeader({ alg: 'es256' }),
  'alg as a list': withHeader({ alg: ['ES256'] }),
  'an empty signature': mint(good, goodClaims, byNobody),
  'a signature of zeros': mint(good, goodClaims, () => Buffer.alloc(64)),
  'the high-S form of our signature': mint(good, goodClaims, byEcdsa(ourKey, 'sha256', false)),
  'a signature in DER': mint(good, goodClaims, (input) => sign('sha256', input, ourKey)),
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
  'our key id and a foreign key': mint(good, goodClaims, byForeigner),
  'a foreign key id and key': withHeader({ kid: 'theirs' }, byForeigner),
  'a foreign key id and our key': withHeader({ kid: 'theirs' }),
  'no key id': mint({ alg: 'ES256', typ: 'at+jwt' }, goodClaims, byUs),
  'a key id that is a path': withHeader({ kid: '../../dev/null' }, byHmac('')),
  'a key id that is a property of every object': withHeader({ kid: 'constructor' }, byForeigner),
  'a key id that is a list': withHeader({ kid: [signingJwk.kid] }),
  'an embedded jwk': withHeader({ jwk: jwkOf(foreign) }, byForeigner),
  'an embedded jwk in place of the key id': mint(
    { alg: 'ES256', typ: 'at+jwt', jwk: jwkOf(foreign) },
    goodClaims,
    byForeigner,
  ),
  jku: withHeader({ jku: 'https://evil.test/jwks.json' }, byForeigner),
  x5u: withHeader({ x5u: 'https://evil.test/x.pem' }, byForeigner),
  x5c: withHeader({ x5c: [jwkOf(foreign).x] }, byForeigner),
  'an unexpected header name': withHeader({ jku: 'https://evil.test/jwks.json' }),
  crit: withHeader({ crit: ['exp'], exp: seconds + 900 }),
  'an unencoded payload': withHeader({ b64: false, crit: ['b64'] }),
  'no typ': mint({ alg: 'ES256', kid: signingJwk.kid }, goodClaims, byUs),
  'typ JWT': withHeader({ typ: 'JWT' }),
  'typ of a refresh token': withHeader({ typ: 'rt+jwt' }),
  'typ in upper case': withHeader({ typ: 'AT+JWT' }),
  'typ with its prefix': withHeader({ typ: 'application/at+jwt' }),
  'a header name twice, the invalid value last': mint(
    `{"alg":"ES256","typ":"at+jwt","kid":"${signingJwk.kid}","alg":"none"}`,
    goodClaims,
    byUs,
  ),
  'a header name twice, the valid value last': mint(
    `{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${signingJwk.kid}"}`,
    goodClaims,
    byUs,
  ),
  'a byte order mark before the header': mint(`\uFEFF${JSON.stringify(good)}`, goodClaims, byUs),
  'a header that is a list': mint([good], goodClaims, byUs),
  'a header that is null': mint(null, goodClaims, byUs),
  'a header that is not JSON': mint('alg: ES256', goodClaims, byUs),
  'claims that are a list': mint(good, [goodClaims], byUs),
  'claims that are not JSON': mint(good, 'sub: user-1', byUs),
  'another iss': withClaims({ iss: 'https://evil.test' }),
  'an iss with a trailing slash': withClaims({ iss: 'https://drop.test/' }),
  'a list as iss': withClaims({ iss: ['https://drop.test'] }),
  'another aud': withClaims({ aud: 'other' }),
  'an empty list as aud': withClaims({ aud: [] }),
  'no exp': mint(good, endless, byUs),
  'exp as text': withClaims({ exp: `${seconds + 900}` }),
  'an exp that is not whole': withClaims({ exp: seconds + 0.5 }),
  'an infinite exp': mint(good, JSON.stringify(goodClaims).replace(`${goodClaims.exp}`, '1e999'), byUs),
  'an exp equal to the current time': withClaims({ exp: seconds }),
  'an exp long past': withClaims({ iat: seconds - 1800, exp: seconds - 900 }),
  'an iat that is not whole': withClaims({ iat: seconds - 0.5 }),
  'no iat': mint(good, undated, byUs),
  'an iat 61 s ahead': withClaims({ iat: seconds + 61 }),
  'nbf ahead': withClaims({ nbf: seconds + 1 }),
  'no session': mint(good, sessionless, byUs),
  'a sub that is not text': withClaims({ sub: { $ne: '' } }),
  'an empty sub': withClaims({ sub: '' }),
};
