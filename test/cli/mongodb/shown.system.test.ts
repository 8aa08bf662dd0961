import { expect } from 'chai';
import { mongoForTests } from '../../adapters/mongodb/mongo-for-tests.ts';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { blocksOf, makeShell } from '../shown-lines.ts';

/** The URL in the document. */
const DOC_URL = 'mongodb://localhost/gatehouse';

describe('The documented commands for MongoDB', () => {
  const mongo = mongoForTests();
  const folder = useTempFolder();

  it('transfer the accounts of an embedded store', async () => {
    const service = await openTestService({}, `${folder()}/data`);
    const { email } = await service.signUp();
    await service.close();
    const { database, close } = await mongo.open({});
    const url = mongo.url(database.collection('any').dbName);
    const lines = blocksOf('commands.md').find((block) => block.some((line) => line.includes(DOC_URL)));
    expect(lines).to.have.length(2);
    const printed = await makeShell(folder()).run([
      ...(lines ?? []).map((line) => line.replace(DOC_URL, `'${url}'`)),
      `echo; MONGODB_URL='${url}' npx --no gatehouse users show ${email} --json`,
    ]);
    expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).to.include({ email });
    await close();
  });
});
