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

/** Counts exactly and for ever; each window ends in 42 s. */
const makeLimiter = () => {
  const counts = new Map<string, number>();
  const take = async ({ name, limit }: Bucket, key: string) => {
    const count = (counts.get(`${name} ${key}`) ?? 0) + 1;
    counts.set(`${name} ${key}`, count);
    return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), reset: 42 };
  };
  return { take, counts };
};

/** A route with defaults for all members. It answers 200 with the input of the call. */
export const testRoute = (members: {
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
    run: async ({ body, query, params, principal, caller }) => ok({ body, query, params, principal, caller }),
    ...(members as Partial<AnyRoute>),
  });

export const SECRET = 'the-internal-secret-of-these-tests';

/** Serves routes on a free port; defaults are those of an account service. */
export const startApp = async (
  routes: readonly AnyRoute[],
  parts: Partial<AppParts> = {},
  serveParts: Partial<ServeParts> = {},
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
    ...parts,
  });
  const served = await serve({
    app,
    host: '127.0.0.1',
    port: 0,
    portSetting: 'TEST_PORT',
    name: 'test',
    style: parts.style ?? 'account',
    trustedProxies: [],
    maxOpenHeads: 256,
    closing,
    log,
    announces: true,
    // No response may be cut off, even on a busy machine.
    times: { notice: 0, finish: 60_000 },
    ...serveParts,
  });
  return { ...served, app, log, lines, accessLines, counts: limiter.counts, closing };
};

export type Started = Awaited<ReturnType<typeof startApp>>;

/** The members of a parsed response. */
export interface Members {
  readonly [name: string]: Members;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed JSON; empty if the response is not JSON. */
  readonly body: Members;
}

/** Sends one request on its own connection and adds nothing to `headers` but Content-Length. */
export const ask = async (
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: Buffer | string } = {},
): Promise<Reply> => {
  const { method = 'GET', headers = {}, body } = options;
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

/** Opens a connection, writes the text as Latin-1, and returns all bytes that come back until the connection ends. */
export const sendRaw = async (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  let response = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    response += chunk;
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return response;
};
