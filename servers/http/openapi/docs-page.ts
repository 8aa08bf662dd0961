import { readFile } from 'node:fs/promises';
import { object, text } from '../../../core/schema.ts';
import { unknownRoute } from '../http-error.ts';
import { makePackedFiles, typeOfFile } from '../packed-files.ts';
import { REFERENCE_POLICY } from '../page/content-security-policy.ts';
import { type AnyRoute, type BucketName, openRoute } from '../route.ts';

/** The files of Swagger UI, which the build copies into dist/. */
const FILES: readonly string[] = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The page's script. Without `validatorUrl: null`, Swagger UI could send the description to another host. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** Backgrounds on which the white words of methods can be read. */
const METHODS = {
  get: '#1b66b3',
  post: '#1a7a4c',
  put: '#94540a',
  patch: '#0f716a',
  delete: '#c02626',
};

/** A style that raises the contrast of Swagger UI to WCAG 2.2, 1.4.3. The page loads it after Swagger UI's own style. */
const STYLE = `${Object.entries(METHODS)
  .map(
    ([method, colour]) =>
      `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; text-shadow: none; }`,
  )
  .join('\n')}
.swagger-ui .info .title small { background: #545d6b; }
.swagger-ui .info .title small.version-stamp { background: #4a6800; }
.swagger-ui .info .link .url, .swagger-ui .info .base-url { color: #1b5eb3; }
.swagger-ui .btn.authorize { border-color: #1a7a4c; color: #1a7a4c; }
.swagger-ui .btn.authorize svg { fill: #1a7a4c; }
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated { color: #545454; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: #6a0bc0; }
.swagger-ui [class*="expand-deep-button"] { color: #545454; }
.swagger-ui .highlight-code span[style*="rgb(211, 99, 99)"], .swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f2a3a3 !important; }
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

const fileParams = object({
  file: text({
    maxLength: 64,
    description: 'The name of the file, as the page has it',
    examples: ['start.js'],
  }),
});

/** The files that are not of Swagger UI. Their addresses have no version, so browsers revalidate them each time. */
const OWN_FILES: ReadonlyMap<string, string> = new Map([
  ['start.js', START],
  ['style.css', STYLE],
]);

/** The reference as a page that can also send requests. */
export const docsRoutes = (title: string, bucket: BucketName): readonly AnyRoute[] => {
  // Not computed when this module is loaded: a bundle of CommonJS has no `import.meta.url`, so this line would throw before
  // `requireUnbundled` can refuse the bundle and say why.
  const folder = new URL('../../reference/', import.meta.url);
  const fileOf = makePackedFiles(folder, ['gzip']);
  return [
    openRoute({
      method: 'GET',
      path: '/docs',
      summary: 'This description as a page, from which the service can be tried',
      bucket,
      answers: {
        200: {
          description: 'The page.',
          types: ['text/html'],
          headers: { 'Content-Security-Policy': 'Nothing comes from elsewhere' },
        },
      },
      run: async () => {
        const version = await readFile(new URL('VERSION', folder), 'utf8');
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
    openRoute({
      method: 'GET',
      path: '/docs/{file}',
      summary: 'A script or style of this page',
      bucket,
      params: fileParams,
      answers: {
        200: { description: 'Script or style.', types: ['text/javascript', 'text/css'] },
        404: { description: 'The page has no such file.', errors: ['not_found'] },
      },
      run: async ({ params: { file }, headers }) => {
        const own = OWN_FILES.get(file);
        if (own !== undefined) {
          const ownHeaders = { 'Content-Type': typeOfFile(file), 'Cache-Control': 'no-cache' };
          return { status: 200, body: Buffer.from(own), headers: ownHeaders };
        }
        if (!FILES.includes(file)) throw unknownRoute();
        return fileOf(file, headers['accept-encoding']?.toString());
      },
    }),
  ];
};
