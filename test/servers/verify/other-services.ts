import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseSigningKeySet } from '../../../adapters/jwt/signing-keys.ts';
import { byEcdsa, byHmac, mint, unsigned } from '../../adapters/jwt/minting.ts';
import { runCommand } from '../../cli/run-command.ts';
import { freePort } from '../../support/free-port.ts';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** A service in Go is compiled first, perhaps with all its dependencies. */
const START_TIMEOUT_MS = 300_000;

const password = 'correct horse battery';
const secret = randomBytes(32).toString('hex');

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The account service as operators start it, and other services that verify its tokens, shared by a suite. */
export const useOtherServices = () => {
  const { start } = useServerProcesses('suite');
  const running: { pid: number; ended: Promise<unknown> }[] = [];
  after(async () => {
    for (const { pid, ended } of running.splice(0)) {
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
  });
  const folder = useTempFolder('suite');
  let accounts: RunningServer;
  before(async () => {
    accounts = await start('accounts', folder(), { INTERNAL_SECRET: secret });
  });
  let signUps = 0;

  const signingKeys = () =>
    parseSigningKeySet(readFileSync(join(folder(), 'data/keys/signing.json'), 'utf8'));
  const post = (path: string, body: unknown, token?: string) =>
    ask(accounts.url, 'POST', path, { body, ...(token === undefined ? {} : { token }) });

  return {
    url: () => accounts.url,
    signUp: async () => {
      signUps += 1;
      const email = `user${signUps}@example.com`;
      await post('/api/auth/register', { email, password });
      const code = await makeMailFolder(join(folder(), 'data/mail')).codeFor(email);
      const { body } = await post('/api/auth/verify-email', { email, code, password });
      return { email, userId: String(body.user?.id), token: String(body.token) };
    },
    logIn: async (email: string) => String((await post('/api/auth/login', { email, password })).body.token),
    logOut: (token: string) => post('/api/auth/logout', undefined, token),
    stop: async () => {
      accounts.signal('SIGTERM');
      await accounts.ended;
    },
    /** Runs `gatehouse keys …`. Returns once the account service has published the changed keys. */
    keys: async (...args: readonly string[]) => {
      const storedKids = () => signingKeys().keys.map(({ kid }) => kid);
      const before = storedKids();
      const result = await runCommand(folder(), ['keys', ...args]);
      expect(result.status, result.stderr).to.equal(0);
      const expected = storedKids().toSorted();
      expect(expected).not.to.have.members(before);
      const published = async () => {
        const { body } = await ask(accounts.url, 'GET', '/.well-known/jwks.json');
        return Array.from(body.keys as unknown as { kid: string }[], ({ kid }) => kid).toSorted();
      };
      await until(async () => String(await published()) === String(expected));
    },
    /** Starts a service by a shell command. Returns a function that calls its `/notes`. */
    serve: async (command: string, cwd: string) => {
      const port = String(await freePort());
      const child = spawn('sh', ['-c', command], {
        cwd,
        // The shell may start the program as its child: the whole process group is killed at the end.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ISSUER: accounts.url, INTERNAL_SECRET: secret, PORT: port },
      });
      if (child.pid === undefined) throw new Error(`${command} could not be started.`);
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      running.push({ pid: child.pid, ended: once(child, 'close') });
      const url = `http://127.0.0.1:${port}`;
      const isUp = () =>
        fetch(url).then(
          () => true,
          () => false,
        );
      await until(async () => child.exitCode !== null || (await isUp()), START_TIMEOUT_MS);
      if (child.exitCode !== null) throw new Error(`${command} ended: ${stderr}`);
      return (method: 'GET' | 'DELETE', token?: string) =>
        ask(url, method, '/notes', token === undefined ? {} : { token });
    },
    /** Forged tokens by their only flaw. Apart from it they equal a token of the account service. */
    forge: (token: string): Readonly<Record<string, string>> => {
      const [header, claims] = token.split('.').slice(0, 2).map(decode);
      const jwk = signingKeys().keys.find(({ kid }) => kid === header.kid);
      const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
      const signedByUs = byEcdsa(key);
      const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
      expect(mint(header, claims, signedByUs).split('.').slice(0, 2)).to.deep.equal(
        token.split('.').slice(0, 2),
      );
      return {
        garbage: 'garbage',
        'alg none': mint({ ...header, alg: 'none' }, claims, unsigned),
        'HS256 with the public key': mint({ ...header, alg: 'HS256' }, claims, byHmac(pem)),
        'an unknown key': mint({ ...header, kid: 'unknown' }, claims, signedByUs),
        'no typ': mint({ alg: header.alg, kid: header.kid }, claims, signedByUs),
        'another typ': mint({ ...header, typ: 'JWT' }, claims, signedByUs),
        'another aud': mint(header, { ...claims, aud: 'other' }, signedByUs),
        'another iss': mint(header, { ...claims, iss: 'https://evil.test' }, signedByUs),
        'an exp that has come': mint(header, { ...claims, exp: Math.floor(Date.now() / 1000) }, signedByUs),
        'no exp': mint(header, { ...claims, exp: undefined }, signedByUs),
      };
    },
  };
};
