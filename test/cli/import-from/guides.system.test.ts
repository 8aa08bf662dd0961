import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { products } from '../../../cli/import-from/products.ts';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';
import { documentsOf, runCommand } from '../run-command.ts';
import { blocksOf, makeShell } from '../shown-lines.ts';
import { AUTH0_HASHES, EXPORTS, HASH_CONFIG } from './samples.ts';

/** The migration guides, each with its name of the export file. */
const GUIDES: Readonly<Record<string, string>> = {
  'auth0.md': 'users.json',
  'better-auth.md': 'users.jsonl',
  'firebase.md': 'users.json',
  'keycloak.md': 'realm.json',
  'supabase.md': 'users.csv',
};

describe('A migration guide', () => {
  const folder = useTempFolder();

  it('exists for each product', () => {
    const names = readdirSync(join(root, 'docs/coming-from')).filter((name) => name !== 'README.md');
    expect(names).to.have.members(Object.keys(products).map((name) => `${name}.md`));
    expect(Object.keys(GUIDES)).to.have.members(names);
  });

  for (const [guide, file] of Object.entries(GUIDES)) {
    it(`shows commands that import the users: ${guide}`, async () => {
      const at = (name: string) => join(folder(), name);
      await (await openTestService({}, at('data'))).close();
      writeFileSync(at(file), EXPORTS[guide.replace('.md', '')] ?? '');
      writeFileSync(at('hash-config.txt'), HASH_CONFIG);
      writeFileSync(at('hashes.json'), AUTH0_HASHES);
      const lines = blocksOf(`coming-from/${guide}`).flat();
      expect(lines).to.have.length(2);
      const printed = await makeShell(folder()).run(lines.map((line) => `${line} --json`));
      const [dry, real] = printed.trim().split('\n');
      expect(JSON.parse(dry ?? '')).to.include({ dryRun: true, added: 2, bad: 0 });
      expect(JSON.parse(real ?? '')).to.include({ dryRun: false, added: 2, bad: 0 });
      const users = documentsOf(await runCommand(folder(), ['users', 'list', '--json']));
      expect(users.map(({ email }) => email)).to.have.members(['ada@example.com', 'bob@example.com']);
    });
  }

  it('shows how to print the new ids of all users', async () => {
    const emails = Array.from({ length: 201 }, (_, number) => `user-${number}@example.com`);
    await (await openTestService({}, join(folder(), 'data'))).close();
    writeFileSync(join(folder(), 'users.jsonl'), emails.map((email) => JSON.stringify({ email })).join('\n'));
    await runCommand(folder(), ['users', 'import', 'users.jsonl']);
    await makeShell(folder()).run(blocksOf('coming-from/README.md').flat());
    const printed = readFileSync(join(folder(), 'new-ids.jsonl'), 'utf8').trim().split('\n');
    expect(printed.map((line) => JSON.parse(line).email)).to.have.members(emails);
  });
});
