import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../runner/outside-programs.ts';

/** The configuration. schemathesis leaves the credentials out in requests that test their absence. */
const settings = (credentials: { readonly token?: string; readonly secret: string }) => `
[auth.openapi.internalSecret]
api_key = "${credentials.secret}"
${credentials.token === undefined ? '' : `[auth.openapi.bearer]\nbearer = "${credentials.token}"\n`}
# Rules that no schema can state, such as which passwords are known, refuse with 400 what the schema lets through.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 400, 401, 403, 404, 409, 415, 429, "5xx"]
# What is too long is refused as such.
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 417, 429, 431]
`;

/**
 * Tests a service with schemathesis against the OpenAPI document that it serves, with all checks and `examples` random
 * requests an operation beside the fixed ones. Returns the output if a check failed, else undefined.
 */
export const tryDocument = async (
  url: string,
  options: {
    readonly folder: string;
    readonly token?: string;
    readonly secret: string;
    readonly examples: number;
    /** The tool's options that select operations; all if absent. */
    readonly operations?: readonly string[];
  },
): Promise<string | undefined> => {
  const file = join(options.folder, 'schemathesis.toml');
  writeFileSync(file, settings(options));
  const child = spawn(
    programPath('schemathesis'),
    [
      ...['--config-file', file, 'run', `${url}/openapi.json`, '--checks', 'all', '--continue-on-failure'],
      ...(options.operations ?? []),
      ...['--max-examples', `${options.examples}`, '--seed', '1'],
      ...['--no-color', '--suppress-health-check', 'all'],
    ],
    { cwd: options.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return code === 0 ? undefined : output;
};
