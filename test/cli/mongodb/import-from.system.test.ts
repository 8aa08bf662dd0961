import { mongoForTests } from '../../adapters/mongodb/opened.ts';
import { testLogIns } from '../import-from/sign-ins.ts';

describe('An import from elsewhere', () => {
  const mongo = mongoForTests();
  // One is enough: an account is stored alike, wherever it comes from.
  testLogIns('MongoDB', 'supabase', /^\$2b\$05\$/, async () => {
    const { database } = await mongo.open({});
    return { MONGODB_URL: mongo.url(database.collection('any').dbName) };
  });
});
