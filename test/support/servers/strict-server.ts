import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { unawaited } from '../unawaited.ts';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Handles a request in place of the usual answer. `work` executes the request and returns the usual answer. */
export type Fault = (response: ServerResponse, work: () => Answer) => void;

/** An HTTP server that answers like a documented service, or fails as a test says. */
export interface StrictServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The fault of every request from now on; undefined restores the usual answers. */
  fault: Fault | undefined;
  /** Faults of the next requests, one each, before `fault` applies. */
  readonly faults: Fault[];
  close(): Promise<void>;
}

export const openStrictServer = async (
  answerTo: (request: ReceivedRequest) => Answer,
): Promise<StrictServer> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer(
    unawaited(async (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: path = '', headers } = request;
      const bytes = await buffer(request);
      const received = { method, path, headers, body: bytes.toString(), bytes };
      requests.push(received);
      const fault = strict.faults.shift() ?? strict.fault;
      if (fault !== undefined) return fault(response, () => answerTo(received));
      const { status, headers: more = {}, body = '' } = answerTo(received);
      response.writeHead(status, more).end(body);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const strict: StrictServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: undefined,
    faults: [],
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return strict;
};
