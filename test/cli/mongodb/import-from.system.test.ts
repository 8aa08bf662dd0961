import { mongoForTests } from '../../adapters/mongodb/mongo-for-tests.ts';
import { testSignIns } from '../import-from/sign-ins.ts';

describe('An import from another product', () => {
  const mongo = mongoForTests();
  // One product is enough: the stored account does not depend on the product.
  testSignIns('MongoDB', 'supabase', /^\$2b\$05\$/, async () => {
    const { database } = await mongo.open({});
    return { MONGODB_URL: mongo.url(database.collection('any').dbName) };
  });
});
