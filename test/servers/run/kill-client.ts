import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import type { MailFolder } from '../../support/mail-folder.ts';
import { isGroupAlive, type RunningServer } from '../../support/servers/server-process.ts';
import { ask, type Reply, type RequestOptions } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 6;

/** The acknowledged and pending calls of one user's client. */
export interface Ledger {
  readonly email: string;
  readonly password: string;
  registered: boolean;
  verified: boolean;
  /** All display names that were sent, in order, and the index of the last acknowledged name. */
  readonly namesSent: (string | null)[];
  nameAcknowledged: number;
  token: string;
  refreshToken: string;
  /** The refresh token was sent and there is no response yet. */
  refreshing: boolean;
  acknowledged: number;
}

const makeLedger = (email: string): Ledger => ({
  email,
  password: `correct horse ${email}`,
  registered: false,
  verified: false,
  namesSent: [null],
  nameAcknowledged: 0,
  token: '',
  refreshToken: '',
  refreshing: false,
  acknowledged: 0,
});

const keepTokens = (ledger: Ledger, { body }: Reply) => {
  ledger.token = String(body.token);
  ledger.refreshToken = String(body.refreshToken);
};

/** Calls the service as one user, one call at a time, and records the acknowledged calls, until a call fails. */
const useUntilKilled = async (url: string, mails: MailFolder, ledger: Ledger): Promise<void> => {
  const { email, password } = ledger;
  let isKilled = false;
  /** Returns undefined if the server has been killed. */
  const send = async (status: number, method: string, path: string, options: RequestOptions) => {
    const reply = await ask(url, method, `/api/auth/${path}`, options).catch(() => undefined);
    isKilled = reply === undefined;
    if (reply === undefined) return undefined;
    expect(reply.status, `${path}: ${JSON.stringify(reply.body)}`).to.equal(status);
    ledger.acknowledged += 1;
    return reply;
  };
  const changeName = async () => {
    const displayName = `Name ${ledger.namesSent.length}`;
    ledger.namesSent.push(displayName);
    const index = ledger.namesSent.length - 1;
    const reply = await send(200, 'PATCH', 'me', { body: { displayName }, token: ledger.token });
    if (reply !== undefined) ledger.nameAcknowledged = index;
  };
  const refresh = async () => {
    ledger.refreshing = true;
    const reply = await send(200, 'POST', 'refresh', { body: { refreshToken: ledger.refreshToken } });
    if (reply === undefined) return;
    keepTokens(ledger, reply);
    ledger.refreshing = false;
  };
  const logIn = async () => {
    const reply = await send(200, 'POST', 'login', { body: { email, password } });
    if (reply !== undefined) keepTokens(ledger, reply);
  };

  if ((await send(201, 'POST', 'register', { body: { email, password } })) === undefined) return;
  ledger.registered = true;
  // After a kill the mail is sent only by the next start.
  const code = await mails.codeFor(email, 2_000).catch(() => undefined);
  if (code === undefined) return;
  const verified = await send(200, 'POST', 'verify-email', { body: { email, password, code } });
  if (verified === undefined) return;
  ledger.verified = true;
  keepTokens(ledger, verified);
  while (!isKilled) {
    await changeName();
    if (!isKilled) await refresh();
    if (!isKilled && Math.random() < 0.3) await logIn();
  }
};

/** Checks on a restarted server that every acknowledged call has had its effect, and that pending mails were sent. */
const checkAfterKill = async (url: string, mails: MailFolder, ledger: Ledger): Promise<void> => {
  const { email, password, refreshToken } = ledger;
  const post = (path: string, body: unknown) => ask(url, 'POST', `/api/auth/${path}`, { body });
  if (!ledger.registered) return;
  const code = await mails.codeFor(email);
  if (!ledger.verified) {
    // The verification may have been in progress, so the code may be spent or valid.
    const { status } = await post('verify-email', { email, password, code });
    expect(status, `${email}: verification`).to.be.oneOf([200, 401]);
  }
  const refreshed = ledger.verified ? await post('refresh', { refreshToken }) : undefined;
  const login = await post('login', { email, password });
  expect(login.status, `${email}: login`).to.equal(200);
  const token = String(login.body.token);

  if (refreshed !== undefined && refreshed.status !== 200) {
    // The unanswered call exchanged the token: the session continues with the successor.
    expect([refreshed.status, ledger.refreshing], `${email}: refresh`).to.deep.equal([401, true]);
    const { body } = await ask(url, 'GET', '/api/auth/sessions', { token });
    const sessions = body.sessions as unknown as readonly { readonly id: string }[];
    expect(sessions.map(({ id }) => id)).to.include(refreshToken.split('.')[1]);
  }
  const { body } = await ask(url, 'GET', '/api/auth/me', { token });
  const possible = ledger.namesSent.slice(ledger.nameAcknowledged);
  expect(body.user?.displayName, `${email}: display name`).to.be.oneOf(possible);
};

/** Kills the process under load and restarts it `rounds` times. Returns the last process. */
export const killInRounds = async (
  startOne: () => Promise<RunningServer>,
  mails: MailFolder,
  rounds: number,
): Promise<RunningServer> => {
  /**
   * Starts a server and registers an account, because the first hash waits for the hashing process to start, and calls that
   * wait for two seconds behind it are refused.
   */
  const startHashing = async (name: string): Promise<RunningServer> => {
    const started = await startOne();
    const body = { email: `${name}@example.com`, password: 'correct horse battery' };
    expect((await ask(started.url, 'POST', '/api/auth/register', { body })).status).to.equal(201);
    return started;
  };
  let server = await startHashing('before');
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const { url, pid } = server;
    const ledgers = Array.from({ length: CLIENTS }, (_, place) =>
      makeLedger(`user${round}-${place}@example.com`),
    );
    const clients = Promise.all(ledgers.map((ledger) => useUntilKilled(url, mails, ledger)));
    await until(() => ledgers.some((ledger) => ledger.acknowledged > 0));
    // The kill may come at any time from the registrations to long after the last verification.
    await pause(Math.random() * 1_500);
    server.signal('SIGKILL');
    await clients;
    await server.ended;
    await until(() => !isGroupAlive(pid));

    server = await startHashing(`after${round}`);
    const restartedUrl = server.url;
    await race(CLIENTS, async (place) => {
      const ledger = ledgers[place];
      if (ledger !== undefined) await checkAfterKill(restartedUrl, mails, ledger);
    });
    acknowledged += ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
  }
  expect(acknowledged, 'no call was acknowledged, so nothing was tested').to.be.greaterThan(0);
  return server;
};
