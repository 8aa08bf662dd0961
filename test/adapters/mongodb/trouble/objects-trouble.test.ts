import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import { makeMongoObjects } from '../../../../adapters/mongodb/object-store.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { indexesOf, mongoForTests } from '../opened.ts';
import { losingAnswers } from './losing-answers.ts';

const clock = { now: () => 1_700_000_000_000 };
const PATH = 'user/name.png';
const CONTENT = Buffer.from('content');
const OWN_FAULT = 2;

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
  const listed = async () => {
    const found: unknown[] = [];
    for await (const object of store().list()) found.push(object);
    return found;
  };

  /** Lets so many calls through, and dies before the next, or after it. */
  const dying = (calls: number, when: 'before' | 'after'): MongoDatabase => {
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

  for (const [words, calls, when, shown] of [
    ['with a pointer alone', 1, 'before', false],
    ['with a file that is complete', 1, 'after', false],
    ['just before its answer', 2, 'after', true],
  ] as const) {
    it(`are listed and removed without a rest that a crash left ${words}`, async () => {
      await rejectionOf(() => makeMongoObjects(dying(calls, when), clock).put(PATH, CONTENT));
      expect((await store().find(PATH))?.length).to.equal(shown ? CONTENT.length : undefined);
      expect(await listed()).to.deep.equal([{ path: PATH, storedAt: clock.now() }]);
      expect(await store().put(PATH, CONTENT)).to.equal(false);
      await store().remove(PATH);
      expect(await counts()).to.deep.equal([0, 0, 0]);
      expect(await store().put(PATH, CONTENT)).to.equal(true);
    });
  }

  it('are removed to the end after a crash while they were', async () => {
    await store().put(PATH, CONTENT);
    await database().collection('avatars.chunks').deleteMany({});
    expect(await store().find(PATH)).to.equal(undefined);
    await database().collection('avatars.files').deleteMany({});
    expect(await store().find(PATH)).to.equal(undefined);
    await store().removeAll('user');
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  it('that are removed while they are stored leave nothing', async () => {
    const slow: MongoDatabase = {
      ...database(),
      call: async (work) => {
        const answer = await database().call(work);
        // Between the pointer and the file, and between the file and its being shown.
        await store().removeAll('user');
        return answer;
      },
    };
    expect(await makeMongoObjects(slow, clock).put(PATH, CONTENT)).to.equal(true);
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  it('are stored and removed once where every first answer is lost', async () => {
    const lossy = makeMongoObjects(losingAnswers(database()), clock);
    expect(await lossy.put(PATH, CONTENT)).to.equal(true);
    expect(await counts()).to.deep.equal([1, 1, 1]);
    expect(await lossy.put(PATH, Buffer.from('other'))).to.equal(false);
    expect(Buffer.from((await lossy.find(PATH)) ?? '').toString()).to.equal('content');
    await lossy.remove(PATH);
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  describe('on a server that fails at a step', () => {
    // Only a server of our own may be made to fail.
    before(function () {
      if (mongo.server() === undefined) this.skip();
    });

    const failing = async (errorCode: number, skip: number, during: () => Promise<void>) => {
      const admin = database().client.db('admin');
      const data = { failCommands: ['insert'], errorCode };
      // The bucket looks for its indexes once, with no insert.
      await admin.command({ configureFailPoint: 'failCommand', mode: { skip }, data });
      try {
        await during();
      } finally {
        await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
      }
    };

    it('are half stored between the piece and the file, and go without a rest', async () => {
      await failing(OWN_FAULT, 2, async () => {
        expect(await rejectionOf(() => store().put(PATH, CONTENT))).to.have.property('code', OWN_FAULT);
      });
      expect(await counts()).to.deep.equal([1, 0, 1]);
      expect(await store().find(PATH)).to.equal(undefined);
      await store().remove(PATH);
      expect(await counts()).to.deep.equal([0, 0, 0]);
    });
  });
});
