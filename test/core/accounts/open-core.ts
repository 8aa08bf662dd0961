import { expect } from 'chai';
import { makePasskeys } from '../../../adapters/authenticators/passkeys.ts';
import { makeTotp } from '../../../adapters/authenticators/totp.ts';
import { openMemoryStore } from '../../../adapters/choose-store.ts';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import { makeSealer } from '../../../adapters/crypto/sealer.ts';
import { domainNames } from '../../../adapters/dns/idna.ts';
import { openIdentityProviders } from '../../../adapters/oidc/identity-providers.ts';
import type { StorePorts } from '../../../adapters/store.ts';
import { noMailTexts } from '../../../core/accounts/mail/mail-texts.ts';
import {
  type Accounts,
  type AccountsPorts,
  type Caller,
  CoreError,
  type EventEntry,
  type Message,
} from '../../../core/index.ts';
import { NOW } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { makeTestDns } from '../../support/test-dns.ts';

const KEYS = [Buffer.alloc(32, 7)];

export const password = 'correct horse battery';

/** The ports of the core over a store, with fake hashes and tokens that need no computing time. */
export const openPorts = (store: StorePorts = openMemoryStore({ now: () => NOW }).ports) => {
  const dns = makeTestDns();
  const log = makeRecordingLog();
  const mails: Message[] = [];
  const events: Omit<EventEntry, 'kind'>[] = [];
  let now = NOW;
  const ports: AccountsPorts = {
    // Each read advances the clock, so that no test depends on two events in one millisecond.
    clock: { now: () => ++now },
    random: makeRandom(),
    log,
    digest: makeDigest(KEYS),
    sealer: makeSealer(KEYS),
    kms: {
      seal: async (plain) => Buffer.from(plain).toString('base64url'),
      open: async (sealed) => Buffer.from(sealed, 'base64url'),
      keyOf: () => 'the only key',
      current: async () => 'the only key',
    },
    limiter: {
      take: async ({ limit }) => ({ allowed: true, limit, remaining: limit, reset: 60 }),
    },
    ...store,
    userBilling: {
      forget: async () => undefined,
      changeEmail: async () => undefined,
      listDeliveries: async () => [],
    },
    userFiles: {
      count: async () => 0,
      list: async function* () {},
      removeAll: async () => 0,
      countByKey: async () => new Map(),
    },
    hasher: {
      hash: async (password) => `hash of ${password}`,
      verify: async (password, hash) => ({ isCorrect: hash === `hash of ${password}`, isOutdated: false }),
      accepts: (hash) => hash.startsWith('hash of '),
      measureVerification: async () => (hash) => (hash.endsWith(' made slowly') ? 8_400 : 200),
      isCostlier: (hash) => hash.endsWith(' made dearly'),
    },
    blocklist: { has: async () => false },
    tokens: {
      issue: async ({ userId, sessionId, tokenId }) => `${userId} ${sessionId} ${tokenId}`,
      verify: async (token) => {
        const [userId = '', sessionId = '', tokenId = ''] = token.split(' ');
        return { userId, sessionId, tokenId, issuedAt: 0, expiresAt: 0 };
      },
      forget: () => undefined,
      publicKeys: async () => ({ keys: [] }),
    },
    totp: makeTotp({ issuer: 'Test' }),
    providers: openIdentityProviders([], { clock: { now: () => NOW }, log, redirectUri: (id) => id }),
    passkeys: makePasskeys(null),
    domains: domainNames,
    dns: dns.port,
    ownHost: () => 'accounts.gatehouse.dev',
    mailTexts: noMailTexts,
    mailer: {
      send: async (message) => {
        mails.push(message);
        return { outcome: 'sent' };
      },
    },
    events: {
      publish: async (event) => {
        events.push(event);
      },
    },
    wake: () => undefined,
  };
  return { ports, store, dns, lines: log.lines, mails, events };
};

/** The port with each call handed to `before`, which decides whether to make it. */
export const intercept = <T extends object>(
  port: T,
  before: (call: () => Promise<unknown>) => Promise<unknown>,
): T =>
  new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function'
        ? (...args: unknown[]) => before(() => method.apply(target, args))
        : method;
    },
  });

export const caller: Caller = {
  address: '192.0.2.1',
  client: '192.0.2.1',
  userAgent: null,
  requestId: null,
  languages: null,
};

/** Calls that read mail: they relay pending entries, deliver mails and return the codes. */
export const makeMailbox = (accounts: Accounts, mails: readonly Message[]) => {
  const settle = async () => {
    while ((await accounts.background.relay()) > 0);
    await accounts.background.deliverMail(1);
  };
  const mailsTo = async (email: string) => {
    await settle();
    return mails.filter(({ to }) => to === email);
  };
  /** The codes mailed to an address, newest last. */
  const codesTo = async (email: string): Promise<readonly string[]> =>
    (await mailsTo(email)).flatMap(
      ({ text }) => /^ {4}(\d{6}|[0-9A-Z]{5}-[0-9A-Z]{5})$/m.exec(text)?.[1] ?? [],
    );
  const codeTo = async (email: string): Promise<string> => (await codesTo(email)).at(-1) ?? '';
  return {
    settle,
    mailsTo,
    codesTo,
    codeTo,
    /** Registers a user and confirms the mailed code: a verified user with one session. */
    verify: async (email: string, by: Caller = caller) => {
      await accounts.register({ email, password }, by);
      return accounts.verifyEmail({ email, code: await codeTo(email) }, by);
    },
  };
};

/** The result of a sign-in or password change with its tokens; a cookie session has none. */
export const tokensIn = <Result extends object>(
  result: Result,
): Result & { readonly token: string; readonly refreshToken: string } => {
  if (!('token' in result && 'refreshToken' in result)) throw new Error('The result has no tokens.');
  return result as Result & { readonly token: string; readonly refreshToken: string };
};

/** The error code of a refused call, whose message must be a sentence; `done` if the call succeeds. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { readonly code?: unknown }) => {
      if (error instanceof CoreError) expect(error.message).to.match(/^[A-Z].*\.$/s);
      return error.code;
    },
  );
