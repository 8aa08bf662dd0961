import Fastify from 'fastify';
import { readConfig } from 'gatehouse/adapters/config';
import { gatehouse } from './gatehouse.js';

const port = Number(process.env.PORT ?? 8080);
const config = readConfig({ PUBLIC_URL: `http://localhost:${port}`, ...process.env });

const app = Fastify();
await app.register(gatehouse, { config });
app.get('/hello', { onRequest: app.signedIn }, async ({ user }) => `Hello ${user.email}`);

await app.listen({ port, host: '127.0.0.1' });
console.log(`The app is at http://localhost:${port}`);
const end = () => app.close();
process.once('SIGTERM', end).once('SIGINT', end);
