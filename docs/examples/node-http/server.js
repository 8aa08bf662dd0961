// @ts-check
import { createServer } from 'node:http';
import { createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { answerTo, bearerToken, createHandlers } from 'gatehouse/servers';

const port = Number(process.env.PORT ?? 8080);
const config = readConfig({ PUBLIC_URL: `http://localhost:${port}`, ...process.env });
const composition = await createGatehouse(config);
const gatehouse = createHandlers(composition, config);

/**
 * The app's own routes.
 *
 * @type {import('node:http').RequestListener}
 */
const answerOwn = async (req, res) => {
  if (req.url !== '/hello') return void res.writeHead(404).end();
  try {
    const { user } = await composition.accounts.authenticate(bearerToken(req));
    res.end(`Hello ${user.email}`);
  } catch (error) {
    const { status, headers, body } = answerTo(error);
    res.writeHead(status, headers).end(JSON.stringify(body));
  }
};

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
