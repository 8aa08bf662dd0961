import { CoreError, createGatehouse } from 'gatehouse';
import { answerTo, bearerToken, createHandlers } from 'gatehouse/servers';

/** Serves the account service, and gives routes the hook `signedIn`, which sets `request.user`. */
export const gatehouse = async (app, { config }) => {
  const composition = await createGatehouse(config);
  const handlers = createHandlers(composition, config);
  app.addHook('onListen', async () => handlers.start());
  app.addHook('onClose', () => handlers.close());

  // Before Fastify reads the body. Paths that are not Gatehouse's go on to the routes of the app.
  app.addHook('onRequest', (request, reply, next) => {
    handlers.accounts(request.raw, reply.raw, next);
  });
  app.decorateRequest('user', null);
  app.decorate('signedIn', async (request) => {
    request.user = (await composition.accounts.authenticate(bearerToken(request))).user;
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof CoreError)) throw error;
    const { status, headers, body } = answerTo(error);
    reply.code(status).headers(headers).send(body);
  });
};
// Its hooks are for the whole app.
gatehouse[Symbol.for('skip-override')] = true;
