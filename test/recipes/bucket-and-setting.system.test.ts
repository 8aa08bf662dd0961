import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { type CopiedTree, copyTree } from './copied-tree.ts';

const BUCKET = `  /** Example pages. */
  example: { requests: 2 },
`;
const SETTING = `  /** Number of example mails. */
  exampleMails: setting('EXAMPLE_MAILS', integer(1, 9), { default: '7' }),
`;
const READER = '    `Examples $' + '{config.exampleMails.toFixed()}`,\n';

/** Requests one page three times, and then the OpenAPI document of the service. */
const PROGRAM = `
  import { readConfig } from './dist/adapters/config.js';
  import { openServices } from './dist/servers/services.js';
  const services = await openServices(readConfig(), ['accounts']);
  const ask = (path) => fetch(services.urls.accounts + path);
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await ask('/billing/return')).status);
  const { paths } = await (await ask('/openapi.json')).json();
  await services.close();
  console.log(JSON.stringify({ statuses, limit: paths['/billing/return'].get['x-rate-limit'] }));
`;

/** Both recipes change one copy of the sources, since to compile a copy takes seconds. Each changes two files of its own. */
describe('The result of two recipes', () => {
  const folder = useTempFolder('suite');
  let tree: CopiedTree;
  before(async () => {
    tree = copyTree(folder());
    tree.insert('core/rate-limits.ts', '  /** All other', BUCKET);
    tree.insert('servers/accounts/billing-pages.ts', '    run: async', "    bucket: 'example',\n");
    tree.insert('adapters/config/settings/metadata.ts', '};\n', SETTING);
    tree.insert('servers/run/startup-message.ts', '    `Data ', READER);
    await tree.build();
    await tree.run(['dist/test/settings/write.js']);
  });

  it('is a rate limit bucket with its row and the route that names it: setting, count, reference and documentation follow', async () => {
    const requests = async (settings: Readonly<Record<string, string>>) =>
      JSON.parse(
        await tree.run(['--input-type=module', '--eval', PROGRAM], {
          ACCOUNTS_PORT: '0',
          PAGES: 'off',
          ...settings,
        }),
      );
    expect(await requests({})).to.deep.equal({
      statuses: [200, 200, 429],
      limit: { bucket: 'example', requests: 2, seconds: 60, by: ['client'] },
    });
    expect(await requests({ RATE_LIMIT_EXAMPLE: '1', DATA_DIR: 'other' }))
      .to.have.property('statuses')
      .that.deep.equals([200, 429, 429]);
    expect(tree.read('docs/settings.md')).to.include('| `RATE_LIMIT_EXAMPLE` | `2` | Example pages. |\n');
  });

  it('is a setting with its row and its reader: the type, the check, the display and the documentation follow', async () => {
    const check = ['dist/cli/main.js', 'config', 'check', '--json'];
    expect(JSON.parse(await tree.run(check))).to.include({ EXAMPLE_MAILS: 7 });
    expect(JSON.parse(await tree.run(check, { EXAMPLE_MAILS: '3' }))).to.include({ EXAMPLE_MAILS: 3 });
    const refused = await tree.run(check, { EXAMPLE_MAILS: '10' }).catch(String);
    expect(refused)
      .to.include('ended with 78')
      .and.include('EXAMPLE_MAILS must be a whole number from 1 to 9.');
    expect(tree.read('docs/settings.md')).to.include(
      '| `EXAMPLE_MAILS` | `7` | Number of example mails. |\n',
    );
  });
});
