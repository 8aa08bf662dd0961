import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OwnParts } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import type { Delivery, EventEntry, Message } from '../../core/index.ts';
import { openServices, type Services } from '../../servers/services.ts';
import { allRateLimits } from './all-rate-limits.ts';
import { compositionSettings } from './composition.ts';
import { makeRecordingLog } from './recording-log.ts';
import { startSharedHashRunner } from './shared-hash-runners.ts';
import { makeTestDns } from './test-dns.ts';
import { until } from './until.ts';
import { checkAnswer, watchAnswers } from './watch-answers.ts';

/** A clock that a test can stop and advance. */
const makeTestClock = () => {
  let offset = 0;
  let stoppedAt: number | undefined;
  return {
    now: () => (stoppedAt ?? Date.now()) + offset,
    /** From now on only `advance` moves the clock: a slow machine must not use up the time. */
    stop: () => {
      stoppedAt = Date.now();
    },
    advance: (milliseconds: number) => {
      offset += milliseconds;
    },
  };
};

/** JSON of any shape, so that a test can assert on any member. */
export interface AnyJson {
  readonly [name: string]: AnyJson;
}

export interface Reply {
  readonly status: number;
  readonly body: AnyJson;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a request to a service and parses a JSON answer; the body is undefined if the answer is empty. */
export const ask = async (
  url: string,
  method: string,
  path: string,
  request: RequestOptions = {},
): Promise<Reply> => {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(request.token === undefined ? {} : { Authorization: `Bearer ${request.token}` }),
      ...request.headers,
    },
    ...(request.body === undefined
      ? {}
      : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  checkAnswer(url, { method, path, status: response.status, headers, text });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text || undefined,
    headers: response.headers,
  };
};

/** High rate limits, fast hashing, and no log. */
export const easySettings = {
  HOST: '127.0.0.1',
  ACCOUNTS_PORT: '0',
  METADATA_PORT: '0',
  CONSOLE_PORT: 'off',
  LOG_LEVEL: 'silent',
  SCRYPT: 'ln=8,r=8,p=1',
  HASH_WORKERS: '1',
  ...allRateLimits('100000'),
};

export interface User {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** Both services over HTTP on a folder of their own, with a test clock and recorded mails. */
export const openTestService = async (
  settings: Readonly<Record<string, string>> = {},
  folder?: string,
  own: OwnParts = {},
) => {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const clock = makeTestClock();
  const log = makeRecordingLog();
  const dns = makeTestDns();
  const mails: Message[] = [];
  const events: Omit<EventEntry, 'kind'>[] = [];
  const mail: { delivery: Delivery } = { delivery: { outcome: 'sent' } };
  const config = readConfig(
    { ...easySettings, CONSOLE_PORT: '0', ...compositionSettings(dataDir), ...settings, DATA_DIR: dataDir },
    dataDir,
  );
  const services: Services = await openServices(
    config,
    ['accounts', 'metadata', 'console'],
    {
      clock,
      dns: dns.port,
      log,
      mailer: {
        send: async (message) => {
          if (mail.delivery.outcome === 'sent') mails.push(message);
          return mail.delivery;
        },
      },
      events: {
        publish: async (event) => {
          events.push(event);
        },
      },
      startHashRunner: startSharedHashRunner,
      ...own,
    },
    { notice: 1 },
  );
  const url = services.urls.accounts ?? '';
  const metadataUrl = services.urls.metadata ?? '';
  const consoleUrl = services.urls.console ?? '';
  const answers = watchAnswers({ accounts: url, metadata: metadataUrl, console: consoleUrl });
  const request = (method: string, path: string, options?: RequestOptions) => ask(url, method, path, options);
  const post = (path: string, body: unknown, options: RequestOptions = {}) =>
    request('POST', path, { ...options, body });

  /** Waits for the `count`th mail to an address. */
  const mailTo = async (email: string, count = 1): Promise<Message> => {
    const sent = () => mails.filter(({ to }) => to === email);
    await until(() => sent().length >= count);
    return sent()[count - 1] as Message;
  };
  const codeFor = async (email: string, count = 1): Promise<string> =>
    /\b\d{6}\b/.exec((await mailTo(email, count)).text)?.[0] ?? '';

  let userCount = 0;
  /** Signs up a verified user, who is then signed in. */
  const signUp = async (credentials: Partial<Pick<User, 'email' | 'password'>> = {}): Promise<User> => {
    userCount += 1;
    const { email = `user${userCount}@example.com`, password = 'correct horse battery' } = credentials;
    const registration = await post('/api/auth/register', { email, password });
    if (registration.status >= 400)
      throw new Error(`Sign-up failed: ${registration.status} ${JSON.stringify(registration.body)}`);
    const code = await codeFor(email);
    const { body } = await post('/api/auth/verify-email', { email, code, password });
    return {
      id: String(body.user?.id),
      email,
      password,
      token: String(body.token),
      refreshToken: String(body.refreshToken),
    };
  };

  return {
    url,
    metadataUrl,
    consoleUrl,
    metricsUrl: services.urls.metrics ?? '',
    folder: dataDir,
    composition: services.composition,
    clock,
    dns,
    log,
    mails,
    events,
    /** The mail provider's answer to the next mails. */
    mail,
    request,
    post,
    mailTo,
    codeFor,
    signUp,
    /** Throws if an answer since the last check was not as documented. */
    checkAnswers: answers.check,
    close: async () => {
      await services.close();
      if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
      answers.end();
    },
  };
};

export type TestService = Awaited<ReturnType<typeof openTestService>>;

/** One service for all tests of the calling suite. */
export const useService = (
  settings: Readonly<Record<string, string>> = {},
  own: OwnParts = {},
): (() => TestService) => {
  let service: TestService | undefined;
  before(async () => {
    service = await openTestService(settings, undefined, own);
  });
  afterEach(() => service?.checkAnswers());
  after(() => service?.close());
  return () => {
    if (service === undefined) throw new Error('The service is not open yet.');
    return service;
  };
};
