import { createPrivateKey } from 'node:crypto';
import { different, isLoopback, splitList } from './value-parsers.ts';

// Parsers of the sign-in settings. Each returns undefined for invalid text. `different` accepts at most the given
// number of parts, if no two are equal and all are valid.

/** The ids of providers, separated by commas. */
export const providerIds = (text: string): readonly string[] | undefined =>
  different(splitList(text), 10, (id) => /^[a-z][a-z0-9-]{0,31}$/.test(id));

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ids of tenants of Microsoft Entra. */
export const tenants = (text: string): readonly string[] | undefined =>
  different(splitList(text), 100, (id) => GUID.test(id));

/** One tenant, or one of Microsoft's names for kinds of accounts. */
export const tenant = (text: string): string | undefined =>
  GUID.test(text) || /^(?:organizations|consumers|common)$/.test(text) ? text : undefined;

/** Characters that a Location header carries unchanged. */
const PLAIN = /^[\x21-\x7e]{1,2048}$/;
/** Characters of `PLAIN` that browsers reinterpret in an address. */
const ODD = /[\\"<>^`{|}]/;
/** A scheme of an app's own, with a dot (RFC 8252 section 7.1). */
const PRIVATE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/./;
/** An app that listens on its own machine (section 7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** Query parameters that the flow adds to the redirect. */
const RESERVED = ['code', 'state', 'error'];

const isRedirect = (text: string): boolean => {
  if (!PLAIN.test(text) || ODD.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, searchParams } = new URL(text);
  const isAllowedScheme =
    (protocol === 'https:' && hostname !== '') || LOOPBACK.test(text) || PRIVATE.test(text);
  return (
    isAllowedScheme && username === '' && password === '' && !RESERVED.some((name) => searchParams.has(name))
  );
};

/** Addresses at which a sign-in flow may end. They are compared as text, so they are not normalised. */
export const redirects = (text: string): readonly string[] | undefined =>
  different(
    splitList(text, /[,\s]+/).filter((part) => part !== ''),
    50,
    isRedirect,
  );

/** An https address, or an http one on this machine, without credentials, query or fragment; unchanged. */
export const issuer = (text: string): string | undefined => {
  if (!PLAIN.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password } = new URL(text);
  const isAllowedScheme = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isAllowedScheme && hostname !== '' && username === '' && password === '' ? text : undefined;
};

/** Names of scopes (RFC 6749 section 3.3), separated by single spaces. */
export const scopes = (text: string): string | undefined =>
  /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) ? text : undefined;

/** A private key for ES256, as Apple gives it: PKCS#8, PEM. */
export const privateKey = (text: string): string | undefined => {
  if (!text.startsWith('-----BEGIN PRIVATE KEY-----')) return undefined;
  try {
    const { asymmetricKeyDetails } = createPrivateKey(text);
    return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? text : undefined;
  } catch {
    return undefined;
  }
};

/** A host name in A-labels, without a final dot. Its last label is no number: browsers take no IP address. */
export const rpId = (text: string): string | undefined =>
  text.length <= 253 &&
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.|$))+$/.test(text) &&
  !/(?:^|\.)\d+$/.test(text) &&
  !text.endsWith('.')
    ? text
    : undefined;

export const isLocalOrigin = (text: string): boolean => /^http:\/\/localhost(?::\d+)?$/.test(text);

/** An Android app by the SHA-256 of its signing key. */
const ANDROID = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;

const isPasskeyOrigin = (text: string): boolean =>
  ANDROID.test(text) ||
  ((/^https:\/\/[a-z0-9.-]+(?::\d+)?$/.test(text) || isLocalOrigin(text)) &&
    URL.canParse(text) &&
    new URL(text).origin === text);

/** Origins as clients send them: compared as text. */
export const passkeyOrigins = (text: string): readonly string[] | undefined =>
  different(splitList(text), 20, isPasskeyOrigin);
