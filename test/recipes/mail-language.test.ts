import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { caller, openPorts } from '../core/accounts/open-core.ts';
import { useTempFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/root.ts';
import { type CopiedTree, copyTree } from './copied-tree.ts';
import { recipeFiles } from './recipes.ts';

const [ENGLISH, LIST] = ['core/accounts/mail/english.ts', 'core/accounts/mail/languages.ts'];

/** German has a greeting and a subject of its own here; its other texts do not matter. */
const german = readFileSync(join(root, ENGLISH), 'utf8')
  .replace('export const english', 'export const german')
  .replace("'Hello,'", "'Guten Tag,'")
  .replace(/subject: `Your .* verification code`/, "subject: 'Ihr Bestätigungscode'");

describe('A new mail language', function () {
  this.timeout(60_000);
  const folder = useTempFolder();
  let close: (() => Promise<void> | void) | undefined;
  afterEach(async () => {
    await close?.();
    close = undefined;
  });

  /** The core, which imports no package, with German as the recipe says. */
  const addGerman = (text: string): CopiedTree => {
    const tree = copyTree(folder(), ['core', 'package.json']);
    tree.add('core/accounts/mail/german.ts', text);
    tree.insert(LIST, 'import { english }', "import { german } from './german.ts';\n");
    tree.insert(LIST, ' } satisfies', ', de: german');
    return tree;
  };

  const openCore = async () => {
    const opened = openPorts(folder());
    close = opened.close;
    const built = pathToFileURL(join(folder(), 'dist/core/index.js')).href;
    const { createAccounts }: typeof import('../../core/index.ts') = await import(built);
    return { ...opened, accounts: createAccounts(opened.ports) };
  };

  it('is a file and its row: the choice by Accept-Language, the type and the mails follow', async () => {
    const tree = addGerman(german);
    await tree.build();
    const { accounts, mails } = await openCore();
    await accounts.register(
      { email: 'reader@example.com', password: 'correct horse battery' },
      { ...caller, languages: 'de-AT, pl;q=0.9, en;q=0.8' },
    );
    await accounts.background.relay(1);
    await accounts.background.deliverMail(1);
    expect(mails).to.have.length(1);
    expect(mails[0]).to.include({ language: 'de', subject: 'Ihr Bestätigungscode' });
    expect(mails[0]?.text).to.match(/^Guten Tag,/);
    expect(mails[0]?.html).to.contain('<html lang="de">');
    expect([...tree.changed]).to.have.length(2);
    const named = recipeFiles('A mail language').map((file) => file.replace('<language>', 'german'));
    expect(named).to.have.members([...tree.changed]);
  });

  it('lacks no text: the compiler names the one that is forgotten', async () => {
    const forgetful = addGerman(german.replace("'account-deleted': ", "'account-gone': "));
    expect(await forgetful.build().catch(String)).to.match(/german\.ts.*account-gone/);
  });
});
