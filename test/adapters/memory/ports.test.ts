import { makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { startInProcessRunner } from '../../../adapters/hashing/in-process-runner.ts';
import { makeAccessTokens } from '../../../adapters/jwt/access-tokens.ts';
import { makeEphemeralSigningKeys } from '../../../adapters/jwt/signing-keys.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { testAccessTokens } from '../../contracts/access-tokens.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { limiterContract } from '../../contracts/limiter.ts';
import { testPasswordHasher } from '../../contracts/password-hasher.ts';
import { race } from '../../contracts/race.ts';

testAccessTokens('ephemeral keys', async () =>
  makeAccessTokens({ keys: makeEphemeralSigningKeys(0), issuer: 'https://drop.test', audience: 'gatehouse' }),
);

testPasswordHasher('this process', ({ cost, log, queue }) => {
  const pool = makeHashPool({ cost, log, queue, workers: 1, start: startInProcessRunner });
  return { hasher: pool, close: pool.close };
});

limiterContract('The limiter in memory', async () => {
  const clock = makeSettableClock();
  const limiter = makeMemoryLimiter(clock);
  return {
    ...{ limiter, twin: limiter, clock },
    // This limiter is shared within one process only.
    fork: async () => ({
      allowed: async (bucket, key, calls) =>
        (await race(calls, () => limiter.take(bucket, key))).filter(({ allowed }) => allowed).length,
    }),
    close: async () => undefined,
  };
});
