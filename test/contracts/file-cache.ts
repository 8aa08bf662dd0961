import { expect } from 'chai';
import type { FileCache, FileEntry } from '../../core/files/ports.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';

export interface OpenedCache {
  readonly cache: FileCache;
  /** The same cache, opened as by another process. */
  readonly other: FileCache;
  /** Lets `seconds` seconds of the entries' lifetimes pass. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export const EPOCH = 7;

export const entry = (id: string, text = `{"fileId":"${id}"}`): FileEntry => ({ id, entry: text });

export const entries = (count: number, name = 'file'): readonly FileEntry[] =>
  Array.from({ length: count }, (_, place) => entry(`${name}-${place}`));

const idsOf = (many: readonly FileEntry[]) => many.map(({ id }) => id);

/** Every Unicode character except NUL and surrogates, in texts of 5,000 characters. */
const everyCharacter = (): readonly string[] => {
  const points = Array.from({ length: 0x11_0000 }, (_, point) => point);
  const characters = points.filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff));
  return Array.from({ length: Math.ceil(characters.length / 5_000) }, (_, page) =>
    characters
      .slice(page * 5_000, (page + 1) * 5_000)
      .map((point) => String.fromCodePoint(point))
      .join(''),
  );
};

export const fileCacheContract = (name: string, open: () => Promise<OpenedCache>): void => {
  describe(`${name} as a file cache`, () => {
    let opened: OpenedCache;
    let cache: FileCache;

    const get = (id: string, epoch = EPOCH) => cache.get(id, epoch);

    openForEachTest(open, (current) => {
      opened = current;
      cache = current.cache;
    });

    it('returns cached entries in every process, and nothing else', async () => {
      await cache.fill(entry('a', 'one'), EPOCH, 60);
      await opened.other.fill(entry('b', 'two'), EPOCH, 60);
      expect(await cache.load([entry('c', 'three'), entry('d', 'four')], EPOCH, 60)).to.equal(2);
      for (const process of [cache, opened.other]) {
        const reads = ['a', 'b', 'c', 'd', 'e', 'A', ''].map((id) => process.get(id, EPOCH));
        expect(await Promise.all(reads)).to.deep.equal([
          'one',
          'two',
          'three',
          'four',
          undefined,
          undefined,
          undefined,
        ]);
      }
    });

    it('returns entries of every length and character unchanged', async () => {
      const texts = [' ', '0', '-', 'null', '"', '\\', '{}', 'x'.repeat(20_480), '🦊'.repeat(5_120)];
      const all = [...texts, ...everyCharacter()].map((text, place) => entry(`${place}`, text));
      const half = all.length / 2;
      for (const item of all.slice(0, half)) await cache.fill(item, EPOCH, 60);
      expect(await cache.load(all.slice(half), EPOCH, 60)).to.equal(all.slice(half).length);
      for (const { id, entry } of all) expect((await get(id)) === entry, id).to.equal(true);
    });

    it('distinguishes ids with any characters', async () => {
      const ids = ['a', 'a*', 'a?', '[a-z]', 'a:b', 'a b', 'a\nb', '"a"', "a'", 'ä', '🦊', '\\', '%', '{a}'];
      for (const id of ids) await cache.fill(entry(id, `of ${id}`), EPOCH, 60);
      for (const id of ids) expect(await get(id)).to.equal(`of ${id}`);
      await cache.remove(['a*'], 60);
      expect(await cache.forget(['[a-z]', 'a?', '%'], EPOCH)).to.equal(3);
      for (const id of ids) {
        expect(await get(id)).to.equal(['a*', '[a-z]', 'a?', '%'].includes(id) ? undefined : `of ${id}`);
      }
    });

    it('does not overwrite an entry, because an existing entry is never older', async () => {
      await cache.fill(entry('a', 'one'), EPOCH, 60);
      await cache.fill(entry('a', 'two'), EPOCH, 60);
      expect(await cache.load([entry('a', 'three'), entry('b', 'four')], EPOCH, 60)).to.equal(2);
      await cache.fill(entry('b', 'five'), EPOCH, 60);
      expect([await get('a'), await get('b')]).to.deep.equal(['one', 'four']);
    });

    it('expires entries, and accepts new entries under their ids', async () => {
      // Long enough that the entries still exist at the next lines on a busy machine.
      await cache.fill(entry('a', 'one'), EPOCH, 3);
      await cache.load([entry('b', 'one')], EPOCH, 3);
      expect([await get('a'), await get('b')]).to.deep.equal(['one', 'one']);
      await opened.pass(3.1);
      expect([await get('a'), await get('b')]).to.deep.equal([undefined, undefined]);
      await cache.fill(entry('a', 'two'), EPOCH, 60);
      expect(await cache.load([entry('b', 'two')], EPOCH, 60)).to.equal(1);
      expect([await get('a'), await get('b')]).to.deep.equal(['two', 'two']);
    });

    it('extends the lifetime of entries that are loaded again, and of no others', async () => {
      // Long enough that the entries still exist at the next lines on a busy machine.
      for (const id of ['filled', 'loaded']) await cache.fill(entry(id), EPOCH, 2);
      await cache.fill(entry('longer'), EPOCH, 60);
      await cache.fill(entry('filled'), EPOCH, 60);
      expect(await cache.load([entry('loaded'), entry('new')], EPOCH, 5)).to.equal(2);
      expect(await cache.load([entry('longer')], EPOCH, 1)).to.equal(1);
      await opened.pass(2.2);
      const texts = await Promise.all(['filled', 'loaded', 'new', 'longer'].map(async (id) => get(id)));
      expect(texts.map((text) => text !== undefined)).to.deep.equal([false, true, true, true]);
      await opened.pass(3.2);
      expect(await get('loaded')).to.equal(undefined);
    });

    it('returns no removed entry, and accepts no fill or load while its tombstone exists', async () => {
      await cache.fill(entry('a', 'old'), EPOCH, 60);
      await cache.remove(['a', 'b'], 60);
      for (const id of ['a', 'b']) {
        await cache.fill(entry(id, 'old'), EPOCH, 60);
        await cache.fill(entry(id, 'old'), EPOCH + 1, 60);
        expect(await opened.other.load([entry(id, 'old')], EPOCH, 60)).to.equal(0);
        expect(await get(id)).to.equal(undefined);
        expect(await get(id, EPOCH + 1)).to.equal(undefined);
      }
      expect(await cache.load([entry('a'), entry('c'), entry('b')], EPOCH, 60)).to.equal(1);
    });

    it('drops an expired tombstone, whose lifetime another removal can only extend', async () => {
      await cache.remove(['a', 'b'], 1);
      await cache.remove(['b', 'c'], 60);
      await cache.remove(['c'], 1);
      await opened.pass(1.1);
      for (const id of ['a', 'b', 'c']) await cache.fill(entry(id), EPOCH, 60);
      expect(await get('a')).to.equal(entry('a').entry);
      expect([await get('b'), await get('c')]).to.deep.equal([undefined, undefined]);
    });

    it('replaces only a tombstone with an equal owner mark by a renewed entry', async () => {
      await cache.fill(entry('there', 'old'), EPOCH, 60);
      await cache.fill(entry('other', 'old'), EPOCH, 60);
      await cache.remove(['there', 'free', 'removed', 'marked'], 60, 'mark');
      await opened.other.remove(['removed'], 60);
      await cache.remove(['marked'], 60, 'another');
      const names = ['there', 'free', 'removed', 'marked', 'other', 'unknown'];
      await cache.renew(
        names.map((id) => entry(id, 'new')),
        'mark',
        EPOCH,
        60,
      );
      const texts = await Promise.all(names.map((id) => opened.other.get(id, EPOCH)));
      expect(texts).to.deep.equal(['new', 'new', undefined, undefined, 'old', undefined]);
      await cache.fill(entry('there', 'late'), EPOCH, 60);
      await cache.fill(entry('removed', 'late'), EPOCH, 60);
      expect(await cache.load([entry('free', 'late')], EPOCH, 60)).to.equal(1);
      expect(await Promise.all(['there', 'removed', 'free'].map((id) => get(id)))).to.deep.equal([
        'new',
        undefined,
        'new',
      ]);
      await cache.remove(['there'], 60);
      expect(await get('there')).to.equal(undefined);
    });

    it('keeps a tombstone for the longest of its removals, regardless of their marks', async () => {
      await cache.remove(['a'], 60);
      await cache.remove(['a'], 1, 'mark');
      await opened.pass(1.1);
      await cache.fill(entry('a'), EPOCH, 60);
      expect(await get('a')).to.equal(undefined);
      await cache.remove(['b'], 1, 'mark');
      await opened.pass(1.1);
      await cache.renew([entry('b')], 'mark', EPOCH, 60);
      expect(await get('b'), 'after its tombstone expired').to.equal(undefined);
    });

    it('treats an entry of another cache generation as absent', async () => {
      await cache.load(entries(3), EPOCH, 60);
      expect(await get('file-0', EPOCH + 1)).to.equal(undefined);
      expect(await get('file-0', 70)).to.equal(undefined);
      expect(await cache.stats(EPOCH + 1)).to.deep.equal({ entries: 0, bytes: 0 });
      expect(await cache.forget(['file-0'], EPOCH + 1)).to.equal(0);
      await cache.fill(entry('file-1', 'filled'), EPOCH + 1, 60);
      expect(await cache.load([entry('file-2', 'loaded')], EPOCH + 1, 60)).to.equal(1);
      expect(await get('file-1', EPOCH + 1)).to.equal('filled');
      expect(await get('file-2', EPOCH + 1)).to.equal('loaded');
      expect(await get('file-2')).to.equal(undefined);
      expect(await cache.stats(EPOCH + 1)).to.include({ entries: 2 });
    });

    it('forgets entries, accepts them again at once, and returns how many there were', async () => {
      await cache.load(entries(4), EPOCH, 60);
      await cache.remove(['file-3'], 60);
      expect(await cache.forget(['file-0', 'file-1', 'file-3', 'unknown'], EPOCH)).to.equal(2);
      expect(await get('file-0')).to.equal(undefined);
      expect(await get('file-2')).to.equal(entry('file-2').entry);
      await cache.fill(entry('file-0', 'again'), EPOCH, 60);
      await cache.fill(entry('file-3', 'again'), EPOCH, 60);
      expect(await get('file-0')).to.equal('again');
      expect(await get('file-3'), 'the tombstone stays').to.equal(undefined);
      expect(await cache.forget([], EPOCH)).to.equal(0);
    });

    it('clears all entries and returns how many there were, and keeps tombstones', async () => {
      for (const page of ['a', 'b', 'c']) await cache.load(entries(1_000, page), EPOCH, 60);
      await cache.remove(['a-0', 'gone'], 60);
      expect(await cache.clear(EPOCH)).to.equal(2_999);
      expect(await cache.clear(EPOCH)).to.equal(0);
      expect(await cache.stats(EPOCH)).to.deep.equal({ entries: 0, bytes: 0 });
      for (const id of ['a-0', 'gone', 'a-1']) await cache.fill(entry(id), EPOCH, 60);
      expect(await get('a-1')).to.equal(entry('a-1').entry);
      expect([await get('a-0'), await get('gone')]).to.deep.equal([undefined, undefined]);
    });

    it('counts entries and their bytes with keys, without tombstones and expired entries', async () => {
      expect(await cache.stats(EPOCH)).to.deep.equal({ entries: 0, bytes: 0 });
      await cache.fill(entry('ab', '🦊'), EPOCH, 60);
      await cache.fill(entry('cd', 'gone'), EPOCH, 60);
      await cache.fill(entry('ef', 'over'), EPOCH, 1);
      await cache.remove(['cd', 'gh'], 60);
      expect(await cache.load([entry('ij', 'x'.repeat(1_000))], EPOCH, 60)).to.equal(1);
      await opened.pass(1.1);
      expect(await cache.stats(EPOCH)).to.deep.equal({ entries: 2, bytes: 4 + 1_000 + 2 * 'meta:ab'.length });
    });

    it('accepts batches of a thousand entries, and empty batches', async () => {
      const many = entries(1_000).map(({ id }) => entry(id, id.repeat(60)));
      expect(await cache.load(many, EPOCH, 60)).to.equal(1_000);
      expect(await cache.load(many, EPOCH, 60)).to.equal(1_000);
      for (const { id, entry } of many) expect(await get(id)).to.equal(entry);
      await cache.remove(idsOf(many.slice(0, 500)), 60);
      expect(await cache.load(many, EPOCH, 60)).to.equal(500);
      expect(await cache.forget(idsOf(many), EPOCH)).to.equal(500);
      await cache.remove(idsOf(many), 60);
      expect(await cache.load(many, EPOCH, 60)).to.equal(0);
      await cache.remove([], 60);
      expect(await cache.load([], EPOCH, 60)).to.equal(0);
    });

    it('shares no entries or tombstones with another cache', async () => {
      const another = await open();
      try {
        await cache.fill(entry('a', 'mine'), EPOCH, 60);
        await another.cache.fill(entry('a', 'theirs'), EPOCH, 60);
        await another.cache.fill(entry('b', 'theirs'), EPOCH, 60);
        await another.cache.remove(['c'], 60);
        expect(await cache.stats(EPOCH)).to.include({ entries: 1 });
        expect(await cache.clear(EPOCH)).to.equal(1);
        await cache.fill(entry('c', 'mine'), EPOCH, 60);
        expect(await get('c')).to.equal('mine');
        expect(await get('b')).to.equal(undefined);
        expect(await another.cache.get('a', EPOCH)).to.equal('theirs');
        expect(await another.cache.stats(EPOCH)).to.include({ entries: 2 });
      } finally {
        await another.close();
      }
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await refusesNonText((value) => cache.get(value, EPOCH));
      await refusesNonText((value) => cache.fill(entry(value, 'x'), EPOCH, 60));
      await refusesNonText((value) => cache.fill(entry('a', value), EPOCH, 60));
      await refusesNonText((value) => cache.load([entry('a'), entry('b', value)], EPOCH, 60));
      await refusesNonText((value) => cache.forget([value], EPOCH));
      await refusesNonText((value) => cache.remove(['a', value], 60));
      await refusesNonText((value) => cache.remove(['a'], 60, value));
      await refusesNonText((value) => cache.renew([entry('a')], value, EPOCH, 60));
      await refusesNonText((value) => cache.renew([entry('a', value)], 'mark', EPOCH, 60));
      await refusesNonNumbers((value) => cache.renew([entry('a')], 'mark', value, 60));
      await refusesNonNumbers((value) => cache.get('a', value));
      await refusesNonNumbers((value) => cache.fill(entry('a'), value, 60));
      await refusesNonNumbers((value) => cache.fill(entry('a'), EPOCH, value));
      await refusesNonNumbers((value) => cache.load([entry('a')], EPOCH, value));
      await refusesNonNumbers((value) => cache.remove(['a'], value));
      // JSON texts contain no lone surrogates and no NUL, and not every cache returns them unchanged.
      for (const text of ['\ud83e', 'a\0b']) {
        await cache.fill(entry('a', text), EPOCH, 60).catch(() => undefined);
        expect(await get('a')).to.be.oneOf([undefined, text]);
        await cache.forget(['a'], EPOCH);
      }
      expect(await cache.stats(EPOCH)).to.deep.equal({ entries: 0, bytes: 0 });
    });
  });
};
