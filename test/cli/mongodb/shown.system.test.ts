import { expect } from 'chai';
import { mongoForTests } from '../../adapters/mongodb/opened.ts';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { blocksOf, shownIn } from '../shown-lines.ts';

/** The database that the document names. */
const SHOWN = 'mongodb://localhost/gatehouse';

describe('The lines of the documents on MongoDB', () => {
  const mongo = mongoForTests();
  const folder = useTempFolder();

  it('move house from the embedded store, and everybody is there', async () => {
    const service = await openTestService({}, `${folder()}/data`);
    const { email } = await service.signUp();
    await service.close();
    const { database, close } = await mongo.open({});
    const url = mongo.url(database.collection('any').dbName);
    const lines = blocksOf('commands.md').find((block) => block.some((line) => line.includes(SHOWN)));
    expect(lines).to.have.length(2);
    const printed = await shownIn(folder()).run([
      ...(lines ?? []).map((line) => line.replace(SHOWN, `'${url}'`)),
      `echo; MONGODB_URL='${url}' npx --no gatehouse users show ${email} --json`,
    ]);
    expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).to.include({ email });
    await close();
  });
});
