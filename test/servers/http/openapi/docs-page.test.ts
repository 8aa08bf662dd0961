import { expect } from 'chai';
import { docsRoutes } from '../../../../servers/http/openapi/docs-page.ts';
import type { ResponseBody } from '../../../../servers/http/response-body.ts';

/** The part of a route that this test calls. */
interface FileRoute {
  run(call: { readonly params: object; readonly headers: object }): Promise<ResponseBody>;
}

const REQUESTS = 50;

describe('A file of the reference page', () => {
  it('is decompressed once for all simultaneous requests', async () => {
    const files = docsRoutes('A service', 'default').find(({ path }) => path === '/docs/{file}');
    const { run } = files as unknown as FileRoute;
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const call = { params: { file }, headers: { 'accept-encoding': 'identity' } };
      const answers = await Promise.all(Array.from({ length: REQUESTS }, () => run(call)));
      expect(answers[0]?.body, file).to.be.instanceOf(Uint8Array);
      expect(new Set(answers.map(({ body }) => body)).size, file).to.equal(1);
    }
  });
});
