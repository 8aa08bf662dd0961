import express from 'express';
import { CoreError, createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { answerTo, bearerToken, createHandlers } from 'gatehouse/servers';

const port = Number(process.env.PORT ?? 8080);
const config = readConfig({ PUBLIC_URL: `http://localhost:${port}`, ...process.env });

/** The app's own data: notes by user. */
const notes = new Map();

const composition = await createGatehouse(config, {
  events: {
    // May come more than once; what throws comes again.
    publish: async ({ type, userId }) => {
      if (type === 'user.deleted') notes.delete(userId);
    },
  },
});
const gatehouse = createHandlers(composition, config);

const signedIn = async (req, _res, next) => {
  const { user } = await composition.accounts.authenticate(bearerToken(req));
  req.user = user;
  next();
};

const app = express();
// Before anything that reads bodies: Gatehouse reads its own. Paths that are not its own go on from here.
app.use(gatehouse.accounts);
app.use(gatehouse.metadata);
app.use(express.json());
app.get('/hello', signedIn, (req, res) => res.send(`Hello ${req.user.email}`));
app.get('/notes', signedIn, (req, res) => res.json(notes.get(req.user.id) ?? []));
app.post('/notes', signedIn, (req, res) => {
  notes.set(req.user.id, [...(notes.get(req.user.id) ?? []), String(req.body.text)]);
  res.status(201).json({ count: notes.get(req.user.id).length });
});
app.use((error, _req, res, next) => {
  if (!(error instanceof CoreError)) return next(error);
  const { status, headers, body } = answerTo(error);
  res.status(status).set(headers).json(body);
});

const server = app.listen(port, '127.0.0.1', () => {
  gatehouse.start();
  console.log(`The app is at http://localhost:${port}`);
});

const end = async () => {
  server.close();
  server.closeIdleConnections();
  await gatehouse.close();
};
process.once('SIGTERM', end).once('SIGINT', end);
