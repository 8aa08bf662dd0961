import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { AccessLine, Bucket, Log, LogFields } from '../../../core/index.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import { type AppParts, makeApp } from '../../../servers/http/app.ts';
import { type ServeParts, serve } from '../../../servers/http/listen/serve.ts';
import { ok } from '../../../servers/http/response-body.ts';
import { type AnyRoute, route } from '../../../servers/http/route.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export const makeLog = () => {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (event: string, fields: LogFields = {}) => {
      lines.push({ level, event, fields });
    };
  const log: Log = { info: at('info'), warn: at('warn'), error: at('error') };
  return { log, lines };
};

/** Counts exactly and never forgets; its windows always end in 42 s. */
const makeLimiter = () => {
  const counts = new Map<string, number>();
  const take = async ({ name, limit }: Bucket, key: string) => {
    const count = (counts.get(`${name} ${key}`) ?? 0) + 1;
    counts.set(`${name} ${key}`, count);
    return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), reset: 42 };
  };
  return { take, counts };
};

/** A route of which a test states only what it is about. It answers 200 with the call's input. */
export const testRoute = (given: {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path?: string;
  access?: AnyRoute['access'];
  bucket?: AnyRoute['bucket'];
  body?: JsonSchema;
  query?: JsonSchema;
  params?: JsonSchema;
  countsAccount?: true;
  run?: AnyRoute['run'];
}): AnyRoute =>
  route({
    method: 'GET',
    path: '/thing',
    summary: 'A thing',
    access: 'open',
    bucket: 'none',
    answers: {},
    run: async ({ body, query, params, principal, caller }) =>
      ok({ body, query, params, who: principal, caller }),
    ...(given as Partial<AnyRoute>),
  });

export const SECRET = 'the-internal-secret-of-these-tests';

/** Serves routes on a free port; what is not given is as a plain account service has it. */
export const startApp = async (
  routes: readonly AnyRoute[],
  given: Partial<AppParts> = {},
  serving: Partial<ServeParts> = {},
) => {
  const { log, lines } = makeLog();
  const accessLines: AccessLine[] = [];
  const limiter = makeLimiter();
  const closing = new AbortController();
  const app = makeApp({
    routes,
    style: 'account',
    https: false,
    corsOrigins: [],
    trustedProxies: [],
    internalSecrets: [SECRET],
    authenticate: async (token) => ({ claims: { userId: token } }),
    limiter,
    limits: { register: 10, verify: 5, resend: 3, login: 30, health: 50, default: 300 },
    hashKey: (key) => `hashed(${key})`,
    log,
    accessLog: (line) => accessLines.push(line),
    ...given,
  });
  const served = await serve({
    app,
    host: '127.0.0.1',
    port: 0,
    portSetting: 'TEST_PORT',
    name: 'test',
    style: given.style ?? 'account',
    trustedProxies: [],
    maxOpenHeads: 256,
    closing,
    log,
    announces: true,
    // Nothing is to be cut off, however busy the machine is.
    times: { notice: 0, finish: 60_000 },
    ...serving,
  });
  return { ...served, app, log, lines, accessLines, counts: limiter.counts, closing };
};

export type Started = Awaited<ReturnType<typeof startApp>>;

/** A parsed answer, in which a test looks for the members it expects. */
export interface Members {
  readonly [name: string]: Members;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** What the JSON says; empty when the answer is none. */
  readonly body: Members;
}

/** One request on a connection of its own, exactly as stated: nothing is added to `headers`. */
export const ask = async (
  url: string,
  given: { method?: string; headers?: Record<string, string | string[]>; body?: Buffer | string } = {},
): Promise<Reply> => {
  const { method = 'GET', headers = {}, body } = given;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const sent = request(url, { method, headers: { ...length, ...headers }, agent: false });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isJson = String(answer.headers['content-type']).startsWith('application/json') && text !== '';
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    body: isJson ? JSON.parse(text) : {},
  };
};

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export const post = (url: string, body: Buffer | string, headers: Record<string, string> = JSON_TYPE) =>
  ask(url, { method: 'POST', headers, body });

/** Opens a connection and writes what is given, byte by byte as it stands; gives all that comes back until its end. */
export const converse = async (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    heard += chunk;
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return heard;
};
