import { invalid } from '../errors.ts';
import type { Digest } from '../ports.ts';
import { text } from '../schema.ts';

export const CHALLENGE_EXAMPLE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const CHALLENGE = text({
  maxLength: 512,
  description: 'SHA-256 of the verifier as base64url (RFC 7636)',
  examples: [CHALLENGE_EXAMPLE],
});

export const VERIFIER_EXAMPLE = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

export const VERIFIER = text({
  minLength: 43,
  maxLength: 128,
  description: 'The code verifier of the challenge (RFC 7636)',
  examples: [VERIFIER_EXAMPLE],
});

/** SHA-256 as base64url. The schema `CHALLENGE` allows more, so that a wrong challenge is refused as `invalid_challenge`. */
const CHALLENGE_FORM = /^[A-Za-z0-9_-]{43}$/;

const VERIFIER_FORM = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether the challenge was made of this verifier (PKCE, RFC 7636 section 4.6). */
export const verifiesChallenge = (digest: Digest, verifier: string, challenge: string): boolean =>
  VERIFIER_FORM.test(verifier) && digest.equal(digest.sha256(verifier), challenge);

/** Throws `invalid` (`invalid_challenge`). */
export const checkChallenge = (challenge: string, method = 'S256'): void => {
  if (method !== 'S256' || !CHALLENGE_FORM.test(challenge)) {
    throw invalid(
      'invalid_challenge',
      'The challenge must be SHA-256 of the verifier as base64url, by S256.',
    );
  }
};
