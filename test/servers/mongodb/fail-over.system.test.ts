import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { race } from '../../contracts/race.ts';
import type { Reply } from '../../support/service.ts';
import { makeClient } from '../metadata/client.ts';
import { useServiceOnMongo, verifyByNewestMail } from './behind-proxy.ts';

const COMMANDS = ['insert', 'update', 'delete', 'findAndModify', 'find', 'aggregate'];
const PASSWORD = 'correct horse battery';

describe('A service during a fail-over of MongoDB', () => {
  let admin: MongoClient | undefined;
  after(() => admin?.close());
  const on = useServiceOnMongo();

  /** Lets the next `times` commands fail. */
  const failNext = async (data: Record<string, unknown>, times: number) => {
    admin ??= await new MongoClient(on().mongo.url('admin')).connect();
    await admin.db().command({
      configureFailPoint: 'failCommand',
      mode: { times },
      data: { failCommands: COMMANDS, ...data },
    });
  };

  /** Calls both services as a user; each call meets the failure. */
  const callEverything = async (name: string, data: Record<string, unknown>) => {
    const { service } = on();
    const email = `${name}@example.com`;
    const client = makeClient(service.metadataUrl);
    const expectStatus = async (status: number, call: () => Promise<Reply>): Promise<Reply> => {
      await failNext(data, 2);
      const reply = await call();
      expect(reply.status, `${name}: ${JSON.stringify(reply.body)}`).to.equal(status);
      return reply;
    };
    const post = (path: string, body: unknown) => () => service.post(`/api/auth/${path}`, body);
    await expectStatus(201, post('register', { email, password: PASSWORD }));
    const code = await service.codeFor(email);
    await expectStatus(200, post('verify-email', { email, code, password: PASSWORD }));
    const { body } = await expectStatus(200, post('login', { email, password: PASSWORD }));
    await expectStatus(200, () => service.request('GET', '/api/auth/me', { token: String(body.token) }));
    await expectStatus(200, post('refresh', { refreshToken: body.refreshToken }));
    const { id } = (await expectStatus(200, () => client.create({ user: name }))).body;
    await expectStatus(200, () => client.read(String(id)));
    await expectStatus(200, () => client.list(name));
    await expectStatus(200, () => client.remove(String(id)));
  };

  // The tests of the adapter cover other error codes of a server that steps down or ends.
  it('answers normally after the primary steps down', () =>
    callEverything('stepped-down', { errorCode: 189, errorLabels: ['RetryableWriteError'] }));

  it('answers normally if its connections are closed', () =>
    callEverything('closed', { closeConnection: true }));

  it('answers normally after a write conflict', () => callEverything('conflict', { errorCode: 112 }));

  it('registers an email at least once in a race, and answers no call with 500', async () => {
    const { service } = on();
    await failNext({ errorCode: 112 }, 10);
    const body = { email: 'many@example.com', password: PASSWORD };
    const answers = await race(20, () => service.post('/api/auth/register', body));
    for (const { status } of answers) expect(status).to.be.oneOf([201, 409, 429, 503]);
    expect(answers.map(({ status }) => status)).to.include(201);
    await service.codeFor('many@example.com');
  });

  it('answers 503 while no majority confirms a write', async () => {
    const { proxy, service } = on();
    proxy.strike('doubtful', (command) => ['insert', 'update', 'findAndModify'].includes(command), 1_000);
    const body = { email: 'doubt@example.com', password: PASSWORD };
    const { status, headers } = await service.post('/api/auth/register', body);
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('5');
    proxy.calm();
    // The next call succeeds, regardless of the effect of the failed call.
    expect((await service.post('/api/auth/register', body)).status).to.equal(201);
    await verifyByNewestMail(service, body);
  });

  it('logs no error for these failures', () => {
    expect(on().service.log.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
