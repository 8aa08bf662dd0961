import { expect } from 'chai';
import { makeMongoAuditStore } from '../../../../adapters/mongodb/audit-store.ts';
import type { MongoDatabase } from '../../../../adapters/mongodb/engine/client.ts';
import type { Indexes } from '../../../../adapters/mongodb/engine/indexes.ts';
import { makeMongoEventLedger } from '../../../../adapters/mongodb/event-ledger.ts';
import { makeMongoLeases } from '../../../../adapters/mongodb/leases.ts';
import { makeMongoOutboxStore } from '../../../../adapters/mongodb/outbox-store.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { inRounds, race } from '../../../contracts/race.ts';
import { following, headAfter, NOW, sampleAuditRow, sampleMail } from '../../../contracts/samples.ts';
import { indexesOf, mongoForTests } from '../opened.ts';

describe('Two processes on one MongoDB server', () => {
  const mongo = mongoForTests();

  /** The stores of two clients on one fresh database; `of(place)` is the one's or the other's. */
  const onTwo = async <T>(
    indexes: Indexes,
    make: (database: MongoDatabase) => T,
    test: (storeOf: (place: number) => T) => Promise<void>,
  ) => {
    const { database, close } = await mongo.open(indexes);
    const secondServer = await mongo.connectAgain(database);
    const [first, second] = [make(database), make(secondServer)];
    try {
      await test((place) => (place % 2 === 0 ? first : second));
    } finally {
      await secondServer.close();
      await close();
    }
  };

  it('give the highest of 50 claims a mail, and count each that was granted', () =>
    onTwo(indexesOf('outbox', 'webhooks'), makeMongoOutboxStore, (storeOf) =>
      inRounds(async (round) => {
        const mail = sampleMail(`r${round}`, { to: `${round}@example.com` });
        await storeOf(0).add('user', mail);
        const fences = Array.from({ length: 50 }, (_, place) => ((place * 37) % 50) + 1);
        const granted = await race(50, (place) => storeOf(place).claim(mail.id, fences[place] ?? 0));
        expect(granted[fences.indexOf(50)], 'the highest').to.equal(true);
        const [waiting] = await storeOf(1).listFor(mail.to);
        expect(waiting?.tries).to.equal(granted.filter(Boolean).length);
        expect(await storeOf(0).claim(mail.id, 49)).to.equal(false);
      }),
    ));

  it('give a lease to one of 50, and each holder a higher fence', () => {
    const clock = makeSettableClock();
    return onTwo(
      {},
      (database) => makeMongoLeases(database, clock),
      (storeOf) =>
        inRounds(async (round) => {
          clock.set(NOW + round * 1_000);
          const leases = await race(50, (place) => storeOf(place).take('relay', `${round}-${place}`, 1_000));
          expect(leases.filter(Boolean)).to.deep.equal([{ name: 'relay', fence: round }]);
        }),
    );
  });

  it('take a delivery in once, however often it comes', () =>
    onTwo(indexesOf('billing_events'), makeMongoEventLedger, (storeOf) =>
      inRounds(async (round) => {
        const id = `round ${round}`;
        const added = await race(50, (place) => storeOf(place).add({ id, body: `${place}` }, NOW));
        expect(added.filter(Boolean)).to.have.length(1);
        const pending = (await storeOf(0).listDue(NOW, 1_000)).find((event) => event.id === id);
        expect(pending?.body).to.equal(`${added.indexOf(true)}`);
      }),
    ));

  it('append to the audit log one of 50 that follow the same head, with all of its rows', () =>
    onTwo(indexesOf('audit'), makeMongoAuditStore, (storeOf) =>
      inRounds(async (round) => {
        const [first, second] = [2 * round - 1, 2 * round];
        const pairs = Array.from({ length: 50 }, (_, place) => [
          sampleAuditRow(first, { entryId: `${first}-${place}` }),
          sampleAuditRow(second, { entryId: `${second}-${place}`, value: `${place}` }),
        ]);
        const heads = pairs.map((rows) => rows.map(headAfter)[1] ?? headAfter(sampleAuditRow(0)));
        const outcomes = await race(50, (place) => storeOf(place).append(following(...(pairs[place] ?? []))));
        expect(outcomes.filter(Boolean)).to.have.length(1);
        expect(await storeOf(1).list(first, 10)).to.deep.equal(pairs[outcomes.indexOf(true)]);
        expect(await storeOf(0).head()).to.deep.equal(heads[outcomes.indexOf(true)]);
      }),
    ));
});
