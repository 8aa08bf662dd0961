/** The claims of an access token whose signature, issuer and audience are verified. */
export interface AccessTokenClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  /** Unix seconds, like `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Present in a token for another service: its name in `TOKEN_AUDIENCES`. */
  readonly audience?: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Canonical base64url: no padding, and in the last character no stray bits (RFC 4648 section 3.5). May be empty. */
const PART = '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?';

/** Header, payload and signature; `(?!\.)` requires that the first two are not empty. Captures the header. */
const COMPACT = new RegExp(`^(?!\\.)(${PART})\\.(?!\\.)${PART}\\.${PART}$`);

// Far more than our tokens have, far fewer than a request may have.
const MOST_CHARACTERS = 4096;

const bytesOf = (part: string): Uint8Array =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/** Does not drop a byte order mark, so that no header has two spellings. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const parse = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    // The comparison refuses duplicate members, and JSON that is not compact.
    return isObject(value) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The key id in a token's header, if the header has exactly the members of our tokens: `alg` ES256, `typ` at+jwt and
 * `kid`, each once, as compact JSON. So no other member (`jwk`, `jku`, `x5c`, `crit`, …) can influence the verification.
 */
export const readKeyId = (token: string): string | undefined => {
  if (token.length > MOST_CHARACTERS) return undefined;
  const encodedHeader = COMPACT.exec(token)?.[1];
  const header = encodedHeader === undefined ? undefined : parse(utf8.decode(bytesOf(encodedHeader)));
  if (header === undefined) return undefined;
  const { alg, typ, kid, ...others } = header;
  const isOurs = alg === 'ES256' && typ === 'at+jwt' && Object.keys(others).length === 0;
  return isOurs && typeof kid === 'string' ? kid : undefined;
};

/** The order of P-256 (FIPS 186-5, SP 800-186 section 3.2.1.3). */
export const ES256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Bytes of each of the two numbers, r and s, of an ES256 signature (RFC 7518 section 3.4). */
export const ES256_SIZE = 32;

/**
 * Whether a token's signature has the low `s` that we issue: from (r, s) anybody can make (r, order - s), which verifies as
 * well. The token must have passed `readKeyId`. See decision 0016.
 */
export const hasLowSignature = (token: string): boolean => {
  const signature = bytesOf(token.slice(token.lastIndexOf('.') + 1));
  if (signature.length !== 2 * ES256_SIZE) return false;
  const s = signature.subarray(ES256_SIZE).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return s <= ES256_ORDER / 2n;
};

// How far the clock of the process that issued a token may be ahead of ours.
const IAT_TOLERANCE_SECONDS = 60;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The claims of a payload, without the audience; undefined if a claim is missing or malformed. */
export const readClaims = ({ sub, sid, jti, iat, exp }: Members): AccessTokenClaims | undefined =>
  isText(sub) && isText(sid) && isText(jti) && Number.isSafeInteger(iat) && Number.isSafeInteger(exp)
    ? { userId: sub, sessionId: sid, tokenId: jti, issuedAt: Number(iat), expiresAt: Number(exp) }
    : undefined;

/** Whether the claims are valid at `now` (epoch milliseconds). */
export const isTimely = ({ issuedAt, expiresAt }: AccessTokenClaims, now: number): boolean => {
  const seconds = Math.floor(now / 1000);
  return seconds < expiresAt && issuedAt <= seconds + IAT_TOLERANCE_SECONDS;
};

/** RFC 6750 section 2.1: the scheme in any case, then exactly one `b64token`. */
const BEARER = /^bearer +([a-z0-9._~+/-]+=*)$/i;

export const readBearer = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];
