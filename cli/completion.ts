import { Argument, Command } from 'commander';
import { fishScript } from './completion/fish.ts';
import { bashScript, zshScript } from './completion/sh.ts';
import { nodesOf } from './completion/tree.ts';
import { makeOutput } from './terminal/print-results.ts';
import type { CommonOptions } from './terminal/verbs-and-options.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `gatehouse completion`: completion scripts for shells, made from the commands. */
export const completionCommand = (program: Command): Command =>
  new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .option('--json', 'JSON instead of the script')
    .action((shell: keyof typeof SCRIPTS, { json }: CommonOptions) => {
      const script = SCRIPTS[shell](nodesOf(program));
      if (json) makeOutput(json).record({ shell, script });
      else process.stdout.write(script);
    });
