import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';
import { root } from '../support/tree/root.ts';
import { verbsOf } from './verbs.ts';

const unused = (): never => {
  throw new Error('This test runs no command.');
};
const context: CommandContext = {
  by: unused,
  settings: unused,
  withReadOnly: unused,
  withChanges: unused,
  lowerPriority: unused,
  makeKeyFile: unused,
  mails: { preview: unused, test: unused },
  keys: { list: unused, rotateSigning: unused, retireMaster: unused, retireSigning: unused },
  store: { migrate: unused, exportTo: unused, importFrom: unused, backup: unused, restore: unused },
};

/** Options of all commands, which a section of the document describes once. */
const COMMON = ['--json', '--as'];

describe('The commands', () => {
  const verbs = verbsOf(makeProgram(context));
  const text = readFileSync(join(root, 'docs/commands.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, row = '']) => row.replaceAll('\\|', '|'));
  const examples = [...text.matchAll(/npx --no gatehouse ([a-z][^\n>]*)/g)].map(([, line = '']) =>
    line.trim(),
  );
  const isOf = (name: string) => (line: string) => line === name || line.startsWith(`${name} `);

  it('have a description, as have their options and their arguments with choices', () => {
    const program = makeProgram(context);
    for (const noun of [program, ...program.commands])
      expect(noun.description(), noun.name()).not.to.equal('');
    for (const { name, command } of verbsOf(program)) {
      expect(command.description(), name).not.to.equal('');
      for (const { flags, description } of command.options)
        expect(description, `${name} ${flags}`).not.to.equal('');
      for (const { argChoices, description } of command.registeredArguments)
        if (argChoices !== undefined) expect(description, `${name} ${argChoices}`).not.to.equal('');
    }
  });

  for (const { name, command } of verbs) {
    describe(name, () => {
      it('accepts --json', () => {
        expect(command.options.map(({ long }) => long)).to.include('--json');
      });

      it('has a row in docs/commands.md with its arguments and options, and one example', () => {
        const [row, ...more] = rows.filter(isOf(name));
        expect(more).to.deep.equal([]);
        expect(row, 'a row of a table').to.be.a('string');
        for (const { long } of command.options)
          if (!COMMON.includes(long ?? '')) expect(row).to.include(long);
        const places = [
          ...(row ?? '')
            .replaceAll(/\[?--[^\]]*\]?/g, '')
            .matchAll(/\b[A-Z]{2,}\b|founder\|dev|bash\|zsh\|fish/g),
        ];
        if (name !== 'keys init') expect(places).to.have.length(command.registeredArguments.length);
        expect(examples.filter(isOf(name))).to.have.length(1);
      });

      it('accepts the options and the number of arguments of its example', () => {
        const line = examples.find(isOf(name))?.slice(name.length).trim() ?? '';
        const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
        const { operands, unknown } = command.parseOptions(args);
        expect(unknown).to.deep.equal([]);
        const needed = command.registeredArguments.filter(({ required }) => required);
        expect(operands.length).to.be.within(needed.length, command.registeredArguments.length);
      });
    });
  }

  it('include every command of docs/commands.md', () => {
    const names = verbs.map(({ name }) => name);
    const commands = rows.filter(
      (row) => /^[a-z]/.test(row) && !/^[a-z]+[A-Z]|^(email|avatar|tier)$/.test(row),
    );
    for (const line of [...commands, ...examples]) {
      expect(
        names.some((name) => isOf(name)(line)),
        line,
      ).to.equal(true);
    }
  });
});
