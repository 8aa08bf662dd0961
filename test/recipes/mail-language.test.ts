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

/**
 * A language for private use (RFC 5646 section 2.2.1), which no product has. It has its own greeting and one subject; its
 * other texts do not matter.
 */
const invented = readFileSync(join(root, ENGLISH), 'utf8')
  .replace('export const english', 'export const invented')
  .replace("'Hello,'", "'Saluto,'")
  .replace(/subject: `Your .* verification code`/, "subject: 'Via kodo'");

describe('A new mail language', () => {
  const folder = useTempFolder();

  /** The core with that language, added as the recipe says. The core needs no package. */
  const addLanguage = (text: string): CopiedTree => {
    const tree = copyTree(folder(), ['core', 'package.json']);
    tree.add('core/accounts/mail/invented.ts', text);
    tree.insert(LIST, 'import { english }', "import { invented } from './invented.ts';\n");
    tree.insert(LIST, 'pl: polish', 'qaa: invented, ');
    return tree;
  };

  const openCore = async () => {
    const opened = openPorts();
    const built = pathToFileURL(join(folder(), 'dist/core/index.js')).href;
    const { createAccounts }: typeof import('../../core/index.ts') = await import(built);
    return { ...opened, accounts: createAccounts(opened.ports) };
  };

  it('is a file and its row: the choice by Accept-Language, the type and the mails follow', async () => {
    const tree = addLanguage(invented);
    await tree.build();
    const { accounts, mails } = await openCore();
    await accounts.register(
      { email: 'reader@example.com', password: 'correct horse battery' },
      { ...caller, languages: 'qaa-AT, pl;q=0.9, en;q=0.8' },
    );
    await accounts.background.relay(1);
    await accounts.background.deliverMail(1);
    expect(mails).to.have.length(1);
    expect(mails[0]).to.include({ language: 'qaa', subject: 'Via kodo' });
    expect(mails[0]?.text).to.match(/^Saluto,/);
    expect(mails[0]?.html).to.contain('<html lang="qaa">');
    const named = recipeFiles('A mail language').map((file) => file.replace('<language>', 'invented'));
    expect(named).to.have.members([...tree.changed]);
  });

  it('must have every text: the compiler names a missing one', async () => {
    const forgetful = addLanguage(invented.replace("'account-deleted': ", "'account-gone': "));
    expect(await forgetful.build().catch(String)).to.match(/invented\.ts.*account-gone/);
  });
});
