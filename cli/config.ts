import { Command } from 'commander';
import { makeOutput } from './output.ts';

/** What the verbs need: the settings by name as they will be used, or a thrown list of what is wrong. */
export interface ConfigNeeds {
  readonly settings: () => Readonly<Partial<Record<string, string | number>>>;
}

/** `gatehouse config`: look at the settings. */
export const configCommand = ({ settings }: ConfigNeeds): Command => {
  const command = new Command('config').description('look at the settings');
  command
    .command('check')
    .description('show the settings as they will be used, secrets hidden; exit 78 when one is wrong')
    .option('--json', 'one JSON document')
    .action((options: { json?: boolean }) => {
      const set = Object.entries(settings()).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      makeOutput(options.json === true).one(Object.fromEntries(set));
    });
  return command;
};
