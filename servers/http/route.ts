import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Caller } from '../../core/index.ts';
import type { ObjectSchema, Schema, SchemaOf } from './schema.ts';
import { JSON_TYPE } from './send-answer.ts';
import type { UploadSpec } from './upload.ts';
import type { FieldCodes } from './validate.ts';

/**
 * Who may call. `bearer` refuses banned and disabled accounts, `bearer_restricted` lets them through,
 * `bearer_enterprise` takes those on the enterprise tier, `internal` the internal secret alone, `operator` the secret
 * or an operator's bearer.
 */
export type Access = 'open' | 'bearer' | 'bearer_restricted' | 'bearer_enterprise' | 'internal' | 'operator';

/** The allowance a request counts in; each is a setting. `none` is not limited. */
export type BucketName = 'register' | 'verify' | 'resend' | 'login' | 'health' | 'default' | 'none';

/** What a route's handler gets: everything is validated, nothing is raw. */
export interface Call<Body, Query, Params, Who> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly who: Who;
  readonly caller: Caller;
  /** Whether a valid internal secret came along. */
  readonly internal: boolean;
  /** The file of the form, or the bytes of the body, where the route takes one of them; empty otherwise. */
  readonly upload: Uint8Array;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent for redirects. */
  readonly body?: unknown;
  /** Sent as it stands, in place of a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer as the reference shows it; `errors` are the codes that come with the status. */
export interface AnswerDoc {
  readonly description: string;
  readonly schema?: Schema;
  readonly errors?: readonly string[];
}

/** One endpoint, complete: what it takes, who may call it, what it answers, and the one step that does it. */
export interface Route<Body = unknown, Query = unknown, Params = unknown, Who = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly bucket: BucketName;
  /** The key of the account's own allowance in the same bucket, beside the client's. */
  readonly accountKey?: (body: Body, caller: Caller) => Promise<string> | string;
  readonly body?: SchemaOf<Body>;
  /** Bytes that a JSON body may have; 64 KiB when absent. */
  readonly bodyLongest?: number;
  /** Codes of members of the body whose refusal has one of its own. */
  readonly fieldCodes?: FieldCodes;
  readonly query?: SchemaOf<Query>;
  readonly params?: SchemaOf<Params>;
  /** The file that comes in place of a JSON body. */
  readonly upload?: UploadSpec;
  /** The body comes as its bytes, whatever they are; `longest` of them at most. */
  readonly raw?: { readonly longest: number };
  /** Whether only requests that are refused with 403 count in the bucket, by client. */
  readonly countsRefusals?: boolean;
  readonly answers: Readonly<Record<number, AnswerDoc>>;
  run(call: Call<Body, Query, Params, Who>): Promise<Answer>;
}

/** A route whose types are settled inside; tables of routes hold these. */
export type AnyRoute = Route<never, never, never, never>;

/** States a route, with its types read off its schemas and its `access`. */
export const route = <Body, Query, Params, Who>(given: Route<Body, Query, Params, Who>): AnyRoute =>
  given as unknown as AnyRoute;

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** JSON that is text already, or a stream of its text. */
export const okText = (text: string | Readable): Answer => ({
  status: 200,
  ...(typeof text === 'string' ? { text } : { body: text }),
  headers: { 'Content-Type': JSON_TYPE },
});

export type { ObjectSchema };
