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

/** Records each call of a function of these modules, until the returned function is called. */
const watchCalls = (modules: Readonly<Record<string, object>>) => {
  const calls: string[] = [];
  const undo = Object.entries(modules).flatMap(([label, module]) =>
    Object.entries(module).flatMap(([name, original]) => {
      if (typeof original !== 'function') return [];
      const recorded = function (this: unknown, ...args: readonly unknown[]) {
        calls.push(`${label}.${name}`);
        return new.target ? Reflect.construct(original, args) : Reflect.apply(original, this, args);
      };
      Reflect.set(module, name, Object.assign(recorded, original));
      return [() => Reflect.set(module, name, original)];
    }),
  );
  syncBuiltinESMExports();
  return () => {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
    return calls;
  };
};

const runOnce = async () => {
  const app = await composeInMemory();
  await signUp(app);
  await app.close();
};

describe('The product in memory', () => {
  it('needs at most ten lines from register to refresh, as embedding.md shows', () => {
    const document = fs.readFileSync(join(root, 'docs/embedding.md'), 'utf8');
    const [, shown = ''] = /^\/\/ in-memory\.js\n(.*?)^```/ms.exec(document) ?? [];
    const from = shown.indexOf('composeInMemory()');
    expect(shown.indexOf('accounts.refresh(')).to.be.above(from);
    expect(shown.trim().split('\n').length).to.be.at.most(10);
  });

  // A first run loads all modules, since loading reads files.
  before(runOnce);

  it('uses no file, no other process and no connection from register to refresh', async () => {
    const watched = {
      ...{ fs, files: fs.promises, processes: childProcess },
      ...{ sockets: net.Socket.prototype, servers: net.Server.prototype },
    };
    const stop = watchCalls(watched);
    try {
      await runOnce();
    } finally {
      expect(stop()).to.deep.equal([]);
    }
    // The watch does see calls.
    const stopSecond = watchCalls(watched);
    const { readFile } = await import('node:fs/promises');
    await readFile(join(root, 'package.json'));
    expect(stopSecond()).to.include('files.readFile');
  });

  it('keeps no resource active, neither while it is open nor after it is closed', async () => {
    // mocha starts its timer only after the test returned a promise.
    await setImmediate();
    const resourcesBefore = process.getActiveResourcesInfo().toSorted();
    const app = await composeInMemory();
    await signUp(app);
    expect(process.getActiveResourcesInfo().toSorted()).to.deep.equal(resourcesBefore);
    await app.close();
    expect(process.getActiveResourcesInfo().toSorted()).to.deep.equal(resourcesBefore);
  });
});
