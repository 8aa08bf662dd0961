import { expect } from 'chai';
import sinon from 'sinon';
import { createVerifier, type Verifier } from '../../../servers/verify/index.ts';
import { refusalOf } from './jwks.ts';
import { useOtherServices } from './other-services.ts';

const SECOND_MS = 1_000;
const keyOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('The verifier during a rotation of signing keys', () => {
  const service = useOtherServices();
  let clock: sinon.SinonFakeTimers;
  let verifier: Verifier;
  let fetches: number;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    fetches = 0;
    verifier = createVerifier({
      issuer: service.url(),
      fetch: (url, init) => {
        fetches += 1;
        return fetch(url, init);
      },
    });
  });
  afterEach(() => clock.restore());

  it('fetches keys again after 60 s, and after 5 s for an unknown key, and refuses a retired key', async () => {
    const { email, token, userId } = await service.signUp();
    expect((await verifier.verify(token)).userId).to.equal(userId);
    await service.keys('rotate');
    clock.tick(60 * SECOND_MS - 1);
    await verifier.verify(token);
    expect(fetches).to.equal(1);
    clock.tick(1);
    await verifier.verify(token);
    expect(fetches).to.equal(2);

    await service.keys('rotate', '--now');
    const newer = await service.logIn(email);
    expect(keyOf(newer)).not.to.equal(keyOf(token));
    expect((await refusalOf(verifier.verify(newer))).code).to.equal('invalid_token');
    clock.tick(5 * SECOND_MS - 1);
    expect((await refusalOf(verifier.verify(newer))).code).to.equal('invalid_token');
    expect(fetches).to.equal(2);
    clock.tick(1);
    expect((await verifier.verify(newer)).userId).to.equal(userId);
    expect((await verifier.verify(token)).userId).to.equal(userId);
    expect(fetches).to.equal(3);

    await service.keys('retire', keyOf(token), '--yes');
    clock.tick(60 * SECOND_MS);
    expect((await refusalOf(verifier.verify(token))).code).to.equal('invalid_token');
    expect((await verifier.verify(newer)).userId).to.equal(userId);
    expect(fetches).to.equal(4);
  });
});
