import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** Sends a request with exactly this method and path, which `fetch` would normalize or refuse. */
export const rawRequest = async (
  url: string,
  method: string,
  path: string,
  { headers = {} }: { readonly headers?: OutgoingHttpHeaders } = {},
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> => {
  const { hostname, port } = new URL(url);
  const outgoing = request({ hostname, port, method, path, headers, agent: false });
  outgoing.end();
  const [answer]: IncomingMessage[] = await once(outgoing, 'response');
  if (answer === undefined) throw new Error('The server sent no answer.');
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
};
