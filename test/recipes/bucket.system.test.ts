import { expect } from 'chai';
import { useTempFolder } from '../support/temp-folder.ts';
import { copyTree } from './copied-tree.ts';

const ROW = `  /** Example pages. */
  example: { requests: 2 },
`;

/** Asks for one page three times, and for the document of the service. */
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

describe('A new rate limit bucket', () => {
  const folder = useTempFolder();

  it('is a row and the route that names it: setting, count, reference and documentation follow', async () => {
    const tree = copyTree(folder());
    tree.insert('core/rate-limits.ts', '  /** All other', ROW);
    tree.insert(
      'servers/accounts/billing-pages.ts',
      "    answers: { 200: { description: 'A small page.'",
      "    bucket: 'example',\n",
    );
    await tree.build();

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

    await tree.run(['dist/test/settings/write.js']);
    expect(tree.read('docs/settings.md')).to.include('| `RATE_LIMIT_EXAMPLE` | `2` | Example pages. |\n');
    expect([...tree.changed]).to.have.length(2);
  });
});
