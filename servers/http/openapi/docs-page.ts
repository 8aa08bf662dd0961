import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { makeSharedCalls } from '../../../core/join-running-calls.ts';
import { object, text } from '../../../core/schema.ts';
import { unknownRoute } from '../http-error.ts';
import { REFERENCE_POLICY } from '../page/content-security-policy.ts';
import type { ResponseBody } from '../response-body.ts';
import { type AnyRoute, type BucketName, route } from '../route.ts';
import { STYLE } from './docs-style.ts';

const unpack = promisify(gunzip);

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The files of Swagger UI, which the build copies into dist/, with their types. */
const FILES = { 'swagger-ui.css': CSS, 'swagger-ui-bundle.js': SCRIPT } as const;

type FileName = keyof typeof FILES;

const isFile = (name: string): name is FileName => Object.hasOwn(FILES, name);

/** The page's script. Swagger UI must not send requests to other hosts. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const pageOf = (title: string, version: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/swagger-ui-bundle.js?v=${version}" defer></script>
<script src="/docs/start.js" defer></script></head>
<body><main id="reference"></main></body>
</html>
`;

/** URLs contain the version, so that their content never changes. */
const CACHE_FOREVER = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding, Origin',
} as const;

/** Returns the files, which the build has compressed. Each is read on its first request. */
const makeFiles = () => {
  const files = new Map<FileName, Promise<Buffer>>();
  // Requests at the same time share one copy: an unpacked file is much larger than a packed one.
  const share = makeSharedCalls<Buffer>();

  return async (name: FileName, acceptEncoding = ''): Promise<ResponseBody<never>> => {
    const headers = { ...CACHE_FOREVER, 'Content-Type': FILES[name] };
    const reading = files.get(name) ?? readFile(new URL(`../../reference/${name}.gz`, import.meta.url));
    files.set(name, reading);
    const body = await reading;
    if (!/\bgzip\b/.test(acceptEncoding)) {
      const unpacked = await share(name, () => unpack(body));
      return { status: 200, body: unpacked, bytesId: `reference ${name}`, headers };
    }
    return { status: 200, body, headers: { ...headers, 'Content-Encoding': 'gzip' } };
  };
};

const fileParams = object({
  file: text({ maxLength: 64, description: 'As the page names it', examples: ['start.js'] }),
});

/** Our own files. Browsers revalidate them each time. */
const OWN_FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  'start.js': { type: SCRIPT, text: START },
  'style.css': { type: CSS, text: STYLE },
};

const serveOwnFile = (file: string): ResponseBody<never> | undefined => {
  const own = Object.hasOwn(OWN_FILES, file) ? OWN_FILES[file] : undefined;
  if (own === undefined) return undefined;
  const headers = { 'Content-Type': own.type, 'Cache-Control': 'no-cache' };
  return { status: 200, body: Buffer.from(own.text), headers };
};

/** The reference as a page that can also send requests. */
export const docsRoutes = (title: string, bucket: BucketName): readonly AnyRoute[] => {
  const fileOf = makeFiles();
  return [
    route({
      method: 'GET',
      path: '/docs',
      summary: 'This description as a page, from which the service can be tried',
      access: 'open',
      bucket,
      answers: {
        200: {
          description: 'The page.',
          types: ['text/html'],
          headers: { 'Content-Security-Policy': 'Nothing comes from elsewhere' },
        },
      },
      run: async () => {
        const version = await readFile(new URL('../../reference/VERSION', import.meta.url), 'utf8');
        return {
          status: 200,
          body: Buffer.from(pageOf(title, version)),
          headers: {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': REFERENCE_POLICY,
            'Cache-Control': 'no-cache',
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/docs/{file}',
      summary: 'What the page is made of',
      access: 'open',
      bucket,
      params: fileParams,
      answers: {
        200: { description: 'Script or style.', types: ['text/javascript', 'text/css'] },
        404: { description: 'It has no such file.', errors: ['not_found'] },
      },
      run: async ({ params: { file }, headers }) => {
        const response = serveOwnFile(file);
        if (response !== undefined) return response;
        if (!isFile(file)) throw unknownRoute();
        return fileOf(file, headers['accept-encoding']?.toString());
      },
    }),
  ];
};
