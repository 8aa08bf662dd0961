import { makeChangeAccount, makeChangeUser } from '../../../../core/accounts/change-account.ts';
import { loginKeyClaim, makeLoginKeys, withKey } from '../../../../core/accounts/claim-login-keys.ts';
import { CoreError } from '../../../../core/errors.ts';
import { race } from '../../../contracts/race.ts';
import { sampleStep } from '../../../contracts/samples.ts';
import { unawaited } from '../../../support/unawaited.ts';
import { openStore } from './open-store.ts';

/** When the process is killed, relative to one of the two writes that add a key. */
export interface Death {
  readonly write: 'record' | 'account';
  readonly when: 'before' | 'amid' | 'after';
}

/** A command of the parent process. */
export type Order =
  | { readonly act: 'add'; readonly users: readonly string[]; readonly key: string; readonly death?: Death }
  | { readonly act: 'step'; readonly flow: string; readonly times: number; readonly now: number };

type Ports = Awaited<ReturnType<typeof openStore>>['ports'];

/** The ports of a process that is killed at a write. */
const makeDyingPorts = (ports: Ports, { write, when }: Death): Ports => {
  const dying = async <T>(call: () => Promise<T>): Promise<T> => {
    const started = when === 'before' ? undefined : call();
    if (when === 'after') await started;
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  };
  const { accounts, loginKeys } = ports;
  return write === 'account'
    ? { ...ports, accounts: { ...accounts, save: (account) => dying(() => accounts.save(account)) } }
    : {
        ...ports,
        loginKeys: {
          ...loginKeys,
          add: (record) => dying(() => loginKeys.add(record)),
          replace: (record, seen) => dying(() => loginKeys.replace(record, seen)),
        },
      };
};

/** Adds a login key to an account, with retries while the store is busy. Returns the outcome. */
export const addKey = async (ports: Ports, user: string, key: string): Promise<string> => {
  const keys = makeLoginKeys(ports);
  const change = makeChangeAccount({ accounts: ports.accounts, wake: () => undefined });
  const changeUser = makeChangeUser(ports.accounts, change);
  try {
    return await changeUser(user, async (account) => {
      const claim = await keys.claim(account, key);
      if (claim === 'taken') return { next: null, answer: claim };
      const next = withKey(account, claim);
      return { next, answer: loginKeyClaim(account, key) === undefined ? 'added' : 'claimed anew' };
    });
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    return error.kind === 'unavailable' ? addKey(ports, user, key) : error.code;
  }
};

/** Runs as a process on a store, `claimer.js FOLDER SETTINGS`, and sends its parent the outcome of each order. */
const serve = async (folder: string, settings: string): Promise<void> => {
  const { ports } = await openStore(folder, JSON.parse(settings));
  process.on(
    'message',
    unawaited(async (order: Order) => {
      if (order.act === 'step') {
        const { flow, times, now } = order;
        const steps = await race(times, () => ports.flows.step(sampleStep(flow, {}, now), now));
        process.send?.(steps.filter(Boolean));
      } else {
        const { users, key, death } = order;
        const orderPorts = death === undefined ? ports : makeDyingPorts(ports, death);
        process.send?.(await Promise.all(users.map((user) => addKey(orderPorts, user, key))));
      }
    }),
  );
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
};

const [, file, folder, settings] = process.argv;
if (file === import.meta.filename && folder !== undefined) await serve(folder, settings ?? '{}');
