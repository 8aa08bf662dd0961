import { mkdirSync } from 'node:fs';
import { createFiles } from 'gatehouse';
import { systemClock } from 'gatehouse/adapters/crypto/clock';
import { makeDigest } from 'gatehouse/adapters/crypto/digest';
import { makeRandom } from 'gatehouse/adapters/crypto/random';
import { makeKeyRing } from 'gatehouse/adapters/kms/key-ring';
import { makeLocalKms } from 'gatehouse/adapters/kms/local';
import { makeSqlCacheGeneration } from 'gatehouse/adapters/sql/cache-generation';
import { makeSqlFileActivity } from 'gatehouse/adapters/sql/file-activity';
import { makeSqlFileStore } from 'gatehouse/adapters/sql/file-store';
import { makeSqlSealedFiles } from 'gatehouse/adapters/sql/sealed-files';
import { openSqliteFileCache } from 'gatehouse/adapters/sqlite/cache/file-cache';
import { openDatabase } from 'gatehouse/adapters/sqlite/database';

const folder = 'files-alone';
mkdirSync(folder, { recursive: true });
const log = { info: () => {}, warn: console.warn, error: console.error };
const random = makeRandom();
const database = openDatabase({ folder, log });
const cache = openSqliteFileCache({ folder, clock: systemClock, log });
// This key ring ends with the process. A real one is kept in a file, see openLocalKms.
const ring = makeKeyRing(Date.now());

const files = createFiles({
  clock: systemClock,
  random,
  log,
  digest: makeDigest([random.bytes(32)]),
  kms: makeLocalKms({ current: () => ring, refresh: async () => {} }),
  files: makeSqlFileStore(database),
  activity: makeSqlFileActivity(database),
  sealed: makeSqlSealedFiles(database),
  cacheGeneration: makeSqlCacheGeneration(database),
  cache,
  owners: { standing: async () => 'account' },
});

const { dekEnc } = await files.wrapKey({ dek: Buffer.alloc(32, 7).toString('base64') });
const { id } = await files.create({
  filenameEnc: 'bm90ZXM=',
  size: 12,
  userId: 'ada',
  mimeType: 'text/plain',
  dekEnc,
  thumb: false,
});
console.log(JSON.parse(await files.read(id)).size, await files.countOf('ada'));
await cache.close();
await database.close();
