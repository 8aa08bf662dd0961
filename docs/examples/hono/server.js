import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { CoreError, createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { answerTo, bearerToken, createHandlers } from 'gatehouse/servers';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

const port = Number(process.env.PORT ?? 8080);
const config = readConfig({ PUBLIC_URL: `http://localhost:${port}`, ...process.env });
const composition = await createGatehouse(config);
const gatehouse = createHandlers(composition, config);

const signedIn = createMiddleware(async (c, next) => {
  const { user } = await composition.accounts.authenticate(bearerToken(c.env.incoming));
  c.set('user', user);
  await next();
});

const app = new Hono();
app.get('/hello', signedIn, (c) => c.text(`Hello ${c.get('user').email}`));
app.onError((error, c) => {
  if (!(error instanceof CoreError)) throw error;
  const { status, headers, body } = answerTo(error);
  return c.json(body, status, headers);
});

// Around Hono, which answers HEAD requests itself.
const answerOwn = getRequestListener(app.fetch);
const server = createServer((req, res) => {
  gatehouse.accounts(req, res, () => answerOwn(req, res));
});
server.listen(port, '127.0.0.1', () => {
  gatehouse.start();
  console.log(`The app is at http://localhost:${port}`);
});

const end = async () => {
  server.close();
  server.closeIdleConnections();
  await gatehouse.close();
};
process.once('SIGTERM', end).once('SIGINT', end);
