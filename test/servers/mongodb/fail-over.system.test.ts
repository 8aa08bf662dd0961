import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { race } from '../../contracts/race.ts';
import type { Reply } from '../../support/service.ts';
import { makeClient } from '../metadata/client.ts';
import { useServiceOnMongo, verifyByNewestMail } from './behind-proxy.ts';

const COMMANDS = ['insert', 'update', 'delete', 'findAndModify', 'find', 'aggregate'];
const PASSWORD = 'correct horse battery';

describe('A service whose MongoDB changes its primary', () => {
  let admin: MongoClient | undefined;
  after(() => admin?.close());
  const on = useServiceOnMongo();

  /** The next so many commands of any kind fail so. */
  const failNext = async (data: Record<string, unknown>, times: number) => {
    admin ??= await new MongoClient(on().mongo.url('admin')).connect();
    await admin.db().command({
      configureFailPoint: 'failCommand',
      mode: { times },
      data: { failCommands: COMMANDS, ...data },
    });
  };

  /** A user's way through both services, each call of which meets the failure. */
  const goThrough = async (name: string, data: Record<string, unknown>) => {
    const { service } = on();
    const email = `${name}@example.com`;
    const client = makeClient(service.metadataUrl);
    const through = async (status: number, call: () => Promise<Reply>): Promise<Reply> => {
      await failNext(data, 2);
      const reply = await call();
      expect(reply.status, `${name}: ${JSON.stringify(reply.body)}`).to.equal(status);
      return reply;
    };
    const post = (path: string, body: unknown) => () => service.post(`/api/auth/${path}`, body);
    await through(201, post('register', { email, password: PASSWORD }));
    const code = await service.codeFor(email);
    await through(200, post('verify-email', { email, code, password: PASSWORD }));
    const { body } = await through(200, post('login', { email, password: PASSWORD }));
    await through(200, () => service.request('GET', '/api/auth/me', { token: String(body.token) }));
    await through(200, post('refresh', { refreshToken: body.refreshToken }));
    const { id } = (await through(200, () => client.create({ user: name }))).body;
    await through(200, () => client.read(String(id)));
    await through(200, () => client.list(name));
    await through(200, () => client.remove(String(id)));
  };

  // The adapter's suite has other codes of a server that steps down or ends.
  it('answers as ever after its primary stepped down', () =>
    goThrough('stepped-down', { errorCode: 189, errorLabels: ['RetryableWriteError'] }));

  it('answers as ever when its connections are closed', () => goThrough('closed', { closeConnection: true }));

  it('answers as ever when writers of the same meet', () => goThrough('conflict', { errorCode: 112 }));

  it('registers one of many, and answers none of the others 500', async () => {
    const { service } = on();
    await failNext({ errorCode: 112 }, 10);
    const body = { email: 'many@example.com', password: PASSWORD };
    const answers = await race(20, () => service.post('/api/auth/register', body));
    for (const { status } of answers) expect(status).to.be.oneOf([201, 409, 429, 503]);
    expect(answers.map(({ status }) => status)).to.include(201);
    await service.codeFor('many@example.com');
  });

  it('is unavailable, and says nothing else, while no majority confirms a write', async () => {
    const { proxy, service } = on();
    proxy.strike('doubtful', (command) => ['insert', 'update', 'findAndModify'].includes(command), 1_000);
    const body = { email: 'doubt@example.com', password: PASSWORD };
    const { status, headers } = await service.post('/api/auth/register', body);
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('5');
    proxy.calm();
    // What the one before did or did not do is no obstacle to the next.
    expect((await service.post('/api/auth/register', body)).status).to.equal(201);
    await verifyByNewestMail(service, body);
  });

  it('logs none of it as an error of its own', () => {
    expect(on().service.log.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
