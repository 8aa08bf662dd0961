import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import type { MailFolder } from '../../support/mail-folder.ts';
import { isGroupAlive, type RunningServer } from '../../support/servers/server-process.ts';
import { type Ask, ask, type Reply } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 6;

/** What one user's client knows for sure: what the server acknowledged, and what it may have done beyond that. */
export interface Ledger {
  readonly email: string;
  readonly password: string;
  registered: boolean;
  verified: boolean;
  /** Every display name that was sent, in order, and the place of the last acknowledged one. */
  readonly namesSent: (string | null)[];
  nameAcknowledged: number;
  token: string;
  refreshToken: string;
  /** The refresh token was sent and no answer has come. */
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

/** Uses the service as one user, one call after the other, and notes what was acknowledged, until no answer comes. */
const useUntilKilled = async (url: string, mails: MailFolder, ledger: Ledger): Promise<void> => {
  const { email, password } = ledger;
  let gone = false;
  /** Undefined when the server is no more. */
  const send = async (status: number, method: string, path: string, given: Ask) => {
    const reply = await ask(url, method, `/api/auth/${path}`, given).catch(() => undefined);
    gone = reply === undefined;
    if (reply === undefined) return undefined;
    expect(reply.status, `${path}: ${JSON.stringify(reply.body)}`).to.equal(status);
    ledger.acknowledged += 1;
    return reply;
  };
  const changeName = async () => {
    const displayName = `Name ${ledger.namesSent.length}`;
    ledger.namesSent.push(displayName);
    const sent = ledger.namesSent.length - 1;
    const reply = await send(200, 'PATCH', 'me', { body: { displayName }, token: ledger.token });
    if (reply !== undefined) ledger.nameAcknowledged = sent;
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
  // Where the kill comes first there is no mail before the next start.
  const code = await mails.codeFor(email, 2_000).catch(() => undefined);
  if (code === undefined) return;
  const verified = await send(200, 'POST', 'verify-email', { body: { email, password, code } });
  if (verified === undefined) return;
  ledger.verified = true;
  keepTokens(ledger, verified);
  while (!gone) {
    await changeName();
    if (!gone) await refresh();
    if (!gone && Math.random() < 0.3) await logIn();
  }
};

/** Checks on a server that was started anew that nothing acknowledged is lost, and that what was due was done. */
const checkAfterKill = async (url: string, mails: MailFolder, ledger: Ledger): Promise<void> => {
  const { email, password, refreshToken } = ledger;
  const post = (path: string, body: unknown) => ask(url, 'POST', `/api/auth/${path}`, { body });
  if (!ledger.registered) return;
  const code = await mails.codeFor(email);
  if (!ledger.verified) {
    // The verification may have been under way: then it is done or not, and the code spent or good.
    const { status } = await post('verify-email', { email, password, code });
    expect(status, `${email}: verification`).to.be.oneOf([200, 401]);
  }
  const refreshed = ledger.verified ? await post('refresh', { refreshToken }) : undefined;
  const login = await post('login', { email, password });
  expect(login.status, `${email}: login`).to.equal(200);
  const token = String(login.body.token);

  if (refreshed !== undefined && refreshed.status !== 200) {
    // It was exchanged by the call that was never answered: the session goes on with the successor.
    expect([refreshed.status, ledger.refreshing], `${email}: refresh`).to.deep.equal([401, true]);
    const { body } = await ask(url, 'GET', '/api/auth/sessions', { token });
    const sessions = body.sessions as unknown as readonly { readonly id: string }[];
    expect(sessions.map(({ id }) => id)).to.include(refreshToken.split('.')[1]);
  }
  const { body } = await ask(url, 'GET', '/api/auth/me', { token });
  const possible = ledger.namesSent.slice(ledger.nameAcknowledged);
  expect(body.user?.displayName, `${email}: display name`).to.be.oneOf(possible);
};

/** Kills the process under load and starts it again, so many times. Returns the last one. */
export const killInRounds = async (
  startOne: () => Promise<RunningServer>,
  mails: MailFolder,
  rounds: number,
): Promise<RunningServer> => {
  /**
   * One that has hashed a password. Until its hashing process has started, the first hash waits for that, and whoever waits
   * behind it for two seconds is refused.
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
    const using = Promise.all(ledgers.map((ledger) => useUntilKilled(url, mails, ledger)));
    await until(() => ledgers.some((ledger) => ledger.acknowledged > 0));
    // From the middle of the registrations to long after the last verification.
    await pause(Math.random() * 1_500);
    server.signal('SIGKILL');
    await using;
    await server.ended;
    await until(() => !isGroupAlive(pid));

    server = await startHashing(`after${round}`);
    const again = server.url;
    await race(CLIENTS, async (place) => {
      const ledger = ledgers[place];
      if (ledger !== undefined) await checkAfterKill(again, mails, ledger);
    });
    acknowledged += ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
  }
  expect(acknowledged, 'nothing was acknowledged, so nothing was shown').to.be.greaterThan(0);
  return server;
};
