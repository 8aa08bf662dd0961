import { MongoClient } from 'mongodb';
import { compose } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { indexes } from '../../../adapters/mongodb/collections.ts';
import { ACCOUNTS } from '../../../adapters/mongodb/documents/account-document.ts';
import { openMongo } from '../../../adapters/mongodb/engine/client.ts';
import { makeIndexes } from '../../../adapters/mongodb/engine/indexes.ts';
import { type MongoServer, startMongo } from '../../support/servers/mongo-server.ts';
import { inFolder } from '../folder.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { SETTINGS } from '../server.ts';
import { median } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';

const HASH = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`;
/** The number of documents of an insert, the same as in an import. */
const BATCH = 256;

async function* linesOf(users: number): AsyncGenerator<string> {
  for (let index = 0; index < users; index += 1)
    yield JSON.stringify({ email: `user-${index}@example.com`, displayName: 'User', passwordHash: HASH });
}

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
};

const importInto = (url: string, users: number): Promise<number> =>
  inFolder(async (folder) => {
    const env = { ...SETTINGS, DATA_DIR: folder, MONGODB_URL: url, LOG_LEVEL: 'error' };
    const { accounts, close } = await compose(readConfig(env, folder));
    try {
      const options = { dryRun: false, onBad: () => undefined, onProgress: () => undefined };
      return await perSecond(users, async () => {
        const { added } = await accounts.operate.importUsers(linesOf(users), options, {
          actor: 'operator:cli',
        });
        if (added < users) throw new Error(`${users - added} of ${users} were not imported.`);
      });
    } finally {
      await close();
    }
  });

/** Inserts the accounts of an import by the driver's bulk insert, with the same indexes. */
const insertAgain = async (from: string, into: string): Promise<number> => {
  const source = new MongoClient(from);
  const documents = await source.db().collection(ACCOUNTS).find({}).toArray();
  await source.close();
  const database = await openMongo({ url: into });
  try {
    await makeIndexes(database, { accounts: indexes.accounts, emails: indexes.emails });
    const accounts = database.collection(ACCOUNTS);
    return await perSecond(documents.length, async () => {
      for (let first = 0; first < documents.length; first += BATCH)
        await accounts.insertMany(documents.slice(first, first + BATCH), { ordered: false });
    });
  } finally {
    await database.close();
  }
};

const measureOn = async (server: MongoServer, measure: Measure): Promise<Row> => {
  const users = measure.full ? 10_000 : 2_000;
  let round = 0;
  const { product, reference } = await takeTurns(
    measure,
    'users import, MongoDB',
    () => importInto(server.url(`import-${++round}`), users),
    () => insertAgain(server.url(`import-${round}`), server.url(`insert-${round}`)),
  );
  return atLeast(0.5, {
    row: `users import of ${users}, MongoDB`,
    unit: '/s',
    product: median(product),
    reference: median(reference),
    against: "the driver's bulk insert",
    ratio: median(product.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
  });
};

/** An import of users against a bulk insert of the same documents: the cost of audit rows and claimed emails. */
export const importing = async (measure: Measure): Promise<readonly Row[]> => {
  const server = await startMongo();
  try {
    return [await measureOn(server, measure)];
  } finally {
    await server.end();
  }
};
