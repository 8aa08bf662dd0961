import { expect } from 'chai';
import { type Program, startProgram } from '../../embedding/programs.ts';
import { until } from '../../support/until.ts';

/** Starts bundled programs, and ends them after each test. */
export const useBundles = () => {
  const running: Program[] = [];
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  });

  const start = (folder: string, args: readonly string[], settings: Readonly<Record<string, string>>) => {
    const program = startProgram(folder, args, settings);
    running.push(program);
    return program;
  };

  return {
    /** Starts a program that must serve; returns a function that registers a user at a path. */
    serve: async (
      folder: string,
      args: readonly string[],
      settings: Readonly<Record<string, string>> = {},
    ) => {
      const program = start(folder, args, { ACCOUNTS_PORT: '0', ...settings });
      const url = () => /http:\/\/localhost:\d+/.exec(program.out())?.[0];
      await until(() => url() !== undefined || program.child.exitCode !== null);
      expect(program.child.exitCode, program.err()).to.equal(null);
      return async (path: string): Promise<void> => {
        const response = await fetch(`${url()}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' }),
        });
        expect(response.status, `${await response.text()} ${program.err()}`).to.equal(201);
      };
    },
    /** Starts a program that must fail; returns its exit code and output. */
    refuse: async (folder: string, args: readonly string[]) => {
      const program = start(folder, args, { ACCOUNTS_PORT: '0' });
      const code = await program.ended;
      return { code, said: program.err().trim().split('\n'), out: program.out() };
    },
  };
};
