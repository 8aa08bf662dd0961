import { expect } from 'chai';
import type { Context } from '../../../servers/http/context.ts';
import { makeFastRouter } from '../../../servers/http/fast-router.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

describe('The fast router', () => {
  /** Returns a function that names the endpoint and parameters of a request, or `router` if the fast router skips it. */
  const routing = (...routes: readonly (readonly [method: string, path: string])[]) => {
    const router = makeFastRouter();
    let match = '';
    for (const [method, path] of routes) {
      router.add([method], path, async ({ params }) => {
        match = [method, path, ...(params === undefined ? [] : [JSON.stringify(params)])].join(' ');
      });
    }
    return async (method: string, path: string): Promise<string> => {
      match = 'router';
      await router.handle({ method, path } as Context, async () => undefined);
      return match;
    };
  };

  it('matches literal paths exactly, by method and path', async () => {
    const ask = routing(['GET', '/files'], ['POST', '/files']);
    expect(await ask('GET', '/files')).to.equal('GET /files');
    expect(await ask('POST', '/files')).to.equal('POST /files');
    for (const path of ['/files/', '/Files', '//files', '/file', '/']) {
      expect(await ask('GET', path), path).to.equal('router');
    }
    expect(await rejectionOf(() => ask('DELETE', '/files'))).to.include({
      code: 'method_not_allowed',
    });
  });

  it('passes the last part of a path as the parameter', async () => {
    const ask = routing(['GET', '/files/{id}'], ['DELETE', '/files/{fileId}']);
    expect(await ask('GET', '/files/a+b')).to.equal('GET /files/{id} {"id":"a+b"}');
    expect(await ask('DELETE', '/files/7')).to.equal('DELETE /files/{fileId} {"fileId":"7"}');
    expect(await ask('GET', '/files/__proto__')).to.equal('GET /files/{id} {"id":"__proto__"}');
  });

  it('prefers a literal path to a path with a parameter', async () => {
    const ask = routing(['GET', '/files/{id}'], ['GET', '/files/all']);
    expect(await ask('GET', '/files/all')).to.equal('GET /files/all');
  });

  it('leaves empty, longer and percent-encoded parameters and other forms of paths to the router', async () => {
    const ask = routing(['GET', '/files/{id}'], ['GET', '/of/{user}/files'], ['GET', '/of/{user}/by/{id}']);
    for (const path of [
      '/files/',
      '/files/a/b',
      '/files/a%20b',
      '/files/%2e',
      '/of/me/files',
      '/of/me/by/1',
    ]) {
      expect(await ask('GET', path), path).to.equal('router');
    }
  });
});
