import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { type AnyJson, ask, type RequestOptions } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';

const email = 'ada.canary@example.com';
const passwords = ['canary horse battery', 'canary wrong battery', 'canary newer battery'] as const;
const [password, wrongPassword, newPassword] = passwords;
const STEP = 30_000;

/** Calls everything that a user can do, with valid and invalid input, and returns all secrets. */
const callEverything = async (server: RunningServer, folder: string): Promise<readonly string[]> => {
  const secrets: string[] = [email, ...passwords];
  const keep = (value: AnyJson | string | undefined): string => {
    if (typeof value !== 'string' || value === '') throw new Error('A secret is missing.');
    secrets.push(value);
    return value;
  };
  const post = async (path: string, body: unknown, options: RequestOptions = {}) =>
    (await ask(server.url, 'POST', `/api/auth/${path}`, { ...options, body })).body;
  const get = (path: string, options: RequestOptions = {}) => ask(server.url, 'GET', path, options);
  const mails = makeMailFolder(join(folder, 'data/mail'));
  const internalSecret = keep(readFileSync(join(folder, 'data/internal-secret'), 'utf8').trim());

  await post('register', { email, password: 'short' });
  await post('register', { email, password });
  const code = keep(await mails.codeFor(email));
  await post('verify-email', { email, code: code === '000000' ? '111111' : '000000', password });
  await post('verify-email', { email, code, password: wrongPassword });
  const first = await post('verify-email', { email, code, password });
  const refreshToken = keep(first.refreshToken);
  keep(first.token);
  const renewed = await post('refresh', { refreshToken });
  const token = keep(renewed.token);
  keep(renewed.refreshToken);
  await post('refresh', { refreshToken });
  await post('refresh', { refreshToken: `${refreshToken.slice(0, -3)}abc` });
  await post('login', { email, password: wrongPassword });
  await post('login', { email: 'ada.nobody.canary@example.com', password });
  secrets.push('ada.nobody.canary@example.com');

  const setup = await post('2fa', { enable: true }, { token });
  const secret = keep(setup.secret);
  keep(setup.manualEntryKey);
  const now = Date.now();
  const confirm = { enable: true, secret, verificationCode: keep(codeAt(secret, now)) };
  const enabled = await post('2fa', confirm, { token });
  const recoveryCodes = Array.from(enabled.recoveryCodes as unknown as Iterable<string>, keep);
  const pendingToken = keep((await post('login', { email, password })).pendingToken);
  await post('login', { email, pendingToken, verificationCode: 'AAAA-BBBB-CCCC-DDDD' });
  const completed = await post('login', { email, pendingToken, verificationCode: recoveryCodes[0] });
  keep(completed.token);
  await post('login', { email, password, verificationCode: keep(codeAt(secret, now + STEP)) });

  await post('password-reset', { email });
  const resetCode = keep(await mails.resetCodeFor(email));
  await post('password-reset/confirm', { email, code: 'AAAAA-BBBBB', newPassword });
  await post('password-reset/confirm', { email, code: resetCode, newPassword });
  secrets.push(resetCode.replace('-', ''));
  await post('introspect', { token }, { headers: { 'x-internal-secret': internalSecret } });
  await post('introspect', { token }, { headers: { 'x-internal-secret': keep('canary-guessed-secret') } });

  // Secrets where careless clients put them, and malformed requests.
  await get(`/api/auth/me?token=${token}&password=${keep('canary-in-query')}`, { token: `${token}x` });
  await get(`/api/${keep('canary-in-path')}/${refreshToken}`);
  await get('/api/auth/sessions', { headers: { Authorization: `Basic ${keep('canarybasic')}` } });
  await get('/health', { headers: { 'X-Request-Id': keep('canary request id') } });
  await get('/health', { headers: { 'User-Agent': keep('canary-agent'), Cookie: keep('canary=cookie') } });
  await ask(server.url, 'POST', '/api/auth/login', { body: `{"password":"${keep('canary-in-bad-json')}` });
  await ask(server.metadataUrl, 'GET', `/api/v1/meta/${keep('canary-file')}?dek=${keep('canary-dek')}`);

  const last = await post('login', { email, password: newPassword, verificationCode: recoveryCodes[1] });
  const owner = { token: keep(last.token) };
  await post('delete-account', { password: wrongPassword, verificationCode: recoveryCodes[2] }, owner);
  const deletion = await post(
    'delete-account',
    { password: newPassword, verificationCode: recoveryCodes[3] },
    owner,
  );
  expect(deletion).to.deep.equal({ success: true });
  return secrets;
};

/** The secrets in the files of a first start. */
const secretsOnDisk = (folder: string): readonly string[] => {
  const read = (name: string) => readFileSync(join(folder, 'data', name), 'utf8').trim();
  const inJson = ['keys/signing.json', 'keys/master.json'].flatMap((name) =>
    [...read(name).matchAll(/"(?:d|k|key)": ?"([^"]+)"/g)].map(([, secret = '']) => secret),
  );
  expect(inJson).to.have.lengthOf.at.least(2);
  return [read('internal-secret'), read('keys/hash-key'), ...inJson];
};

/** Returns whether a text contains a secret; digits count only outside of ids and numbers. */
const containsSecret = (text: string, secret: string): boolean =>
  /^\d+$/.test(secret)
    ? new RegExp(`(?<![0-9a-f.-])${secret}(?![0-9a-f.-])`).test(text)
    : text.toLowerCase().includes(secret.toLowerCase());

describe('The output of a server process', () => {
  const { start } = useServerProcesses();
  const folder = useTempFolder();

  it('consists of JSON lines on stdout and the startup message on stderr, without any secret', async () => {
    const server = await start('all', folder(), { LOG_LEVEL: 'trace' });
    const secrets = [...(await callEverything(server, folder())), ...secretsOnDisk(folder())];
    server.signal('SIGTERM');
    expect(await server.ended).to.include({ code: 0 });

    const lines = server.stdout().split('\n');
    expect(lines.pop()).to.equal('');
    const events = new Set(
      lines.map((line) => {
        const { time, level, event } = JSON.parse(line);
        expect(new Date(time).toISOString(), line).to.equal(time);
        expect(level, line).to.be.a('number');
        return event;
      }),
    );
    expect([...events]).to.include.members([
      'server.listening',
      'request',
      'sign_in.succeeded',
      'sign_in.failed',
      'session.refreshed',
    ]);
    expect(events.has('http.failed'), 'an unexpected error was logged').to.equal(false);
    const { url, metadataUrl } = server;
    expect(server.stderr().replace(/^Warning: .*\n/gm, '')).to.equal(
      [
        `Accounts  ${url}`,
        `Metadata  ${metadataUrl}`,
        `Data      ${join(folder(), 'data')}`,
        `Mail      one file each in ${join(folder(), 'data/mail')}`,
        'Next, sign up:',
        `  curl ${url}/api/auth/register -H 'Content-Type: application/json' \\`,
        `    -d '{"email":"ada@example.com","password":"correct horse battery"}'`,
        'or open',
        `  ${url}`,
        '',
      ].join('\n'),
    );

    const output = server.stdout() + server.stderr();
    expect(secrets.length).to.be.greaterThan(40);
    for (const secret of secrets) expect(containsSecret(output, secret), `wrote ${secret}`).to.equal(false);
  });
});
