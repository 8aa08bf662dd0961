import { dirname, join } from 'node:path';
import { exampleLines } from '../../embedding/installed.ts';
import { findProgram } from '../../support/runner/outside-programs.ts';
import { root } from '../../support/tree/root.ts';
import { itVerifies } from './other-languages.ts';

describe('The service in Go, as its README.md starts it', function () {
  // What it needs is fetched and compiled at the first time.
  this.timeout(600_000);
  const example = join(root, 'docs/examples/verify-go');
  const go = process.env.GATEHOUSE_TEST_GO ?? findProgram('Go') ?? '';
  itVerifies(`PATH="${dirname(go)}:$PATH"; exec ${exampleLines(example)[0]}`, example);
});
