import { expect } from 'chai';
import fc from 'fast-check';
import { compose, makeKeyFile, makeLog } from '../../adapters/compose.ts';
import { ConfigError, readConfig } from '../../adapters/config.ts';
import { composeInMemory, type InMemory } from '../../adapters/memory.ts';
import { CoreError, createAccounts, createBilling, createFiles, createWebhooks } from '../../core/index.ts';
import { createAccountsClient, createMetadataClient } from '../../servers/client/index.ts';
import { bearerToken, callerOf, createHandlers, openServices, toFetch } from '../../servers/index.ts';
import { ROUNDS } from '../support/rounds.ts';
import { checked } from '../support/runner/assertions.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** Calls that end the product or wait for other processes, and parts that apps do not call. */
const EXCLUDED = [
  'close',
  'outdateCache',
  'cacheReturned',
  'sandbox',
  'log',
  'config',
  'clock',
  'dns',
  'scrape',
  'checks',
  'limiter',
];

const callsOf = (parts: object, path = ''): readonly (readonly [name: string, call: Call])[] =>
  Object.entries(parts).flatMap(([name, part]) => {
    if (EXCLUDED.includes(name)) return [];
    if (typeof part === 'function') return [[`${path}${name}`, part as Call] as const];
    return typeof part === 'object' && part !== null ? callsOf(part, `${path}${name}.`) : [];
  });

/** Returns the error that a call throws, rejects with or throws during its iteration, or undefined. */
const failureOf = async (call: Call, args: readonly unknown[]): Promise<unknown> => {
  try {
    const answer = await call(...args);
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) break;
    return undefined;
  } catch (error) {
    return error;
  }
};

const signUp = async ({ accounts, mails, settle, caller }: InMemory) => {
  const ada = { email: 'ada@example.com', password: 'correct horse battery' };
  await accounts.register(ada, caller);
  await settle();
  const [code = ''] = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '') ?? [];
  const answer = await accounts.verifyEmail({ ...ada, code }, caller);
  return accounts.authenticate('token' in answer ? String(answer.token) : '');
};

async function* lines() {
  yield '{"email":"grace@example.com"}';
}

/** Valid values for the members of all calls, by name. */
const validMembers = {
  ...{ email: 'ada@example.com', password: 'correct horse battery', newPassword: 'another horse battery' },
  ...{
    code: '123456',
    verificationCode: '123456',
    refreshToken: 'token',
    token: 'token',
    displayName: 'Ada',
  },
  ...{ address: '::1', client: '::1', userAgent: null, requestId: null, languages: 'en' },
  ...{ actor: 'cli', person: 'ada', reason: 'asked', until: null, action: 'login', since: 1, tier: 'pro' },
  ...{ service: 'drop', domain: 'example.com', enable: true, plan: 'pro', billingCycle: 'monthly' },
  ...{ userId: 'ada', type: 'allOne', limit: 5, size: 12, mimeType: 'text/plain', thumb: false },
  ...{ filenameEnc: 'bm90ZXM=', dekEnc: 'none', dek: Buffer.alloc(32).toString('base64'), id: 'ada' },
  ...{ customStorageLimit: null, customApiKeyLimit: null, dryRun: true, accounts: false },
  ...{ onBad: () => {}, onProgress: () => {} },
};

describe('An invalid argument of an untyped program', () => {
  it('causes a CoreError in every call of a composition', async () => {
    const app = await composeInMemory();
    const identity = await signUp(app);
    const valid: readonly object[] = [validMembers, identity];
    const changed = fc
      .tuple(fc.constantFrom(...valid), fc.nat(), fc.anything())
      .map(([members, place, value]) => {
        const names = Object.keys(members);
        return { ...members, [names[place % names.length] ?? '']: value };
      });
    const typical = [...valid, 'ada@example.com', 'ada', true, 3, null, undefined, () => {}, Buffer.alloc(3)];
    const argument = fc.oneof(
      { arbitrary: fc.constantFrom<unknown>(...typical), weight: 3 },
      { arbitrary: fc.constantFrom<unknown>(lines(), [], ['ada'], 'founder', 'allOne'), weight: 1 },
      changed,
      fc.anything(),
    );
    const calls = callsOf(app);
    expect(calls.length).to.be.greaterThan(110);
    for (const [name, call] of calls) {
      const property = fc.asyncProperty(fc.array(argument, { maxLength: 4 }), async (args) => {
        const error = await failureOf(call, args);
        if (error !== undefined && !(error instanceof CoreError)) throw error;
      });
      const result = await fc.check(property, { numRuns: 15 * ROUNDS });
      checked();
      if (result.failed) throw new Error(`${name}: ${fc.defaultReportMessage(result)}`);
    }
    await app.close();
  });

  it('causes a CoreError if it is a time of fractional or unsafe milliseconds', async () => {
    const app = await composeInMemory();
    for (const now of [5e-324, 0.5, 2 ** 60])
      expect(await failureOf(app.accounts.subscribers.listDue as Call, [now, 3]), `${now}`).to.be.instanceOf(
        CoreError,
      );
    expect(await app.accounts.subscribers.listDue(1, 3)).to.deep.equal([]);
    await app.close();
  });

  it('causes an error that names the call which returns a valid value', async () => {
    const app = await composeInMemory();
    const { showProfile, logOut } = app.accounts as unknown as Record<'showProfile' | 'logOut', Call>;
    const message = "'who' must be the result of authenticate: 'email' must be a string of whole characters.";
    for (const call of [showProfile, logOut])
      expect(await failureOf(call, [{ user: { id: 'ada' } }, app.caller])).to.have.property(
        'message',
        message,
      );
    await app.close();
  });

  it('causes an error that names the methods of an object which lacks one, the call that gives it, and the only valid word', async () => {
    const { config, close } = await composeInMemory();
    const messageOf = async (call: unknown, ...args: readonly unknown[]) =>
      Object(await failureOf(call as Call, args)).message;
    expect(await messageOf(compose, config, { kms: { seal: () => '' } })).to.equal(
      "'overrides.kms' must be an object with seal(), open(), keyOf(), current().",
    );
    expect(await messageOf(createHandlers, config, config)).to.equal(
      "'composition' must be the result of createGatehouse.",
    );
    expect(await messageOf(createAccountsClient, { baseUrl: '', session: 'cookies' })).to.equal(
      "'session' must be cookie.",
    );
    await close();
  });

  it('causes an error that names the clock whose time is no whole number', async () => {
    const app = await composeInMemory();
    const message = "'overrides.clock' must be an object whose now() returns whole milliseconds.";
    for (const time of [0.5, Number.NaN, new Date()])
      expect(await failureOf(compose as Call, [app.config, { clock: { now: () => time } }])).to.include({
        message,
      });
    await app.close();
  });

  it('causes a CoreError in the factory functions', async () => {
    const app = await composeInMemory();
    const config = app.config;
    const answer = toFetch(createHandlers(app, config).accounts);
    const wrong: readonly (readonly [call: unknown, args: readonly unknown[], name: string])[] = [
      [compose, [], 'config'],
      [compose, [{}], 'config'],
      [compose, [compose], 'config'],
      [compose, [config, null], 'overrides'],
      [compose, [config, { mailer: {} }], 'overrides.mailer'],
      [compose, [config, { limiter: { take: 1 } }], 'overrides.limiter'],
      [compose, [config, { log: 'silent' }], 'overrides.log'],
      [compose, [config, { store: { attempt: {} } }], 'attempt'],
      [compose, [config, { store: { attempts: 1 } }], 'attempts'],
      [compose, [config, { observed: 'yes' }], 'overrides.observed'],
      [composeInMemory, [{ settings: 1 }], 'overrides.settings'],
      [createAccounts, [], 'ports'],
      [createAccounts, [Promise.resolve(app)], 'clock'],
      [createFiles, [{}], 'clock'],
      [createBilling, [app, null], 'policy'],
      [createWebhooks, [{}], 'clock'],
      [app.clock.set, ['2027-01-01'], 'time'],
      [app.clock.set, [new Date(Number.NaN)], 'time'],
      [app.clock.pass, ['1000'], 'milliseconds'],
      [createHandlers, [], 'composition'],
      [createHandlers, [Promise.resolve(app), config], 'composition'],
      [createHandlers, [app], 'config'],
      [toFetch, [createHandlers(app, config)], 'handler'],
      [answer, [{ request: new Request('http://app.example') }], 'request'],
      [answer, [new Request('http://app.example'), null], 'from'],
      [answer, [new Request('http://app.example'), { peer: { address: '192.0.2.1' } }], 'peer'],
      [callerOf, [new Request('http://app.example')], 'req'],
      [callerOf, [{ headers: {}, socket: {} }, '127.0.0.1'], 'trustedProxies'],
      [bearerToken, [], 'request'],
      [
        bearerToken,
        [new Request('http://app.example', { headers: { authorization: 'Bearer a' } })],
        'request',
      ],
      [openServices, [], 'config'],
      [openServices, [config, 'accounts'], 'names'],
      [openServices, [config, ['all']], 'names[0]'],
      [openServices, [config, ['accounts'], null], 'overrides'],
      [openServices, [config, ['accounts'], {}, 5], 'times'],
      [readConfig, [null], 'env'],
      [readConfig, [{}, 5], 'cwd'],
      [makeLog, ['loud'], 'level'],
      [makeLog, [], 'level'],
      [makeKeyFile, ['other', 'file'], 'kind'],
      [makeKeyFile, ['hash'], 'path'],
      [createAccountsClient, [], 'options'],
      [createAccountsClient, [{}], 'baseUrl'],
      [createAccountsClient, [{ baseUrl: '', tokens: {} }], 'tokens'],
      [createMetadataClient, [{ baseUrl: '' }], 'secret'],
      [createMetadataClient, [{ baseUrl: '', secret: 'one,two' }], 'secret'],
      [createMetadataClient, [{ baseUrl: '', secret: 'one\ntwo' }], 'secret'],
    ];
    for (const [call, args, name] of wrong) {
      const error = await failureOf(call as Call, args);
      expect(error, name).to.include({ kind: 'invalid', code: 'invalid_request' });
      expect(error).to.have.property('message').that.includes(`'${name}'`);
    }
    await app.close();
  });

  it('causes a line of a ConfigError if it is a setting', () => {
    const env = JSON.parse('{"ACCOUNTS_PORT":3000,"REDIS_URL":null,"LOG_LEVEL":"silent"}');
    expect(() => readConfig(env, null))
      .to.throw(ConfigError)
      .with.property('lines')
      .that.includes.members(['ACCOUNTS_PORT must be a string.', 'REDIS_URL must be a string.']);
  });
});
