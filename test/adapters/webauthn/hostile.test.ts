import { randomBytes, randomInt } from 'node:crypto';
import { expect } from 'chai';
import { makePasskeys } from '../../../adapters/webauthn/passkeys.ts';
import { makeAuthenticator } from '../../support/passkeys/authenticator.ts';
import { ROUNDS } from '../../support/rounds.ts';

const ORIGIN = 'https://app.example.com';
const SITE = { id: 'example.com', origins: [ORIGIN] };
const asked = { challenge: randomBytes(32).toString('base64url'), rpId: SITE.id };

/** Some of its bytes are others, or it is cut short, or goes on, up to what a body may have. */
const spoiled = (text: string): string => {
  const bytes = Buffer.from(text, 'base64url');
  for (let change = randomInt(1, 6); change > 0; change -= 1) bytes[randomInt(bytes.length)] = randomInt(256);
  const longer = Buffer.concat([bytes, randomBytes(randomInt(2) * randomInt(40_000))]);
  return longer
    .subarray(0, randomInt(3) === 0 ? randomInt(bytes.length) : longer.length)
    .toString('base64url');
};

describe('Answers made to hurt (B8)', function () {
  this.timeout(120_000);
  const passkeys = makePasskeys(SITE);
  const { create } = makeAuthenticator(ORIGIN);

  it('are each refused or harmless, and none throws', async () => {
    const { answer } = create({ ...asked, rp: { id: SITE.id } });
    const { response } = answer as { readonly response: Readonly<Record<string, unknown>> };
    let refused = 0;
    for (let round = 0; round < ROUNDS * 300; round += 1) {
      const attestationObject = spoiled(String(response.attestationObject));
      const hostile = { ...answer, response: { ...response, attestationObject } };
      const came = await passkeys.register(hostile, { ...asked, algorithms: [-7, -8, -257] });
      refused += 'reason' in came ? 1 : 0;
    }
    expect(refused).to.be.greaterThan(ROUNDS * 100);
  });
});
