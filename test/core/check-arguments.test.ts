import { expect } from 'chai';
import { CoreError, createAccounts } from '../../core/index.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { caller, openPorts } from './accounts/open-core.ts';
import { openBilling } from './billing/open-billing.ts';
import { openFilesCore, upload } from './files/open-files-core.ts';

type Calls = Readonly<Record<string, unknown>>;

/** Arguments that a program without types may pass to any call. */
const WRONG_ARGUMENTS: readonly (readonly unknown[])[] = [
  [],
  [undefined],
  [null, null, null, null],
  [1, 2, 3, 4],
  ['\ud800', '\ud800', '\ud800', '\ud800'],
  [{}, {}, {}, {}],
  [[], [], [], []],
  [{ email: {}, user: { $ne: '' }, userId: 1, account: 'a', type: 'OUT', limit: '1' }, {}, {}],
];

/** The calls by name, including nested calls. */
const callsOf = (calls: object, path = ''): readonly (readonly [name: string, call: unknown])[] =>
  Object.entries(calls as Calls).flatMap(([name, call]) => {
    if (['background', 'subscribers', 'begin'].includes(name)) return [];
    if (typeof call === 'function') return [[`${path}${name}`, call] as const];
    return callsOf(call as Calls, `${path}${name}.`);
  });

/** The error that a call throws or rejects with, also while its result is iterated. */
const failureOf = (call: unknown, values: readonly unknown[]): Promise<unknown> =>
  rejectionOf(async () => {
    if (typeof call !== 'function') throw new Error('The member is not a function.');
    const answer: unknown = await call(...values);
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) {
      for await (const _ of answer as AsyncIterable<unknown>);
    }
  }).catch(() => undefined);

const expectCoreErrors = async (calls: object, minCount: number): Promise<void> => {
  let refused = 0;
  for (const [name, call] of callsOf(calls)) {
    for (const value of WRONG_ARGUMENTS) {
      const error = await failureOf(call, value);
      if (error === undefined) continue;
      expect(error, `${name}(${JSON.stringify(value)})`).to.be.instanceOf(CoreError);
      refused += 1;
    }
  }
  expect(refused).to.be.greaterThan(minCount);
};

describe('The argument check', () => {
  it('throws a CoreError for wrong arguments of every account call, including operator calls', async () => {
    const { ports } = openPorts();
    await expectCoreErrors(createAccounts(ports), 400);
  });

  it('comes first in every account call that has arguments', async () => {
    const { ports } = openPorts();
    const calls = createAccounts(ports);
    const names: string[] = [];
    for (const [name, call] of [...callsOf(calls), ...callsOf(calls.subscribers, 'subscribers.')]) {
      const error = await failureOf(call, Array(4).fill(Symbol('of no type')));
      if (!(error instanceof CoreError) || error.code !== 'invalid_request') names.push(name);
    }
    expect(names).to.have.members([
      ...['open', 'publicKeys', 'userStats', 'providers.list'],
      ...['passkeys.beginLogin', 'passkeys.relatedOrigins', 'passkeys.site'],
      ...['operate.countSealed', 'operate.listMails', 'operate.sealedKeys', 'operate.stats'],
      ...['operate.showAuditCheck', 'operate.startAuditCheck'],
    ]);
  });

  it('throws a CoreError for wrong arguments of every files call', async () => {
    const core = openFilesCore();
    await expectCoreErrors(core.files, 90);
  });

  it('throws a CoreError for wrong arguments of every billing call', async () => {
    const core = openBilling();
    await expectCoreErrors(core.billing, 50);
  });

  it('names the argument, and rejects instead of throwing in a call that returns a promise', async () => {
    const { ports } = openPorts();
    const { register } = createAccounts(ports);
    const wrong = register as unknown as (input: unknown, from: unknown) => Promise<unknown>;
    const error = await wrong({ email: 'ada@example.com' }, caller).catch((refusal: unknown) => refusal);
    expect(error).to.include({ kind: 'invalid', code: 'invalid_request' });
    expect(error).to.have.property('message', "'password' must be a string of whole characters.");
  });

  it('refuses an array in place of an object, even if every member is optional', async () => {
    const { listUsers } = createAccounts(openPorts().ports);
    const list = listUsers as unknown as (input: unknown) => Promise<unknown>;
    expect(await list({})).to.have.property('users');
    expect(await rejectionOf(() => list([]))).to.include({
      code: 'invalid_request',
      message: "'input' must be an object.",
    });
  });
});

describe('The user of a files call', () => {
  it('is `userId` in every call, and is still accepted under its former name', async () => {
    const { files } = openFilesCore();
    const { user: _, ...rest } = upload();
    const { id } = await files.create({ ...rest, userId: 'ada' });
    await files.create({ ...rest, user: 'ada' });
    expect(await files.countOf('ada')).to.equal(2);
    for (const member of [{ userId: 'ada' }, { user: 'ada' }]) {
      expect(await files.syncCache({ ...member, type: 'allOne' })).to.deep.equal({
        user: 'ada',
        synced: 2,
        skipped: 0,
      });
      expect(await files.prefetch({ ...member, limit: 5 })).to.deep.equal({ user: 'ada', prefetched: 0 });
      expect(await files.invalidate({ ...member, type: 'OUT' })).to.include({ user: 'ada', invalidated: 2 });
    }
    expect((await files.list({ userId: 'ada', limit: 5 })).files.map((file) => file.id)).to.include(id);
    await (files.create as (input: unknown) => Promise<unknown>)({ ...rest, userId: 'ada', user: 'ada' });
    expect(await files.countOf('ada')).to.equal(3);
  });

  it('is checked under its given name, after all other members', async () => {
    const { files } = openFilesCore();
    const create = files.create as (input: unknown) => Promise<unknown>;
    const { user: _, ...rest } = upload();
    const notText = (name: string) => `'${name}' must be a string of whole characters.`;
    for (const [input, message] of [
      [7, "'input' must be an object."],
      [null, "'input' must be an object."],
      ['text', "'input' must be an object."],
      [[], "'input' must be an object."],
      [rest, notText('userId')],
      [{ ...rest, user: 7 }, notText('user')],
      [{ ...rest, userId: 7 }, notText('userId')],
      [{ ...rest, userId: 7, user: 'ada' }, notText('userId')],
      [{ ...rest, userId: 'ada', user: 7 }, notText('user')],
      [{ ...rest, filenameEnc: 7, user: 7 }, notText('filenameEnc')],
      [{ ...rest, userId: 'ada', user: 'grace' }, "'user' is another name of 'userId': give one of them."],
    ] as const)
      expect(await rejectionOf(() => create(input)), JSON.stringify(input)).to.include({
        code: 'invalid_request',
        message,
      });
  });
});
