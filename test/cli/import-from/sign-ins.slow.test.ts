import { EXPORTS } from './samples.ts';
import { testLogIns } from './sign-ins.ts';

testLogIns('the embedded store', Object.keys(EXPORTS));
