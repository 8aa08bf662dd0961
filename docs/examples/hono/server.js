import { serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { CoreError, createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { answerTo, bearerToken, createHandlers } from 'gatehouse/servers';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

const port = Number(process.env.PORT ?? 8080);
const config = readConfig({ PUBLIC_URL: `http://localhost:${port}`, ...process.env });
const composition = await createGatehouse(config);
const gatehouse = createHandlers(composition, config);

/** Serves the account service. Paths that are not its own go on to the routes of the app. */
const accounts = createMiddleware(async ({ env }, next) => {
  let isOurs = true;
  gatehouse.accounts(env.incoming, env.outgoing, () => {
    isOurs = false;
  });
  return isOurs ? RESPONSE_ALREADY_SENT : next();
});

const signedIn = createMiddleware(async (c, next) => {
  const { user } = await composition.accounts.authenticate(bearerToken(c.env.incoming));
  c.set('user', user);
  await next();
});

const app = new Hono();
app.use(accounts);
app.get('/hello', signedIn, (c) => c.text(`Hello ${c.get('user').email}`));
app.onError((error, c) => {
  if (!(error instanceof CoreError)) throw error;
  const { status, headers, body } = answerTo(error);
  return c.json(body, status, headers);
});

const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
  gatehouse.start();
  console.log(`The app is at http://localhost:${port}`);
});

const end = async () => {
  server.close();
  server.closeIdleConnections();
  await gatehouse.close();
};
process.once('SIGTERM', end).once('SIGINT', end);
