import { testLogIns } from './sign-ins.ts';

// What the exports of the others become is verified where their hashes are, in adapters/hashing.
testLogIns('the embedded store', 'better-auth', /^\$scrypt\$ln=14,r=16,p=1\$/);
