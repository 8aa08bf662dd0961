import { expect } from 'chai';
import { UnusableKey, unavailable } from '../../../core/errors.ts';
import type { ResealResult } from '../../../core/files/reseal.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { until } from '../../support/until.ts';
import { type FilesCore, openFilesCore as open, upload } from './open-files-core.ts';

const dekOf = (number: number) => `${number}`.padStart(64, '0');
const contextOf = (number: number) => (number % 2 === 0 ? {} : { context: `context ${number}` });

describe('The resealing of data keys', () => {
  let core: FilesCore;

  beforeEach(() => {
    core = open({ policy: { page: 3 } });
  });

  /** Creates a file whose data key is wrapped under the current master key. */
  const create = async (number: number) => {
    const { dekEnc } = await core.files.wrapKey({ dek: dekOf(number), ...contextOf(number) });
    return (await core.files.create(upload({ dekEnc, filenameEnc: `${number}` }))).id;
  };
  const dekEncOf = async (id: string): Promise<string> => JSON.parse(await core.files.read(id)).dekEnc;
  const expectDek = async (id: string, number: number) => {
    const dekEnc = await dekEncOf(id);
    expect(await core.files.unwrapKey({ dekEnc, ...contextOf(number) })).to.deep.equal({
      dek: dekOf(number),
    });
  };
  const reseal = (resealer = core) => resealer.files.operate.reseal(() => {});
  const countUnderCurrent = async () =>
    (await core.files.operate.countByKey()).get(await core.world.kms.current()) ?? 0;

  it('keeps every data key in its context, over five generations of master keys', async () => {
    const ids: string[] = [];
    for (let generation = 0; generation < 5; generation += 1) {
      for (let more = 0; more < 2; more += 1) ids.push(await create(ids.length));
      core.world.rotate();
      expect(await core.files.operate.masterKey()).to.equal(await core.world.kms.current());
      if (generation % 2 === 0) await reseal();
    }
    expect(await reseal()).to.deep.equal({ resealed: 0, failed: 0 });
    core.world.retire();
    expect(await countUnderCurrent()).to.equal(10);
    for (const [number, id] of ids.entries()) await expectDek(id, number);
  });

  it('reseals only the keys under older master keys, once each', async () => {
    for (let number = 0; number < 7; number += 1) await create(number);
    core.world.rotate();
    const currentId = await create(7);
    const before = await dekEncOf(currentId);
    expect(await reseal()).to.deep.equal({ resealed: 7, failed: 0 });
    expect(await dekEncOf(currentId)).to.equal(before);
    expect(await reseal()).to.deep.equal({ resealed: 0, failed: 0 });
  });

  it('changes only the wrapped key in every response', async () => {
    const id = await create(1);
    const before = JSON.parse(await core.files.read(id));
    const [listed] = (await core.files.list({ userId: 'user', limit: 1 })).files;
    core.world.rotate();
    await reseal();
    const after = JSON.parse(await core.files.read(id));
    expect(Object.keys(after)).to.deep.equal(Object.keys(before));
    expect(after).to.deep.equal({ ...before, dekEnc: after.dekEnc });
    expect(after.dekEnc).to.not.equal(before.dekEnc);
    expect((await core.files.list({ userId: 'user', limit: 1 })).files).to.deep.equal([listed]);
    const [sized] = await core.ports.files.listSizes('user', null, 1);
    expect(sized?.bytes).to.equal(Buffer.byteLength(JSON.stringify(after)) + 41);
  });

  it('leaves foreign wrapped keys unchanged, and counts them apart', async () => {
    const foreign = ['theirs', 'gd1', 'gd1.x.y', 'gk1.key.nonce.body', `gd2.${'A'.repeat(43)}.x`];
    const ids = [];
    for (const dekEnc of foreign) ids.push((await core.files.create(upload({ dekEnc }))).id);
    await create(1);
    core.world.rotate();
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 0 });
    for (const [place, id] of ids.entries()) expect(await dekEncOf(id)).to.equal(foreign[place]);
    expect(await core.files.operate.countByKey()).to.deep.equal(
      new Map<string | null, number>([
        [null, 5],
        [await core.world.kms.current(), 1],
      ]),
    );
  });

  it('leaves keys that it cannot open unchanged, counts and logs them, and reseals the others', async () => {
    const { dekEnc } = await core.files.wrapKey({ dek: dekOf(0) });
    const broken = `${dekEnc.slice(0, -1)}${dekEnc.endsWith('A') ? 'Q' : 'A'}`;
    const ids: string[] = [];
    // These are more than one page.
    for (let number = 0; number < 4; number += 1) {
      ids.push((await core.files.create(upload({ dekEnc: broken }))).id);
      await create(number);
    }
    core.world.rotate();
    for (const resealed of [4, 0]) expect(await reseal()).to.deep.equal({ resealed, failed: 4 });
    for (const id of ids) expect(await dekEncOf(id)).to.equal(broken);
    expect(core.log.lines).to.have.deep.members(
      [...ids, ...ids].map((id) => ({
        level: 'warn',
        event: 'files.unopenable',
        fields: { id, keyId: broken.split('.')[3] },
      })),
    );
    expect(await countUnderCurrent()).to.equal(4);
  });

  it('leaves data keys whose master key is unusable, and reseals the others', async () => {
    const { kms } = core.world;
    const unusable = await create(0);
    const former = await kms.current();
    core.world.rotate();
    const id = await create(1);
    core.world.rotate();
    const openOrRefuse: typeof kms.open = async (sealed, context) => {
      if (kms.keyOf(sealed) === former) throw new UnusableKey();
      return kms.open(sealed, context);
    };
    core = open({ world: core.world, change: () => ({ kms: { ...kms, open: openOrRefuse } }) });
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 1 });
    expect(core.log.lines.map(({ fields }) => fields)).to.deep.equal([{ id: unusable, keyId: former }]);
    await expectDek(id, 1);
  });

  it('continues after an interruption, and leaves no cached entry with an older key', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 8; number += 1) ids.push(await create(number));
    for (const id of ids) await core.files.read(id);
    core.world.rotate();
    let remaining = 5;
    const interrupted = open({
      world: core.world,
      policy: { page: 3 },
      change: ({ sealed }) => ({
        sealed: {
          ...sealed,
          replace: async (entry, next) => {
            remaining -= 1;
            if (remaining < 0) throw unavailable('store_unavailable', 'The store is down.');
            return sealed.replace(entry, next);
          },
        },
      }),
    });
    expect(await rejectionOf(() => reseal(interrupted))).to.include({ kind: 'unavailable' });
    await until(async () => (await countUnderCurrent()) === 5);
    const { dekEnc } = await core.files.wrapKey({ dek: dekOf(0) });
    const current = dekEnc.split('.')[3];
    const stored = await Promise.all(ids.map(async (id) => await core.ports.files.find(id)));
    expect(await Promise.all(ids.map((id) => core.files.read(id)))).to.deep.equal(stored);
    expect(stored.filter((entry) => entry?.includes(`.${current}.`))).to.have.length(5);
    expect(await reseal()).to.deep.equal({ resealed: 3, failed: 0 });
    core.world.retire();
    for (const [number, id] of ids.entries()) await expectDek(id, number);
  });

  it('leaves no older entry in the cache if the process ends after any of its writes', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1) ids.push(await create(number));
    const other = open({ world: core.world });
    const read = () => Promise.all(ids.map((id) => other.files.read(id)));
    await read();
    core.world.rotate();
    const never = new Promise<never>(() => undefined);
    let remaining = ids.length;
    const killed = open({
      world: core.world,
      policy: { page: 3 },
      change: ({ sealed }) => ({
        sealed: {
          ...sealed,
          replace: async (entry, next) => {
            // Another process reads and caches the old value before the write.
            await other.files.read(entry.id);
            await sealed.replace(entry, next);
            remaining -= 1;
            return never;
          },
        },
      }),
    });
    void reseal(killed);
    await until(() => remaining === 0);
    const stored = await Promise.all(ids.map((id) => core.ports.files.find(id)));
    for (const pause of [0, 1_000, 70_000]) {
      core.world.pass(pause);
      expect(await read()).to.deep.equal(stored);
    }
  });

  it('does not restore a record that is deleted before its new entry is cached', async () => {
    const id = await create(0);
    await core.files.read(id);
    core.world.rotate();
    const other = open({ world: core.world });
    const slow = open({
      world: core.world,
      change: ({ sealed }) => ({
        sealed: {
          ...sealed,
          replace: async (entry, next) => {
            const replaced = await sealed.replace(entry, next);
            await other.files.delete(entry.id);
            return replaced;
          },
        },
      }),
    });
    expect(await reseal(slow)).to.deep.equal({ resealed: 1, failed: 0 });
    expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
  });

  it('replaces every cached entry, even while the cache is down', async () => {
    for (const up of [true, false]) {
      const id = await create(0);
      await core.files.read(id);
      core.world.rotate();
      core.link.up = up;
      await reseal();
      core.link.up = true;
      expect(await core.files.read(id)).to.equal(await core.ports.files.find(id));
    }
  });

  it('does not restore records that are deleted meanwhile', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 6; number += 1) ids.push(await create(number));
    core.world.rotate();
    await Promise.all([reseal(), ...ids.slice(0, 3).map((id) => core.files.delete(id))]);
    for (const id of ids.slice(0, 3)) {
      expect(await rejectionOf(() => core.files.read(id))).to.include({ code: 'not_found' });
    }
    for (const [number, id] of ids.entries()) if (number >= 3) await expectDek(id, number);
    expect(await core.files.operate.totals()).to.include({ files: 3 });
  });

  it('can run twice at the same time', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 9; number += 1) ids.push(await create(number));
    core.world.rotate();
    await Promise.all([reseal(), reseal(open({ world: core.world, policy: { page: 2 } }))]);
    core.world.retire();
    expect(await countUnderCurrent()).to.equal(9);
    for (const [number, id] of ids.entries()) await expectDek(id, number);
  });

  it('reports its progress page by page', async () => {
    for (let number = 0; number < 7; number += 1) await create(number);
    core.world.rotate();
    const progress: ResealResult[] = [];
    await core.files.operate.reseal((counts) => progress.push(counts));
    expect(progress.map(({ resealed }) => resealed)).to.deep.equal([3, 6, 7]);
  });

  it('limits concurrent KMS calls within a page', async () => {
    for (let number = 0; number < 5; number += 1) await create(number);
    core.world.rotate();
    let running = 0;
    let maxRunning = 0;
    const counted = open({
      world: core.world,
      policy: { page: 5, rewrapsAtOnce: 2 },
      change: ({ kms }) => ({
        kms: {
          ...kms,
          open: async (sealed, context) => {
            running += 1;
            maxRunning = Math.max(maxRunning, running);
            const plain = await kms.open(sealed, context);
            running -= 1;
            return plain;
          },
        },
      }),
    });
    expect(await reseal(counted)).to.deep.equal({ resealed: 5, failed: 0 });
    expect(maxRunning).to.equal(2);
  });

  it('fails while the KMS is down, and continues later', async () => {
    await create(0);
    core.world.rotate();
    const down = open({
      world: core.world,
      change: ({ kms }) => ({
        kms: {
          ...kms,
          open: async () => {
            throw unavailable('kms_unavailable', 'The key service is down.');
          },
        },
      }),
    });
    expect(await rejectionOf(() => reseal(down))).to.include({ code: 'kms_unavailable' });
    expect(await reseal()).to.deep.equal({ resealed: 1, failed: 0 });
  });
});
