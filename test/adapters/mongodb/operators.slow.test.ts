import { indexes, mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { NOW } from '../../contracts/samples.ts';
import { openPorts } from '../../core/accounts/open-core.ts';
import { operatorsRace } from '../../core/accounts/operate/races.ts';
import { mongoForTests } from './opened.ts';

const parts = { clock: { now: () => NOW } };

describe('Two operators at once, in two processes on MongoDB', function () {
  this.timeout(60_000);
  const mongo = mongoForTests();
  const closing: (() => Promise<unknown>)[] = [];
  operatorsRace(async () => {
    const { database } = await mongo.open(indexes);
    const other = await mongo.connectAgain(database);
    closing.push(other.close);
    return [database, other].map((one) => openPorts(mongoPorts(one, parts)).ports);
  });
  after(async () => {
    for (const close of closing) await close();
  });
});
