/** A program: imports users into a store, and calls the core for them. Answers with the rates. */
import { scryptSync } from 'node:crypto';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { caller } from '../../core/accounts/open-core.ts';
import { upload } from '../../core/files/open-files-core.ts';
import { unawaited } from '../../support/unawaited.ts';
import { SETTINGS } from '../server.ts';
import { rateOf, type StoresAnswer, type StoresJob } from '../stores.ts';

/** The core refuses more concurrent passwords. */
const LOGINS = 8;
const RECORDS = 5_000;
const LISTED = 50;
const USER = 'uploader';
const PASSWORD = 'correct horse battery';
/** A cheap hash: the rest of a login is measured. */
const SCRYPT = 'ln=8,r=8,p=1';

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const SALT = Buffer.alloc(16, 1);
const HASH = `$scrypt$${SCRYPT}$${base64(SALT)}$${base64(scryptSync(PASSWORD, SALT, 32, { N: 2 ** 8, r: 8, p: 1 }))}`;

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

const emailOf = (index: number) => `user-${index}@example.com`;

async function* linesOf(users: number): AsyncGenerator<string> {
  for (let index = 0; index < users; index += 1)
    yield JSON.stringify({
      email: emailOf(index),
      displayName: 'User',
      passwordHash: HASH,
      emailVerified: true,
    });
}

/** Different clients, because the core checks the passwords of one client one after the other. */
const callerAt = (index: number) => ({ ...caller, client: `192.0.2.${index}`, address: `192.0.2.${index}` });

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
};

process.once(
  'message',
  unawaited(async ({ folder, settings, seconds, users, inFlight }: StoresJob) => {
    const env = { ...SETTINGS, ...settings, SCRYPT, LOG_LEVEL: 'error', DATA_DIR: folder };
    const { accounts, files, close } = await compose(readConfig(env, folder));
    await accounts.open();

    const options = { dryRun: false, onBad: () => undefined, onProgress: () => undefined };
    const imported = await perSecond(users, async () => {
      const { added } = await accounts.operate.importUsers(linesOf(users), options, {
        actor: 'operator:cli',
      });
      if (added < users) throw new Error(`${users - added} of ${users} were not imported.`);
    });

    const logIn = async (index: number) => {
      const input = { email: emailOf(index), password: PASSWORD };
      const answer = await accounts.logIn(input, callerAt(index), async () => undefined);
      if (!('token' in answer)) throw new Error('The login requires a second step.');
      return answer;
    };
    // The first login from an address also stores the address.
    const sessions: Tokens[] = [];
    while (sessions.length < inFlight) sessions.push(await logIn(sessions.length));
    const rates = {
      import: imported,
      login: await rateOf(seconds, LOGINS, (index) => logIn(inFlight + index)),
      me: await rateOf(seconds, inFlight, async (index) =>
        accounts.showProfile(await accounts.authenticate(sessions[index]?.token ?? '', 'any', caller)),
      ),
      refresh: await rateOf(seconds, inFlight, async (index) => {
        const session = sessions[index];
        if (session !== undefined) sessions[index] = await accounts.refresh(session, caller);
      }),
    };

    const ids: string[] = [];
    while (ids.length < RECORDS) {
      const page = Array.from({ length: inFlight }, () => files.create(upload({ user: USER })));
      ids.push(...(await Promise.all(page)).map(({ id }) => id));
    }
    await files.invalidate({ user: USER, type: 'OUT' });
    let next = 0;
    const reading = () =>
      perSecond(ids.length, () =>
        Promise.all(
          Array.from({ length: inFlight }, async () => {
            for (let id = ids[next++]; id !== undefined; id = ids[next++]) await files.read(id);
          }),
        ),
      );
    const read = await reading();
    const list = await rateOf(seconds, inFlight, () => files.listText({ userId: USER, limit: LISTED }));
    const create = await rateOf(seconds, inFlight, () => files.create(upload({ user: 'another' })));
    const sync =
      ids.length * (await rateOf(seconds, 1, () => files.syncCache({ user: USER, type: 'allOne' })));
    await close();
    process.send?.({ ...rates, create, read, list, sync } satisfies StoresAnswer);
  }),
);
