import type { Readable } from 'node:stream';

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface ResponseBody<Output = unknown> {
  readonly status: number;
  /** Sent as JSON, except bytes and streams, which are sent as they are; absent for redirects and beside `text`. */
  readonly body?: Output | Uint8Array | Readable;
  /** Text that is sent as it is, in place of `body`. */
  readonly text?: string;
  /** Names bytes that never change: concurrent responses with the same name share one copy. */
  readonly bytesId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the response ends the caller's own session, where the route alone does not say. */
  readonly endsSession?: boolean;
}

export const ok = <Output>(body: Output): ResponseBody<Output> => ({ status: 200, body });

/** Sends the browser on to another address, by GET. */
export const seeOther = (address: string): ResponseBody<never> => ({
  status: 303,
  headers: { Location: address },
});

/** An answer of JSON that is serialised already: its text, or a stream of its text. */
export const okText = <Output>(text: string | Readable): ResponseBody<Output> => ({
  status: 200,
  ...(typeof text === 'string' ? { text } : { body: text }),
  headers: { 'Content-Type': JSON_TYPE },
});
