import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../../../support/tree/root.ts';

/** Copies an example of docs/sign-in.md into the package, so that its imports resolve, and passes on its path. */
export const withExample = async <T>(name: string, use: (file: string) => Promise<T>): Promise<T> => {
  const file = join(root, 'dist', `sign-in-${randomBytes(8).toString('hex')}.mjs`);
  copyFileSync(join(root, 'docs/examples/sign-in', name), file);
  try {
    return await use(file);
  } finally {
    rmSync(file);
  }
};

const bundle = (input: string): Promise<string> =>
  rolldown({
    input,
    resolve: { alias: { 'gatehouse/client': join(root, 'dist/servers/client/index.js') } },
  })
    .then((build) => build.generate({ format: 'es' }))
    .then(({ output }) => output[0].code);

/** An app of another origin with the example page at every address. `use` sets the service that it calls. */
export const openExampleApp = async () => {
  const script = await withExample('page.js', bundle);
  let accounts = '';
  const server = createServer((request, response) => {
    if (request.url === '/page.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      `<!doctype html><title>App</title><body data-accounts="${accounts}"><output></output><script type="module" src="/page.js"></script>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (url: string) => {
      accounts = url;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
