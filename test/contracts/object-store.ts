import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonText, rejectionOf } from './rejection.ts';

const bytes = (text: string) => Buffer.from(text);

/** What must never become a place in a file system, a bucket or a query. */
const hostile = [
  ...['', '.', '..', '/', 'user', 'user/', '/name.png', 'user/.png', 'user/name', 'user/name.', 'user/..'],
  ...['../name.png', 'user/../name.png', '../../etc/passwd.png', 'user/../../name.png', './name.png'],
  ...['/etc/name.png', 'user//name.png', 'user/folder/name.png', 'user\\name.png', 'user/..\\name.png'],
  ...['user/name.png\0', 'us\0er/name.png', 'user/name.png\n', ' user/name.png', 'user/name.PNG/..'],
  ...['user/%2e%2e.png', 'user/na me.png', 'user/näme.png', 'user/name.png.tmp', 'C:/name.png', '~/name.png'],
  ...[`${'u'.repeat(65)}/name.png`, `user/${'n'.repeat(65)}.png`, `user/name.${'p'.repeat(300)}`],
];

/** What every store of objects promises. */
export const objectStoreContract = (name: string, open: () => Promise<Opened<ObjectStore>>): void => {
  describe(`${name} as an object store`, () => {
    const store = storeForEachTest(open);

    const listed = async () => {
      const found: { readonly path: string; readonly storedAt: number }[] = [];
      for await (const one of store.list()) found.push(one);
      return found;
    };
    const paths = async () => (await listed()).map(({ path }) => path).sort();
    const contentOf = async (path: string) => {
      const found = await store.find(path);
      return found && Buffer.from(found).toString();
    };

    it('begins empty, and finds and removes nothing', async () => {
      expect(await paths()).to.deep.equal([]);
      expect(await store.find('user/name.png')).to.equal(undefined);
      await store.remove('user/name.png');
      await store.removeAll('user');
      expect(await paths()).to.deep.equal([]);
    });

    it('gives back every byte of what was put', async () => {
      for (const content of [randomBytes(2_097_152), Uint8Array.from({ length: 256 }, (_, at) => at)]) {
        const path = `user/name_${content.length}.png`;
        expect(await store.put(path, content)).to.equal(true);
        const found = await store.find(path);
        expect(found).to.be.instanceOf(Uint8Array);
        expect(Buffer.compare(found ?? bytes(''), content)).to.equal(0);
      }
    });

    it('takes an object of no bytes', async () => {
      expect(await store.put('user/name.png', bytes(''))).to.equal(true);
      expect(await contentOf('user/name.png')).to.equal('');
    });

    it('keeps the objects of users and names apart', async () => {
      const all = ['a/one.png', 'a/two.png', 'b/one.png', 'b/one.jpg', 'ab/one.png'];
      for (const path of all) await store.put(path, bytes(path));
      for (const path of all) expect(await contentOf(path)).to.equal(path);
      expect(await paths()).to.deep.equal(all.toSorted());
    });

    it('never changes what is under a path', async () => {
      expect(await store.put('user/name.png', bytes('first'))).to.equal(true);
      expect(await store.put('user/name.png', bytes('second'))).to.equal(false);
      expect(await contentOf('user/name.png')).to.equal('first');
    });

    it('gives a removed path to the next', async () => {
      await store.put('user/name.png', bytes('first'));
      await store.remove('user/name.png');
      await store.remove('user/name.png');
      expect(await contentOf('user/name.png')).to.equal(undefined);
      expect(await store.put('user/name.png', bytes('second'))).to.equal(true);
      expect(await contentOf('user/name.png')).to.equal('second');
    });

    it('removes one object and no other', async () => {
      for (const path of ['a/one.png', 'a/two.png', 'b/one.png']) await store.put(path, bytes(path));
      await store.remove('a/one.png');
      expect(await paths()).to.deep.equal(['a/two.png', 'b/one.png']);
    });

    it('removes all of a user and of no other', async () => {
      for (const path of ['a/one.png', 'a/two.png', 'ab/one.png', 'b/a.png'])
        await store.put(path, bytes(path));
      await store.removeAll('a');
      await store.removeAll('a');
      expect(await paths()).to.deep.equal(['ab/one.png', 'b/a.png']);
      expect(await store.put('a/one.png', bytes('again'))).to.equal(true);
    });

    it('lists each object with the time at which it was stored', async () => {
      const before = Date.now();
      for (let count = 0; count < 30; count += 1)
        await store.put(`user${count % 3}/name${count}.png`, bytes('x'));
      const found = await listed();
      expect(new Set(found.map(({ path }) => path)).size).to.equal(30);
      // Buckets tell whole seconds, and a disk's clock may be coarser than ours.
      for (const { storedAt } of found) expect(storedAt).to.be.within(before - 1_000, Date.now() + 50);
    });

    it('lists on while objects go', async () => {
      for (let count = 0; count < 60; count += 1) await store.put(`user${count}/name.png`, bytes('x'));
      for await (const { path } of store.list()) await store.remove(path);
      expect(await paths()).to.deep.equal([]);
    });

    it('lets one of many that put under one path through, with its bytes', () =>
      inRounds(async (round) => {
        const path = `user/name${round}.png`;
        const put = await race(50, (place) => store.put(path, Buffer.alloc(10_000, place)));
        expect(put.filter(Boolean)).to.have.length(1);
        const winner = Buffer.alloc(10_000, put.indexOf(true));
        expect(Buffer.compare((await store.find(path)) ?? bytes(''), winner)).to.equal(0);
        expect(await paths()).to.have.length(round);
      }));

    it('takes many objects at once, of new users and of one', () =>
      inRounds(async (round) => {
        const path = (place: number) =>
          place % 2 === 0 ? `user${round}_${place}/name.png` : `user${round}/name${place}.png`;
        const put = await race(50, (place) => store.put(path(place), bytes(path(place))));
        expect(put.every(Boolean)).to.equal(true);
        const found = await race(50, (place) => contentOf(path(place)));
        expect(found).to.deep.equal(found.map((_, place) => path(place)));
      }));

    it('shows an object whole or not at all while it is put and removed', () =>
      inRounds(async (round) => {
        const path = `user/name${round}.png`;
        const content = Buffer.alloc(1_000_000, round);
        let isOver = false;
        const work = async () => {
          await race(10, async () => {
            await store.put(path, content);
            await store.remove(path);
          });
          isOver = true;
        };
        const look = async () => {
          while (!isOver) {
            const found = await store.find(path);
            if (found !== undefined) expect(Buffer.compare(found, content)).to.equal(0);
          }
        };
        await Promise.all([work(), look()]);
        expect(await store.find(path)).to.equal(undefined);
      }));

    it('refuses whatever is no path of an object, and touches nothing', async () => {
      await store.put('user/name.png', bytes('here'));
      for (const path of hostile) {
        const named = JSON.stringify(path);
        expect(await rejectionOf(() => store.put(path, bytes('x'))), named).to.be.instanceOf(TypeError);
        expect(await rejectionOf(() => store.find(path)), named).to.be.instanceOf(TypeError);
        expect(await rejectionOf(() => store.remove(path)), named).to.be.instanceOf(TypeError);
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
      expect(await paths()).to.deep.equal(['user/name.png']);
    });

    it('refuses anything but text where a path is due', async () => {
      await refusesNonText((path) => store.put(path, bytes('x')));
      await refusesNonText((path) => store.find(path));
      await refusesNonText((path) => store.remove(path));
      await refusesNonText((user) => store.removeAll(user));
      expect(await paths()).to.deep.equal([]);
    });
  });
};
