import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { makePasskeys } from '../../../adapters/authenticators/passkeys.ts';
import { makeAuthenticator } from '../../support/passkeys/authenticator.ts';
import { corruptBase64url } from '../../support/passkeys/corrupt-base64url.ts';
import { ROUNDS } from '../../support/rounds.ts';

const ORIGIN = 'https://app.example.com';
const SITE = { id: 'example.com', origins: [ORIGIN] };
const options = { challenge: randomBytes(32).toString('base64url'), rpId: SITE.id };

describe('Passkey registration with a corrupted attestation object (B8)', () => {
  const passkeys = makePasskeys(SITE);
  const { create } = makeAuthenticator(ORIGIN);

  it('never throws, and is refused for at least a third of the corruptions', async () => {
    const { answer } = create({ ...options, rp: { id: SITE.id } });
    const { response } = answer as { readonly response: Readonly<Record<string, unknown>> };
    let refused = 0;
    for (let round = 0; round < ROUNDS * 300; round += 1) {
      const attestationObject = corruptBase64url(String(response.attestationObject));
      const hostile = { ...answer, response: { ...response, attestationObject } };
      const result = await passkeys.register(hostile, { ...options, algorithms: [-7, -8, -257] });
      refused += 'reason' in result ? 1 : 0;
    }
    expect(refused).to.be.greaterThan(ROUNDS * 100);
  });
});
