import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../adapters/compose.ts';
import { readConfig } from '../../adapters/config.ts';
import { openKeyFiles } from '../../adapters/installation.ts';
import { makeWebhookSender } from '../../adapters/signed-deliveries/webhook-sender.ts';
import type { Message } from '../../core/index.ts';
import { sampleDelivery } from '../contracts/samples.ts';
import { caller } from '../core/accounts/open-core.ts';
import { ORIGIN, PASSKEYS_ON } from '../servers/accounts/passkeys/passkey-calls.ts';
import { codeAt } from '../servers/accounts/second-factor/factor.ts';
import { makeAuthenticator } from '../support/passkeys/authenticator.ts';
import { makeRecordingLog } from '../support/recording-log.ts';
import { easySettings } from '../support/service.ts';
import { openStorePorts } from '../support/store-ports.ts';
import { runCommand } from './run-command.ts';

const PASSWORD = 'correct horse battery';
const by = { actor: 'test' };

/** An installation, a function that runs commands on it, and functions that change its data directly. */
export const openInstallation = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-verbs-'));
  const settings = {
    ...easySettings,
    DATA_DIR: join(folder, 'data'),
    // Nothing listens on this port, so that mails wait for a retry.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@example.com',
    ...PASSKEYS_ON,
  };
  const config = readConfig(settings, folder);
  const mails: Message[] = [];
  const mailer = {
    send: async (message: Message) => {
      mails.push(message);
      return { outcome: 'sent' } as const;
    },
  };
  const { accounts, files, settle, close } = await compose(config, { mailer, log: makeRecordingLog() });
  const { operate, background } = accounts;
  let count = 0;

  const logIn = async (email: string): Promise<string> => {
    await operate.sendReset(email, by);
    await settle();
    const text = mails.findLast(({ to }) => to === email)?.text ?? '';
    const code = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0] ?? '';
    await accounts.confirmPasswordReset({ email, code, newPassword: PASSWORD }, caller);
    const answer = await accounts.logIn({ email, password: PASSWORD }, caller);
    return 'token' in answer ? answer.token : '';
  };

  return {
    operate,
    by,
    /** Throws an error with the command's standard error unless it exits with 0. */
    run: async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<void> => {
      const { status, stderr } = await runCommand(folder, args, { env: { ...settings, ...more } });
      if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
    },
    /** The path of a file with this name in the installation's folder. */
    path: (name: string) => join(folder, name),
    write: (name: string, line: object) => {
      writeFileSync(join(folder, name), `${JSON.stringify(line)}\n`);
      return join(folder, name);
    },
    makeUser: async () => {
      count += 1;
      const email = `user${count}@example.com`;
      const { userId: id } = await operate.createUser({ email, verified: true }, by);
      return { id, email };
    },
    idOf: async (email: string) => (await operate.findUser(email)).id,
    /** Signs a user in and returns the session's id. */
    logIn: async (email: string) => (await accounts.authenticate(await logIn(email))).session.id,
    turnOnFactor: async (email: string): Promise<void> => {
      const token = await logIn(email);
      const authenticate = () => accounts.authenticate(token);
      const setup = await accounts.configureTwoFactor(await authenticate(), { enable: true }, caller);
      if (!('secret' in setup)) throw new Error('The setup of the second factor did not begin.');
      const confirm = {
        enable: true,
        secret: setup.secret,
        verificationCode: codeAt(setup.secret, Date.now()),
      };
      await accounts.configureTwoFactor(await authenticate(), confirm, caller);
    },
    /** Adds a passkey and returns its id. */
    addPasskey: async (email: string): Promise<string> => {
      const token = await logIn(email);
      const authenticate = () => accounts.authenticate(token);
      const { options, flow } = await accounts.passkeys.begin(await authenticate(), caller);
      const { answer: credential } = makeAuthenticator(ORIGIN).create(options);
      const { passkey } = await accounts.passkeys.register(
        await authenticate(),
        { flow, credential },
        caller,
      );
      return passkey.id;
    },
    fileOf: (user: string) => ({
      filenameEnc: 'name',
      size: 1,
      user,
      mimeType: 'image/png',
      dekEnc: 'wrapped elsewhere',
      thumb: false,
    }),
    createFile: files.create,
    /** Leaves a mail in the outbox and returns its id. */
    makeMail: async (email: string): Promise<string> => {
      await operate.sendReset(email, by);
      await background.relayAllButEvents();
      for await (const { id, to } of operate.listMails()) if (to === email) return id;
      throw new Error('The outbox has no mail for this address.');
    },
    /** Adds an event that waits for an endpoint which the settings do not name. */
    makeDelivery: async (id: string, url: string): Promise<void> => {
      const stores = openStorePorts(settings.DATA_DIR);
      const { idOf } = makeWebhookSender({ targets: [], allowPrivate: false, clock: { now: Date.now } });
      await stores.webhooks.add('user', sampleDelivery(id, { endpoint: idOf(url) }));
      await stores.close();
    },
    keys: () => openKeyFiles(config).list(),
    /** Relays pending entries, then returns the audit rows from this number on. */
    rowsFrom: async (number: number) => {
      await background.relayAllButEvents();
      const rows = [];
      for await (const row of operate.listAudit({})) if (row.number >= number) rows.push(row);
      return rows;
    },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Installation = Awaited<ReturnType<typeof openInstallation>>;
