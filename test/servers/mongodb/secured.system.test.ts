import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { canStartMongo, type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { makeCertificate } from '../../support/servers/self-signed.ts';
import { useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'a p@ss/word';

describe('A MongoDB that asks for TLS, a user and a password', () => {
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

  /** Handshakes take a busy machine longer than the driver waits for them where nothing is set. */
  const waiting = (milliseconds: number) =>
    ['serverSelectionTimeoutMS', 'connectTimeoutMS', 'waitQueueTimeoutMS']
      .map((name) => `&${name}=${milliseconds}`)
      .join('');

  it('keeps the accounts of whoever has both', async () => {
    const settings = { MONGODB_URL: `${urlFor(as(PASSWORD), tls(ca))}${waiting(60_000)}` };
    const { url } = await processes.start('all', folder(), settings);
    const body = { email: 'ada@example.com', password: 'correct horse battery' };
    expect((await ask(url, 'POST', '/api/auth/register', { body })).status).to.equal(201);
    await until(async () => String((await ask(url, 'GET', '/health')).body.status) === 'ok');
  });

  it('is an outage while it refuses the password, which was changed under a running process', async () => {
    const changePassword = async (url: string, pwd: string) => {
      const client = new MongoClient(url);
      await client.db('admin').command({ updateUser: 'gatehouse', pwd });
      await client.close();
      // The server asks for the password on new connections alone.
      await restart();
    };
    const address = urlFor(as(PASSWORD), tls(ca)).replace('/house?', '/changed?');
    const settings = { MONGODB_URL: `${address}${waiting(60_000)}` };
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
    it(`stops a start with ${name} by one line that names the setting and gives nothing away`, async () => {
      const MONGODB_URL = `${url()}${waiting(wait)}`;
      const started = processes.launch('all', folder(), { MONGODB_URL });
      const ending = await started.ended;
      const lines = started
        .stderr()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('Warning'));
      expect(ending.code, started.stderr()).to.equal(code);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include('MONGODB_URL').and.to.match(says);
      expect(started.stderr() + started.stdout()).not.to.match(/p@ss|p%40ss|wrong|127\.0\.0\.1:\d+\/house/);
    });
  }
});
