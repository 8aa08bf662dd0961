/**
 * A program that runs the commands that it is sent, one after the other, through the bundle of `main.ts`. That runs the
 * arguments of this process first: they are `--version`, which opens nothing.
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
    // What was printed may reach the other process after a message that is sent after it.
    process.stdout.write(end);
    process.stderr.write(end);
    process.send?.(process.exitCode);
  }),
);
process.send?.('up');
