import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { unawaited } from './unawaited.ts';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  /** The requests with their bodies. */
  readonly seen: readonly ReceivedWebhook[];
  readonly port: number;
  /** The URL has a secret in its query. */
  readonly url: string;
  close(): void;
}

/** A server on this machine that records webhooks, and accepts them unless `answer` does otherwise. */
export const receiveWebhooks = async (
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> => {
  const seen: ReceivedWebhook[] = [];
  const server = createServer(
    unawaited(async (request: IncomingMessage, response: ServerResponse) => {
      seen.push({ headers: request.headers, body: await text(request) });
      answer(request, response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    port,
    url: `http://127.0.0.1:${port}/hooks?key=s3cret`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
