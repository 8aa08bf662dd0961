import fastify from 'fastify';
import { bearerToken, createIntrospector, createVerifier, VerifyError } from 'gatehouse/verify';

const { ISSUER: issuer, INTERNAL_SECRET: secret, PORT } = process.env;
const { verify } = createVerifier({ issuer });
const { introspect } = createIntrospector({ url: issuer, secret });
const app = fastify();
app.get('/notes', async (request) => {
  const { userId } = await verify(bearerToken(request.headers.authorization));
  return { owner: userId };
});
app.delete('/notes', async (request) => {
  const { userId, tier } = await introspect(bearerToken(request.headers.authorization));
  return { owner: userId, tier };
});
app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof VerifyError)) throw error;
  return reply.status(error.status).headers(error.headers).send({ code: error.code });
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
