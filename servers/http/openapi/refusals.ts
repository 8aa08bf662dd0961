import { rateLimitBuckets } from '../../../core/rate-limits.ts';
import type { ErrorStyle } from '../errors.ts';
import type { AnswerCode } from '../http-error.ts';
import { ACCESS, type AnswerDoc, type Route } from '../route.ts';

export interface Refusal {
  /** The name of the answer among the components of the document. */
  readonly name: string;
  readonly description: string;
  readonly codes: readonly AnswerCode[];
  readonly details: AnswerDoc['details'];
}

const readsBody = ({ body, raw, upload }: Route) =>
  body !== undefined || raw !== undefined || upload !== undefined;

const codesIf = (applies: boolean, ...codes: readonly AnswerCode[]) => (applies ? codes : []);

/** Whether a value of the path may be refused: all of them are text, and a text without limits is accepted. */
const hasLimits = (params: Route['params']): boolean =>
  Object.values(params?.properties ?? {}).some(
    ({ maxLength, pattern, enum: words }) =>
      maxLength !== undefined || pattern !== undefined || words !== undefined,
  );

/** The codes for a malformed request. The metadata service has one code for every fault. */
const malformedCodes = (route: Route, style: ErrorStyle): readonly AnswerCode[] => {
  const { body, query, params } = route;
  const isValidated = body !== undefined || query !== undefined || hasLimits(params);
  if (style === 'metadata') return ['invalid_request'];
  return [
    'invalid_host',
    'invalid_http',
    ...codesIf(isValidated, 'invalid_request'),
    ...codesIf(readsBody(route), 'invalid_encoding', 'aborted'),
    ...codesIf(body !== undefined, 'invalid_json', 'too_deep', 'too_many_members'),
  ];
};

/** `cookies`: whether the service takes sessions in cookies. */
const unauthenticatedCodes = (route: Route, cookies: boolean): readonly AnswerCode[] => {
  const { status, secret, cookie } = ACCESS[route.access];
  if (status === undefined) return secret ? ['invalid_secret'] : [];
  return ['invalid_token', ...codesIf(cookies && cookie !== undefined, 'cookie_replaced')];
};

const forbiddenCodes = (route: Route, style: ErrorStyle, cookies: boolean): readonly AnswerCode[] => {
  const { access, session } = route;
  const { status } = ACCESS[access];
  // A metadata service that needs no secret admits a `Host` on loopback alone.
  if (access === 'internal' && style === 'metadata') return ['forbidden_host'];
  return [
    ...codesIf(status !== undefined && status !== 'any', 'account_banned', 'account_disabled'),
    ...codesIf(access === 'console', 'operators_only', 'two_factor_required'),
    // Such a route gives the cookie a new value, so the session's access token is not enough.
    ...codesIf(cookies && session === 'renews', 'cookie_needed'),
    // A read from another site is answered, without the cookie.
    ...codesIf(cookies && route.method !== 'GET', 'cross_site'),
  ];
};

/** An upload has a code of its own, which the answers of its route name. */
const tooLargeCodes = (route: Route): readonly AnswerCode[] =>
  readsBody(route) && route.upload === undefined ? ['too_large'] : [];

const mediaTypeCodes = (route: Route): readonly AnswerCode[] => {
  if (!readsBody(route)) return [];
  const takesAnyType = route.raw !== undefined && route.raw.type === undefined;
  return takesAnyType ? ['unsupported_encoding'] : ['unsupported_media_type', 'unsupported_encoding'];
};

const hashesPasswords = ({ bucket }: Route) => bucket !== 'none' && 'hashes' in rateLimitBuckets[bucket];

const rateLimitCodes = (route: Route): readonly AnswerCode[] => {
  if (route.bucket === 'none') return [];
  return hashesPasswords(route) ? ['rate_limited', 'too_many_at_once'] : ['rate_limited'];
};

const UNAVAILABLE_CODES: Readonly<Record<ErrorStyle, readonly AnswerCode[]>> = {
  account: [
    'busy',
    'hashing_failed',
    'store_unavailable',
    'contended',
    'no_signing_key',
    'no_master_key',
    'kms_unavailable',
  ],
  metadata: ['store_unavailable', 'contended', 'no_master_key', 'kms_unavailable'],
};

/** Refusals that follow from the form of a route, by status. Those without codes do not apply to the route. */
const commonRefusals = (
  route: Route,
  style: ErrorStyle,
  cookies: boolean,
): readonly (readonly [
  status: number,
  name: string,
  description: string,
  codes: readonly AnswerCode[],
])[] => [
  [400, 'Unreadable', 'The request cannot be read, or breaks a rule.', malformedCodes(route, style)],
  [401, 'Unauthenticated', 'The credential is missing or not valid.', unauthenticatedCodes(route, cookies)],
  [403, 'Forbidden', 'The caller is known, but may not call this.', forbiddenCodes(route, style, cookies)],
  [408, 'TimedOut', 'The request took too long to arrive.', ['request_timeout']],
  [413, 'TooLarge', 'The body is too long.', tooLargeCodes(route)],
  [415, 'UnsupportedType', 'The body is of another type, or in another encoding.', mediaTypeCodes(route)],
  [417, 'ExpectationFailed', 'The expectation is not met.', ['expectation_failed']],
  [
    429,
    hashesPasswords(route) ? 'PasswordsLimited' : 'RateLimited',
    'Too many requests.',
    rateLimitCodes(route),
  ],
  [431, 'HeadTooLarge', 'The head is too long.', ['headers_too_large']],
  [500, 'Internal', 'The fault is ours, and logged under the request id.', ['internal']],
  [
    503,
    'Unavailable',
    'A dependency of the service is down or too busy; nothing was done.',
    UNAVAILABLE_CODES[style],
  ],
];

/** All refusals of a route by status: its own and the common ones. */
export const refusalsOf = (
  route: Route,
  style: ErrorStyle,
  cookies: boolean,
): ReadonlyMap<number, Refusal> => {
  const refusals = new Map<number, Refusal>();
  for (const [status, name, description, codes] of commonRefusals(route, style, cookies)) {
    const answer = route.answers[status];
    const allCodes = [...new Set([...(answer?.errors ?? []), ...codes])];
    if (allCodes.length === 0) continue;
    refusals.set(status, {
      name,
      description: answer?.description ?? description,
      codes: allCodes,
      details: answer?.details,
    });
  }
  for (const [status, { description, errors, details }] of Object.entries(route.answers))
    if (errors !== undefined && !refusals.has(Number(status)))
      refusals.set(Number(status), { name: 'Refused', description, codes: errors, details });
  return refusals;
};
