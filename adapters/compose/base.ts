import type { Clock, Log, Random } from '../../core/index.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeRandom } from '../crypto/random.ts';
import { makeLog, type ProcessLog } from '../pino/log.ts';
import { quietLog } from '../pino/quiet-log.ts';
import { type Observation, openObservation } from './observation.ts';
import type { OwnParts } from './own-parts.ts';
import type { Resources } from './resources.ts';

/** What everything else is opened with. */
export interface Base {
  readonly config: Config;
  readonly own: OwnParts;
  /** Of this process: request lines go to it even where an app brings a log. */
  readonly processLog: ProcessLog;
  readonly observation: Observation;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

export const openBase = (config: Config, own: OwnParts, { opened, onClose }: Resources): Base => {
  const processLog = makeLog(config.logLevel);
  onClose(() => processLog.flush());
  const observation = opened(openObservation(config, own, processLog));
  return {
    config,
    own,
    processLog,
    observation,
    log: observation.log(quietLog(own.log ?? processLog)),
    clock: own.clock ?? systemClock,
    random: makeRandom(),
  };
};
