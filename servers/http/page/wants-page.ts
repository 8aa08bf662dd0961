import { readPreferences } from '../../../core/accept-header.ts';
import type { Context } from '../context.ts';

const KNOWN: ReadonlySet<string> = new Set(['text/html', 'application/json', 'application/*', '*/*']);

/**
 * Whether the request comes from a person's browser, which accepts HTML and prefers it to JSON. Under `/api/` the
 * browser must also say that it navigates, since some programs accept HTML by default (Java does). Routes for
 * navigation always answer HTML.
 */
export const wantsPage = ({
  req: { headers },
  path,
  state,
}: Pick<Context, 'req' | 'path' | 'state'>): boolean => {
  if (state.navigation) return true;
  const preferences = readPreferences(headers.accept ?? '', KNOWN);
  const json =
    preferences.get('application/json') ?? preferences.get('application/*') ?? preferences.get('*/*');
  if ((preferences.get('text/html')?.weight ?? 0) <= (json?.weight ?? 0)) return false;
  return !path.startsWith('/api/') || headers['sec-fetch-mode'] === 'navigate';
};
