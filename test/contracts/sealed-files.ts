import { expect } from 'chai';
import type { FileStore, SealedFiles, SealedPosition } from '../../core/files/ports.ts';
import { type Opened, openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { fileId, sampleFile } from './sample-files.ts';

/** The expected counts by key, and of records whose data key this service did not wrap. */
const countsOf = (keys: Readonly<Record<string, number>>, unwrapped?: number) =>
  new Map<string | null, number>([
    ...Object.entries(keys),
    ...(unwrapped === undefined ? [] : [[null, unwrapped] as const]),
  ]);

export const sealedFilesContract = (
  name: string,
  open: () => Promise<Opened<{ readonly sealed: SealedFiles; readonly files: FileStore }>>,
): void => {
  describe(`${name} as a store of sealed files`, () => {
    let sealed: SealedFiles;
    let files: FileStore;

    const add = async (number: number, keyId: string | null, user = 'user') => {
      await files.add(sampleFile(number, { keyId, user }));
    };
    const entryOf = (number: number) => ({ id: fileId(number), entry: sampleFile(number).entry });
    const next = { entry: '{"next":"é"}', bytes: 7, keyId: 'new' };
    const listIds = async (keyId: string, after: SealedPosition | null = null, limit = 100) =>
      (await sealed.listNotUnder(keyId, after, limit)).map(({ id }) => id);
    openForEachTest(open, (opened) => {
      ({ sealed, files } = opened.store);
    });

    it('counts the records by master key over all users, and records with foreign data keys', async () => {
      expect(await sealed.countByKey()).to.deep.equal(new Map());
      await add(1, 'old');
      await add(2, 'new');
      await add(3, 'new', 'other');
      await add(4, null);
      await add(5, 'removed');
      await files.remove(fileId(5));
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ new: 2, old: 1 }, 1));
    });

    it('lists the records under other master keys by key and id', async () => {
      await add(3, 'old');
      await add(1, 'older', 'other');
      await add(2, 'new');
      await add(4, null);
      await add(5, 'old');
      await files.remove(fileId(5));
      await add(6, 'old');
      expect(await sealed.listNotUnder('new', null, 100)).to.deep.equal([
        { ...entryOf(3), keyId: 'old' },
        { ...entryOf(6), keyId: 'old' },
        { ...entryOf(1), keyId: 'older' },
      ]);
      expect(await listIds('old')).to.deep.equal([2, 1].map(fileId));
      expect(await listIds('unknown')).to.deep.equal([2, 3, 6, 1].map(fileId));
    });

    it('lists records in pages, from a position on', async () => {
      for (let number = 0; number < 9; number += 1) {
        await add(number, ['new', 'later', 'older'][number % 3] ?? null);
      }
      const ids = [1, 4, 7, 2, 5, 8].map(fileId);
      const positionOf = (number: number, keyId: string) => ({ keyId, id: fileId(number) });
      expect(await listIds('new', null, 4)).to.deep.equal(ids.slice(0, 4));
      expect(await listIds('new', positionOf(7, 'later'), 4)).to.deep.equal(ids.slice(3));
      expect(await listIds('new', positionOf(2, 'older'), 1)).to.deep.equal([fileId(5)]);
      expect(await listIds('new', positionOf(9, 'later'), 1)).to.deep.equal([fileId(2)]);
      // The list continues after a position even if its record was resealed since.
      expect(await listIds('later', positionOf(4, 'later'), 9)).to.deep.equal([0, 3, 6, 2, 5, 8].map(fileId));
      expect(await listIds('new', positionOf(8, 'older'), 4)).to.deep.equal([]);
    });

    it('updates its counts after records are added, resealed, removed and purged', async () => {
      for (const [number, key] of ['old', 'old', 'new', null].entries()) await add(number, key);
      await add(1, 'new');
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ old: 2, new: 1 }, 1));
      await sealed.replace(entryOf(0), next);
      await files.remove(fileId(2));
      await files.removeSome('nobody', 9);
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ old: 1, new: 1 }, 1));
      await files.removeSome('user', 9);
      await files.purge([0, 1, 2, 3].map(fileId));
      expect(await sealed.countByKey()).to.deep.equal(new Map());
      await add(1, 'old');
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ old: 1 }));
    });

    it('replaces a data key for every query, and leaves the rest of the record unchanged', async () => {
      await add(1, 'old');
      await add(2, 'old');
      const [before] = await files.listSizes(
        'user',
        { uploadedAt: sampleFile(2).uploadedAt, id: fileId(2) },
        1,
      );
      expect(await sealed.replace(entryOf(1), next)).to.equal(true);
      expect(await files.find(fileId(1))).to.equal(next.entry);
      expect(await files.findAll([2, 1].map(fileId))).to.deep.equal([
        entryOf(2),
        { id: fileId(1), entry: next.entry },
      ]);
      expect((await files.list('user', null, 9)).map(({ item }) => item)).to.deep.equal([
        sampleFile(2).item,
        sampleFile(1).item,
      ]);
      expect((await files.listSizes('user', null, 9))[1]).to.deep.equal({ ...before, bytes: 7 });
      expect(await files.totals()).to.deep.equal({ files: 2, bytes: 2_000 });
      expect(await listIds('new')).to.deep.equal([fileId(2)]);
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ new: 1, old: 1 }));
    });

    it('replaces an entry only if it is unchanged since it was read', async () => {
      await add(1, 'old');
      await add(2, 'old');
      expect(await sealed.replace({ ...entryOf(1), entry: `${entryOf(1).entry} ` }, next)).to.equal(false);
      expect(await sealed.replace({ ...entryOf(1), entry: entryOf(2).entry }, next)).to.equal(false);
      expect(await sealed.replace(entryOf(9), next)).to.equal(false);
      expect(await sealed.replace(entryOf(1), next)).to.equal(true);
      expect(await sealed.replace(entryOf(1), { ...next, keyId: 'newer' })).to.equal(false);
      await files.remove(fileId(2));
      expect(await sealed.replace(entryOf(2), next)).to.equal(false);
      expect(await sealed.countByKey()).to.deep.equal(countsOf({ new: 1 }));
      expect(await files.find(fileId(2))).to.equal(undefined);
    });

    it('lets exactly one of many concurrent replacements of an entry succeed', () =>
      inRounds(async (round) => {
        await add(round, 'old');
        const answers = await race(50, (place) =>
          sealed.replace(entryOf(round), {
            entry: `{"place":${place}}`,
            bytes: place,
            keyId: `key ${place}`,
          }),
        );
        expect(answers.filter((replaced) => replaced)).to.have.length(1);
        const winner = answers.indexOf(true);
        expect(await files.find(fileId(round))).to.equal(`{"place":${winner}}`);
        expect((await sealed.countByKey()).get(`key ${winner}`)).to.be.at.least(1);
      }));

    it('does not restore a record that is removed concurrently', () =>
      inRounds(async (round) => {
        await add(round, 'old');
        await race(50, (place) =>
          place === 25 ? files.remove(fileId(round)) : sealed.replace(entryOf(round), next),
        );
        expect(await files.find(fileId(round))).to.equal(undefined);
        expect(await sealed.countByKey()).to.deep.equal(new Map());
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await add(1, 'old');
      await refusesNonText((value) => sealed.listNotUnder(value, null, 1));
      await refusesNonNumbers((value) => sealed.listNotUnder('new', null, value));
      await refusesNonText((value) => sealed.replace({ id: value, entry: entryOf(1).entry }, next));
      await refusesNonText((value) => sealed.replace({ id: fileId(1), entry: value }, next));
      await refusesNonText((value) => sealed.replace(entryOf(1), { ...next, entry: value }));
      await refusesNonNumbers((value) => sealed.replace(entryOf(1), { ...next, bytes: value }));
      expect(await files.find(fileId(1))).to.equal(entryOf(1).entry);
    });
  });
};
