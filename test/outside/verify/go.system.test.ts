import { dirname, join } from 'node:path';
import { exampleLines } from '../../embedding/installed.ts';
import { findProgram } from '../../support/runner/outside-programs.ts';
import { root } from '../../support/tree/root.ts';
import { itVerifies } from './other-languages.ts';

describe('The service in Go, as its README.md starts it', function () {
  // The first run fetches and compiles its dependencies.
  this.timeout(600_000);
  const example = join(root, 'docs/examples/verify-go');
  const go = process.env.GATEHOUSE_TEST_GO ?? findProgram('Go') ?? '';
  itVerifies(`PATH="${dirname(go)}:$PATH"; exec ${exampleLines(example)[0]}`, example);
});
