import { dirname, join } from 'node:path';
import { exampleLines } from '../../embedding/installed.ts';
import { root } from '../../support/tree/root.ts';
import { itVerifies } from './other-languages.ts';

describe('The service in Python, as its README.md starts it', () => {
  const example = join(root, 'docs/examples/verify-python');
  const python = process.env.GATEHOUSE_TEST_PYJWT ?? '';
  itVerifies(`PATH="${dirname(python)}:$PATH"; exec ${exampleLines(example)[0]}`, example);
});
