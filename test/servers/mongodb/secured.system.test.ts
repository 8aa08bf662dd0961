import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { makeCertificate } from '../../support/servers/self-signed.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'a p@ss/word';

describe('A MongoDB server with TLS and authentication', () => {
  const processes = useServerProcesses();
  const folder = useTempFolder();
  const certificates = useTempFolder('suite');
  let server: MongoServer;
  let ca: string;
  let otherCa: string;
  let restart: () => Promise<void>;

  before(async function () {
    if (!canStartMongo()) return this.skip();
    const { cert, key } = makeCertificate(certificates(), 'server');
    ca = cert;
    otherCa = makeCertificate(certificates(), 'other').cert;
    server = await startMongo();
    const client = new MongoClient(server.url('admin'));
    await client.db('admin').command({ createUser: 'gatehouse', pwd: PASSWORD, roles: ['root'] });
    await client.close();
    restart = async () => {
      await server.kill();
      await server.start('--auth', '--tls-cert-file', cert, '--tls-key-file', key);
    };
    await restart();
  });
  after(() => server?.end());

  const urlFor = (user: string, options: string): string =>
    `mongodb://${user}127.0.0.1:${server.port}/house?directConnection=true&authSource=admin${options}`;
  const as = (password: string) => `gatehouse:${encodeURIComponent(password)}@`;
  const tls = (file: string) => `&tls=true&tlsCAFile=${encodeURIComponent(file)}`;

  /** On a busy machine handshakes take longer than the default time-outs of the driver. */
  const timeouts = (milliseconds: number) =>
    ['serverSelectionTimeoutMS', 'connectTimeoutMS', 'waitQueueTimeoutMS']
      .map((name) => `&${name}=${milliseconds}`)
      .join('');

  it('stores accounts of a service with TLS and the password', async () => {
    const settings = { MONGODB_URL: `${urlFor(as(PASSWORD), tls(ca))}${timeouts(60_000)}` };
    const { url } = await processes.start('all', folder(), settings);
    const body = { email: 'ada@example.com', password: 'correct horse battery' };
    expect((await ask(url, 'POST', '/api/auth/register', { body })).status).to.equal(201);
    await until(async () => String((await ask(url, 'GET', '/health')).body.status) === 'ok');
  });

  it('causes an outage while it refuses a changed password of a running process', async () => {
    const changePassword = async (url: string, pwd: string) => {
      const client = new MongoClient(url);
      await client.db('admin').command({ updateUser: 'gatehouse', pwd });
      await client.close();
      // The server asks for the password on new connections alone.
      await restart();
    };
    const address = urlFor(as(PASSWORD), tls(ca)).replace('/house?', '/changed?');
    const settings = { MONGODB_URL: `${address}${timeouts(60_000)}` };
    const { url } = await processes.start('all', folder(), settings);
    const signIn = () => {
      const body = { email: 'ada@example.com', password: 'correct horse battery' };
      return ask(url, 'POST', '/api/auth/login', { body });
    };
    await changePassword(urlFor(as(PASSWORD), tls(ca)), 'another');
    const refused = await signIn();
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).to.deep.equal([
      503,
      'store_unavailable',
      '5',
    ]);
    expect((await ask(url, 'GET', '/health/ready')).status).to.equal(503);
    await changePassword(urlFor(as('another'), tls(ca)), PASSWORD);
    await until(async () => (await signIn()).status === 401);
  });

  /** `wait`: milliseconds for a server, all of which pass where none is found to speak with. */
  const refusals = {
    'a wrong password': {
      url: () => urlFor(as('wrong'), tls(ca)),
      says: /the user or the password/,
      code: 78,
      wait: 60_000,
    },
    'no password': { url: () => urlFor('', tls(ca)), says: /asks for a user/, code: 78, wait: 60_000 },
    'another authority': {
      url: () => urlFor(as(PASSWORD), tls(otherCa)),
      says: /TLS/,
      code: 78,
      wait: 10_000,
    },
    'no TLS': { url: () => urlFor(as(PASSWORD), ''), says: /no server answers/, code: 75, wait: 1_500 },
  } as const;

  for (const [name, { url, says, code, wait }] of Object.entries(refusals)) {
    it(`stops a start with ${name} by one line that names the setting without its value`, async () => {
      const MONGODB_URL = `${url()}${timeouts(wait)}`;
      const child = processes.launch('all', folder(), { MONGODB_URL });
      const exit = await child.ended;
      const lines = child
        .stderr()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('Warning'));
      expect(exit.code, child.stderr()).to.equal(code);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include('MONGODB_URL').and.to.match(says);
      expect(child.stderr() + child.stdout()).not.to.match(/p@ss|p%40ss|wrong|127\.0\.0\.1:\d+\/house/);
    });
  }
});
