import { once } from 'node:events';
import { createServer } from 'node:http';
import { createAccountsClient } from 'gatehouse/client';

const [, , baseUrl, provider] = process.argv;
const accounts = createAccountsClient({ baseUrl });

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
console.log(`Open ${await accounts.signIn.begin(provider, { redirectUri: `${origin}/done` })}`);

const [req, res] = await once(server, 'request');
res.end('You can close this page.');
server.close();
const { data, error } = await accounts.signIn.finish({ href: new URL(req.url, origin).href });
console.log(error ? error.code : `Logged in: ${data.user.email}`);
