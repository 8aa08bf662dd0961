import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly contents?: { readonly value: string } };
  readonly error?: { readonly message: string };
}

/** A connection to TypeScript's language server, as editors have one: Language Server Protocol 3.17, base protocol. */
const startLanguageServer = async (folder: string) => {
  const program = join(require.resolve('typescript/package.json'), '..', 'bin', 'tsc');
  const child = spawn(process.execPath, [program, '--lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let received = Buffer.alloc(0);

  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const take = (answer: Answer) => {
    // What the server asks of an editor, such as its settings, is answered with nothing.
    if (answer.method !== undefined && answer.id !== undefined) send({ id: answer.id, result: null });
    else if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, head).toString())?.[1]);
      if (received.length < head + 4 + length) return;
      take(JSON.parse(received.subarray(head + 4, head + 4 + length).toString()));
      received = received.subarray(head + 4 + length);
    }
  });

  let last = 0;
  const ask = async (method: string, params: object | null) => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const answer = await answered;
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  };
  await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  });
  send({ method: 'initialized', params: {} });
  return {
    ask,
    tell: (method: string, params: object) => send({ method, params }),
    end: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
};

/**
 * What an editor shows for expressions, each on its last name. `head` is the program before them. The file need not
 * exist: it is opened as one that was not saved yet.
 */
export const hoversOf = async (
  folder: string,
  head: string,
  expressions: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const server = await startLanguageServer(folder);
  try {
    const uri = pathToFileURL(join(folder, 'hovers.ts')).href;
    const lines = [...head.trimEnd().split('\n'), ...expressions.map((expression) => `${expression};`)];
    server.tell('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text: `${lines.join('\n')}\n` },
    });
    const first = lines.length - expressions.length;
    const shown = new Map<string, string>();
    for (const [place, expression] of expressions.entries()) {
      const position = { line: first + place, character: expression.length - 1 };
      const hover = await server.ask('textDocument/hover', { textDocument: { uri }, position });
      shown.set(expression, hover?.contents?.value ?? '');
    }
    return shown;
  } finally {
    await server.end();
  }
};
