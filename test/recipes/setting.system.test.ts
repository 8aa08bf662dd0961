import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { copyTree } from './copied-tree.ts';

const ROW = `  /** Number of example mails. */
  exampleMails: setting('EXAMPLE_MAILS', integer(1, 9), { default: '7' }),
`;
const READER = '    `Examples $' + '{config.exampleMails.toFixed()}`,\n';

describe('A new setting', () => {
  const folder = useTempFolder();

  it('is a row and its reader: the type, the check, the display and the documentation follow', async () => {
    const tree = copyTree(folder());
    tree.insert('adapters/config/settings/metadata.ts', '};\n', ROW);
    tree.insert('servers/run/startup-message.ts', '    `Data ', READER);
    await tree.build();

    const check = ['dist/cli/main.js', 'config', 'check', '--json'];
    expect(JSON.parse(await tree.run(check))).to.include({ EXAMPLE_MAILS: 7 });
    expect(JSON.parse(await tree.run(check, { EXAMPLE_MAILS: '3' }))).to.include({ EXAMPLE_MAILS: 3 });
    const refused = await tree.run(check, { EXAMPLE_MAILS: '10' }).catch(String);
    expect(refused)
      .to.include('ended with 78')
      .and.include('EXAMPLE_MAILS must be a whole number from 1 to 9.');

    await tree.run(['dist/test/settings/write.js']);
    expect(tree.read('docs/settings.md')).to.include(
      '| `EXAMPLE_MAILS` | `7` | Number of example mails. |\n',
    );
    expect([...tree.changed]).to.have.length(2);
  });
});
