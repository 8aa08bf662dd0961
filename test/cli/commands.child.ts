/**
 * Runs the commands that other processes send, one after the other, through the bundle of `main.ts`. The bundle first runs
 * the arguments of this process, which are `--version`, because that opens no store.
 */
import { join } from 'node:path';
import type { run as runMain } from '../../cli/main.ts';
import { root } from '../support/tree/root.ts';
import { unawaited } from '../support/unawaited.ts';
import type { SentCommand } from './run-command.ts';

const { run }: { readonly run: typeof runMain } = await import(join(root, 'dist/cli/main-joined.js'));

process.on(
  'message',
  unawaited(async ({ folder, args, env, end }: SentCommand) => {
    process.chdir(folder);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exitCode = 0;
    await run(args);
    // Output may reach the parent process after a later message: this text marks its end.
    process.stdout.write(end);
    process.stderr.write(end);
    process.send?.(process.exitCode);
  }),
);
process.send?.('up');
