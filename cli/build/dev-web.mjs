/**
 * Serves the sources of a front with hot reload, in place of its built files; everything else is answered by a running
 * server: `npm run dev:web` for the account pages, `npm run dev:web -- http://127.0.0.1:3002` for the console.
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

/** Replaces the built scripts of a shell by the sources. */
const withSources = (shell) =>
  shell
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(/<script type="module" src="\/(account|console)\/files\/[^>]*><\/script>/, (_, front) =>
      scriptsOf(front),
    );

/** The operator's theme alone: the style sheet of a brand begins with the built styles. */
const withoutBuiltStyles = (css) => css.slice(css.lastIndexOf('@layer kit, theme;'));

const CHANGES = [
  [/^text\/html/, withSources],
  [/^text\/css/, withoutBuiltStyles],
];

/** Passes a request for a page or its theme on, and changes the answer. */
const changeAnswers = async (request, response, next) => {
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
    const change = CHANGES.find(([form]) => form.test(type))?.[1] ?? ((text) => text);
    const body = change(await answer.text());
    response.statusCode = answer.status;
    response.setHeader('Content-Type', type);
    for (const name of ['location', 'set-cookie'])
      if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name));
    // Without the page's policy, under which Vite's styles and its socket would be refused.
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
  const updates = self.__PREFRESH__.getPendingUpdates();
  self.__PREFRESH__.flush();
  for (const [previous, edited] of updates) self.__PREFRESH__.replaceComponent(previous, edited, true);
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
      // `changeAnswers` passes its failures on.
      configureServer: ({ middlewares }) => {
        middlewares.use((...parts) => void changeAnswers(...parts));
      },
    },
  ],
  server: {
    host: '127.0.0.1',
    proxy: {
      [`^/(?!${SOURCES})`]: {
        target: origin,
        changeOrigin: true,
        // The server takes calls of its own origin alone.
        configure: (proxy) =>
          proxy.on('proxyReq', (call) => {
            if (call.hasHeader('origin')) call.setHeader('origin', origin);
          }),
      },
    },
  },
});
await server.listen();
server.printUrls();
