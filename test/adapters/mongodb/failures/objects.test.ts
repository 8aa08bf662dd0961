import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { makeMongoObjects } from '../../../../adapters/mongodb/object-store.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { indexesOf, mongoForTests } from '../mongo-for-tests.ts';
import { losingAnswers } from './losing-answers.ts';

const clock = { now: () => 1_700_000_000_000 };
const PATH = 'user/name.png';
const CONTENT = Buffer.from('content');
const BAD_VALUE = 2;

describe('Objects in GridFS', () => {
  const mongo = mongoForTests();
  const database = mongo.useDatabase(indexesOf('avatars.files', 'avatars.chunks'));

  const store = () => makeMongoObjects(database(), clock);
  const counts = () =>
    Promise.all(
      ['objects', 'avatars.files', 'avatars.chunks'].map((name) =>
        database().collection(name).countDocuments(),
      ),
    );
  const listObjects = async () => {
    const objects: unknown[] = [];
    for await (const object of store().list()) objects.push(object);
    return objects;
  };

  /** A database that completes so many calls, and crashes before or after the next. */
  const crashing = (calls: number, when: 'before' | 'after'): MongoDatabase => {
    let remaining = calls;
    return {
      ...database(),
      call: async (work) => {
        remaining -= 1;
        if (remaining < 0 && when === 'before') throw new Error('died');
        const answer = await database().call(work);
        if (remaining < 0) throw new Error('died');
        return answer;
      },
    };
  };

  for (const [moment, calls, when, isReadable] of [
    ['with only a pointer stored', 1, 'before', false],
    ['with the complete file stored', 1, 'after', false],
    ['just before the answer', 2, 'after', true],
  ] as const) {
    it(`are listObjects and removed completely after a crash ${moment}`, async () => {
      await rejectionOf(() => makeMongoObjects(crashing(calls, when), clock).put(PATH, CONTENT));
      expect((await store().find(PATH))?.length).to.equal(isReadable ? CONTENT.length : undefined);
      expect(await listObjects()).to.deep.equal([{ path: PATH, storedAt: clock.now() }]);
      expect(await store().put(PATH, CONTENT)).to.equal(false);
      await store().remove(PATH);
      expect(await counts()).to.deep.equal([0, 0, 0]);
      expect(await store().put(PATH, CONTENT)).to.equal(true);
    });
  }

  it('are removed completely after a crash during their removal', async () => {
    await store().put(PATH, CONTENT);
    await database().collection('avatars.chunks').deleteMany({});
    expect(await store().find(PATH)).to.equal(undefined);
    await database().collection('avatars.files').deleteMany({});
    expect(await store().find(PATH)).to.equal(undefined);
    await store().removeAll('user');
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  it('leave no data behind if they are removed while they are stored', async () => {
    const slow: MongoDatabase = {
      ...database(),
      call: async (work) => {
        const answer = await database().call(work);
        // This runs between the pointer and the file, and between the file and its release to readers.
        await store().removeAll('user');
        return answer;
      },
    };
    expect(await makeMongoObjects(slow, clock).put(PATH, CONTENT)).to.equal(true);
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  it('are stored and removed once if every first answer is lost', async () => {
    const lossy = makeMongoObjects(losingAnswers(database()), clock);
    expect(await lossy.put(PATH, CONTENT)).to.equal(true);
    expect(await counts()).to.deep.equal([1, 1, 1]);
    expect(await lossy.put(PATH, Buffer.from('other'))).to.equal(false);
    expect(Buffer.from((await lossy.find(PATH)) ?? '').toString()).to.equal('content');
    await lossy.remove(PATH);
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  describe('on a server that fails an insert', () => {
    // Fail points are allowed only on a server that the tests started.
    before(function () {
      if (mongo.server() === undefined) this.skip();
    });

    const failInserts = async (errorCode: number, skip: number, during: () => Promise<void>) => {
      const admin = database().client.db('admin');
      const data = { failCommands: ['insert'], errorCode };
      // The bucket checks its indexes once, without an insert.
      await admin.command({ configureFailPoint: 'failCommand', mode: { skip }, data });
      try {
        await during();
      } finally {
        await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
      }
    };

    it('are unreadable with a chunk but no file, and are removed completely', async () => {
      await failInserts(BAD_VALUE, 2, async () => {
        expect(await rejectionOf(() => store().put(PATH, CONTENT))).to.have.property('code', BAD_VALUE);
      });
      expect(await counts()).to.deep.equal([1, 0, 1]);
      expect(await store().find(PATH)).to.equal(undefined);
      await store().remove(PATH);
      expect(await counts()).to.deep.equal([0, 0, 0]);
    });
  });
});
