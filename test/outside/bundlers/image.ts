import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type } from '../../embedding/installed.ts';

/** What an image holds where it starts, and the arguments of Node.js that start it. */
export interface Image {
  readonly folder: string;
  readonly args: readonly string[];
}

/** As hard links, since an app has thousands of files. */
const copy = (from: string, to: string): void => {
  const isFolder = statSync(from).isDirectory();
  mkdirSync(isFolder ? to : join(to, '..'), { recursive: true });
  execFileSync('cp', ['-a', '--link', isFolder ? `${from}/.` : from, to]);
};

/**
 * Does what a Dockerfile says in folders below `outer`, one for each stage, which stand for `/`. The packages are at hand,
 * so none is installed or pruned; users and folders of the container's own are left out.
 */
export const buildImage = async (dockerfile: string, context: string, outer: string): Promise<Image> => {
  rmSync(outer, { recursive: true, force: true });
  const stages = new Map<string, string>();
  let [stage, work] = ['', ''];
  let args: readonly string[] = [];
  const steps: Readonly<Record<string, (rest: string) => Promise<void> | void>> = {
    FROM: (rest) => {
      stage = join(outer, String(stages.size));
      stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? '', stage);
    },
    WORKDIR: (rest) => {
      work = join(stage, rest);
      mkdirSync(work, { recursive: true });
    },
    COPY: (rest) => {
      const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
      const [to = '', ...sources] = paths.split(' ').reverse();
      for (const source of sources) {
        const path = join(from === undefined ? context : (stages.get(from) ?? ''), source);
        copy(path, join(work, to, to === './' && statSync(path).isFile() ? basename(path) : ''));
      }
    },
    RUN: async (rest) => {
      if (rest === 'npm ci') copy(join(context, 'node_modules'), join(work, 'node_modules'));
      else if (!/^(?:npm prune|install -d) /.test(rest)) await type(rest, work);
    },
    CMD: (rest) => {
      [, ...args] = JSON.parse(rest) as string[];
    },
    ENV: () => undefined,
    USER: () => undefined,
  };
  for (const line of dockerfile.trim().split(/\n+/)) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const step = steps[word];
    if (step === undefined) throw new Error(`No step of an image is known for: ${line}`);
    await step(rest);
  }
  return { folder: work, args };
};
