/**
 * Serves the sources of a front with hot reload, in place of its built files. A running server answers everything else.
 * `npm run dev:web` is for the account pages, `npm run dev:web -- http://127.0.0.1:3002` for the console.
 */
import '../node-version.mjs';
import { createServer } from 'vite';
import { ensureBuilt, stopOn } from './build.mjs';
import { fronts } from './fronts.mjs';
import { viteConfig } from './vite.mjs';

const [, , address = 'http://127.0.0.1:3000'] = process.argv;
const { origin } = new URL(address);

/** The paths of Vite's own files and of the sources. */
const SOURCES = '@|servers/|core/|node_modules/';

const scriptsOf = (front) =>
  ['@vite/client', `servers/web/${fronts[front].main}`]
    .map((path) => `<script type="module" src="/${path}"></script>`)
    .join('');

/** Replaces the built scripts in the HTML of a page by the sources. */
const withSources = (html) =>
  html
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(/<script type="module" src="\/(account|console)\/files\/[^>]*><\/script>/, (_, front) =>
      scriptsOf(front),
    );

/** Keeps only the operator's theme, which begins at the last `@layer` statement: Vite serves the styles before it. */
const withoutBuiltStyles = (css) => css.slice(css.lastIndexOf('@layer kit, theme;'));

/** The changes of bodies by content type. */
const CHANGES = [
  [/^text\/html/, withSources],
  [/^text\/css/, withoutBuiltStyles],
];

/** Forwards a request for a page or its theme, and changes the answer. */
const forwardPage = async (request, response, next) => {
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
  const isTheme = /^\/(?:account|console)\/brand\/theme/.test(request.url);
  if (!isPage && !isTheme) return next();
  try {
    const { accept, cookie = '', 'accept-language': language = '' } = request.headers;
    const answer = await fetch(new URL(request.originalUrl, origin), {
      redirect: 'manual',
      headers: { accept, cookie, 'accept-language': language },
    });
    const type = answer.headers.get('content-type') ?? '';
    const change = CHANGES.find(([pattern]) => pattern.test(type))?.[1] ?? ((text) => text);
    const body = change(await answer.text());
    response.statusCode = answer.status;
    response.setHeader('Content-Type', type);
    const location = answer.headers.get('location');
    if (location !== null) response.setHeader('Location', location);
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    // The page's Content-Security-Policy is left out: it would refuse Vite's styles and its socket.
    response.end(body);
  } catch (error) {
    next(error);
  }
};

/** Puts an edited component in the place of its predecessor. The others keep their state. */
const replaceEditedComponents = {
  name: 'replace-edited-components',
  transform: {
    filter: { id: /\/servers\/web\/.*\.tsx$/, code: '$RefreshReg$(' },
    handler: (code, id) => `import '@prefresh/core';
self.$RefreshSig$ = () => (component) => component;
self.$RefreshReg$ = (component, name) => self.__PREFRESH__.register(component, ${JSON.stringify(id)} + name);
${code}
import.meta.hot.accept(() => {
  const resetsHooks = true;
  const updates = self.__PREFRESH__.getPendingUpdates();
  // Only empties the list of updates.
  self.__PREFRESH__.flush();
  for (const [previous, edited] of updates) self.__PREFRESH__.replaceComponent(previous, edited, resetsHooks);
});
`,
  },
};

await ensureBuilt().catch(stopOn);
const server = await createServer({
  ...viteConfig,
  logLevel: 'info',
  // Packages are modules already.
  optimizeDeps: { noDiscovery: true },
  oxc: { ...viteConfig.oxc, jsx: { ...viteConfig.oxc.jsx, refresh: true }, jsxRefreshInclude: /\.tsx$/ },
  plugins: [
    ...viteConfig.plugins,
    replaceEditedComponents,
    {
      name: 'pages-of-the-server',
      // `forwardPage` passes its failures to `next`.
      configureServer: ({ middlewares }) => {
        middlewares.use((...call) => void forwardPage(...call));
      },
    },
  ],
  server: {
    host: '127.0.0.1',
    proxy: {
      [`^/(?!${SOURCES})`]: {
        target: origin,
        changeOrigin: true,
        // The server accepts requests of its own origin only.
        configure: (proxy) =>
          proxy.on('proxyReq', (request) => {
            if (request.hasHeader('origin')) request.setHeader('origin', origin);
          }),
      },
    },
  },
});
await server.listen();
server.printUrls();
