import { expect } from 'chai';
import { flowStoreIndexes, makeMongoFlowStore } from '../../../../adapters/mongodb/flow-store.ts';
import {
  loginKeyStoreIndexes,
  makeMongoLoginKeyStore,
} from '../../../../adapters/mongodb/login-key-store.ts';
import { NOW, sampleFlow, sampleLoginKey, sampleStep } from '../../../contracts/samples.ts';
import { mongoForTests } from '../opened.ts';
import { losingAnswers } from './losing-answers.ts';

describe('Login keys and flows in MongoDB whose first answers are all lost', () => {
  const mongo = mongoForTests();
  const open = async () => {
    const { database, close } = await mongo.open({ ...loginKeyStoreIndexes, ...flowStoreIndexes });
    return { database: losingAnswers(database), close };
  };

  it('have records that are added, replaced and removed once, and it is said so', async () => {
    const { database, close } = await open();
    const store = makeMongoLoginKeyStore(database);
    const next = sampleLoginKey('a', { userId: 'other', mark: 'second' });
    expect(await store.add(sampleLoginKey('a'))).to.equal(true);
    expect(await store.add(next)).to.equal(false);
    expect(await store.replace(next, 'first')).to.equal(true);
    expect(await store.replace({ ...next, mark: 'third' }, 'first')).to.equal(false);
    expect(await store.find('a')).to.deep.equal(next);
    await store.remove({ key: 'a', mark: 'second' });
    expect(await store.find('a')).to.equal(undefined);
    await close();
  });

  it('are taken once, by who made the step', async () => {
    const { database, close } = await open();
    const store = makeMongoFlowStore(database);
    expect(await store.add(sampleFlow('a'))).to.equal(true);
    expect(await store.add(sampleFlow('a'))).to.equal(false);
    expect(await store.step(sampleStep('a'), NOW)).to.equal(true);
    expect(await store.step(sampleStep('a'), NOW)).to.equal(false);
    await close();
  });
});
