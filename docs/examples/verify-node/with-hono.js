import { serve } from '@hono/node-server';
import { bearerToken, createIntrospector, createVerifier, VerifyError } from 'gatehouse/verify';
import { Hono } from 'hono';

const { ISSUER: issuer, INTERNAL_SECRET: secret, PORT } = process.env;
const { verify } = createVerifier({ issuer });
const { introspect } = createIntrospector({ url: issuer, secret });
const app = new Hono();
app.get('/notes', async (c) => {
  const { userId } = await verify(bearerToken(c.req.header('Authorization')));
  return c.json({ owner: userId });
});
app.delete('/notes', async (c) => {
  const { userId, tier } = await introspect(bearerToken(c.req.header('Authorization')));
  return c.json({ owner: userId, tier });
});
app.onError((error, c) => {
  if (!(error instanceof VerifyError)) throw error;
  return c.json({ code: error.code }, error.status, error.headers);
});
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
