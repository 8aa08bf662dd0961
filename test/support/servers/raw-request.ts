import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** Sends a request with method and path just as they are given, which `fetch` would mend or refuse. */
export const rawRequest = async (
  url: string,
  method: string,
  path: string,
  { headers = {} }: { readonly headers?: OutgoingHttpHeaders } = {},
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> => {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, method, path, headers, agent: false });
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (answer === undefined) throw new Error('No answer came.');
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
};
