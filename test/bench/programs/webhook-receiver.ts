/** A program: an HTTP server that answers every request with 200 at once. Answers with its port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unawaited } from '../../support/unawaited.ts';

process.once(
  'message',
  unawaited(async () => {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      request.resume();
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.send?.((server.address() as AddressInfo).port);
  }),
);
