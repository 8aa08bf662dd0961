import type { CredentialJson, PasskeyRefused, RelyingParty } from '../../core/accounts/ports.ts';

/** What the page's browser says of a ceremony (WebAuthn Level 3, section 5.8.1). The authenticator signs it. */
interface Expected {
  readonly type: 'webauthn.create' | 'webauthn.get';
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const BASE64URL = /^[A-Za-z0-9_-]+$/;

const read = (text: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof text !== 'string' || !BASE64URL.test(text)) return undefined;
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
};

/** The `response` of an answer; undefined for what is no answer at all. */
export const responseOf = ({ response }: CredentialJson): Readonly<Record<string, unknown>> | undefined =>
  isObject(response) ? response : undefined;

/**
 * The first check that the client data fails. The library looks at most of this, too; `crossOrigin` it lets pass: at a
 * registration always, later where `topOrigin` is missing. No page of another site may show our ceremony in a frame.
 */
export const refuseClientData = (
  answer: CredentialJson,
  { type, challenge, relyingParty }: Expected,
): PasskeyRefused | undefined => {
  const data = read(responseOf(answer)?.clientDataJSON);
  if (data === undefined || data.type !== type) return { reason: 'malformed' };
  if (data.challenge !== challenge) return { reason: 'challenge' };
  if (!relyingParty.origins.some((origin) => origin === data.origin)) return { reason: 'origin' };
  const isFramed = (data.crossOrigin ?? false) !== false || data.topOrigin !== undefined;
  return isFramed ? { reason: 'framed' } : undefined;
};
