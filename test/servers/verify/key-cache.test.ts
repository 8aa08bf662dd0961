import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { createVerifier, type Verifier } from '../../../servers/verify/index.ts';
import { byEcdsa, mint, NOW, validClaims } from '../../adapters/jwt/minting.ts';
import { makeJwks, refusalOf } from './jwks.ts';

const SECOND = 1_000;
const FRESH_MS = 60 * SECOND;
const COOL_DOWN_MS = 5 * SECOND;
const USABLE_MS = 3_600 * SECOND;

/** A signing key, and a token that it signed, valid until the year 2100. */
const makeKey = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const claims = { ...validClaims, exp: Date.UTC(2100, 0, 1) / 1000 };
  const token = mint({ alg: 'ES256', typ: 'at+jwt', kid }, claims, byEcdsa(privateKey));
  return { token, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
};

describe('The cached keys of a verifier', () => {
  const [first, second] = [makeKey('one'), makeKey('other')];
  const tokenOfUnknownKey = (kid: string) => makeKey(kid).token;
  let clock: sinon.SinonFakeTimers;
  let jwks: ReturnType<typeof makeJwks>;
  let verifier: Verifier;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: NOW, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    jwks = makeJwks([first.jwk]);
    verifier = createVerifier({
      issuer: validClaims.iss,
      url: 'http://accounts.internal:3000',
      fetch: jwks.fetch,
    });
  });
  afterEach(() => clock.restore());

  const publish = (...keys: readonly ReturnType<typeof makeKey>[]) => {
    jwks.answer = async () => Response.json({ keys: keys.map(({ jwk }) => jwk) });
  };
  const failFetches = () => {
    jwks.answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
  };
  const isAccepted = ({ token }: { token: string }) =>
    verifier.verify(token).then(
      () => true,
      () => false,
    );

  it('are fetched once for fifty concurrent calls, from `url`', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(first.token)));
    expect(all).to.have.length(50);
    expect(jwks.requests).to.equal(1);
    expect(jwks.url).to.equal('http://accounts.internal:3000/.well-known/jwks.json');
  });

  it('are fetched again after a minute, so that tokens of a retired key are refused', async () => {
    expect(await isAccepted(first)).to.equal(true);
    publish(second);
    clock.tick(FRESH_MS - 1);
    expect(await isAccepted(first)).to.equal(true);
    expect(jwks.requests).to.equal(1);
    clock.tick(1);
    expect(await isAccepted(first)).to.equal(false);
    expect(await isAccepted(second)).to.equal(true);
    expect(jwks.requests).to.equal(2);
  });

  it('are fetched again for an unknown key, but not within 5 s of the last fetch', async () => {
    expect(await isAccepted(first)).to.equal(true);
    publish(first, second);
    clock.tick(COOL_DOWN_MS - 1);
    expect(await isAccepted(second)).to.equal(false);
    clock.tick(1);
    expect(await isAccepted(second)).to.equal(true);
    expect(jwks.requests).to.equal(2);
  });

  it('are fetched at most once per cool-down for tokens with random key ids', async () => {
    const token = fc.string({ maxLength: 20 }).map(tokenOfUnknownKey);
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 15_000 }),
      tokens: fc.array(token, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const starts: number[] = [];
        const keySet = makeJwks([first.jwk]);
        const limited = createVerifier({
          issuer: validClaims.iss,
          fetch: (url, init) => {
            starts.push(performance.now());
            return keySet.fetch(url, init);
          },
        });
        await limited.verify(first.token);
        for (const { wait, tokens } of steps) {
          clock.tick(wait);
          const refusals = await Promise.all(tokens.map((unknown) => refusalOf(limited.verify(unknown))));
          for (const { code } of refusals) expect(code).to.equal('invalid_token');
          await limited.verify(first.token);
        }
        const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
        expect(Math.min(COOL_DOWN_MS, ...gaps)).to.equal(COOL_DOWN_MS);
      }),
      { numRuns: 25 },
    );
  });

  it('are used for an hour while fetches fail, without a fetch for each call', async () => {
    expect(await isAccepted(first)).to.equal(true);
    failFetches();
    clock.tick(FRESH_MS);
    for (let call = 0; call < 20; call += 1) expect(await isAccepted(first)).to.equal(true);
    expect(jwks.requests).to.equal(2);
    clock.tick(USABLE_MS - FRESH_MS - 1);
    expect(await isAccepted(first)).to.equal(true);
    expect(jwks.requests).to.equal(3);
    clock.tick(1);
    expect((await refusalOf(verifier.verify(first.token))).code).to.equal('unavailable');
  });

  it('verify calls of known keys while a fetch hangs', async () => {
    expect(await isAccepted(first)).to.equal(true);
    clock.tick(FRESH_MS);
    jwks.answer = () => new Promise(() => undefined);
    const waiting = isAccepted(first);
    expect(await isAccepted(first)).to.equal(true);
    clock.tick(3 * SECOND);
    expect(await waiting).to.equal(true);
  });

  it('cause `unavailable`, not `invalid_token`, for an unknown key while fetches fail', async () => {
    expect(await isAccepted(first)).to.equal(true);
    failFetches();
    clock.tick(COOL_DOWN_MS);
    const refusal = await refusalOf(verifier.verify(second.token));
    expect(refusal).to.include({ code: 'unavailable', status: 503, retryAfter: 1 });
    clock.tick(2 * SECOND);
    const { headers, retryAfter, message } = await refusalOf(verifier.verify(second.token));
    expect({ headers, retryAfter }).to.deep.equal({ headers: { 'Retry-After': '3' }, retryAfter: 3 });
    expect(message).to.match(/ECONNREFUSED/);
    expect(jwks.requests).to.equal(2);
  });

  it('are fetched again a second after the first failure, as when both services start', async () => {
    failFetches();
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(verifier.verify(first.token))),
    );
    for (const { code, retryAfter } of refused)
      expect({ code, retryAfter }).to.deep.equal({ code: 'unavailable', retryAfter: 1 });
    expect((await refusalOf(verifier.verify(first.token))).code).to.equal('unavailable');
    expect(jwks.requests).to.equal(1);
    publish(first);
    clock.tick(SECOND - 1);
    expect(await isAccepted(first)).to.equal(false);
    clock.tick(1);
    expect(await isAccepted(first)).to.equal(true);
  });

  it('cause `unavailable` after 3 s if a fetch ignores its signal or a body does not end', async () => {
    const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    for (const answer of [() => new Promise<Response>(() => undefined), async () => endless()]) {
      jwks.answer = answer;
      const refused = refusalOf(verifier.verify(first.token));
      await clock.tickAsync(2_999);
      expect(jwks.signal?.aborted).to.equal(false);
      await clock.tickAsync(1);
      expect(await refused).to.include({ code: 'unavailable', retryAfter: 1 });
      expect(jwks.signal?.aborted).to.equal(true);
      clock.tick(SECOND);
    }
  });

  it('are not replaced by a malformed or refused key set', async () => {
    expect(await isAccepted(first)).to.equal(true);
    const wrong = [
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
      () => Response.json(null),
      () => Response.json([first.jwk]),
      () => Response.json({ keys: [] }),
      () => Response.json({ keys: 'none' }),
      () => Response.json({ keys: [null, { kty: 'oct', k: 'AAAA', kid: 'one' }, { ...first.jwk, kid: 1 }] }),
      () => Response.json({ keys: [{ ...first.jwk, y: first.jwk.x }] }),
      () => Response.json({ keys: [second.jwk] }, { status: 500 }),
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.test/' } }),
    ];
    for (const answer of wrong) {
      jwks.answer = async () => answer();
      clock.tick(FRESH_MS);
      expect(await isAccepted(first), String(answer)).to.equal(true);
      expect(await isAccepted(second), String(answer)).to.equal(false);
    }
    expect(jwks.requests).to.equal(1 + wrong.length);
  });

  it('do not include keys of other algorithms', async () => {
    const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ec', { namedCurve: 'P-384' })];
    const foreign = pairs.map(({ publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid: 'new' }));
    jwks.answer = async () => Response.json({ keys: [...foreign, first.jwk] });
    expect(await isAccepted(first)).to.equal(true);
  });

  it('are fetched by each call on runtimes where requests cannot share a promise', async () => {
    const answers: ((answer: Response) => void)[] = [];
    jwks.answer = () => new Promise((resolve) => void answers.push(resolve));
    Object.assign(globalThis, { WebSocketPair: class {} });
    try {
      const abandoned = isAccepted(first);
      clock.tick(1);
      const later = isAccepted(first);
      answers[1]?.(Response.json({ keys: [first.jwk] }));
      expect(await later).to.equal(true);
      expect(await isAccepted(first)).to.equal(true);
      expect(jwks.requests).to.equal(2);
      // A late answer of an earlier fetch does not replace the keys of a later fetch.
      answers[0]?.(Response.json({ keys: [second.jwk] }));
      await abandoned;
      expect(await isAccepted(first)).to.equal(true);
    } finally {
      Reflect.deleteProperty(globalThis, 'WebSocketPair');
    }
  });
});
