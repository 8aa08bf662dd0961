/** A program: a minimal Koa route with a JSON body of the given size. Answers with its port. */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

process.once('message', ({ bytes }: { bytes: number }) => {
  const text = 'x'.repeat(Math.max(0, bytes - JSON.stringify({ text: '' }).length));
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { text };
  });
  const server = app.listen(0, '127.0.0.1', () => {
    // As behind a proxy, which keeps its connections alive.
    server.keepAliveTimeout = 65_000;
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
});
