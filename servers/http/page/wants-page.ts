import { readPreferences } from '../../../core/preferences.ts';
import type { Context } from '../context.ts';

const KNOWN: ReadonlySet<string> = new Set(['text/html', 'application/json', 'application/*', '*/*']);

/**
 * Whether a person's browser asks. It names HTML, and prefers it to JSON. Programs call `/api/`, and some of them name
 * HTML without meaning it (Java's default does), so there the browser must also say that it opens a page. Routes to which
 * browsers alone come by navigation answer nothing else.
 */
export const wantsPage = ({
  req: { headers },
  path,
  state,
}: Pick<Context, 'req' | 'path' | 'state'>): boolean => {
  if (state.navigation) return true;
  const found = readPreferences(headers.accept ?? '', KNOWN);
  const json = found.get('application/json') ?? found.get('application/*') ?? found.get('*/*');
  if ((found.get('text/html')?.weight ?? 0) <= (json?.weight ?? 0)) return false;
  return !path.startsWith('/api/') || headers['sec-fetch-mode'] === 'navigate';
};
