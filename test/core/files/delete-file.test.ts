import { expect } from 'chai';
import sinon from 'sinon';
import { inRounds, race } from '../../contracts/race.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { createSome, type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

describe('The deletion of files', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 4 } });
  });

  const listIds = async (userId = 'user') =>
    (await core.files.list({ userId, limit: 1_000 })).files.map(({ id }) => id);
  const expectMissing = async (call: () => Promise<unknown>) =>
    expect(await rejectionOf(call)).to.include({
      kind: 'missing',
      code: 'not_found',
      message: 'There is no such file.',
    });

  it('deletes a file permanently and returns its id', async () => {
    const [first = '', second = ''] = await createSome(core, 2);
    expect(await core.files.delete(first)).to.deep.equal({ deleted: first });
    await expectMissing(() => core.files.read(first));
    await expectMissing(() => core.files.delete(first));
    expect(await listIds()).to.deep.equal([second]);
    expect(await core.files.operate.totals()).to.deep.equal({ files: 1, bytes: 1_234 });
  });

  it('fails with `not_found` for an unknown or misspelled id', async () => {
    const [id = ''] = await createSome(core, 1);
    for (const unknownId of [
      '',
      'x',
      id.toUpperCase(),
      `${id} `,
      '*',
      '0190a1b2-0000-7000-8000-000000000000',
    ]) {
      await expectMissing(() => core.files.delete(unknownId));
    }
    expect(await listIds()).to.deep.equal([id]);
    expect(core.link.calls, 'only a valid id reaches the cache').to.deep.equal(['remove']);
  });

  it("deletes all files of a user, also from the cache, and no other user's files", async () => {
    const ownIds = await createSome(core, 11);
    const otherIds = await createSome(core, 2, 'other');
    for (const id of [...ownIds, ...otherIds]) await core.files.read(id);
    expect(await core.files.deleteAllOf('user')).to.equal(11);
    expect(await core.files.deleteAllOf('user')).to.equal(0);
    expect(await listIds()).to.deep.equal([]);
    for (const id of ownIds) await expectMissing(() => core.files.read(id));
    for (const id of otherIds) expect(await core.files.read(id)).to.be.a('string');
    expect(await core.files.operate.cacheStats()).to.include({ entries: 2 });
  });

  it('completes with a second call if the first call was interrupted', async () => {
    await createSome(core, 10);
    const interrupted = open({
      world: core.world,
      policy: { page: 4 },
      change: ({ files }) => {
        const store = { ...files };
        sinon.stub(store, 'removeSome').callThrough().onSecondCall().rejects(new Error('The process ended.'));
        return { files: store };
      },
    });
    await rejectionOf(() => interrupted.files.deleteAllOf('user'));
    expect(await listIds()).to.have.length(6);
    expect(await core.files.deleteAllOf('user')).to.equal(6);
    expect(await listIds()).to.deep.equal([]);
  });
});

describe('A file that is created during the deletion of its user', () => {
  /** A core in which the account is deleted directly before or after a record is added. */
  const openDeleting = (when: 'before' | 'after') => {
    const core: FilesCore = open({
      change: ({ files }) => ({
        files: {
          ...files,
          add: async (file) => {
            const deleteAccount = async () => {
              core.world.owners.set('user', 'deleted');
              await core.files.deleteAllOf('user');
            };
            if (when === 'before') await deleteAccount();
            const added = await files.add(file);
            // Another request may already have read the listed record.
            await core.files.read(file.id);
            if (when === 'after') await deleteAccount();
            return added;
          },
        },
      }),
    });
    core.world.owners.set('user', 'account');
    return core;
  };

  for (const when of ['before', 'after'] as const) {
    it(`is refused and leaves no record if the deletion happens directly ${when} its addition`, async () => {
      const core = openDeleting(when);
      const error = await rejectionOf(() => core.files.create(upload()));
      expect(error).to.include({ kind: 'missing', code: 'user_not_found' });
      expect(await core.files.list({ userId: 'user', limit: 9 })).to.deep.equal({ files: [] });
      expect(await core.files.operate.totals()).to.deep.equal({ files: 0, bytes: 0 });
      expect(await core.files.operate.cacheStats()).to.include({ entries: 0 });
    });
  }

  it('is deleted by the end of both, if many files are created concurrently', () =>
    inRounds(async (round) => {
      let added = 0;
      let endDeletion = () => {};
      const deletion = new Promise<void>((resolve) => {
        endDeletion = resolve;
      });
      // Some additions reach the store only after the deletion.
      const core = open({
        change: ({ files }) => ({
          files: {
            ...files,
            add: async (file) => {
              added += 1;
              if (added > 40 && added % 2 === 0) await deletion;
              return files.add(file);
            },
          },
        }),
      });
      const user = `user ${round}`;
      core.world.owners.set(user, 'account');
      let created = 0;
      const createUntilRefused = async (): Promise<unknown> => {
        for (;;) {
          const error = await core.files.create(upload({ user })).catch((refusal: unknown) => refusal);
          if (error instanceof Error) return error;
          created += 1;
        }
      };
      const pendingCreations = race(20, createUntilRefused);
      await until(() => created > 40);
      core.world.owners.set(user, 'deleted');
      await core.files.deleteAllOf(user);
      endDeletion();
      for (const refusal of await pendingCreations) expect(refusal).to.include({ code: 'user_not_found' });
      expect(await core.files.list({ userId: user, limit: 99 })).to.deep.equal({ files: [] });
      expect(await core.files.operate.totals()).to.include({ files: 0 });
    }));

  it('is refused before any write if it is created after the deletion', async () => {
    const core = open();
    core.world.owners.set('user', 'deleted');
    expect(await rejectionOf(() => core.files.create(upload()))).to.include({ code: 'user_not_found' });
    expect(await core.ports.files.listRemoved(9)).to.deep.equal([]);
  });
});
