import { testSignIns } from './sign-ins.ts';

// The tests of adapters/hashing verify the hashes of the other products.
testSignIns('the embedded store', 'better-auth', /^\$scrypt\$ln=14,r=16,p=1\$/);
