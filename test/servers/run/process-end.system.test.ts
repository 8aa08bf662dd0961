import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { isGroupAlive, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** Hashing takes about a second, so that the response follows well after the server stops accepting connections. */
const SLOW = { SCRYPT: 'ln=14,r=8,p=16' };
const login = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse battery' });

/** Sends the head of a login without its body, and waits until the server reads the request. */
const beginLogin = async (url: string): Promise<ClientRequest> => {
  const pendingLogin = request(`${url}/api/auth/login`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(login),
      Expect: '100-continue',
    },
  });
  // Callers check the outcome where it matters.
  pendingLogin.on('error', () => undefined);
  pendingLogin.flushHeaders();
  await once(pendingLogin, 'continue');
  return pendingLogin;
};

const answerTo = async (pendingLogin: ClientRequest) => {
  pendingLogin.end(login);
  const [answer]: IncomingMessage[] = await once(pendingLogin, 'response');
  if (answer === undefined) throw new Error('There was no response.');
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(text) };
};

describe('The end of a server process', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`answers pending requests after ${signal}, accepts no new ones, and exits with 0`, async () => {
      const server = await start('all', folder(), SLOW);
      const pendingLogin = await beginLogin(server.url);
      server.signal(signal);
      await server.logs('server.draining');
      const response = answerTo(pendingLogin);
      // The metadata service has no pending request, so it closes while the login is still being hashed.
      await server.logs('server.closed');
      for (const url of [server.url, server.metadataUrl]) {
        expect(await ask(url, 'GET', '/health').catch(() => 'refused')).to.equal('refused');
      }

      const { status, connection, body } = await response;
      expect([status, body.code]).to.deep.equal([401, 'wrong_credentials']);
      expect(connection).to.equal('close');
      expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    });
  }

  it('takes seconds without pending requests, even with open connections', async () => {
    const server = await start('all', folder());
    await Promise.all([ask(server.url, 'GET', '/health'), ask(server.metadataUrl, 'GET', '/health')]);
    const startMs = performance.now();
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 0, signal: null });
    expect(performance.now() - startMs).to.be.below(20_000);
  });

  it('is immediate after a second signal, even with pending requests', async () => {
    const server = await start('accounts', folder());
    await beginLogin(server.url);
    server.signal('SIGTERM');
    await server.logs('server.draining');
    const startMs = performance.now();
    server.signal('SIGTERM');
    expect(await server.ended).to.deep.equal({ code: 1, signal: null });
    expect(performance.now() - startMs).to.be.below(10_000);
  });

  it('leaves no process behind after SIGTERM or SIGKILL', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await start('accounts', folder());
      const { status } = await ask(server.url, 'POST', '/api/auth/login', { body: JSON.parse(login) });
      expect(status).to.equal(401);
      server.signal(signal);
      await until(() => !isGroupAlive(server.pid));
    }
  });
});
