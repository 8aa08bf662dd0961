/**
 * A parent of hashing children, for tests of how they end. `leave`: hashes, reports the children and becomes idle.
 * `stay`: reports the children while they hash for a long time.
 */
import { makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { watchChildren } from './started-children.ts';

const stays = process.argv[2] === 'stay';
const { children } = watchChildren();
const cost = stays ? { ln: 13, r: 8, p: 1 } : { ln: 8, r: 8, p: 1 };
const pool = makeHashPool({ cost, workers: 2, queue: 1_000, maxWait: 600_000, log: makeRecordingLog() });
const hashes = Array.from({ length: stays ? 1_000 : 2 }, () => pool.hash('correct horse', newHashOptions()));

await Promise.race(hashes);
if (!stays) await Promise.all(hashes);
process.send?.(children.map((child) => child.pid));
