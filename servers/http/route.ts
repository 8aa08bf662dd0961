import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Principal, RequiredStatus } from '../../core/index.ts';
import type { RateLimitName } from '../../core/rate-limits.ts';
import type { JsonSchema, Schema } from '../../core/schema.ts';
import type { AnswerCode } from './http-error.ts';
import type { UploadSpec } from './input/upload.ts';
import type { FieldCodes } from './input/validate.ts';
import type { ResponseBody } from './response-body.ts';

/**
 * Who may call. `bearer` refuses banned and disabled accounts, which `bearer_restricted` accepts. `internal` requires the
 * internal secret, unless the settings let the caller do without it.
 */
export type Access =
  | 'open'
  | 'bearer'
  | 'bearer_restricted'
  | 'bearer_enterprise'
  | 'cookie'
  | 'console'
  | 'internal'
  | 'operator';

interface AccessRule {
  /** The status that the account of a caller must have; absent where callers are not users. */
  readonly status?: RequiredStatus;
  /** Which credentials the route takes: an access token, the internal secret, or, where these are on, a session's cookie. */
  readonly token?: true;
  readonly secret?: true;
  readonly cookie?: 'accepted' | 'required';
  /** The sentence in the reference. */
  readonly callers: string;
}

export const ACCESS: Readonly<Record<Access, AccessRule>> = {
  open: { callers: 'Anybody may call it.' },
  bearer: { status: 'active', token: true, cookie: 'accepted', callers: 'Takes an access token.' },
  bearer_restricted: {
    status: 'any',
    token: true,
    cookie: 'accepted',
    callers: 'Takes an access token, of a banned or disabled account too.',
  },
  bearer_enterprise: {
    status: 'enterprise',
    token: true,
    cookie: 'accepted',
    callers: 'Takes the access token of a user on the enterprise tier.',
  },
  cookie: { status: 'active', cookie: 'required', callers: 'Takes the cookie of a session.' },
  console: {
    status: 'operator',
    cookie: 'required',
    callers: 'Takes the cookie of a session of the operators’ console.',
  },
  internal: { secret: true, callers: 'Takes the internal secret.' },
  operator: {
    status: 'operator',
    token: true,
    secret: true,
    callers: 'Takes the internal secret, or the access token of an operator.',
  },
};

/** The rate limit bucket that a request counts in; `none`: it is not limited. */
export type BucketName = RateLimitName | 'none';

/** The validated input of a route's handler. */
export interface Call<Body, Query, Params, Who> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly principal: Who;
  readonly caller: Caller;
  /** Whether the request carries a valid internal secret. */
  readonly internal: boolean;
  /**
   * Counts the call in an account's allowance; the core makes its key. Throws `throttled` (`rate_limited`) when the
   * allowance is used up. A route that uses `admitAccount` declares `countsAccount`.
   */
  readonly admitAccount: (allowanceKey: string) => Promise<void>;
  /** The file of the form, or the bytes of the body, as the route declares. Empty otherwise. */
  readonly upload: Uint8Array;
  /** The raw query, for a route that must see repeated parameters. */
  readonly querystring: string;
  /** Adds a `Set-Cookie` line to the answer, even if the answer is a refusal. */
  readonly setCookie: (line: string) => void;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

/** A response as the API reference shows it. The reference adds the responses that every route has. */
export interface AnswerDoc<Output = unknown> {
  readonly description: string;
  /** The schema of a JSON body. */
  readonly schema?: Schema<Output>;
  /** The media types of any other body. */
  readonly types?: readonly string[];
  /** The error codes of the status. */
  readonly errors?: readonly AnswerCode[];
  /** Members that a refusal may have beside its code and message. */
  readonly details?: JsonSchema['properties'];
  /** Headers of this answer alone, each with its description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint: who may call it, its input, its answers, and the function that runs it. */
export interface Route<Body = unknown, Query = unknown, Params = unknown, Who = unknown, Output = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** The group in which the reference shows the route. */
  readonly tag?: string;
  readonly access: Access;
  readonly bucket: BucketName;
  /** Present if `run` counts the call in an account's allowance, too, with `admitAccount`. */
  readonly countsAccount?: true;
  readonly body?: Schema<Body>;
  /** Bytes that a JSON body may have; 64 KiB when absent. */
  readonly bodyLongest?: number;
  /** Error codes for wrong members of the body, by the name of the member; for others the code is `invalid_request`. */
  readonly fieldCodes?: FieldCodes;
  readonly query?: Schema<Query>;
  readonly params?: Schema<Params>;
  /** The file that comes in place of a JSON body. */
  readonly upload?: UploadSpec<Who>;
  /** The body is read as raw bytes, at most `longest`. With `type`, only that media type is accepted. */
  readonly raw?: { readonly longest: number; readonly type?: string };
  /** A route for navigations: refusals are small pages, and no referrer is sent. */
  readonly navigation?: true;
  /** A GET with an effect, which HEAD requests of link previews must not trigger. */
  readonly withoutHead?: true;
  /**
   * The route's effect on the caller's session. `console`: a session of the operators' console begins. `may end`: the session
   * ends if the response has `endsSession`. `renews`: the session gets new credentials.
   */
  readonly session?: 'begins' | 'console' | 'ends' | 'may end' | 'renews';
  /** True if only requests that are refused with 403 count in the bucket, under the client; otherwise every request counts. */
  readonly countsRefusals?: boolean;
  /** Request headers that the route reads, for the reference. */
  readonly headers?: JsonSchema;
  /** An example request, if one with only the required members would be a poor example. */
  readonly example?: { readonly body?: Body; readonly query?: Query };
  readonly answers: Readonly<Record<number, AnswerDoc<Output>>>;
  run(call: Call<Body, Query, Params, Who>): Promise<ResponseBody<NoInfer<Output>>>;
}

/** A route without its type parameters, for tables of routes. */
export type AnyRoute = Route<never, never, never, never>;

/** Declares a route. Its types follow from its schemas and its `access`. */
export const route = <Body, Query, Params, Who, Output>(
  spec: Route<Body, Query, Params, Who, Output>,
): AnyRoute => spec as unknown as AnyRoute;

/** Puts routes into one group of the reference. */
export const tagged = (tag: string, routes: readonly AnyRoute[]): readonly AnyRoute[] =>
  routes.map((untagged) => ({ ...untagged, tag }));

/** A route without its `access`, in the bucket `default` unless it names another. */
type Preset<Body, Query, Params, Who, Output> = Omit<
  Route<Body, Query, Params, Who, Output>,
  'access' | 'bucket'
> &
  Partial<Pick<Route, 'bucket'>>;

/** A route that anybody may call. */
export const openRoute = <Body, Query, Params, Output>(
  spec: Preset<Body, Query, Params, undefined, Output>,
): AnyRoute => route({ bucket: 'default', ...spec, access: 'open' });

/** A route for signed-in callers: `bearer`, unless it names another access. */
export const signedIn = <Body, Query, Params, Output>(
  spec: Preset<Body, Query, Params, Principal, Output> & Partial<Pick<Route, 'access'>>,
): AnyRoute => route({ access: 'bearer', bucket: 'default', ...spec });

/** A route for internal callers, without a rate limit, since they are servers of the product. */
export const internal = <Body, Query, Params, Output>(
  spec: Omit<Route<Body, Query, Params, undefined, Output>, 'access' | 'bucket'>,
): AnyRoute => route({ ...spec, access: 'internal', bucket: 'none' });
