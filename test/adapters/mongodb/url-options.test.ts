import { expect } from 'chai';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { whyNoConnection } from '../../../adapters/mongodb/engine/failures.ts';
import { makeMongoObjects } from '../../../adapters/mongodb/object-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { mongoForTests } from './mongo-for-tests.ts';

/** Options that users copy from other sources, and that would weaken durability or consistency. */
const WEAKER = [
  'w=0',
  'w=1&journal=false',
  'wtimeoutMS=1',
  'readConcernLevel=local',
  'readPreference=secondary&maxStalenessSeconds=120',
  'readPreference=nearest&readPreferenceTags=dc:x',
  'W=0&JOURNAL=false&READCONCERNLEVEL=available',
] as const;

describe('The URL of a MongoDB database', () => {
  const mongo = mongoForTests();
  const urlWith = (options: string) => {
    const url = mongo.url('gatehouse-test-url');
    return `${url}${url.includes('?') ? '&' : '?'}${options}`;
  };

  for (const options of WEAKER) {
    it(`cannot weaken write concern, read concern and read preference by ${options}`, async () => {
      const { collection, client, close } = await openMongo({ url: urlWith(options) });
      try {
        const { writeConcern, readConcern, readPreference } = collection('any');
        expect(writeConcern).to.include({ w: 'majority', journal: true, wtimeoutMS: 2_000 });
        expect(readConcern?.level).to.equal('majority');
        expect(readPreference).to.include({ mode: 'primary', tags: undefined });
        expect(client.options.retryWrites).to.equal(false);
      } finally {
        await close();
      }
    });
  }

  for (const options of ['maxPoolSize=7', 'appName=/a/b&maxPoolSize=7']) {
    it(`sets options for the default database without a slash after its hosts: ?${options}`, async () => {
      const url = mongo.url('x').replace(/\/x(?=\?|$)\??/, `?${options}&`);
      const { collection, client, close } = await openMongo({ url });
      try {
        expect(client.options.maxPoolSize).to.equal(7);
        expect(collection('any').dbName).to.equal('gatehouse');
      } finally {
        await close();
      }
    });
  }

  it('cannot weaken the write concern of avatars', async () => {
    const database = await openMongo({ url: urlWith('w=0&journal=false&monitorCommands=true') });
    const concerns: unknown[] = [];
    database.client.on('commandStarted', ({ commandName, command }) => {
      if (['insert', 'update', 'delete'].includes(commandName)) concerns.push(command.writeConcern);
    });
    const objects = makeMongoObjects(database, { now: () => Date.now() });
    try {
      await objects.put('u/avatar_1.jpg', new Uint8Array(10));
      await objects.remove('u/avatar_1.jpg');
      expect(concerns.length).to.be.greaterThan(4);
      expect(new Set(concerns.map((concern) => JSON.stringify(concern)))).to.have.lengthOf(1);
      expect(concerns[0]).to.deep.equal({ w: 'majority', j: true, wtimeout: 2_000 });
    } finally {
      await database.close();
    }
  });

  it('is reported as a wrong setting if its options contradict each other or the server', async () => {
    for (const [url, word] of [
      [
        mongo.url('x').replace(/\?.*$/, '?loadBalanced=true'),
        'has options that fit neither each other nor this server',
      ],
      [urlWith('bogus=1'), 'is not an address that the driver understands'],
      [
        mongo.url('x').replace(/\?.*$/, '?replicaSet=another&serverSelectionTimeoutMS=2000'),
        'the servers there do not belong to the replica set that it names',
      ],
    ] as const) {
      const error = await rejectionOf(() => openMongo({ url }));
      expect(whyNoConnection(error)).to.deep.equal({ word, isSetting: true });
    }
    const unreachable = await rejectionOf(() =>
      openMongo({ url: 'mongodb://127.0.0.1:1/x?replicaSet=rs0&serverSelectionTimeoutMS=2000' }),
    );
    expect(whyNoConnection(unreachable)).to.deep.equal({
      word: 'no server answers there (ECONNREFUSED)',
      isSetting: false,
    });
  });
});
