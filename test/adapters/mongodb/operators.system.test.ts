import { indexes } from '../../../adapters/mongodb/collections.ts';
import { mongoPorts } from '../../../adapters/mongodb/ports.ts';
import { NOW } from '../../contracts/samples.ts';
import { operatorsRace } from '../../core/accounts/admin/races.ts';
import { openPorts } from '../../core/accounts/open-core.ts';
import { mongoForTests } from './mongo-for-tests.ts';

const parts = { clock: { now: () => NOW } };

describe('Two concurrent operators in two processes on MongoDB', () => {
  const mongo = mongoForTests();
  const closing: (() => Promise<unknown>)[] = [];
  operatorsRace(async () => {
    const { database } = await mongo.open(indexes);
    const secondServer = await mongo.connectAgain(database);
    closing.push(secondServer.close);
    return [database, secondServer].map((server) => openPorts(mongoPorts(server, parts)).ports);
  });
  after(async () => {
    for (const close of closing) await close();
  });
});
