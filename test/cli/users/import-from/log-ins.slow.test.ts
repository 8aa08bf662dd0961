import { testLogIns } from './log-ins.ts';
import { EXPORTS } from './samples.ts';

testLogIns('the embedded store', Object.keys(EXPORTS));
