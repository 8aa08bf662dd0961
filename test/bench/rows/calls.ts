import { type Around, aroundMethods } from '../../../adapters/calls/around-methods.ts';
import { createAccounts, type Message } from '../../../core/index.ts';
import { caller, openPorts } from '../../core/accounts/open-core.ts';
import { openFilesCore, upload } from '../../core/files/open-files-core.ts';
import type { Measure } from '../measure.ts';
import { atMost, type Row } from '../verdict.ts';

const STORES = new Set(['accounts', 'directory', 'sessions', 'sessionCache', 'attempts', 'outbox', 'audit']);
const FILE_STORES = new Set(['files', 'activity', 'sealed', 'cacheGeneration']);

/** Counts the calls of the store's ports during some work. */
const makeCount = (say: (text: string) => void) => {
  const calls: string[] = [];
  const around =
    (store: string): Around =>
    (method, _args, call) => {
      calls.push(`${store}.${method}`);
      return call();
    };
  const countCalls = <T extends object>(ports: T, stores: ReadonlySet<string>): T => {
    const entries = Object.entries(ports).map(([name, port]) => [
      name,
      stores.has(name) ? aroundMethods(port, around(name)) : port,
    ]);
    return Object.fromEntries(entries);
  };
  const count = async <T>(route: string, most: number, work: () => Promise<T>): Promise<[Row, T]> => {
    say(`calls: ${route}`);
    calls.length = 0;
    const result = await work();
    const row = `calls of the store: ${route}`;
    return [atMost(most, { row, unit: 'calls', product: calls.length, note: calls.join(', ') }), result];
  };
  return { countCalls, count };
};

type Count = ReturnType<typeof makeCount>;

const ada = { email: 'ada@example.com', password: 'correct horse battery' };

const codeIn = ([mail]: readonly Message[]): string => /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';

const ofAccounts = async ({ countCalls, count }: Count): Promise<readonly Row[]> => {
  const { ports, mails } = openPorts();
  const accounts = createAccounts(countCalls(ports, STORES));
  /** Like the route, with a function that counts the rate limit. */
  const logIn = () => accounts.logIn(ada, caller, async () => undefined);
  await accounts.open();
  const [registering] = await count('register', 2, () => accounts.register(ada, caller));
  await accounts.background.relay();
  await accounts.background.deliverMail(1);
  await accounts.verifyEmail({ ...ada, code: codeIn(mails) }, caller);
  // The first login from an address also stores the address.
  await logIn();
  const [loggingIn, answer] = await count('login', 3, logIn);
  if (!('token' in answer)) throw new Error('The login requires a second step.');
  const [refreshing] = await count('refresh', 2, () => accounts.refresh(answer, caller));
  const [reading] = await count('GET /api/auth/me', 1, async () =>
    accounts.showProfile(await accounts.authenticate(answer.token, 'any', caller)),
  );
  return [registering, loggingIn, refreshing, reading];
};

const ofFiles = async ({ countCalls, count }: Count): Promise<readonly Row[]> => {
  const { files } = openFilesCore({ change: (ports) => countCalls(ports, FILE_STORES) });
  // Fills caches that last for a second before the measurement.
  await files.read((await files.create(upload())).id);
  const { id } = await files.create(upload());
  const [first] = await count('record read, not cached', 1, () => files.read(id));
  const [next] = await count('record read, cached', 1, () => files.read(id));
  return [first, next];
};

/** The number of store calls of each request, in one process without background work. */
export const calls = async ({ say }: Measure): Promise<readonly Row[]> => {
  const counting = makeCount(say);
  return [...(await ofAccounts(counting)), ...(await ofFiles(counting))];
};
