/** A program: imports users into a store, and uses them by the core. Answers with the rates. */
import { scryptSync } from 'node:crypto';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { caller } from '../../core/accounts/open-core.ts';
import { upload } from '../../core/files/open-files-core.ts';
import { unawaited } from '../../support/unawaited.ts';
import { SETTINGS } from '../server.ts';
import { rateOf, type StoresAnswer, type StoresJob } from '../stores.ts';

/** The server refuses more passwords at once. */
const LOGINS = 8;
const RECORDS = 5_000;
const LISTED = 50;
const USER = 'uploader';
const PASSWORD = 'correct horse battery';
/** A login costs what it does beside its hash. */
const SCRYPT = 'ln=8,r=8,p=1';

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const SALT = Buffer.alloc(16, 1);
const HASH = `$scrypt$${SCRYPT}$${base64(SALT)}$${base64(scryptSync(PASSWORD, SALT, 32, { N: 2 ** 8, r: 8, p: 1 }))}`;

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

const emailOf = (place: number) => `user-${place}@example.com`;

async function* linesOf(users: number): AsyncGenerator<string> {
  for (let place = 0; place < users; place += 1)
    yield JSON.stringify({
      email: emailOf(place),
      displayName: 'User',
      passwordHash: HASH,
      emailVerified: true,
    });
}

/** The passwords of one client are checked one after another. */
const callerAt = (place: number) => ({ ...caller, client: `192.0.2.${place}`, address: `192.0.2.${place}` });

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return count / ((performance.now() - began) / 1_000);
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

    const logIn = async (place: number) => {
      const input = { email: emailOf(place), password: PASSWORD };
      const answer = await accounts.logIn(input, callerAt(place), async () => undefined);
      if (!('token' in answer)) throw new Error('The login asked for more.');
      return answer;
    };
    // The first one from an address notes that.
    const sessions: Tokens[] = [];
    while (sessions.length < inFlight) sessions.push(await logIn(sessions.length));
    const rates = {
      import: imported,
      login: await rateOf(seconds, LOGINS, (place) => logIn(inFlight + place)),
      me: await rateOf(seconds, inFlight, async (place) =>
        accounts.showProfile(await accounts.authenticate(sessions[place]?.token ?? '', 'any', caller)),
      ),
      refresh: await rateOf(seconds, inFlight, async (place) => {
        const session = sessions[place];
        if (session !== undefined) sessions[place] = await accounts.refresh(session, caller);
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
