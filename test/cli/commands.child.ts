/**
 * A program that runs the commands that it is sent, one after the other, through `main.ts`. That runs the arguments of
 * this process first: they are `--version`, which opens nothing.
 */
import { run } from '../../cli/main.ts';
import { unawaited } from '../support/unawaited.ts';
import type { Asked } from './run-commands.ts';

process.on(
  'message',
  unawaited(async ({ args, env }: Asked) => {
    Object.assign(process.env, env);
    process.exitCode = 0;
    await run(args);
    process.send?.(process.exitCode);
  }),
);
