import { expect } from 'chai';
import { userOf, userSessionOf } from '../../../../core/accounts/principal.ts';
import { type AccountsPorts, createAccounts, type Principal } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount, sampleSession } from '../../../contracts/samples.ts';
import { makeGif } from '../../../support/images/gif.ts';
import { makePng } from '../../../support/images/png.ts';
import { caller, codeOf, openPorts } from '../open-core.ts';

const [png, gif] = [makePng(), makeGif()];
const HOUR = 3_600_000;

describe('Setting an avatar', () => {
  let ports: AccountsPorts;

  beforeEach(async () => {
    ({ ports } = openPorts());
    await ports.accounts.add(sampleAccount('user', { verified: true }));
  });

  const account = async () => (await ports.accounts.find('user')) ?? expect.fail('there is no user');
  const identity = async (): Promise<Principal> => ({
    user: userOf(await account()),
    session: userSessionOf(sampleSession('session')),
    claims: { userId: 'user', sessionId: 'session', tokenId: 'token', issuedAt: 0, expiresAt: 0 },
  });
  const relay = async (on = ports) => {
    while ((await createAccounts(on).background.relay()) > 0);
  };
  const storedPaths = async () => {
    const paths: string[] = [];
    for await (const { path } of ports.objects.list()) paths.push(path);
    return paths.sort();
  };
  const set = async (bytes = png, on = ports) =>
    (await createAccounts(on).setAvatar(await identity(), bytes, caller)).avatar;

  it('stores the object before it is recorded, and removes the one before only after', async () => {
    const first = await set();
    const steps: string[] = [];
    const objects: AccountsPorts['objects'] = {
      ...ports.objects,
      put: async (...args) => {
        steps.push('put');
        return ports.objects.put(...args);
      },
      remove: async (path) => {
        steps.push(`remove ${path}`);
        return ports.objects.remove(path);
      },
    };
    const accounts: AccountsPorts['accounts'] = {
      ...ports.accounts,
      save: async (account) => {
        steps.push(account.avatar === first ? 'save the same' : 'save');
        return ports.accounts.save(account);
      },
    };
    const on = { ...ports, accounts, objects };
    const second = await set(gif, on);
    await relay(on);
    expect(steps.slice(0, 3)).to.deep.equal(['put', 'save', `remove ${first}`]);
    expect(await storedPaths()).to.deep.equal([second]);
  });

  it('leaves the one before as it is when it cannot be recorded; the sweep finds the new one', async () => {
    const first = await set();
    const died = new Error('The process is dead.');
    const accounts: AccountsPorts['accounts'] = {
      ...ports.accounts,
      save: async () => {
        throw died;
      },
    };
    expect(await rejectionOf(() => set(gif, { ...ports, accounts }))).to.equal(died);
    await relay();
    expect(await createAccounts(ports).showAvatar(await identity())).to.deep.include({ type: 'image/png' });
    expect(await storedPaths()).to.have.length(2);

    const sweepAt = (now: number) =>
      createAccounts({ ...ports, clock: { now: () => now } }).background.sweepAvatars();
    expect(await sweepAt(NOW + HOUR - 60_000)).to.equal(0);
    expect(await sweepAt(NOW + HOUR + 60_000)).to.equal(1);
    expect(await storedPaths()).to.deep.equal([first]);
  });

  it('is no matter of the sweep that is no avatar', async () => {
    const paths = ['images/logo.png', 'nobody/avatar.png', 'nobody/avatar_x1.png'];
    for (const path of [...paths, 'nobody/avatar_1.png']) await ports.objects.put(path, png);
    const clock = { now: () => NOW + 2 * HOUR };
    expect(await createAccounts({ ...ports, clock }).background.sweepAvatars()).to.equal(1);
    expect(await storedPaths()).to.deep.equal(paths);
  });

  it('gives two of one millisecond paths of their own, also when the clock was set back', async () => {
    const on = { ...ports, clock: { now: () => NOW } };
    expect(await set(png, on)).to.equal(`user/avatar_${NOW}.png`);
    expect(await set(png, on)).to.equal(`user/avatar_${NOW + 1}.png`);
    expect(await set(gif, on)).to.equal(`user/avatar_${NOW + 2}.gif`);
    await relay();
    expect(await storedPaths()).to.deep.equal([`user/avatar_${NOW + 2}.gif`]);
  });

  it('is refused once the account is deleted, and brings nothing back', async () => {
    const who = await identity();
    const accounts = createAccounts(ports);
    await ports.accounts.save({ ...(await account()), deletedAt: NOW });
    const refused = await rejectionOf(() => accounts.setAvatar(who, png, caller));
    expect(refused).to.include({ kind: 'unauthenticated', code: 'invalid_token' });
    expect((await ports.accounts.find('user'))?.avatar).to.equal(null);
  });

  it('shows the new one to who asked before it was set and reads after the old one went', async () => {
    await set();
    const early = await identity();
    await set(gif);
    await relay();
    const { showAvatar, removeAvatar } = createAccounts(ports);
    expect(await showAvatar(early)).to.deep.include({ kind: 'stored', type: 'image/gif' });
    await removeAvatar(await identity(), caller);
    await relay();
    const refused = await rejectionOf(() => showAvatar(early));
    expect(refused).to.include({ kind: 'missing', code: 'avatar_not_found' });
    // As to one who asks now.
    expect(await codeOf(showAvatar(await identity()))).to.equal('avatar_not_found');
  });

  it('and removing it are answered in words, and logged with where they came from, but not where there is none', async () => {
    const { ports: opened, lines } = openPorts();
    ports = opened;
    await ports.accounts.add(sampleAccount('user', { verified: true }));
    const { setAvatar, removeAvatar } = createAccounts(ports);
    const by = { ...caller, requestId: 'a-request' };
    const answers = [
      await setAvatar(await identity(), png, by),
      await removeAvatar(await identity(), by),
      await removeAvatar(await identity(), by),
    ];
    for (const { message } of answers) expect(message).to.match(/^[A-Z].*\.$/);
    const fields = { userId: 'user', address: caller.address, requestId: 'a-request' };
    const events = ['avatar.set', 'avatar.removed'];
    expect(lines).to.deep.equal(events.map((event) => ({ level: 'info', event, fields })));
  });

  it('does not remove an object that is the avatar, whatever was left to be done', async () => {
    const path = await set();
    const before = await account();
    const task = { kind: 'task', id: 'late', at: NOW, task: 'remove-object', subject: path } as const;
    await ports.accounts.save({ ...before, pending: [task] });
    await relay();
    expect(await storedPaths()).to.deep.equal([path]);
    expect((await account()).pending).to.deep.equal([]);
  });
});
