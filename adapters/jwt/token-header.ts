import { isRecord } from '../files/json.ts';

const PART = '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?';

/** Three parts of base64url, each in its one spelling: no padding, no stray bits at its end (RFC 4648 section 3.5). */
const COMPACT = new RegExp(`^(?!\\.)(${PART})\\.(?!\\.)${PART}\\.${PART}$`);

// Far above what ours need, far below what a request may carry.
const LONGEST = 4096;

/**
 * The key id that a token's header names, if the header has just the members ours have: `alg` ES256, `typ` at+jwt and
 * `kid`, each once, as compact JSON. So nothing in it (`jwk`, `jku`, `x5c`, `crit`, …) can say how to verify it.
 */
export const readKeyId = (token: string): string | undefined => {
  if (token.length > LONGEST) return undefined;
  const part = COMPACT.exec(token)?.[1];
  if (part === undefined) return undefined;
  const text = Buffer.from(part, 'base64url').toString();
  const header = parse(text);
  if (header === undefined || JSON.stringify(header) !== text) return undefined;
  const { alg, typ, kid, ...others } = header;
  const ours = alg === 'ES256' && typ === 'at+jwt' && Object.keys(others).length === 0;
  return ours && typeof kid === 'string' ? kid : undefined;
};

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
