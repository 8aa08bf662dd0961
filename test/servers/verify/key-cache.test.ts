import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { createVerifier, type Verifier } from '../../../servers/verify/index.ts';
import { byEcdsa, goodClaims, mint, NOW } from '../../adapters/jwt/minting.ts';
import { makeJwks, refusalOf } from './jwks.ts';

const SECOND = 1_000;
const FRESH = 60 * SECOND;
const COOL_DOWN = 5 * SECOND;
const USABLE = 3_600 * SECOND;

/** A signing key, and a token that it signed, good until the year 2100. */
const makeKey = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const claims = { ...goodClaims, exp: Date.UTC(2100, 0, 1) / 1000 };
  const token = mint({ alg: 'ES256', typ: 'at+jwt', kid }, claims, byEcdsa(privateKey));
  return { token, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
};

describe('The keys that a verifier keeps', () => {
  const [one, other] = [makeKey('one'), makeKey('other')];
  const unknown = (kid: string) => makeKey(kid).token;
  let clock: sinon.SinonFakeTimers;
  let jwks: ReturnType<typeof makeJwks>;
  let verifier: Verifier;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: NOW, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    jwks = makeJwks([one.jwk]);
    verifier = createVerifier({
      issuer: goodClaims.iss,
      url: 'http://accounts.internal:3000',
      fetch: jwks.fetch,
    });
  });
  afterEach(() => clock.restore());

  const publish = (...keys: readonly ReturnType<typeof makeKey>[]) => {
    jwks.answer = async () => Response.json({ keys: keys.map(({ jwk }) => jwk) });
  };
  const breakDown = () => {
    jwks.answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
  };
  const isBelieved = ({ token }: { token: string }) =>
    verifier.verify(token).then(
      () => true,
      () => false,
    );

  it('are fetched once by fifty calls at once, from where the account service is reached', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(one.token)));
    expect(all).to.have.length(50);
    expect(jwks.asked).to.equal(1);
    expect(jwks.url).to.equal('http://accounts.internal:3000/.well-known/jwks.json');
  });

  it('are fetched anew once they are a minute old, so that a retired key is no longer believed', async () => {
    expect(await isBelieved(one)).to.equal(true);
    publish(other);
    clock.tick(FRESH - 1);
    expect(await isBelieved(one)).to.equal(true);
    expect(jwks.asked).to.equal(1);
    clock.tick(1);
    expect(await isBelieved(one)).to.equal(false);
    expect(await isBelieved(other)).to.equal(true);
    expect(jwks.asked).to.equal(2);
  });

  it('are fetched at once for a key that is new, unless they just were', async () => {
    expect(await isBelieved(one)).to.equal(true);
    publish(one, other);
    clock.tick(COOL_DOWN - 1);
    expect(await isBelieved(other)).to.equal(false);
    clock.tick(1);
    expect(await isBelieved(other)).to.equal(true);
    expect(jwks.asked).to.equal(2);
  });

  it('are fetched at most once per cool-down, whatever key ids tokens name', async () => {
    const token = fc.string({ maxLength: 20 }).map(unknown);
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 15_000 }),
      tokens: fc.array(token, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const starts: number[] = [];
        const counted = makeJwks([one.jwk]);
        const door = createVerifier({
          issuer: goodClaims.iss,
          fetch: (url, init) => {
            starts.push(performance.now());
            return counted.fetch(url, init);
          },
        });
        await door.verify(one.token);
        for (const { wait, tokens } of steps) {
          clock.tick(wait);
          const refusals = await Promise.all(tokens.map((one) => refusalOf(door.verify(one))));
          for (const { code } of refusals) expect(code).to.equal('invalid_token');
          await door.verify(one.token);
        }
        const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
        expect(Math.min(COOL_DOWN, ...gaps)).to.equal(COOL_DOWN);
      }),
      { numRuns: 25 },
    );
  });

  it('are used for an hour while no newer ones can be fetched, without a fetch for each call', async () => {
    expect(await isBelieved(one)).to.equal(true);
    breakDown();
    clock.tick(FRESH);
    for (let call = 0; call < 20; call += 1) expect(await isBelieved(one)).to.equal(true);
    expect(jwks.asked).to.equal(2);
    clock.tick(USABLE - FRESH - 1);
    expect(await isBelieved(one)).to.equal(true);
    expect(jwks.asked).to.equal(3);
    clock.tick(1);
    expect((await refusalOf(verifier.verify(one.token))).code).to.equal('unavailable');
  });

  it('keep nobody waiting who can be answered, while a fetch hangs', async () => {
    expect(await isBelieved(one)).to.equal(true);
    clock.tick(FRESH);
    jwks.answer = () => new Promise(() => undefined);
    const first = isBelieved(one);
    expect(await isBelieved(one)).to.equal(true);
    clock.tick(3 * SECOND);
    expect(await first).to.equal(true);
  });

  it('do not refuse a new key as unknown while they cannot be fetched', async () => {
    expect(await isBelieved(one)).to.equal(true);
    breakDown();
    clock.tick(COOL_DOWN);
    const first = await refusalOf(verifier.verify(other.token));
    expect(first).to.include({ code: 'unavailable', status: 503, retryAfter: 1 });
    clock.tick(2 * SECOND);
    const { headers, retryAfter, message } = await refusalOf(verifier.verify(other.token));
    expect({ headers, retryAfter }).to.deep.equal({ headers: { 'Retry-After': '3' }, retryAfter: 3 });
    expect(message).to.match(/ECONNREFUSED/);
    expect(jwks.asked).to.equal(2);
  });

  it('are tried for again a second after the first failure, as when both services start', async () => {
    breakDown();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(verifier.verify(one.token))),
    );
    for (const { code, retryAfter } of refused)
      expect({ code, retryAfter }).to.deep.equal({ code: 'unavailable', retryAfter: 1 });
    expect((await refusalOf(verifier.verify(one.token))).code).to.equal('unavailable');
    expect(jwks.asked).to.equal(1);
    publish(one);
    clock.tick(SECOND - 1);
    expect(await isBelieved(one)).to.equal(false);
    clock.tick(1);
    expect(await isBelieved(one)).to.equal(true);
  });

  it('are given up after 3 s, even if a fetch heeds no signal or a body does not end', async () => {
    const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    for (const answer of [() => new Promise<Response>(() => undefined), async () => endless()]) {
      jwks.answer = answer;
      const refused = refusalOf(verifier.verify(one.token));
      await clock.tickAsync(2_999);
      expect(jwks.signal?.aborted).to.equal(false);
      await clock.tickAsync(1);
      expect(await refused).to.include({ code: 'unavailable', retryAfter: 1 });
      expect(jwks.signal?.aborted).to.equal(true);
      clock.tick(SECOND);
    }
  });

  it('are not replaced by what is no set of ours', async () => {
    expect(await isBelieved(one)).to.equal(true);
    const wrong = [
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
      () => Response.json(null),
      () => Response.json([one.jwk]),
      () => Response.json({ keys: [] }),
      () => Response.json({ keys: 'none' }),
      () => Response.json({ keys: [null, { kty: 'oct', k: 'AAAA', kid: 'one' }, { ...one.jwk, kid: 1 }] }),
      () => Response.json({ keys: [{ ...one.jwk, y: one.jwk.x }] }),
      () => Response.json({ keys: [other.jwk] }, { status: 500 }),
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.test/' } }),
    ];
    for (const answer of wrong) {
      jwks.answer = async () => answer();
      clock.tick(FRESH);
      expect(await isBelieved(one), String(answer)).to.equal(true);
      expect(await isBelieved(other), String(answer)).to.equal(false);
    }
    expect(jwks.asked).to.equal(1 + wrong.length);
  });

  it('pass over keys that are not for our algorithm', async () => {
    const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ec', { namedCurve: 'P-384' })];
    const foreign = pairs.map(({ publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid: 'new' }));
    jwks.answer = async () => Response.json({ keys: [...foreign, one.jwk] });
    expect(await isBelieved(one)).to.equal(true);
  });

  it('are fetched by each call itself where one request must not wait for another', async () => {
    const answers: ((answer: Response) => void)[] = [];
    jwks.answer = () => new Promise((resolve) => void answers.push(resolve));
    Object.assign(globalThis, { WebSocketPair: class {} });
    try {
      const abandoned = isBelieved(one);
      clock.tick(1);
      const second = isBelieved(one);
      answers[1]?.(Response.json({ keys: [one.jwk] }));
      expect(await second).to.equal(true);
      expect(await isBelieved(one)).to.equal(true);
      expect(jwks.asked).to.equal(2);
      // What comes late from an earlier fetch does not replace what a later one brought.
      answers[0]?.(Response.json({ keys: [other.jwk] }));
      await abandoned;
      expect(await isBelieved(one)).to.equal(true);
    } finally {
      Reflect.deleteProperty(globalThis, 'WebSocketPair');
    }
  });
});
