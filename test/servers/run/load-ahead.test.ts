import { createRequire } from 'node:module';
import { expect } from 'chai';
import { loadAhead } from '../../../servers/run/load-ahead.ts';

describe('loadAhead', () => {
  it('loads koa-body before a request needs it', async () => {
    const require = createRequire(import.meta.url);
    const path = require.resolve('koa-body');
    delete require.cache[path];
    await loadAhead();
    expect(require.cache).to.have.property(path);
  });
});
