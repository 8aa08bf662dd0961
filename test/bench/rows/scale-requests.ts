import type { Reply } from '../connection.ts';
import type { Client } from '../request.ts';
import {
  emailOf,
  fileId,
  INTERNAL_SECRET,
  PASSWORD,
  type ScaleServer,
  type SignedIn,
  userId,
} from '../scale.ts';

/** A server on a store with this many users, and a function that sends requests to its services. */
export interface ScaleGround {
  readonly users: number;
  readonly server: ScaleServer;
  ask(service: ServiceOf, client: Client): Promise<Reply>;
}

export type ServiceOf = 'accounts' | 'metadata' | 'console';

/** One request of a row. */
export interface PreparedRequest {
  readonly client: Client;
  /** Reads the answer. */
  take?(reply: Reply): void;
}

export interface MeasuredRequest {
  readonly row: string;
  readonly service: ServiceOf;
  /** Prepares a request before the measurement; `place` counts the requests of the row. */
  prepare(ground: ScaleGround, place: number): PreparedRequest | Promise<PreparedRequest>;
  /** Whether the request is a search that gives up after 5,000 users or rows; a small store has fewer. */
  readonly searches?: true;
}

/** Numbers spread over all users, without those that are signed in or deleted. */
const pickUser = ({ users }: ScaleGround, place: number): number =>
  Math.floor(((place * 7_919) % users) / 100) * 100 + 30 + (place % 20);

const signedIn = ({ server }: ScaleGround, place: number): SignedIn =>
  server.signedIn[place % server.signedIn.length] as SignedIn;

const json = (value: unknown): string => JSON.stringify(value);

let emailCount = 0;
const newEmail = (): string => `new-${++emailCount}@example.com`;

const get = (row: string, path: (ground: ScaleGround, place: number) => string): MeasuredRequest => ({
  row: `GET ${row}`,
  service: 'accounts',
  prepare: (ground, place) => ({
    client: { method: 'GET', path: path(ground, place), token: signedIn(ground, place).token },
  }),
});

const own = (row: string): MeasuredRequest => get(row, () => row);

const send = (
  method: Client['method'],
  path: string,
  body: (ground: ScaleGround, place: number) => unknown,
  caller: (ground: ScaleGround, place: number) => Partial<Client> = () => ({}),
  service: ServiceOf = 'accounts',
): MeasuredRequest => ({
  row: `${method} ${path}`,
  service,
  prepare: (ground, place) => ({
    client: { method, path, body: json(body(ground, place)), ...caller(ground, place) },
  }),
});

const bearer = (ground: ScaleGround, place: number) => ({ token: signedIn(ground, place).token });
const internal = () => ({ secret: INTERNAL_SECRET });

const ofConsole = (
  method: Client['method'],
  row: string,
  path: (ground: ScaleGround, place: number) => string,
  body?: unknown,
): MeasuredRequest => ({
  row: `${method} ${row}, console`,
  service: 'console',
  prepare: (ground, place) => ({
    client: {
      method,
      path: path(ground, place),
      cookie: ground.server.cookie,
      ...(body !== undefined && { body: json(body) }),
    },
  }),
});

const list = (row: string): MeasuredRequest => ofConsole('GET', row, () => row);
const search = (row: string): MeasuredRequest => ({ ...list(row), searches: true });

const ofUser = (path: string, method: Client['method'] = 'GET', body?: unknown): MeasuredRequest =>
  ofConsole(
    method,
    `/api/admin/users/{userId}${path}`,
    (ground, place) => `/api/admin/users/${userId(pickUser(ground, place))}${path}`,
    body,
  );

const logIn = (number: number): Client => ({
  method: 'POST',
  path: '/api/auth/login',
  body: json({ email: emailOf(number), password: PASSWORD }),
});

/** A new session for a request that ends it. */
const freshToken = async (ground: ScaleGround, number: number): Promise<string> => {
  const { body } = await ground.ask('accounts', logIn(number));
  const { token } = JSON.parse(body) as { readonly token?: string };
  if (token === undefined) throw new Error(`too few of ${ground.users} users can still sign in`);
  return token;
};

const record = (user: string) => ({
  filenameEnc: 'n'.repeat(200),
  size: 1_048_576,
  user,
  mimeType: 'application/octet-stream',
  dekEnc: 'd'.repeat(120),
  thumb: true,
});

const DEK = Buffer.alloc(32, 'k').toString('base64');

/** Numbers of users to delete, some of each hundred. */
const pickDeletedUser = ({ users }: ScaleGround, place: number): number => {
  const hundreds = users / 100;
  return (place % hundreds) * 100 + 50 + (Math.floor(place / hundreds) % 48);
};

export const REQUESTS: readonly MeasuredRequest[] = [
  send('POST', '/api/auth/register', () => ({ email: newEmail(), password: PASSWORD })),
  send('POST', '/api/auth/resend-verification', () => ({ email: newEmail() })),
  {
    row: 'POST /api/auth/login',
    service: 'accounts',
    prepare: (ground, place) => ({ client: logIn(pickUser(ground, place)) }),
  },
  {
    row: 'POST /api/auth/refresh',
    service: 'accounts',
    prepare: (ground, place) => {
      const session = signedIn(ground, place);
      return {
        client: {
          method: 'POST',
          path: '/api/auth/refresh',
          body: json({ refreshToken: session.refreshToken }),
        },
        take: ({ body }) => {
          session.refreshToken = (JSON.parse(body) as SignedIn).refreshToken;
        },
      };
    },
  },
  {
    row: 'POST /api/auth/logout',
    service: 'accounts',
    prepare: async (ground, place) => ({
      client: {
        method: 'POST',
        path: '/api/auth/logout',
        token: await freshToken(ground, pickUser(ground, place)),
      },
    }),
  },
  send('POST', '/api/auth/reauthenticate', () => ({ password: PASSWORD }), bearer),
  send('POST', '/api/auth/introspect', (ground, place) => bearer(ground, place), internal),
  send('POST', '/api/auth/password-reset', (ground, place) => ({ email: emailOf(pickUser(ground, place)) })),
  own('/api/auth/me'),
  send('PATCH', '/api/auth/me', (_ground, place) => ({ displayName: `Person ${place}` }), bearer),
  own('/api/auth/security'),
  own('/api/auth/sessions'),
  send('POST', '/api/auth/email', () => ({ email: newEmail(), password: PASSWORD }), bearer),
  own('/api/services'),
  own('/api/connect/check?service=DROP'),
  own('/api/billing/plans'),
  {
    row: 'POST /api/auth/delete-account',
    service: 'accounts',
    prepare: async (ground, place) => ({
      client: {
        method: 'POST',
        path: '/api/auth/delete-account',
        token: await freshToken(ground, pickDeletedUser(ground, place)),
        body: json({ password: PASSWORD }),
      },
    }),
  },
  own('/.well-known/jwks.json'),
  own('/health/ready'),
  own('/'),
  own('/account/sign-in'),
  own('/account/security'),
  {
    row: 'GET /api/admin/users, internal',
    service: 'accounts',
    prepare: () => ({ client: { method: 'GET', path: '/api/admin/users?page=1&limit=50', ...internal() } }),
  },
  {
    row: 'GET /api/admin/users/stats, internal',
    service: 'accounts',
    prepare: () => ({ client: { method: 'GET', path: '/api/admin/users/stats', ...internal() } }),
  },
  send(
    'POST',
    '/api/admin/users/search',
    (ground, place) => ({ email: emailOf(pickUser(ground, place)) }),
    internal,
  ),
  {
    row: 'PATCH /api/admin/users/{userId}, internal',
    service: 'accounts',
    prepare: (ground, place) => ({
      client: {
        method: 'PATCH',
        path: `/api/admin/users/${userId(pickUser(ground, place))}`,
        body: json({ service: 'DROP', tier: place % 2 === 0 ? 'pro' : 'free' }),
        ...internal(),
      },
    }),
  },
  send(
    'POST',
    '/api/v1/meta',
    (ground, place) => record(userId(pickUser(ground, place))),
    undefined,
    'metadata',
  ),
  {
    row: 'GET /api/v1/meta, 2 records',
    service: 'metadata',
    prepare: (ground, place) => ({
      client: { method: 'GET', path: `/api/v1/meta?userId=${userId(pickUser(ground, place))}` },
    }),
  },
  {
    row: 'GET /api/v1/meta/{fileId}',
    service: 'metadata',
    prepare: (ground, place) => ({
      client: { method: 'GET', path: `/api/v1/meta/${fileId(pickUser(ground, place), 0)}` },
    }),
  },
  {
    row: 'DELETE /api/v1/meta/{fileId}',
    service: 'metadata',
    prepare: async (ground, place) => {
      const path = '/api/v1/meta';
      const body = json(record(userId(pickUser(ground, place))));
      const reply = await ground.ask('metadata', { method: 'POST', path, body });
      const { id } = JSON.parse(reply.body) as { id: string };
      return { client: { method: 'DELETE', path: `${path}/${id}` } };
    },
  },
  send('POST', '/api/v1/dek/wrap', () => ({ dek: DEK }), undefined, 'metadata'),
  ...(
    [
      ['sync', { type: 'allOne' }],
      ['prefetch', { limit: 10 }],
      ['invalidate', { type: 'OUT' }],
    ] as const
  ).map(([what, more]) =>
    send(
      'POST',
      `/api/v1/e/meta/${what}`,
      (ground, place) => ({ user: userId(pickUser(ground, place)), ...more }),
      undefined,
      'metadata',
    ),
  ),
  list('/api/admin/directory'),
  list('/api/admin/directory?prefix=person-1'),
  list('/api/admin/directory?tier=pro'),
  ...['banned', 'disabled', 'unverified', 'two_factor', 'operator', 'premium'].map((flag) =>
    list(`/api/admin/directory?flag=${flag}`),
  ),
  search('/api/admin/directory?prefix=person-1&tier=pro'),
  search('/api/admin/directory?prefix=person-1&flag=disabled'),
  ofUser(''),
  ofUser('/sessions'),
  ofUser('/audit'),
  ofUser('/billing'),
  ofUser('/mails'),
  ofUser('/tier', 'POST', { tier: 'pro', reason: 'a test' }),
  ofUser('/tier', 'DELETE', { reason: 'a test' }),
  ofUser('/disable', 'POST', { reason: 'a test', until: '2099-01-01T00:00:00Z' }),
  ofUser('/enable', 'POST', { reason: 'a test' }),
  ofUser('/unlock', 'POST', { reason: 'a test' }),
  ofUser('/export', 'POST', { reason: 'a test' }),
  list('/api/admin/audit'),
  search('/api/admin/audit?action=user.banned'),
  list('/api/admin/mails?state=waiting'),
  list('/api/admin/deliveries'),
  list('/api/admin/health'),
  list('/api/admin/statistics'),
  list('/api/admin/keys'),
  list('/api/auth/me'),
  list('/'),
  list('/users'),
];
