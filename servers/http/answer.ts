import type { Readable } from 'node:stream';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer of a route. */
export interface Answer<Output = unknown> {
  readonly status: number;
  /** Sent as JSON, but bytes and streams as they are; absent for redirects. */
  readonly body?: Output | Uint8Array | Readable;
  /** Sent as it stands, in place of a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the caller's own session is over with it, where the route alone does not say. */
  readonly endsSession?: boolean;
}

export const ok = <Output>(body: Output): Answer<Output> => ({ status: 200, body });

/** JSON that is text already, or a stream of its text. */
export const okText = <Output>(text: string | Readable): Answer<Output> => ({
  status: 200,
  ...(typeof text === 'string' ? { text } : { body: text }),
  headers: { 'Content-Type': JSON_TYPE },
});
