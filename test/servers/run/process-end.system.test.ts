import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { isGroupAlive, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** About a second of hashing, so that the answer is due well after the server has closed its door. */
const SLOW = { SCRYPT: 'ln=14,r=8,p=16' };
const login = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse battery' });

/** A login that the server has begun to read, and whose body is still to come. */
const beginLogin = async (url: string): Promise<ClientRequest> => {
  const begun = request(`${url}/api/auth/login`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(login),
      Expect: '100-continue',
    },
  });
  // How it ends is looked at where it matters.
  begun.on('error', () => undefined);
  begun.flushHeaders();
  await once(begun, 'continue');
  return begun;
};

const answerTo = async (begun: ClientRequest) => {
  begun.end(login);
  const [answer]: IncomingMessage[] = await once(begun, 'response');
  if (answer === undefined) throw new Error('No answer came.');
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(text) };
};

describe('The end of a server process', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`answers at ${signal} what is under way, takes nothing new, and exits with 0`, async () => {
      const server = await start('all', folder(), SLOW);
      const begun = await beginLogin(server.url);
      server.signal(signal);
      await server.logs('server.draining');
      const answering = answerTo(begun);
      // The metadata service has nothing to wait for, so it is closed while the login is still hashed.
      await server.logs('server.closed');
      for (const url of [server.url, server.metadataUrl]) {
        expect(await ask(url, 'GET', '/health').catch(() => 'refused')).to.equal('refused');
      }

      const { status, connection, body } = await answering;
      expect([status, body.code]).to.deep.equal([401, 'wrong_credentials']);
      expect(connection).to.equal('close');
      expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    });
  }

  it('comes within seconds when nothing is under way, whatever connections are kept open', async () => {
    const server = await start('all', folder());
    await Promise.all([ask(server.url, 'GET', '/health'), ask(server.metadataUrl, 'GET', '/health')]);
    const began = performance.now();
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    expect(performance.now() - began).to.be.below(20_000);
  });

  it('comes at once at a second signal, whatever is under way', async () => {
    const server = await start('accounts', folder());
    await beginLogin(server.url);
    server.signal('SIGTERM');
    await server.logs('server.draining');
    const began = performance.now();
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 1, signal: null });
    expect(performance.now() - began).to.be.below(10_000);
  });

  it('leaves no process behind, be it asked to end or killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await start('accounts', folder());
      const { status } = await ask(server.url, 'POST', '/api/auth/login', { body: JSON.parse(login) });
      expect(status).to.equal(401);
      server.signal(signal);
      await until(() => !isGroupAlive(server.pid));
    }
  });
});
