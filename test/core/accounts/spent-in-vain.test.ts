import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import { type AccountsPorts, createAccounts } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { caller, openPorts } from './open-core.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

/** The ports with one method that fails as long as `down` says so. */
const failing = <Port extends 'accounts' | 'sessions' | 'tokens'>(
  ports: AccountsPorts,
  port: Port,
  method: keyof AccountsPorts[Port],
) => {
  const state = { down: false };
  const original: unknown = ports[port][method];
  if (typeof original !== 'function') throw new Error('There is no such method.');
  const broken = (...given: unknown[]) =>
    state.down
      ? Promise.reject(unavailable('store_unavailable', 'Down.'))
      : original.apply(ports[port], given);
  return { state, ports: { ...ports, [port]: { ...ports[port], [method]: broken } } };
};

describe('A call that fails for want of a store or a key', () => {
  const folder = useTempFolder();
  let opened: ReturnType<typeof openPorts>;
  beforeEach(() => {
    opened = openPorts(folder());
  });
  afterEach(() => opened.close());

  /** Registers, and gives the code from the mail. */
  const register = async (): Promise<string> => {
    const { register, background } = createAccounts(opened.ports);
    await register({ email, password }, caller);
    await background.relay();
    await background.deliverMail(1);
    return /\b\d{6}\b/.exec(opened.mails.at(-1)?.text ?? '')?.[0] ?? '';
  };
  const signUp = async () =>
    createAccounts(opened.ports).verifyEmail({ email, code: await register() }, caller);

  for (const [port, method] of [
    ['tokens', 'issue'],
    ['accounts', 'find'],
  ] as const) {
    it(`spends no refresh token where ${port}.${method} fails`, async () => {
      const { refreshToken } = await signUp();
      const { state, ports } = failing(opened.ports, port, method as never);
      const accounts = createAccounts(ports);
      state.down = true;
      expect(await rejectionOf(() => accounts.refresh({ refreshToken }, caller))).to.include({
        kind: 'unavailable',
      });
      state.down = false;
      expect(await accounts.refresh({ refreshToken }, caller)).to.have.property('token');
    });
  }
});
