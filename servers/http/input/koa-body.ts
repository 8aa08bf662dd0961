import { createRequire } from 'node:module';
import type koaBody from 'koa-body';

/** Latin1, one character per byte. Under this name, koa-body's packages leave the decoding to Node.js. */
const BYTE_PER_CHARACTER = 'binary';

/** Resolves with the body, one character per byte. Rejects with the errors of koa-body's packages. */
type ReadBytesAsText = (req: object) => Promise<string>;

/** Loads koa-body, which takes 35 ms, on first use. `import` would read each of its files twice, `require` reads it once. */
export const loadKoaBody = (): unknown => {
  const require = createRequire(import.meta.url);
  return require('koa-body');
};

const makeReader = (longest: number): ReadBytesAsText => {
  const parseBody = (loadKoaBody() as typeof koaBody)({
    text: true,
    textLimit: longest,
    encoding: BYTE_PER_CHARACTER,
    json: false,
    urlencoded: false,
    multipart: false,
  });
  return async (req) => {
    // koa-body chooses a parser by method and content type. Here every method and type gets the same one.
    const context = { req, method: 'POST', is: () => 'text/plain', request: { body: '' } };
    await parseBody(context as unknown as Parameters<typeof parseBody>[0], async () => undefined);
    return context.request.body;
  };
};

const readers = new Map<number, ReadBytesAsText>();

/** Reads an uncompressed body of at most `longest` bytes with koa-body (decision 0019). */
export const readBytesAsText = (req: object, longest: number): Promise<string> => {
  const reader = readers.get(longest) ?? makeReader(longest);
  readers.set(longest, reader);
  return reader(req);
};
