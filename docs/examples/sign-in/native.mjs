import { on, once } from 'node:events';
import { createServer } from 'node:http';
import { createAccountsClient } from 'gatehouse/client';

const [, , baseUrl, provider] = process.argv;
const accounts = createAccountsClient({ baseUrl });

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const requests = on(server, 'request');
console.log(`Open ${await accounts.signIn.begin(provider, { redirectUri: `${origin}/done` })}`);

for await (const [req, res] of requests) {
  res.end('You can close this page.');
  const finished = await accounts.signIn.finish({ href: new URL(req.url, origin).href });
  // Any page and program on this machine can send a request here.
  if (!finished?.purpose) continue;
  const { data, error } = finished;
  const refusal = error?.code ?? 'One more step is needed.';
  console.log(data?.token ? `Logged in: ${data.user.email}` : refusal);
  server.close();
  break;
}
