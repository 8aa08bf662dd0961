import { Command, Option } from 'commander';
import { makeOutput } from './output.ts';

export interface KeysNeeds {
  /** False when there is a file by that name. */
  readonly makeKeyFile: (kind: 'signing' | 'master' | 'hash', path: string) => Promise<boolean>;
}

interface InitOptions {
  readonly kind: 'signing' | 'master' | 'hash';
  readonly json?: boolean;
}

/** `gatehouse keys`: make key files. */
export const keysCommand = ({ makeKeyFile }: KeysNeeds): Command => {
  const command = new Command('keys').description('make key files');
  command
    .command('init')
    .description('make a first key file, readable by you alone; a file that is there stays as it is')
    .addOption(
      new Option('--kind <kind>', 'what the key is for')
        .choices(['signing', 'master', 'hash'])
        .makeOptionMandatory(),
    )
    .option('--json', 'one JSON document')
    .argument('<file>', 'where to')
    .action(async (file: string, { kind, json }: InitOptions) => {
      if (!(await makeKeyFile(kind, file)))
        throw new Error(`${file} is there already and was left as it is.`);
      makeOutput(json === true).done(`Made a ${kind} key in ${file}.`, { kind, file });
    });
  return command;
};
