import { expect } from 'chai';
import sinon from 'sinon';
import { inRounds, race } from '../../contracts/race.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { createSome, type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

describe('Deleting files', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 4 } });
  });

  const listed = async (userId = 'user') =>
    (await core.files.list({ userId, limit: 1_000 })).files.map(({ id }) => id);
  const isMissing = async (call: () => Promise<unknown>) =>
    expect(await rejectionOf(call)).to.include({
      kind: 'missing',
      code: 'not_found',
      message: 'There is no such file.',
    });

  it('takes one away for good, and says which', async () => {
    const [one = '', other = ''] = await createSome(core, 2);
    expect(await core.files.delete(one)).to.deep.equal({ deleted: one });
    await isMissing(() => core.files.read(one));
    await isMissing(() => core.files.delete(one));
    expect(await listed()).to.deep.equal([other]);
    expect(await core.files.operate.totals()).to.deep.equal({ files: 1, bytes: 1_234 });
  });

  it('refuses what is not there, in whatever spelling', async () => {
    const [id = ''] = await createSome(core, 1);
    for (const unknownId of [
      '',
      'x',
      id.toUpperCase(),
      `${id} `,
      '*',
      '0190a1b2-0000-7000-8000-000000000000',
    ]) {
      await isMissing(() => core.files.delete(unknownId));
    }
    expect(await listed()).to.deep.equal([id]);
    expect(core.link.calls, 'of an id that is one').to.deep.equal(['remove']);
  });

  it("takes all of a user's away, in the cache as well, and no other's", async () => {
    const mine = await createSome(core, 11);
    const theirs = await createSome(core, 2, 'other');
    for (const id of [...mine, ...theirs]) await core.files.read(id);
    expect(await core.files.deleteAllOf('user')).to.equal(11);
    expect(await core.files.deleteAllOf('user')).to.equal(0);
    expect(await listed()).to.deep.equal([]);
    for (const id of mine) await isMissing(() => core.files.read(id));
    for (const id of theirs) expect(await core.files.read(id)).to.be.a('string');
    expect(await core.files.operate.cacheStats()).to.include({ entries: 2 });
  });

  it('is finished by a second call when the first was broken off', async () => {
    await createSome(core, 10);
    const breaking = open({
      world: core.world,
      policy: { page: 4 },
      change: ({ files }) => {
        const dying = { ...files };
        sinon.stub(dying, 'removeSome').callThrough().onSecondCall().rejects(new Error('The process ended.'));
        return { files: dying };
      },
    });
    await rejectionOf(() => breaking.files.deleteAllOf('user'));
    expect(await listed()).to.have.length(6);
    expect(await core.files.deleteAllOf('user')).to.equal(6);
    expect(await listed()).to.deep.equal([]);
  });
});

describe('A file that is recorded while the account of its user is deleted', () => {
  /** A core in which the account is deleted right before, or right after, a record is added. */
  const deletedAround = (when: 'before' | 'after') => {
    const core: FilesCore = open({
      change: ({ files }) => ({
        files: {
          ...files,
          add: async (file) => {
            const leave = async () => {
              core.world.owners.set('user', 'deleted');
              await core.files.deleteAllOf('user');
            };
            if (when === 'before') await leave();
            const added = await files.add(file);
            // Somebody may have read it from the list by then.
            await core.files.read(file.id);
            if (when === 'after') await leave();
            return added;
          },
        },
      }),
    });
    core.world.owners.set('user', 'account');
    return core;
  };

  for (const when of ['before', 'after'] as const) {
    it(`is refused and leaves nothing, when the deletion comes just ${when} it`, async () => {
      const core = deletedAround(when);
      const error = await rejectionOf(() => core.files.create(upload()));
      expect(error).to.include({ kind: 'missing', code: 'user_not_found' });
      expect(await core.files.list({ userId: 'user', limit: 9 })).to.deep.equal({ files: [] });
      expect(await core.files.operate.totals()).to.deep.equal({ files: 0, bytes: 0 });
      expect(await core.files.operate.cacheStats()).to.include({ entries: 0 });
    });
  }

  it('is gone when both are over, however many are recorded at once', () =>
    inRounds(async (round) => {
      let added = 0;
      let end = () => {};
      const deleted = new Promise<void>((resolve) => {
        end = resolve;
      });
      // On the way to the store some are overtaken by the deletion.
      const core = open({
        change: ({ files }) => ({
          files: {
            ...files,
            add: async (file) => {
              added += 1;
              if (added > 40 && added % 2 === 0) await deleted;
              return files.add(file);
            },
          },
        }),
      });
      const user = `user ${round}`;
      core.world.owners.set(user, 'account');
      let created = 0;
      const createOn = async (): Promise<unknown> => {
        for (;;) {
          const error = await core.files.create(upload({ user })).catch((refusal: unknown) => refusal);
          if (error instanceof Error) return error;
          created += 1;
        }
      };
      const creating = race(20, createOn);
      await until(() => created > 40);
      core.world.owners.set(user, 'deleted');
      await core.files.deleteAllOf(user);
      end();
      for (const refusal of await creating) expect(refusal).to.include({ code: 'user_not_found' });
      expect(await core.files.list({ userId: user, limit: 99 })).to.deep.equal({ files: [] });
      expect(await core.files.operate.totals()).to.include({ files: 0 });
    }));

  it('is refused before anything is written when it comes after the deletion', async () => {
    const core = open();
    core.world.owners.set('user', 'deleted');
    expect(await rejectionOf(() => core.files.create(upload()))).to.include({ code: 'user_not_found' });
    expect(await core.ports.files.listRemoved(9)).to.deep.equal([]);
  });
});
