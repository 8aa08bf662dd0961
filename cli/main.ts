import { Command, CommanderError } from 'commander';
import { makeKeyFile } from '../adapters/compose.ts';
import { ConfigError, describeConfig, readConfig } from '../adapters/config.ts';
import { configCommand } from './config.ts';
import { keysCommand } from './keys.ts';

const WRONG_USAGE = 2;
const WRONG_SETTINGS = 78;

const program = new Command('gatehouse')
  .description('Operate Gatehouse: same settings, same composition as the servers, works beside them')
  .showHelpAfterError('(--help says what there is)')
  .addCommand(configCommand({ settings: () => describeConfig(readConfig()) }))
  .addCommand(keysCommand({ makeKeyFile }));

const throwInstead = (command: Command): void => {
  command.exitOverride();
  for (const inner of command.commands) throwInstead(inner);
};

/** Commander has said what was wrong by then; its own code for it is 1, which here means that the work failed. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof ConfigError ? WRONG_SETTINGS : 1;
};

throwInstead(program);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
