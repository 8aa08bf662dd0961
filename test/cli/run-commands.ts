import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./commands.child.js', import.meta.url));

export interface Asked {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs many commands in one process: to start one takes longer than most of them. */
export const startCommands = (folder: string, env: Asked['env']) => {
  const child = fork(CHILD, ['--version'], { cwd: folder, env: { PATH: process.env.PATH }, silent: true });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdout?.resume();

  return {
    /** Throws what the command said, unless it exits with 0. */
    async run(args: readonly string[], more: Asked['env'] = {}): Promise<void> {
      output = '';
      child.send({ args, env: { ...env, ...more } } satisfies Asked);
      const [status] = await Promise.race([once(child, 'message'), ended]);
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${output}`);
    },
    async end(): Promise<void> {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
