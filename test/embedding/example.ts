import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { endTree } from '../support/runner/process-tree.ts';
import { root } from '../support/tree/root.ts';
import { until } from '../support/until.ts';
import { exampleLines, type } from './installed.ts';
import { readManifest } from './packages.ts';
import { type Program, startProgram } from './programs.ts';

/** The commands of `embedding.md` for a running example, with the URL of this one; the last line prints the token. */
const journeyTo = (url: string): string => {
  const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
  const [, lines] = /^```sh\n(url=http:\/\/localhost:8080\n.*?)^```$/ms.exec(text) ?? [];
  if (lines === undefined) throw new Error('embedding.md has no commands to try an example.');
  return `${lines.replace('http://localhost:8080', url)}echo "$token"`;
};

/** The arguments of Node.js for the script of a line, because npm would not forward signals. */
const argumentsOf = (line: string, folder: string): readonly string[] => {
  const [, name = ''] = /^npm (?:run )?(start|dev)$/.exec(line) ?? [];
  const [program = '', ...args] = readManifest(folder).scripts?.[name]?.split(' ') ?? [];
  return program === 'node' ? args : [join('node_modules/.bin', program), ...args];
};

/** Runs examples by the commands of their pages, and ends them after each test. */
export const useExamples = (inside: (...parts: string[]) => string) => {
  const running: Program[] = [];
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      // Next starts a child process, which keeps the output open.
      if (child.pid !== undefined && child.exitCode === null) endTree(child.pid);
      await ended;
    }
  });

  return async (name: string, settings: Readonly<Record<string, string>> = {}) => {
    const url = `http://localhost:${await freePort()}`;
    const folder = inside('docs/examples', name);
    const [, ...lines] = exampleLines(folder);
    const start = lines.pop() ?? '';
    for (const line of lines) await type(line, folder);
    const program = startProgram(folder, argumentsOf(start, folder), {
      PORT: new URL(url).port,
      ...settings,
    });
    running.push(program);
    await until(() => program.out().includes('http://') || program.child.exitCode !== null);
    expect(program.child.exitCode, program.err()).to.equal(null);

    return {
      url,
      program,
      ask: async (method: string, path: string, body?: unknown, token = '') => {
        const response = await fetch(url + path, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: response.status, text: await response.text() };
      },
      /** Signs Ada up and in, and calls the example, by the commands of `embedding.md`. Returns her access token. */
      journey: async (): Promise<string> => {
        const { stdout } = await type(journeyTo(url), folder);
        const [, me = '', hello, token = ''] = /^(\{"user":.*)\n(.*Hello .*)\n(.*)\n$/m.exec(stdout) ?? [];
        expect(JSON.parse(me).user.email).to.equal('ada@example.com');
        expect(hello).to.include('Hello ada@example.com');
        return token;
      },
      /** `code` is null for a framework whose process ends by the signal. */
      end: async (code: number | null = 0) => {
        program.child.kill('SIGTERM');
        expect(await program.ended, program.err()).to.equal(code);
      },
    };
  };
};
