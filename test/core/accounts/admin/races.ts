import { expect } from 'chai';
import { codeDigest } from '../../../../core/accounts/codes.ts';
import {
  type Accounts,
  type AccountsPorts,
  CoreError,
  createAccounts,
  type Principal,
} from '../../../../core/index.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { caller } from '../open-core.ts';

const CLI = { actor: 'operator:cli' };
const AT_ONCE = 50;

const PASSWORD = 'correct horse battery';
const [CODE, OTHER_CODE] = ['0'.repeat(24), '1'.repeat(24)];

type Process = Accounts;

interface Founder {
  readonly id: string;
  readonly principal: Principal;
}

/** Calls with which one founder removes another, or themselves. */
const CALLS: Readonly<Record<string, (process: Process, user: Founder, by: Founder) => Promise<unknown>>> = {
  'dismiss each other': ({ operate }, { id }, by) => operate.dismiss(id, byOf(by)),
  'appoint each other as dev': ({ operate }, { id }, by) => operate.appoint(id, 'dev', byOf(by)),
  'ban each other': ({ operate }, { id }, by) =>
    operate.ban(id, { reason: 'a quarrel', until: null }, byOf(by)),
  'reset the second factor of each other': ({ operate }, { id }, by) =>
    operate.resetTwoFactor(id, { ...byOf(by), reason: 'a quarrel' }),
  'delete each other': ({ operate }, { id }, by) => operate.deleteUser(id, byOf(by)),
  'dismiss each other by access tokens': (process, { id }, { principal }) =>
    process.setUserEntitlement(principal, id, { service: 'DROP', accessFlags: {} }, caller),
  'delete their own accounts': (process, _, { principal }) =>
    process.deleteAccount(principal, { password: PASSWORD, verificationCode: OTHER_CODE }, caller),
};
const byOf = ({ id }: Founder) => ({ actor: id, caller });

/** The outcome of a call: `done`, or the code of its refusal. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof CoreError) return error.code;
      throw error;
    },
  );

/** Tests of concurrent operators in several processes, each with ports on one store. Call it inside `describe`. */
export const operatorsRace = (open: () => Promise<readonly AccountsPorts[]>): void => {
  let stores: readonly AccountsPorts[] = [];
  let processes: readonly Process[] = [];
  let operatorCount = 0;
  before(async () => {
    stores = await open();
    // A shared clock: every call advances a clock, so two clocks would differ by minutes after many rounds.
    processes = stores.map((ports) => createAccounts({ ...ports, clock: stores[0]?.clock ?? ports.clock }));
  });

  const processAt = (place: number): Process => {
    const process = processes[place % processes.length];
    if (process === undefined) throw new Error('No process is open.');
    return process;
  };

  const create = async (): Promise<string> => {
    operatorCount += 1;
    const email = `operator${operatorCount}-${process.pid}@example.com`;
    return (await processAt(0).operate.createUser({ email, verified: true }, CLI)).userId;
  };
  /** The founders of the previous round; some may still have the role. */
  let lastFounders: readonly Founder[] = [];
  /** Gives an account a password and a second factor, and signs in with the first recovery code. */
  const signIn = async (id: string): Promise<Principal> => {
    const [ports] = stores;
    const account = await ports?.accounts.find(id);
    if (ports === undefined || account === undefined) throw new Error('There is no account.');
    const recovery = [CODE, OTHER_CODE].map((code) => codeDigest(ports.digest, 'recovery', id, code));
    const counts = { wrongInRow: 0, heldUntil: null, wrongToday: null, usedRecovery: [], lastStep: 0 };
    const twoFactor = { secret: null, recovery, ...counts };
    await ports.accounts.save({ ...account, passwordHash: `hash of ${PASSWORD}`, twoFactor });
    const login = { email: account.email, password: PASSWORD, verificationCode: CODE };
    const answer = await processAt(0).logIn(login, caller);
    if (!('token' in answer)) throw new Error('Not signed in.');
    return processAt(0).authenticate(answer.token);
  };
  /** Makes the only founders who can enter the console. */
  const makeFounders = async (count: number): Promise<readonly Founder[]> => {
    for (const { id } of lastFounders) if (await isFounder(id)) await processAt(0).operate.dismiss(id, CLI);
    const founders: Founder[] = [];
    for (let place = 0; place < count; place += 1) {
      const id = await create();
      await processAt(0).operate.appoint(id, 'founder', CLI);
      founders.push({ id, principal: await signIn(id) });
    }
    lastFounders = founders;
    return founders;
  };
  const isFounder = async (id: string): Promise<boolean> => {
    const user = await processAt(0)
      .operate.showUser(id)
      .catch(() => undefined);
    const [flags] = user?.entitlements.map(({ accessFlags }) => accessFlags) ?? [];
    const mayEnter = user?.banned?.inForce !== true && user?.twoFactorEnabled === true;
    return flags?.operatorTeamRole === 'founder' && mayEnter;
  };

  it('apply one of fifty actions that are based on the same state of a user', () =>
    inRounds(async () => {
      const [target, ...operators] = [await create(), await create(), await create()];
      const { updatedAt: seenAt } = await processAt(0).operate.showUser(target);
      const outcomes = await race(AT_ONCE, (place) => {
        const by = { actor: operators[place % 2] ?? '', seen: seenAt, caller, reason: `act ${place}` };
        const tier = place % 3 === 0 ? 'pro' : 'enterprise';
        // The shift lets each operator act in each process.
        const process = processAt(place >> 1).operate;
        return outcomeOf(
          place % 5 === 0
            ? process.ban(target, { reason: by.reason, until: null }, by)
            : process.setTier(target, { tier }, by),
        );
      });
      expect(outcomes.filter((outcome) => outcome === 'done')).to.have.length(1);
      expect(outcomes.filter((outcome) => outcome === 'changed_meanwhile')).to.have.length(AT_ONCE - 1);
    }));

  for (const [name, remove] of Object.entries(CALLS)) {
    for (const count of [2, 3]) {
      it(`keep one of ${count} founders who ${name}`, () =>
        inRounds(async () => {
          const founders = await makeFounders(count);
          const outcomes = await race(count * 4, (place) => {
            const [actor, target] = [founders[place % count], founders[(place + 1) % count]];
            if (actor === undefined || target === undefined) throw new Error('There is no founder.');
            return outcomeOf(remove(processAt(place), target, actor));
          });
          const remaining = [];
          for (const { id } of lastFounders) if (await isFounder(id)) remaining.push(id);
          expect(remaining, outcomes.join()).to.have.length(1);
          // A founder who was removed before their own call may no longer make it.
          expect(outcomes.join()).to.match(/last_founder|operators_only/);
        }));
    }
  }
};
