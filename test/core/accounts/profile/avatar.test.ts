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

describe('A change of the avatar', () => {
  let ports: AccountsPorts;

  beforeEach(async () => {
    ({ ports } = openPorts());
    await ports.accounts.add(sampleAccount('user', { verified: true }));
  });

  const account = async () => (await ports.accounts.find('user')) ?? expect.fail('The user does not exist.');
  const principalNow = async (): Promise<Principal> => ({
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
    (await createAccounts(on).setAvatar(await principalNow(), bytes, caller)).avatar;

  it('stores the object, then the account, and only then removes the former object', async () => {
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
        steps.push(account.avatar === first ? 'save unchanged' : 'save');
        return ports.accounts.save(account);
      },
    };
    const on = { ...ports, accounts, objects };
    const second = await set(gif, on);
    await relay(on);
    expect(steps.slice(0, 3)).to.deep.equal(['put', 'save', `remove ${first}`]);
    expect(await storedPaths()).to.deep.equal([second]);
  });

  it('keeps the former avatar if the account cannot be saved, and a sweep removes the new', async () => {
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
    expect(await createAccounts(ports).showAvatar(await principalNow())).to.deep.include({
      type: 'image/png',
    });
    expect(await storedPaths()).to.have.length(2);

    const sweepAt = (now: number) =>
      createAccounts({ ...ports, clock: { now: () => now } }).background.sweepAvatars();
    expect(await sweepAt(NOW + HOUR - 60_000)).to.equal(0);
    expect(await sweepAt(NOW + HOUR + 60_000)).to.equal(1);
    expect(await storedPaths()).to.deep.equal([first]);
  });

  it('leaves objects that are not avatars in place during a sweep', async () => {
    const paths = ['images/logo.png', 'nobody/avatar.png', 'nobody/avatar_x1.png'];
    for (const path of [...paths, 'nobody/avatar_1.png']) await ports.objects.put(path, png);
    const clock = { now: () => NOW + 2 * HOUR };
    expect(await createAccounts({ ...ports, clock }).background.sweepAvatars()).to.equal(1);
    expect(await storedPaths()).to.deep.equal(paths);
  });

  it('stores avatars of one millisecond under different paths', async () => {
    const on = { ...ports, clock: { now: () => NOW } };
    expect(await set(png, on)).to.equal(`user/avatar_${NOW}.png`);
    expect(await set(png, on)).to.equal(`user/avatar_${NOW + 1}.png`);
    expect(await set(gif, on)).to.equal(`user/avatar_${NOW + 2}.gif`);
    await relay();
    expect(await storedPaths()).to.deep.equal([`user/avatar_${NOW + 2}.gif`]);
  });

  it('is refused after the account was deleted, and leaves neither data nor a picture', async () => {
    const principal = await principalNow();
    const accounts = createAccounts(ports);
    await ports.accounts.save({ ...(await account()), deletedAt: NOW });
    const refusal = await rejectionOf(() => accounts.setAvatar(principal, png, caller));
    expect(refusal).to.include({ kind: 'unauthenticated', code: 'invalid_token' });
    expect((await ports.accounts.find('user'))?.avatar).to.equal(null);
    expect(await storedPaths()).to.deep.equal([]);
  });

  it('shows the new avatar to a request that was authenticated before the change', async () => {
    await set();
    const earlyPrincipal = await principalNow();
    await set(gif);
    await relay();
    const { showAvatar, removeAvatar } = createAccounts(ports);
    expect(await showAvatar(earlyPrincipal)).to.deep.include({ kind: 'stored', type: 'image/gif' });
    await removeAvatar(await principalNow(), caller);
    await relay();
    const refusal = await rejectionOf(() => showAvatar(earlyPrincipal));
    expect(refusal).to.include({ kind: 'missing', code: 'avatar_not_found' });
    // A later request gets the same answer.
    expect(await codeOf(showAvatar(await principalNow()))).to.equal('avatar_not_found');
  });

  it('and a removal return a sentence, and are logged with address and request', async () => {
    const context = openPorts();
    ports = context.ports;
    await ports.accounts.add(sampleAccount('user', { verified: true }));
    const { setAvatar, removeAvatar } = createAccounts(ports);
    const by = { ...caller, requestId: 'a-request' };
    const answers = [
      await setAvatar(await principalNow(), png, by),
      await removeAvatar(await principalNow(), by),
      await removeAvatar(await principalNow(), by),
    ];
    for (const { message } of answers) expect(message).to.match(/^[A-Z].*\.$/);
    const fields = { userId: 'user', address: caller.address, requestId: 'a-request' };
    const events = ['avatar.set', 'avatar.removed'];
    expect(context.lines).to.deep.equal(events.map((event) => ({ level: 'info', event, fields })));
  });

  it('is kept by a late removal task for the object that is the avatar', async () => {
    const path = await set();
    const before = await account();
    const task = { kind: 'task', id: 'late', at: NOW, task: 'remove-object', subject: path } as const;
    await ports.accounts.save({ ...before, pending: [task] });
    await relay();
    expect(await storedPaths()).to.deep.equal([path]);
    expect((await account()).pending).to.deep.equal([]);
  });
});
