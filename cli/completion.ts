import { Argument, Command } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { placesOf } from './completion/tree.ts';
import { zshScript } from './completion/zsh.ts';
import { makeOutput } from './terminal/output.ts';
import type { CommonOptions } from './terminal/values.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `gatehouse completion`: completion scripts for shells, made from the commands. */
export const completionCommand = (program: Command): Command =>
  new Command('completion')
    .description('print a script with which a shell completes these commands')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SCRIPTS)))
    .option('--json', 'JSON in place of the script')
    .action((shell: keyof typeof SCRIPTS, { json }: CommonOptions) => {
      const script = SCRIPTS[shell](placesOf(program));
      if (json) makeOutput(json).record({ shell, script });
      else process.stdout.write(script);
    });
