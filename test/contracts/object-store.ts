import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonText, rejectionOf } from './rejection.ts';

const bytes = (text: string) => Buffer.from(text);

/** Texts that must never be used as a path in a file system, a bucket or a query. */
const hostile = [
  ...['', '.', '..', '/', 'user', 'user/', '/name.png', 'user/.png', 'user/name', 'user/name.', 'user/..'],
  ...['../name.png', 'user/../name.png', '../../etc/passwd.png', 'user/../../name.png', './name.png'],
  ...['/etc/name.png', 'user//name.png', 'user/folder/name.png', 'user\\name.png', 'user/..\\name.png'],
  ...['user/name.png\0', 'us\0er/name.png', 'user/name.png\n', ' user/name.png', 'user/name.PNG/..'],
  ...['user/%2e%2e.png', 'user/na me.png', 'user/näme.png', 'user/name.png.tmp', 'C:/name.png', '~/name.png'],
  ...[`${'u'.repeat(65)}/name.png`, `user/${'n'.repeat(65)}.png`, `user/name.${'p'.repeat(300)}`],
];

/** The rules of an object store. */
export const objectStoreContract = (name: string, open: () => Promise<Opened<ObjectStore>>): void => {
  describe(`${name} as an object store`, () => {
    const store = storeForEachTest(open);

    const listObjects = async () => {
      const objects: { readonly path: string; readonly storedAt: number }[] = [];
      for await (const object of store.list()) objects.push(object);
      return objects;
    };
    const listPaths = async () => (await listObjects()).map(({ path }) => path).sort();
    const readText = async (path: string) => {
      const bytes = await store.find(path);
      return bytes && Buffer.from(bytes).toString();
    };

    it('is empty when it is new, and finds and removes nothing', async () => {
      expect(await listPaths()).to.deep.equal([]);
      expect(await store.find('user/name.png')).to.equal(undefined);
      await store.remove('user/name.png');
      await store.removeAll('user');
      expect(await listPaths()).to.deep.equal([]);
    });

    it('returns every byte that was stored', async () => {
      for (const content of [randomBytes(2_097_152), Uint8Array.from({ length: 256 }, (_, at) => at)]) {
        const path = `user/name_${content.length}.png`;
        expect(await store.put(path, content)).to.equal(true);
        const stored = await store.find(path);
        expect(stored).to.be.instanceOf(Uint8Array);
        expect(Buffer.compare(stored ?? bytes(''), content)).to.equal(0);
      }
    });

    it('stores an empty object', async () => {
      expect(await store.put('user/name.png', bytes(''))).to.equal(true);
      expect(await readText('user/name.png')).to.equal('');
    });

    it('keeps the objects of users and names apart', async () => {
      const all = ['a/one.png', 'a/two.png', 'b/one.png', 'b/one.jpg', 'ab/one.png'];
      for (const path of all) await store.put(path, bytes(path));
      for (const path of all) expect(await readText(path)).to.equal(path);
      expect(await listPaths()).to.deep.equal(all.toSorted());
    });

    it('refuses a second object under a path and keeps the first', async () => {
      expect(await store.put('user/name.png', bytes('first'))).to.equal(true);
      expect(await store.put('user/name.png', bytes('second'))).to.equal(false);
      expect(await readText('user/name.png')).to.equal('first');
    });

    it('stores a new object under the path of a removed object', async () => {
      await store.put('user/name.png', bytes('first'));
      await store.remove('user/name.png');
      await store.remove('user/name.png');
      expect(await readText('user/name.png')).to.equal(undefined);
      expect(await store.put('user/name.png', bytes('second'))).to.equal(true);
      expect(await readText('user/name.png')).to.equal('second');
    });

    it('removes one object only', async () => {
      for (const path of ['a/one.png', 'a/two.png', 'b/one.png']) await store.put(path, bytes(path));
      await store.remove('a/one.png');
      expect(await listPaths()).to.deep.equal(['a/two.png', 'b/one.png']);
    });

    it("removes all objects of a user, and no other user's objects", async () => {
      for (const path of ['a/one.png', 'a/two.png', 'ab/one.png', 'b/a.png'])
        await store.put(path, bytes(path));
      await store.removeAll('a');
      await store.removeAll('a');
      expect(await listPaths()).to.deep.equal(['ab/one.png', 'b/a.png']);
      expect(await store.put('a/one.png', bytes('again'))).to.equal(true);
    });

    it('lists each object with the time at which it was stored', async () => {
      const before = Date.now();
      for (let count = 0; count < 30; count += 1)
        await store.put(`user${count % 3}/name${count}.png`, bytes('x'));
      const objects = await listObjects();
      expect(new Set(objects.map(({ path }) => path)).size).to.equal(30);
      // Buckets report whole seconds, and the clock of a disk may be coarser than the clock of this process.
      for (const { storedAt } of objects) expect(storedAt).to.be.within(before - 1_000, Date.now() + 50);
    });

    it('lists every object while objects are removed', async () => {
      for (let count = 0; count < 60; count += 1) await store.put(`user${count}/name.png`, bytes('x'));
      for await (const { path } of store.list()) await store.remove(path);
      expect(await listPaths()).to.deep.equal([]);
    });

    it('stores exactly one of many objects that are put under one path concurrently', () =>
      inRounds(async (round) => {
        const path = `user/name${round}.png`;
        const put = await race(50, (place) => store.put(path, Buffer.alloc(10_000, place)));
        expect(put.filter(Boolean)).to.have.length(1);
        const winner = Buffer.alloc(10_000, put.indexOf(true));
        expect(Buffer.compare((await store.find(path)) ?? bytes(''), winner)).to.equal(0);
        expect(await listPaths()).to.have.length(round);
      }));

    it('stores many objects concurrently, of new users and of one user', () =>
      inRounds(async (round) => {
        const path = (place: number) =>
          place % 2 === 0 ? `user${round}_${place}/name.png` : `user${round}/name${place}.png`;
        const put = await race(50, (place) => store.put(path(place), bytes(path(place))));
        expect(put.every(Boolean)).to.equal(true);
        const texts = await race(50, (place) => readText(path(place)));
        expect(texts).to.deep.equal(texts.map((_, place) => path(place)));
      }));

    it('returns an object whole or not at all while it is stored and removed', () =>
      inRounds(async (round) => {
        const path = `user/name${round}.png`;
        const content = Buffer.alloc(1_000_000, round);
        let isDone = false;
        const write = async () => {
          await race(10, async () => {
            await store.put(path, content);
            await store.remove(path);
          });
          isDone = true;
        };
        const read = async () => {
          while (!isDone) {
            const stored = await store.find(path);
            if (stored !== undefined) expect(Buffer.compare(stored, content)).to.equal(0);
          }
        };
        await Promise.all([write(), read()]);
        expect(await store.find(path)).to.equal(undefined);
      }));

    it('rejects invalid paths with a `TypeError` and changes nothing', async () => {
      await store.put('user/name.png', bytes('here'));
      for (const path of hostile) {
        const message = JSON.stringify(path);
        expect(await rejectionOf(() => store.put(path, bytes('x'))), message).to.be.instanceOf(TypeError);
        expect(await rejectionOf(() => store.find(path)), message).to.be.instanceOf(TypeError);
        expect(await rejectionOf(() => store.remove(path)), message).to.be.instanceOf(TypeError);
      }
      for (const user of [
        '',
        '.',
        '..',
        '/',
        '../user',
        'user/',
        'user/name.png',
        'us\0er',
        'u'.repeat(65),
      ]) {
        expect(await rejectionOf(() => store.removeAll(user)), user).to.be.instanceOf(TypeError);
      }
      expect(await listPaths()).to.deep.equal(['user/name.png']);
    });

    it('rejects paths that are not text with a `TypeError`', async () => {
      await refusesNonText((path) => store.put(path, bytes('x')));
      await refusesNonText((path) => store.find(path));
      await refusesNonText((path) => store.remove(path));
      await refusesNonText((user) => store.removeAll(user));
      expect(await listPaths()).to.deep.equal([]);
    });
  });
};
