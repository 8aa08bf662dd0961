import { ACCESS, type Route } from '../route.ts';
import type { DocumentPart } from './components.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});
const number = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** Headers that many answers have. */
export const HEADERS = {
  'X-Request-Id': {
    ...text('The id of the request, or a new id; every log line has it', '3f1c9a52'),
    required: true,
  },
  'Cache-Control': { ...text('What caches may keep', 'no-store'), required: true },
  'X-Content-Type-Options': { ...text('Browsers must not guess another type', 'nosniff'), required: true },
  'RateLimit-Limit': number('Requests a minute in the bucket with the fewest requests left', 300),
  'RateLimit-Remaining': number('Requests that are left in this bucket', 299),
  'RateLimit-Reset': number('Seconds until the window ends', 60),
  'Retry-After': { ...number('Seconds until it is worth another try', 2), required: true },
  'WWW-Authenticate': { ...text('The credential that is required', 'Bearer'), required: true },
  'Set-Cookie': text('The cookie of a session, set or cleared', '__Host-gatehouse=; Path=/; Max-Age=0'),
  'Accept-Encoding': text('With `unsupported_encoding`: the encodings that are read', 'gzip, deflate'),
} as const;

type Name = keyof typeof HEADERS;

const ALWAYS: readonly Name[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
const LIMITED: readonly Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const BY_STATUS: Readonly<Record<number, readonly Name[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const refer = (name: Name) => [name, { $ref: `#/components/headers/${name}` }] as const;

/** Refusals that come before the rate limits. */
const UNCOUNTED = [408, 417, 431];

/** Additional headers of a page. */
const PAGE_HEADERS = {
  'Referrer-Policy': '`no-referrer`',
  'Content-Security-Policy': 'With a page: nothing comes from elsewhere',
};

/** Additional headers of responses to navigations. */
const NAVIGATION = {
  ...PAGE_HEADERS,
  'Set-Cookie': 'The cookie of a flow, set or cleared',
} as const;

/** Whether an answer of this status may set or clear the cookie: a 401 clears that of an ended session. */
const setsCookie = ({ access, session }: Route, status: number): boolean =>
  status === 401 ? ACCESS[access].cookie !== undefined : status === 200 && session !== undefined;

const namesFor = ({ bucket }: Route, status: number): readonly Name[] => [
  ...ALWAYS,
  ...(bucket === 'none' || UNCOUNTED.includes(status) ? [] : LIMITED),
  ...(BY_STATUS[status] ?? []),
];

/**
 * The headers of one answer, by name. `cookieName` is undefined where sessions have no cookies. `mayBePage` is true if the
 * answer may be an HTML page. What the route itself documents replaces a common header of the same name.
 */
export const headersOf = (
  route: Route,
  status: number,
  cookieName: string | undefined,
  mayBePage = false,
): Readonly<Record<string, DocumentPart>> => {
  const documented = Object.entries({
    ...(mayBePage && PAGE_HEADERS),
    ...(route.navigation && NAVIGATION),
    ...route.answers[status]?.headers,
  });
  return {
    ...Object.fromEntries(namesFor(route, status).map(refer)),
    ...(cookieName !== undefined && setsCookie(route, status) && Object.fromEntries([refer('Set-Cookie')])),
    ...Object.fromEntries(
      documented.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
    ),
  };
};
