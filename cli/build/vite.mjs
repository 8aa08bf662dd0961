import { load } from './routes.mjs';
import { dist, root } from './sources.mjs';

/** Adds the theme tokens of the core to `styles/tokens.css`. */
const themeTokens = {
  name: 'theme-tokens',
  enforce: 'pre',
  transform: {
    filter: { id: /\/styles\/tokens\.css$/ },
    handler: async (css) => {
      const [{ DEFAULT_COLOUR, themesOf }, { colourScheme }] = await Promise.all([
        load(dist, 'core/branding/index'),
        load(dist, 'servers/http/page/style'),
      ]);
      return `${css}@layer kit { :root { ${colourScheme(themesOf(DEFAULT_COLOUR))} } }`;
    },
  },
};

/** What the build and the development server have in common. Vite reads no other configuration. */
export const viteConfig = {
  configFile: false,
  envDir: false,
  publicDir: false,
  appType: 'custom',
  root,
  logLevel: 'warn',
  plugins: [themeTokens],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The oldest browsers with `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
};
