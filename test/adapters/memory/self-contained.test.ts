import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { composeInMemory } from '../../../adapters/memory.ts';
import { root } from '../../support/tree/root.ts';
import { signUp } from './sign-up.ts';

/** Notes each call of a function of these modules until it is told to stop. */
const watchCalls = (modules: Readonly<Record<string, object>>) => {
  const calls: string[] = [];
  const undo = Object.entries(modules).flatMap(([label, module]) =>
    Object.entries(module).flatMap(([name, original]) => {
      if (typeof original !== 'function') return [];
      const noted = function (this: unknown, ...given: readonly unknown[]) {
        calls.push(`${label}.${name}`);
        return new.target ? Reflect.construct(original, given) : Reflect.apply(original, this, given);
      };
      Reflect.set(module, name, Object.assign(noted, original));
      return [() => Reflect.set(module, name, original)];
    }),
  );
  syncBuiltinESMExports();
  return () => {
    for (const one of undo) one();
    syncBuiltinESMExports();
    return calls;
  };
};

const live = async () => {
  const app = await composeInMemory();
  await signUp(app);
  await app.close();
};

describe('The product in memory', () => {
  it('goes from register to refresh in ten lines, which embedding.md shows', () => {
    const document = fs.readFileSync(join(root, 'docs/embedding.md'), 'utf8');
    const [, shown = ''] = /^\/\/ in-memory\.js\n(.*?)^```/ms.exec(document) ?? [];
    const from = shown.indexOf('composeInMemory()');
    expect(shown.indexOf('accounts.refresh(')).to.be.above(from);
    expect(shown.trim().split('\n').length).to.be.at.most(10);
  });

  // Modules are read from files, so all that a run needs are loaded before.
  before(live);

  it('uses no file, no other process and no connection from register to refresh', async () => {
    const watched = {
      ...{ fs, files: fs.promises, processes: childProcess },
      ...{ sockets: net.Socket.prototype, servers: net.Server.prototype },
    };
    const stop = watchCalls(watched);
    try {
      await live();
    } finally {
      expect(stop()).to.deep.equal([]);
    }
    // What is watched is seen.
    const again = watchCalls(watched);
    const { readFile } = await import('node:fs/promises');
    await readFile(join(root, 'package.json'));
    expect(again()).to.include('files.readFile');
  });

  it('keeps nothing running, neither open nor closed', async () => {
    // mocha starts its timer once it has the promise.
    await setImmediate();
    const before = process.getActiveResourcesInfo().toSorted();
    const app = await composeInMemory();
    await signUp(app);
    expect(process.getActiveResourcesInfo().toSorted()).to.deep.equal(before);
    await app.close();
    expect(process.getActiveResourcesInfo().toSorted()).to.deep.equal(before);
  });
});
